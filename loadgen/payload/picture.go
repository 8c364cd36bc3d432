package payload

import (
	"bytes"
	"cmp"
	"image"
	_ "image/gif"  // decoder
	_ "image/jpeg" // decoder
	_ "image/png"  // decoder
	"strconv"

	_ "golang.org/x/image/bmp" // decoder
	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp" // decoder
)

const (
	maxPictureBytes = 256 << 20
	maxPixels       = 64 << 20 // of a decoded file or of an input: 4 bytes each
	pictureHint     = "give a jpeg, png, gif, webp or bmp file"
)

// pictureInput is the index of the only tensor that can hold pictures.
func pictureInput(tensors []Tensor) (int, error) {
	const hint = "write the request yourself and give it with --body FILE"
	found := -1
	for i, t := range tensors {
		if !t.picture() {
			continue
		}
		if found >= 0 {
			return 0, refuse(hint, "inputs %q and %q both take pictures", tensors[found].Name, t.Name)
		}
		found = i
	}
	if found < 0 {
		t := tensors[0]
		return 0, refuse(hint, "no input takes a picture: %q is %s of shape %s, not [batch,height,width,channels]",
			t.Name, t.typeName(), t.Shape())
	}
	return found, nil
}

// readPicture decodes the file and resizes it to the tensor's height and
// width, or takes these from the file where the model leaves them open.
func readPicture(path string, t Tensor) (source, []int64, error) {
	raw, err := readFile(path, maxPictureBytes)
	if err != nil {
		return nil, nil, refuse(cmp.Or(hintOf(err), pictureHint), "read picture: %w", err)
	}
	cfg, _, err := image.DecodeConfig(bytes.NewReader(raw))
	if err != nil {
		return nil, nil, refuse(pictureHint, "%s is no picture: %w", path, err)
	}
	if tooBig(int64(cfg.Height), int64(cfg.Width)) {
		return nil, nil, refuse("give a smaller one", "picture %s is too large: %d×%d pixels", path, cfg.Width, cfg.Height)
	}
	src, _, err := image.Decode(bytes.NewReader(raw))
	if err != nil {
		return nil, nil, refuse(pictureHint, "picture %s is damaged: %w", path, err)
	}
	dims := []int64{t.Dims[0], t.Dims[1], t.Dims[2], t.Dims[3]}
	if dims[1] < 0 {
		dims[1] = int64(src.Bounds().Dy())
	}
	if dims[2] < 0 {
		dims[2] = int64(src.Bounds().Dx())
	}
	if tooBig(dims[1], dims[2]) {
		return nil, nil, refuse("give the whole request with --body FILE",
			"input %q of shape %s is no size for a picture", t.Name, t.Shape())
	}
	return &pixels{pic: resize(src, int(dims[2]), int(dims[1])), channels: int(dims[3]), raw: t.Type == Uint8}, dims, nil
}

func tooBig(h, w int64) bool { return h <= 0 || w <= 0 || h > maxPixels/w }

func resize(src image.Image, w, h int) *image.NRGBA {
	dst := image.NewNRGBA(image.Rect(0, 0, w, h))
	if src.Bounds().Dx() == w && src.Bounds().Dy() == h {
		draw.Draw(dst, dst.Bounds(), src, src.Bounds().Min, draw.Src)
		return dst
	}
	draw.BiLinear.Scale(dst, dst.Bounds(), src, src.Bounds(), draw.Src, nil)
	return dst
}

// pixels writes a picture row by row, pixel by pixel, channel by channel, and
// starts again for the next instance.
type pixels struct {
	pic      *image.NRGBA
	channels int
	raw      bool // 0–255 instead of 0–1
	at       int  // elements written
}

func (p *pixels) next(b []byte) []byte {
	pix, c := p.at/p.channels, p.at%p.channels
	i := pix % (len(p.pic.Pix) / 4) * 4
	v := p.pic.Pix[i+c]
	if p.channels == 1 {
		v = luma(p.pic.Pix[i], p.pic.Pix[i+1], p.pic.Pix[i+2])
	}
	p.at++
	if p.raw {
		return strconv.AppendUint(b, uint64(v), 10)
	}
	return appendFloat(b, float64(v)/255)
}

func (p *pixels) width() float64 {
	if p.raw {
		return 4.6
	}
	return 20.4
}

// luma is the grey of a colour, ITU-R BT.601, as JPEG and PIL compute it.
func luma(r, g, b uint8) uint8 {
	return uint8((19595*uint32(r) + 38470*uint32(g) + 7471*uint32(b) + 1<<15) >> 16)
}
