package payload

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// DType is the type of a tensor's elements.
type DType uint8

// The element types. Other is one that no body is made for.
const (
	Other DType = iota
	Bool
	Int8
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	Half
	BFloat16
	Float32
	Float64
	Bytes
)

var dtypes = [...]struct {
	name string
	size int64 // bytes of one element as a raw number
}{
	{"other", 0},
	{"BOOL", 1},
	{"INT8", 1},
	{"INT16", 2},
	{"INT32", 4},
	{"INT64", 8},
	{"UINT8", 1},
	{"UINT16", 2},
	{"UINT32", 4},
	{"UINT64", 8},
	{"HALF", 2},
	{"BFLOAT16", 2},
	{"FLOAT", 4},
	{"DOUBLE", 8},
	{"BYTES", 0},
}

func (d DType) String() string { return dtypes[d].name }

// float reports whether elements are written with a fraction.
func (d DType) float() bool { return d == Float32 || d == Float64 }

// A Tensor is one input a model says it takes.
type Tensor struct {
	Name        string
	Type        DType
	Said        string  // the type in the server's own words, "" for the name of Type
	Dims        []int64 // with the batch first; negative where the model leaves it open
	UnknownRank bool    // not even the number of dims is known
}

func (t Tensor) typeName() string {
	if t.Said != "" {
		return t.Said
	}
	return t.Type.String()
}

// Shape is the dims as they are written for people: "?,224,224,3".
func (t Tensor) Shape() string {
	if t.UnknownRank {
		return "of unknown rank"
	}
	parts := make([]string, len(t.Dims))
	for i, d := range t.Dims {
		parts[i] = "?"
		if d >= 0 {
			parts[i] = strconv.FormatInt(d, 10)
		}
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// picture reports whether the tensor can hold pictures: batch, height, width
// and 1, 3 or 4 channels, in this order.
func (t Tensor) picture() bool {
	if t.UnknownRank || len(t.Dims) != 4 {
		return false
	}
	if !t.Type.float() && t.Type != Uint8 {
		return false
	}
	c := t.Dims[3]
	return c == 1 || c == 3 || c == 4
}

// check refuses what no numbers can be made for.
func (t Tensor) check() error {
	const body = "write the request yourself and give it with --body FILE"
	switch {
	case t.UnknownRank:
		return refuse(body, "input %q is of unknown rank: no data can be made for it", t.Name)
	case t.Type == Bytes:
		return refuse(body, "input %q is BYTES (%s): strings cannot be random", t.Name, t.typeName())
	case t.Type == Half || t.Type == BFloat16:
		return refuse(body, "input %q is %s, which is not supported over JSON", t.Name, t.typeName())
	case t.Type == Other:
		return refuse(body, "input %q is %s: no data can be made for it", t.Name, t.typeName())
	case len(t.Dims) > 254: // more than TensorFlow knows
		return refuse(body, "input %q has %d dimensions", t.Name, len(t.Dims))
	case slices.Contains(t.Dims, 0):
		return refuse(body, "input %q has the shape %s, which holds nothing", t.Name, t.Shape())
	case len(t.Dims) == 0:
		return refuse(body, "input %q is a scalar, which a list of instances cannot carry", t.Name)
	}
	return nil
}

// open refuses a dim, other than the batch, that the model leaves open.
func (t Tensor) open() error {
	for _, d := range t.Dims[1:] {
		if d < 0 {
			return refuse(t.openHint(), "input %q has the shape %s: the model leaves a dimension open", t.Name, t.Shape())
		}
	}
	return nil
}

// openHint is what to write, with the known dims filled in and without the batch.
func (t Tensor) openHint() string {
	names := []string{"N", "M", "K", "L"}
	if len(t.Dims) == 4 {
		names = []string{"H", "W", "C"}
	}
	parts := make([]string, 0, len(t.Dims))
	for i, d := range t.Dims[1:] {
		switch {
		case d >= 0:
			parts = append(parts, strconv.FormatInt(d, 10))
		case i < len(names):
			parts = append(parts, names[i])
		default:
			parts = append(parts, fmt.Sprintf("N%d", i+1))
		}
	}
	give := "give the whole request with --body FILE"
	if t.picture() {
		give = "give a picture with --image FILE, which fixes H and W, or the whole request with --body FILE"
	}
	return fmt.Sprintf("%s; --shape %s=%s (without batch) comes with a later version",
		give, t.Name, strings.Join(parts, ","))
}
