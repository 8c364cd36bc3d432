package payload

import (
	"hash/fnv"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Rows encodes tensors as TensorFlow Serving's row format,
//
//	{"instances": [INSTANCE, …]}
//
// where an instance is a nested list if there is one tensor and an object
// name → list if there are several. Numbers and separators are those of
// Python's json.dumps: float64 with up to 17 significant digits, ", " between
// elements, which makes 3.15 MB of 224×224×3 floats. A batch dim the model leaves open becomes 1. o.Body is ignored.
//
// It refuses, with an [Error], what it cannot make: unknown rank, strings,
// half floats, open dims, a body over [MaxBytes], a picture that is none.
func Rows(tensors []Tensor, o Options) (*Payload, error) {
	tensors = slices.Clone(tensors)
	slices.SortFunc(tensors, func(a, b Tensor) int { return strings.Compare(a.Name, b.Name) })
	if len(tensors) == 0 {
		return nil, refuse("write the request yourself and give it with --body FILE", "the model takes no input")
	}
	for _, t := range tensors {
		if err := t.check(); err != nil {
			return nil, err
		}
	}
	sources, p, err := sourcesOf(tensors, o)
	if err != nil {
		return nil, err
	}
	batch, err := batchOf(tensors)
	if err != nil {
		return nil, err
	}
	size, err := p.count(tensors, sources, batch)
	if err != nil {
		return nil, err
	}
	p.Body = encode(make([]byte, 0, size), tensors, sources, batch, o.Signature)
	return p, nil
}

// sourcesOf gives each tensor its numbers and, where a picture decides them,
// its dims.
func sourcesOf(tensors []Tensor, o Options) ([]source, *Payload, error) {
	p := &Payload{}
	sources := make([]source, len(tensors))
	for i, t := range tensors {
		sources[i] = newSource(t, o)
	}
	if o.Image != "" {
		i, err := pictureInput(tensors)
		if err != nil {
			return nil, nil, err
		}
		pic, dims, err := readPicture(o.Image, tensors[i])
		if err != nil {
			return nil, nil, err
		}
		tensors[i].Dims, sources[i], p.Given = dims, pic, o.Image
	}
	for _, t := range tensors {
		if err := t.open(); err != nil {
			return nil, nil, err
		}
	}
	return sources, p, nil
}

// batchOf is the number of instances, the same for all tensors.
func batchOf(tensors []Tensor) (int64, error) {
	batch := int64(-1)
	for _, t := range tensors {
		switch d := t.Dims[0]; {
		case d < 0 || d == batch:
		case batch >= 0:
			return 0, refuse("write the request yourself and give it with --body FILE",
				"inputs disagree about the batch: %d and %d", batch, d)
		default:
			batch = d
		}
	}
	if batch < 0 {
		batch = 1
	}
	return batch, nil
}

// count books the elements and returns the bytes the body will take, as an
// estimate that errs by less than 2 % for random floats.
func (p *Payload) count(tensors []Tensor, sources []source, batch int64) (int64, error) {
	size := int64(64)
	for i, t := range tensors {
		n, lists := elements(t, batch)
		numbers := int64(float64(n) * sources[i].width())
		names := batch * int64(len(t.Name)+8)
		if n > MaxBytes || numbers+2*lists+names > MaxBytes-size {
			return 0, refuse("give a smaller request with --body FILE",
				"input %q of shape %s makes a body over 1 GiB", t.Name, t.Shape())
		}
		size += numbers + 2*lists + names
		p.Binary += n * dtypes[t.Type].size
		switch {
		case t.Type.float():
			p.Floats += n
		case t.Type == Bool:
			p.Bools += n
		default:
			p.Ints += n
		}
	}
	return size, nil
}

// elements is batch times the other dims, or more than MaxBytes, and how many
// lists hold them. No dim is below 1.
func elements(t Tensor, batch int64) (n, lists int64) {
	total := uint64(batch)
	for _, d := range t.Dims[1:] {
		if total > MaxBytes {
			break
		}
		lists += int64(total)
		hi, lo := bits.Mul64(total, uint64(d))
		if hi != 0 {
			lo = MaxBytes + 1
		}
		total = lo
	}
	return int64(min(total, MaxBytes+1)), lists
}

func encode(b []byte, tensors []Tensor, sources []source, batch int64, signature string) []byte {
	b = append(b, '{')
	if signature != "" {
		b = append(b, `"signature_name": `...)
		b = append(quote(b, signature), ", "...)
	}
	b = append(b, `"instances": [`...)
	for k := range batch {
		if k > 0 {
			b = append(b, ", "...)
		}
		if len(tensors) == 1 {
			b = list(b, tensors[0].Dims[1:], sources[0])
			continue
		}
		b = append(b, '{')
		for i, t := range tensors {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = append(quote(b, t.Name), ": "...)
			b = list(b, t.Dims[1:], sources[i])
		}
		b = append(b, '}')
	}
	return append(b, "]}"...)
}

func list(b []byte, dims []int64, s source) []byte {
	if len(dims) == 0 {
		return s.next(b)
	}
	b = append(b, '[')
	for i := range dims[0] {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = list(b, dims[1:], s)
	}
	return append(b, ']')
}

// A source writes one element after another.
type source interface {
	next(b []byte) []byte
	width() float64 // bytes of one element with its separator, on average
}

func newSource(t Tensor, o Options) source {
	if o.Input == Zero {
		switch {
		case t.Type.float():
			return constant("0.0")
		case t.Type == Bool:
			return constant("false")
		}
		return constant("0")
	}
	// A stream for each tensor, so that one more input changes no other.
	h := fnv.New64a()
	_, _ = h.Write([]byte(t.Name))
	r := rand.New(rand.NewPCG(o.Seed, h.Sum64()))
	switch {
	case t.Type.float():
		return floats{r}
	case t.Type == Bool:
		return bools{r}
	case t.Type == Uint8 && t.picture():
		return ints{r, 256}
	}
	return ints{r, 2}
}

type constant string

func (c constant) next(b []byte) []byte { return append(b, c...) }
func (c constant) width() float64       { return float64(len(c)) + 2 }

type floats struct{ *rand.Rand }

func (f floats) next(b []byte) []byte { return appendFloat(b, f.Float64()) }
func (floats) width() float64         { return 20.35 }

type bools struct{ *rand.Rand }

func (s bools) next(b []byte) []byte { return strconv.AppendBool(b, s.IntN(2) == 1) }
func (bools) width() float64         { return 6.5 }

type ints struct {
	*rand.Rand
	below int
}

func (s ints) next(b []byte) []byte { return strconv.AppendInt(b, int64(s.IntN(s.below)), 10) }

func (s ints) width() float64 {
	if s.below > 10 {
		return 4.6
	}
	return 3
}

// appendFloat writes the shortest decimal that reads back as v, up to 17
// significant digits, as Python's json does. Whole numbers keep a fraction, so
// that they stay floats.
func appendFloat(b []byte, v float64) []byte {
	if v == 0 || v == 1 {
		return strconv.AppendFloat(b, v, 'f', 1, 64)
	}
	return strconv.AppendFloat(b, v, 'g', -1, 64)
}
