package chart

import (
	"math"
	"time"
)

// A Point is a value at an instant. A value that is NaN or infinite is a gap:
// nothing is drawn there, and no line across it.
type Point struct {
	At   time.Duration
	V    float64
	Pale bool // drawn in the paler style of its line
}

// slot is what a half column of the plot shows: the values in it, from lo to
// hi in parts of the axis.
type slot struct {
	lo, hi float64
	has    bool
	joined bool // a line leads here from the half column to the left
	pale   bool
}

func (c *slot) add(y float64, pale bool) {
	if !c.has {
		*c = slot{lo: y, hi: y, has: true, joined: c.joined, pale: pale}
		return
	}
	c.lo, c.hi, c.pale = math.Min(c.lo, y), math.Max(c.hi, y), c.pale && pale
}

// trace samples points in order of time onto the half columns of the axis.
// Between two neighbours the value goes straight; several points in a half
// column give the range of their values, so no spike is hidden. A point that
// goes back in time is left out. frac gives a value's part of the axis, NaN for
// a gap.
func (t TimeAxis) trace(points []Point, frac func(float64) float64) []slot {
	if !t.Valid() {
		return nil
	}
	for len(points) > 1 && points[0].At < t.From && points[1].At < t.From {
		points = points[1:] // long past: no line from it is on the axis
	}
	cols := make([]slot, 2*t.Cols)
	n := float64(len(cols))
	var px, py float64
	var from Point
	have := false
	for _, p := range points {
		if have && p.At < from.At {
			continue
		}
		x, y := t.dots(p.At), frac(p.V)
		if y != y {
			have, from = false, p
			continue
		}
		if have && x >= 0 && px < n {
			join(cols, px, py, x, y, p.Pale || from.Pale)
		}
		if x >= 0 && x < n {
			cols[int(x)].add(y, p.Pale)
		} else if x == n {
			cols[len(cols)-1].add(y, p.Pale)
		}
		px, py, from, have = x, y, p, true
	}
	return cols
}

// join fills the half columns between two neighbours.
func join(cols []slot, x0, y0, x1, y1 float64, pale bool) {
	first := max(int(math.Floor(math.Max(x0, -1))), -1)
	last := min(int(math.Min(x1, float64(len(cols)))), len(cols)-1)
	for c := max(first, 0); c <= last; c++ {
		if mid := float64(c) + 0.5; mid > x0 && mid < x1 {
			cols[c].add(y0+(y1-y0)*(mid-x0)/(x1-x0), pale)
		}
		if c > first {
			cols[c].joined = true
		}
	}
}

// stairs samples values, each of which holds from one bound to the next, onto
// the half columns of the axis. Of several in a half column, or of parts of
// them, it shows the range: no spike is hidden, and what is short is as wide as
// a half column. What goes back in time is left out.
func (t TimeAxis) stairs(bounds []time.Duration, v []float64, frac func(float64) float64) []slot {
	if !t.Valid() {
		return nil
	}
	const part = 1e-6 // of a half column, as nothing
	cols := make([]slot, 2*t.Cols)
	for i := range v {
		y := frac(v[i])
		if y != y || bounds[i+1] <= bounds[i] || bounds[i+1] <= t.From || bounds[i] >= t.To {
			continue
		}
		from := max(t.dots(bounds[i]), 0)
		to := min(t.dots(bounds[i+1]), float64(len(cols)))
		last := min(max(int(math.Ceil(to-part)), int(from+part)+1), len(cols))
		for c := int(from + part); c < last; c++ {
			cols[c].add(y, false)
		}
	}
	return cols
}
