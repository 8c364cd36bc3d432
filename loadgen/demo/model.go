package demo

import (
	"hash/fnv"
	"math"
	"strconv"
	"time"
)

// A Model is one model the server has.
type Model struct {
	Name    string
	Input   string        // name of the input, always of floats
	Shape   []int         // of the input, without the batch
	Outputs []Output      // the first decides the form of the answer if it is the only one
	Service time.Duration // compute time of one example at full speed
}

// An Output is one named result.
type Output struct {
	Name  string
	Shape []int // without the batch
	value func(seed uint64, i int) float64
}

// version is the only version of every model; label points to it.
const (
	version = "1"
	label   = "stable"
)

// Models lists the models the server has unless told otherwise, each with
// the input of the network it is named after. Service times are such that two
// workers do 125, 110, 40 and 15 a second at full speed, about what the
// boards this imitates do without a network in between.
func Models() []Model {
	return []Model{
		classifier("mobilenet_v1", "input_1", "act_softmax", 224, 16*time.Millisecond),
		classifier("mobilenet_v2", "input_1", "predictions", 224, 18*time.Millisecond),
		classifier("inception_v3", "input_1", "predictions", 299, 50*time.Millisecond),
		detector("yolo_v5", "images", 640, 130*time.Millisecond),
	}
}

func classifier(name, in, out string, side int, service time.Duration) Model {
	return Model{
		Name: name, Input: in, Shape: []int{side, side, 3}, Service: service,
		Outputs: []Output{{Name: out, Shape: []int{1001}, value: likelihood}},
	}
}

// detector answers with the hundred best boxes, as exports with
// non-maximum suppression do; the raw grid would be 43 MB of JSON.
func detector(name, in string, side int, service time.Duration) Model {
	return Model{
		Name: name, Input: in, Shape: []int{side, side, 3}, Service: service,
		Outputs: []Output{
			{Name: "detection_boxes", Shape: []int{100, 4}, value: corner},
			{Name: "detection_classes", Shape: []int{100}, value: class},
			{Name: "detection_scores", Shape: []int{100}, value: score},
			{Name: "num_detections", Shape: nil, value: func(uint64, int) float64 { return 100 }},
		},
	}
}

// likelihood is a softmax over 1001 classes with one clear winner: the rest
// shares what it leaves in geometric steps, in an order of the model's own.
func likelihood(seed uint64, i int) float64 {
	const classes, top = 1001, 0.62
	winner := int(seed % classes)
	if i == winner {
		return top
	}
	rank := (i*379 + int(seed%331)) % classes // 379 is prime to 1001: each rank once
	const q = 0.985
	return (1 - top) * (1 - q) * math.Pow(q, float64(rank))
}

func corner(seed uint64, i int) float64 {
	box, side := i/4, i%4
	low := 0.8 * fraction(seed, 2*box+side%2)
	if side < 2 {
		return low
	}
	return low + 0.02 + 0.18*fraction(seed, 1000+2*box+side%2)
}

func class(seed uint64, i int) float64 { return math.Floor(80 * fraction(seed, 2000+i)) }

func score(_ uint64, i int) float64 { return 0.93 * math.Pow(0.96, float64(i)) }

// fraction is the i-th of a fixed sequence in [0, 1) that has no pattern to
// the eye (the golden ratio's multiples).
func fraction(seed uint64, i int) float64 {
	_, f := math.Modf(float64(seed%1000)/1000 + float64(i)*math.Phi)
	return f
}

// elements is the number of values in one example.
func (m *Model) elements() int64 { return count(m.Shape) }

func count(shape []int) int64 {
	n := int64(1)
	for _, d := range shape {
		n *= int64(d)
	}
	return n
}

// seed makes the numbers of one model its own.
func (m *Model) seed() uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(m.Name)) // never fails
	return h.Sum64()
}

// json appends the output's values for one example as JSON.
func (o *Output) json(b []byte, seed uint64) []byte {
	value := o.value
	if value == nil {
		value = likelihood
	}
	i := 0
	var list func(shape []int)
	list = func(shape []int) {
		if len(shape) == 0 {
			b = appendFloat(b, value(seed, i))
			i++
			return
		}
		b = append(b, '[')
		for k := range shape[0] {
			if k > 0 {
				b = append(b, ", "...)
			}
			list(shape[1:])
		}
		b = append(b, ']')
	}
	list(o.Shape)
	return b
}

// appendFloat writes a float32 as TF Serving does: whole numbers with ".0".
func appendFloat(b []byte, v float64) []byte {
	n := len(b)
	b = strconv.AppendFloat(b, v, 'g', -1, 32)
	for _, c := range b[n:] {
		if c == '.' || c == 'e' {
			return b
		}
	}
	return append(b, ".0"...)
}
