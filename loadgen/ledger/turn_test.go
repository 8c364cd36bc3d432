package ledger

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// TestTurn: where a rate command leaves each kind of dial, or why it leaves it.
func TestTurn(t *testing.T) {
	set, add, mul := func(x float64) *Command { return &Command{How: Set, To: x} },
		func(x float64) *Command { return &Command{How: Add, To: x} },
		func(x float64) *Command { return &Command{How: Mul, To: x} }
	for _, tt := range []struct {
		name  string
		c     *Command
		rates []float64
		want  []float64
		why   string
	}{
		{"none", add(1), nil, []float64{}, ""},
		{"set", set(20), []float64{50}, []float64{20}, ""},
		{"more", add(10), []float64{50}, []float64{60}, ""},
		{"less than there is", add(-60), []float64{50}, []float64{0}, ""},
		{"half", mul(0.5), []float64{50}, []float64{25}, ""},
		{"from 0", add(10), []float64{0}, []float64{10}, ""},
		{"in millionths", mul(1. / 3), []float64{1}, []float64{0.333333}, ""},
		{"beyond", set(2e6), []float64{50}, nil, "a rate of 2e+06/s is out of range"},
		{"below", set(-1), []float64{50}, nil, "a rate of -1/s is out of range"},
		{"none at all", set(math.NaN()), []float64{50}, nil, "out of range"},
		{"together", add(20), []float64{10, 30}, []float64{15, 45}, ""},
		{"together to", set(4), []float64{10, 30}, []float64{1, 3}, ""},
		{"together, doubled", mul(2), []float64{10, 30}, []float64{20, 60}, ""},
		{"together, one waits", add(10), []float64{10, 0}, []float64{20, 0}, ""},
		{"together to 0", add(-40), []float64{10, 30}, nil, "the mix of the lanes would be lost"},
		{"together set to 0", set(0), []float64{10, 30}, nil, "the mix of the lanes would be lost"},
		{"one of them to 0", mul(1e-6), []float64{0.1, 30}, nil, "the mix of the lanes would be lost"},
		{"together, all wait", add(10), []float64{0, 0}, nil, "every lane waits for a rate"},
		{"one of them beyond", set(2e6), []float64{1, 3}, nil, "out of range"},
	} {
		before := slices.Clone(tt.rates)
		got, err := tt.c.TurnRates(tt.rates)
		if !slices.Equal(got, tt.want) || !says(err, tt.why) || !slices.Equal(before, tt.rates) {
			t.Errorf("%s: %v is %v, %v, want %v, %q", tt.name, before, got, err, tt.want, tt.why)
		}
	}
	for _, tt := range []struct {
		name      string
		c         *Command
		slots     int
		scale     float64
		one       float64
		want      float64
		whyNot    string
		mostSlots int
	}{
		{name: "slots", c: add(10), slots: 4, mostSlots: 64, want: 14},
		{name: "half a slot", c: mul(0.5), slots: 3, mostSlots: 64, want: 2},
		{name: "no slot", c: add(-10), slots: 4, mostSlots: 64, whyNot: "a closed loop of 0 is out of range"},
		{name: "most", c: set(65), slots: 4, mostSlots: 64, whyNot: "a closed loop of 65 is out of range"},
		{name: "no number", c: set(math.NaN()), slots: 4, mostSlots: 64, whyNot: "out of range"},
		{name: "a shape", c: add(10), scale: 0.5, one: 40, want: 0.75},
		{name: "a shape to", c: set(10), scale: 0.5, one: 40, want: 0.25},
		{name: "a shape, doubled", c: mul(2), scale: 0.5, one: 40, want: 1},
		{name: "doubled at an unknown rate", c: mul(2), scale: 0.5, want: 1},
		{name: "more than an unknown rate", c: add(10), scale: 0.5, whyNot: "scaled from the rate it has now"},
		{name: "a shape to 0", c: add(-30), scale: 0.5, one: 40, whyNot: "not to 0"},
		{name: "a shape beyond", c: set(2e6), scale: 0.5, one: 40, whyNot: "scaled"},
	} {
		var got float64
		var err error
		if tt.slots > 0 {
			var n int
			n, err = tt.c.TurnSlots(tt.slots, tt.mostSlots)
			got = float64(n)
		} else {
			got, err = tt.c.TurnScale(tt.scale, tt.one)
		}
		if got != tt.want || !says(err, tt.whyNot) {
			t.Errorf("%s: got %v, %v, want %v, %q", tt.name, got, err, tt.want, tt.whyNot)
		}
	}
}

// says reports whether an error has these words; without any, that there is none.
func says(err error, words string) bool {
	if err == nil || words == "" {
		return err == nil && words == ""
	}
	return strings.Contains(err.Error(), words)
}
