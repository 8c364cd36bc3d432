package chart

import "math"

// A Scale puts values on the rows of a plot.
type Scale struct {
	Min, Max float64
	Log      bool
	Ticks    []Tick // lowest first
}

// A Tick is a value with a label and a dotted line.
type Tick struct {
	V     float64
	Label string
}

// nice are the leading digits of an axis's end.
var nice = [...]float64{1, 1.5, 2, 3, 4, 5, 6, 8, 10}

// Nice is the smallest round number that is not below v: 1, 1.5, 2, 3, 4, 5,
// 6, 8 or 10 times a power of ten. It is 1 for what is not a positive number.
func Nice(v float64) float64 {
	if !finite(v) || v <= 0 {
		return 1
	}
	v = min(v, maxValue)
	p := math.Pow(10, math.Floor(math.Log10(v)))
	for _, n := range nice {
		if n*p >= v*(1-1e-9) {
			return n * p
		}
	}
	return 10 * p
}

const maxValue = 1e15 // beyond this nothing is told apart on a plot

// Linear returns the scale from 0 to a round number not below top, for a plot
// of that many rows; its ticks are equally many rows apart. whole is for counts: no label has a fraction.
func Linear(top float64, rows int, whole bool, label func(float64) string) Scale {
	hi := Nice(top)
	if whole {
		hi = math.Max(1, math.Ceil(hi))
	}
	n := parts(hi, rows, whole)
	s := Scale{Max: hi}
	if apart := (rows - 1) / n; n > 1 && apart > 0 { // what does not divide is left free above
		s.Max = hi * float64(4*rows-1) / float64(4*apart*n)
	}
	for i := 0; i <= n; i++ {
		v := hi * float64(i) / float64(n)
		s.Ticks = append(s.Ticks, Tick{v, label(v)})
	}
	return s
}

// parts is into how many equal parts the axis is labelled: as many as give
// round numbers at least three rows apart.
func parts(hi float64, rows int, whole bool) int {
	lead := math.Round(hi / math.Pow(10, math.Floor(math.Log10(hi)+1e-9)) * 10)
	var try []int
	switch lead {
	case 15, 30, 60:
		try = []int{3}
	case 40, 80, 20:
		try = []int{4, 2}
	default: // 10, 50
		try = []int{5, 2}
	}
	for _, n := range try {
		if (rows-1)/n >= 3 && (!whole || math.Mod(hi, float64(n)) == 0) {
			return n
		}
	}
	return 1
}

// LogScale returns the scale around the values lo to hi, from and to 1, 2 or 5
// times a power of ten; it spans at least a factor of ten. Decades are
// labelled, and both ends.
func LogScale(lo, hi float64, rows int, label func(float64) string) Scale {
	if !finite(lo) || lo <= 0 {
		lo = 1
	}
	if !finite(hi) || hi < lo {
		hi = lo
	}
	lo, hi = math.Min(math.Max(lo, 1/maxValue), maxValue), math.Min(math.Max(hi, 1/maxValue), maxValue)
	lo, hi = floor125(lo), -floor125(-hi)
	for hi < lo*9.99 {
		hi = -floor125(-hi * 1.01)
	}
	s := Scale{Min: lo, Max: hi, Log: true}
	ticks := []Tick{{lo, label(lo)}}
	for p := math.Pow(10, math.Ceil(math.Log10(lo)+1e-9)); p < hi*0.999; p *= 10 {
		ticks = append(ticks, Tick{p, label(p)})
	}
	s.Ticks = s.spread(append(ticks, Tick{hi, label(hi)}), rows)
	return s
}

// spread leaves out ticks that come closer than two rows to the one below or
// to the end of the axis.
func (s Scale) spread(ticks []Tick, rows int) []Tick {
	last := len(ticks) - 1
	end := s.row(ticks[last].V, rows)
	out, at := ticks[:1:1], s.row(ticks[0].V, rows)
	for _, t := range ticks[1:last] {
		if r := s.row(t.V, rows); at-r >= 2 && r-end >= 2 {
			out, at = append(out, t), r
		}
	}
	return append(out, ticks[last])
}

// floor125 is the largest 1, 2 or 5 times a power of ten not above v; for a
// negative v the same on the other side.
func floor125(v float64) float64 {
	a := math.Abs(v)
	p := math.Pow(10, math.Floor(math.Log10(a)))
	if v < 0 {
		for _, n := range [...]float64{1, 2, 5} {
			if n*p >= a*(1-1e-9) {
				return -n * p
			}
		}
		return -10 * p
	}
	for _, n := range [...]float64{10, 5, 2} {
		if n*p <= a*(1+1e-9) {
			return n * p
		}
	}
	return p
}

// frac is where v is between the ends, 0…1; what is outside is at the end.
// It is NaN for what is not a number or not finite.
func (s Scale) frac(v float64) float64 {
	if !finite(v) {
		return math.NaN()
	}
	lo, hi := s.Min, s.Max
	if s.Log {
		if v <= 0 || lo <= 0 {
			return 0
		}
		v, lo, hi = math.Log(v), math.Log(lo), math.Log(hi)
	}
	if !(hi > lo) {
		return 0
	}
	return math.Min(math.Max((v-lo)/(hi-lo), 0), 1)
}

// value is the inverse of frac.
func (s Scale) value(f float64) float64 {
	if s.Log && s.Min > 0 && s.Max > 0 {
		return s.Min * math.Pow(s.Max/s.Min, f)
	}
	return s.Min + (s.Max-s.Min)*f
}

// row is the row of a plot of that many rows on which v is.
func (s Scale) row(v float64, rows int) int {
	f := s.frac(v)
	if f != f || rows < 1 {
		return 0
	}
	return rows - 1 - min(int(f*(float64(rows)*4-1)+0.5)/4, rows-1)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
