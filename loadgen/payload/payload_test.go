package payload

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func rows(t *testing.T, o Options, tensors ...Tensor) *Payload {
	t.Helper()
	p, err := Rows(tensors, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestRows(t *testing.T) {
	zero := Options{Input: Zero}
	for _, tt := range []struct {
		name    string
		o       Options
		tensors []Tensor
		want    string
	}{
		{"a vector", zero, []Tensor{{Name: "x", Type: Float32, Dims: []int64{-1, 3}}}, `{"instances": [[0.0, 0.0, 0.0]]}`},
		{"nested", zero, []Tensor{{Name: "x", Type: Int64, Dims: []int64{1, 2, 1, 2}}}, `{"instances": [[[[0, 0]], [[0, 0]]]]}`},
		{"a number an instance", zero, []Tensor{{Name: "x", Type: Bool, Dims: []int64{-1}}}, `{"instances": [false]}`},
		{"a fixed batch", zero, []Tensor{{Name: "x", Type: Uint8, Dims: []int64{2, 2}}}, `{"instances": [[0, 0], [0, 0]]}`},
		{"two inputs", zero, []Tensor{
			{Name: "b", Type: Float64, Dims: []int64{-1, 1}},
			{Name: `a"`, Type: Int32, Dims: []int64{-1}},
		}, `{"instances": [{"a\"": 0, "b": [0.0]}]}`},
		{"a signature", Options{Input: Zero, Signature: "s"}, []Tensor{{Name: "x", Type: Int8, Dims: []int64{-1}}}, `{"signature_name": "s", "instances": [0]}`},
		{"random", Options{Seed: 1}, []Tensor{{Name: "x", Type: Float32, Dims: []int64{-1, 2}}, {Name: "y", Type: Int32, Dims: []int64{-1, 4}}}, `{"instances": [{"x": [0.029736263851823708, 0.27158875803971727], "y": [0, 1, 0, 1]}]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := string(rows(t, tt.o, tt.tensors...).Body)
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if !json.Valid([]byte(got)) {
				t.Error("not JSON")
			}
		})
	}
}

func TestSeed(t *testing.T) {
	x := Tensor{Name: "x", Type: Float32, Dims: []int64{-1, 50}}
	one, same := rows(t, Options{Seed: 1}, x), rows(t, Options{Seed: 1}, x)
	if !bytes.Equal(one.Body, same.Body) {
		t.Error("the same seed gives two bodies")
	}
	if bytes.Equal(one.Body, rows(t, Options{Seed: 2}, x).Body) {
		t.Error("two seeds give one body")
	}
}

func TestRandomIsInRange(t *testing.T) {
	p := rows(t, Options{Seed: 3},
		Tensor{Name: "f", Type: Float32, Dims: []int64{-1, 1000}},
		Tensor{Name: "i", Type: Int64, Dims: []int64{-1, 1000}},
		Tensor{Name: "p", Type: Uint8, Dims: []int64{-1, 20, 20, 3}})
	var body struct {
		Instances []struct {
			F []float64
			I []int
			P [][][]int
		}
	}
	if err := json.Unmarshal(p.Body, &body); err != nil {
		t.Fatal(err)
	}
	for _, v := range body.Instances[0].F {
		if v < 0 || v >= 1 {
			t.Errorf("float %v", v)
		}
	}
	for _, v := range body.Instances[0].I {
		if v != 0 && v != 1 {
			t.Errorf("int %v", v)
		}
	}
	high := 0
	for _, row := range body.Instances[0].P {
		for _, pix := range row {
			for _, v := range pix {
				high = max(high, v)
				if v < 0 || v > 255 {
					t.Errorf("byte %v", v)
				}
			}
		}
	}
	if high < 200 || p.Floats != 1000 || p.Ints != 2200 || p.Binary != 4000+8000+1200 {
		t.Errorf("highest byte %d, %+v", high, p.Line())
	}
}

// The size that is reserved, and the line that is shown, are those of the body.
func TestImageModelSize(t *testing.T) {
	x := Tensor{Name: "image", Type: Float32, Dims: []int64{-1, 224, 224, 3}}
	p := rows(t, Options{Seed: 7}, x)
	got := float64(len(p.Body))
	if math.Abs(float64(cap(p.Body))-got)/got > 0.02 {
		t.Errorf("reserved %d for %.0f bytes", cap(p.Body), got)
	}
	if math.Abs(got-3.152e6) > 0.005e6 {
		t.Errorf("%.0f bytes", got)
	}
	if got, want := p.Line(), "150,528 floats: 3.15 MB as JSON, 602 kB binary"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLine(t *testing.T) {
	for _, tt := range []struct {
		p    Payload
		want string
	}{
		{Payload{Body: make([]byte, 999), Floats: 1, Binary: 4}, "1 float: 999 B as JSON, 4 B binary"},
		{Payload{Body: make([]byte, 30_000), Floats: 1234, Ints: 1, Bools: 2, Binary: 5000}, "1,234 floats and 1 int and 2 bools: 30 kB as JSON, 5 kB binary"},
		{Payload{Body: make([]byte, 999_951), Given: "a.json"}, "body of a.json: 1.00 MB"},
		{Payload{Body: make([]byte, 999), Floats: 12, Binary: 48, Given: "cat.png"}, "12 floats of cat.png: 999 B as JSON, 48 B binary"},
	} {
		if got := tt.p.Line(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func refused(t *testing.T, err error, text, hint string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want a refusal", err)
	}
	if !strings.Contains(e.Error(), text) || !strings.Contains(e.Hint, hint) {
		t.Errorf("got  %q, hint %q\nwant %q, hint %q", e.Error(), e.Hint, text, hint)
	}
}

func TestRefusals(t *testing.T) {
	for _, tt := range []struct {
		name    string
		tensors []Tensor
		err     string
		hint    string
	}{
		{
			"open picture",
			[]Tensor{{Name: "image", Type: Float32, Dims: []int64{-1, -1, -1, 3}}},
			`input "image" has the shape [?,?,?,3]: the model leaves a dimension open`,
			"give a picture with --image FILE, which fixes H and W, or the whole request with --body FILE; --shape image=H,W,3 (without batch) comes with a later version",
		},
		{"open text", []Tensor{{Name: "ids", Type: Int32, Dims: []int64{-1, -1}}}, `"ids" has the shape [?,?]`, "--shape ids=N (without batch)"},
		{"open in part", []Tensor{{Name: "x", Type: Int32, Dims: []int64{1, 7, -1, 5, 6, -1, -1}}}, `"x"`, "--shape x=7,M,5,6,N5,N6 "},
		{"unknown rank", []Tensor{{Name: "x", Type: Float32, UnknownRank: true}}, `input "x" is of unknown rank`, "--body FILE"},
		{"strings", []Tensor{{Name: "x", Type: Bytes, Said: "DT_STRING", Dims: []int64{-1}}}, `input "x" is BYTES (DT_STRING): strings cannot be random`, "--body FILE"},
		{"half", []Tensor{{Name: "x", Type: Half, Said: "DT_HALF", Dims: []int64{-1}}}, `input "x" is DT_HALF, which is not supported over JSON`, "--body FILE"},
		{"bfloat", []Tensor{{Name: "x", Type: BFloat16, Dims: []int64{-1}}}, `input "x" is BFLOAT16, which is not supported over JSON`, "--body FILE"},
		{"others", []Tensor{{Name: "x", Said: "DT_QINT8", Dims: []int64{-1}}}, `input "x" is DT_QINT8`, "--body FILE"},
		{"a scalar", []Tensor{{Name: "x", Type: Float32}}, "scalar", "--body FILE"},
		{"no input", nil, "takes no input", "--body FILE"},
		{"nothing", []Tensor{{Name: "x", Type: Float32, Dims: []int64{1 << 40, 0}}}, "holds nothing", "--body FILE"},
		{"rank 255", []Tensor{{Name: "x", Type: Float32, Dims: make([]int64, 255)}}, "255 dimensions", "--body FILE"},
		{"two batches", []Tensor{{Name: "x", Type: Bool, Dims: []int64{2}}, {Name: "y", Type: Bool, Dims: []int64{3}}}, "disagree about the batch: 2 and 3", "--body FILE"},
		{"over 1 GiB", []Tensor{{Name: "x", Type: Float32, Dims: []int64{-1, 60_000_000}}}, "over 1 GiB", "--body FILE"},
		{"overflow", []Tensor{{Name: "x", Type: Bool, Dims: []int64{math.MaxInt64, math.MaxInt64, math.MaxInt64}}}, "over 1 GiB", "--body FILE"},
		{"brackets over 1 GiB", []Tensor{{Name: "x", Type: Bool, Dims: []int64{1 << 26, 1, 1, 1, 1, 1, 1}}}, "over 1 GiB", "--body FILE"},
		{"together over 1 GiB", []Tensor{{Name: "x", Type: Float32, Dims: []int64{-1, 30_000_000}}, {Name: "y", Type: Float32, Dims: []int64{-1, 30_000_000}}}, "over 1 GiB", "--body FILE"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Rows(tt.tensors, Options{})
			refused(t, err, tt.err, tt.hint)
		})
	}
}

func TestFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	good := write("good.json", `{"instances":[NaN]}`)
	p, err := File(good)
	if err != nil || string(p.Body) != `{"instances":[NaN]}` || p.Line() != "body of "+good+": 19 B" {
		t.Errorf("got %+v, %v", p, err)
	}
	huge := filepath.Join(dir, "huge")
	if f, err := os.Create(huge); err != nil || f.Truncate(MaxBytes+1) != nil || f.Close() != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		write("empty.json", ""):      "is empty",
		filepath.Join(dir, "absent"): "absent",
		dir:                          "is a directory",
		huge:                         "is larger than 1,073,741,824 bytes",
	} {
		_, err := File(name)
		refused(t, err, text, "")
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%v does not name %s", err, name)
		}
	}
}

func TestParseInput(t *testing.T) {
	for in, want := range map[string]Input{"": Random, "random": Random, "zero": Zero} {
		if got, err := ParseInput(in); got != want || err != nil {
			t.Errorf("%q: got %v, %v", in, got, err)
		}
	}
	_, err := ParseInput("ones")
	refused(t, err, `unknown input data "ones"`, "--input-data zero")
}

func BenchmarkRows(b *testing.B) {
	x := []Tensor{{Name: "image", Type: Float32, Dims: []int64{-1, 224, 224, 3}}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Rows(x, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
