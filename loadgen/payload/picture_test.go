package payload

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/image/bmp"
)

// picture is 2×1: red and half blue.
func picture() *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	m.Set(0, 0, color.NRGBA{255, 0, 0, 255})
	m.Set(1, 0, color.NRGBA{0, 0, 128, 255})
	return m
}

func file(t *testing.T, name string, encode func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b); err != nil {
		t.Fatal(err)
	}
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func pngFile(t *testing.T, m image.Image) string {
	return file(t, "a.png", func(w io.Writer) error { return png.Encode(w, m) })
}

func TestPicture(t *testing.T) {
	name := pngFile(t, picture())
	for _, tt := range []struct {
		name   string
		tensor Tensor
		want   string
	}{
		{"float", Tensor{Type: Float32, Dims: []int64{-1, 1, 2, 3}}, `{"instances": [[[[1.0, 0.0, 0.0], [0.0, 0.0, 0.5019607843137255]]]]}`},
		{"bytes", Tensor{Type: Uint8, Dims: []int64{-1, 1, 2, 3}}, `{"instances": [[[[255, 0, 0], [0, 0, 128]]]]}`},
		{"grey", Tensor{Type: Uint8, Dims: []int64{1, 1, 2, 1}}, `{"instances": [[[[76], [15]]]]}`},
		{"with alpha", Tensor{Type: Uint8, Dims: []int64{1, 1, 2, 4}}, `{"instances": [[[[255, 0, 0, 255], [0, 0, 128, 255]]]]}`},
		{"open size", Tensor{Type: Uint8, Dims: []int64{-1, -1, -1, 3}}, `{"instances": [[[[255, 0, 0], [0, 0, 128]]]]}`},
		{"resized", Tensor{Type: Uint8, Dims: []int64{-1, 2, 1, 3}}, `{"instances": [[[[127, 0, 64]], [[127, 0, 64]]]]}`},
		{"twice", Tensor{Type: Uint8, Dims: []int64{2, 1, 2, 1}}, `{"instances": [[[[76], [15]]], [[[76], [15]]]]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := rows(t, Options{Image: name}, tt.tensor)
			if got := string(p.Body); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if !strings.HasSuffix(p.Content(), "s of "+name) {
				t.Errorf("content %q", p.Content())
			}
		})
	}
}

func TestPictureFormats(t *testing.T) {
	m := picture()
	for name, encode := range map[string]func(io.Writer) error{
		"a.jpg": func(w io.Writer) error { return jpeg.Encode(w, m, nil) },
		"a.gif": func(w io.Writer) error { return gif.Encode(w, m, nil) },
		"a.bmp": func(w io.Writer) error { return bmp.Encode(w, m) },
		// A red pixel, lossless.
		"a.webp": func(w io.Writer) error {
			_, err := io.WriteString(w, "RIFF\x1c\x00\x00\x00WEBPVP8L\x0f\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\xfd\x8f\xfe\x07\x22\xa2\xff\x01\x00")
			return err
		},
	} {
		p := rows(t, Options{Image: file(t, name, encode)}, Tensor{Type: Float32, Dims: []int64{-1, 3, 4, 3}})
		if p.Floats != 36 {
			t.Errorf("%s: %s", name, p.Line())
		}
	}
}

// The other inputs of the model are made as ever.
func TestPictureBesideNumbers(t *testing.T) {
	p := rows(t, Options{Image: pngFile(t, picture()), Input: Zero},
		Tensor{Name: "image", Type: Uint8, Dims: []int64{-1, 1, 1, 1}},
		Tensor{Name: "threshold", Type: Float32, Dims: []int64{-1}})
	if got, want := string(p.Body), `{"instances": [{"image": [[[45]]], "threshold": 0.0}]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestPictureRefusals(t *testing.T) {
	good := pngFile(t, picture())
	text := file(t, "a.txt", func(w io.Writer) error { _, err := io.WriteString(w, "no picture"); return err })
	damaged := file(t, "half.png", func(w io.Writer) error {
		var b bytes.Buffer
		_ = png.Encode(&b, picture())
		_, err := w.Write(b.Bytes()[:b.Len()-30])
		return err
	})
	huge := file(t, "huge.bmp", func(w io.Writer) error {
		var b bytes.Buffer
		_ = bmp.Encode(&b, picture())
		binary.LittleEndian.PutUint32(b.Bytes()[18:], 1<<20)
		binary.LittleEndian.PutUint32(b.Bytes()[22:], 1<<20)
		_, err := w.Write(b.Bytes())
		return err
	})
	nhwc := Tensor{Name: "x", Type: Float32, Dims: []int64{-1, 8, 8, 3}}
	for _, tt := range []struct {
		name, file string
		tensors    []Tensor
		err        string
	}{
		{"text", text, []Tensor{nhwc}, text + " is no picture: image: unknown format"},
		{"damaged", damaged, []Tensor{nhwc}, "picture " + damaged + " is damaged: "},
		{"too many pixels", huge, []Tensor{nhwc}, "picture " + huge + " is too large: 1048576×1048576 pixels"},
		{"absent", "/no/such.png", []Tensor{nhwc}, "/no/such.png"},
		{"a vector", good, []Tensor{{Name: "x", Type: Float32, Dims: []int64{-1, 8}}}, `no input takes a picture: "x" is FLOAT of shape [?,8]`},
		{"channels first", good, []Tensor{{Name: "x", Type: Float32, Dims: []int64{-1, 3, 8, 8}}}, "no input takes a picture"},
		{"two", good, []Tensor{nhwc, {Name: "y", Type: Uint8, Dims: []int64{-1, 8, 8, 1}}}, `inputs "x" and "y" both take pictures`},
		{"too large an input", good, []Tensor{{Name: "x", Type: Float32, Dims: []int64{-1, 1 << 40, 1 << 40, 3}}}, "is no size for a picture"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Rows(tt.tensors, Options{Image: tt.file})
			refused(t, err, tt.err, "")
		})
	}
}
