// Package chart draws plots into a cell buffer: areas, lines, bars and small
// trends, on axes with round numbers.
//
// It is the only user of ntcharts, whose braille raster turns dots into
// characters. The one idea is the guard in front of that raster: values become
// half columns and parts of an axis first, clamped to the plot, so that no
// NaN, infinity, spike, time gone backwards, tiny or negative size ever
// reaches it. Whatever is given, a call returns and draws only inside its
// rectangle.
//
// A gap in the data is a gap in the plot. A value that is only bounded from
// below is no part of a line: it is a mark of its own.
package chart

import (
	"math"
	"time"

	"dev.example/pileup/tui/cells"
)

// Margin is how many columns the labels and the line of the value axis take to
// the left of a plot; all plots have the same, so their columns agree.
const Margin = 7

// A Look is how the parts of a plot that are not data are drawn.
type Look struct {
	Axis  cells.Style // the line of the value axis
	Label cells.Style // numbers at both axes
	Grid  cells.Style // dots at labelled values
}

// A Plot is a place to draw: R holds the labels of values to the left, the data
// and, unless Bare, a row of times below.
type Plot struct {
	Buf  *cells.Buf
	R    cells.Rect
	Time TimeAxis
	Look Look
	Bare bool // no time labels: the row belongs to the data
}

// Cols is how many columns of data a plot of width w has.
func Cols(w int) int { return max(0, w-Margin) }

// Rows is how many rows of data the plot has.
func (p Plot) Rows() int { return p.Inner().H }

// Inner is the rectangle of the data; empty if there is no room for any.
func (p Plot) Inner() cells.Rect {
	r := p.R
	if p.Buf == nil {
		return cells.Rect{}
	}
	r.X, r.W = r.X+Margin, min(r.W-Margin, p.Time.Cols)
	if !p.Bare {
		r.H--
	}
	if r.W < 1 || r.H < 1 || r.X < 0 || r.Y < 0 || r.Right() > p.Buf.W || r.Bottom() > p.Buf.H || !p.Time.Valid() {
		return cells.Rect{}
	}
	return r
}

// Frame draws the axes: labels and dots at the ticks of s, and the times.
// It is drawn first: data covers the dots.
func (p Plot) Frame(s Scale) {
	in := p.Inner()
	if in.Empty() {
		return
	}
	for y := range in.H {
		p.Buf.Set(in.X-1, in.Y+y, '▏', p.Look.Axis)
	}
	for _, t := range s.Ticks {
		y := in.Y + s.row(t.V, in.H)
		p.Buf.Right(p.R.X, y, Margin-1, cells.Cut(t.Label, Margin-1), p.Look.Label)
		for x := 0; x < in.W; x += 2 {
			p.Buf.Set(in.X+x, y, '·', p.Look.Grid)
		}
	}
	if p.Bare {
		return
	}
	for _, t := range p.Time.Ticks() {
		if t.X+len(t.Label) <= in.W {
			p.Buf.Text(in.X+t.X, in.Bottom(), len(t.Label), t.Label, p.Look.Label)
		}
	}
}

// A Layer is one band of a stacked area.
type Layer struct {
	V []float64 // heights, one for each stretch of time; NaN is a gap
	// Style is the band's colour at a height on the axis.
	Style  func(v float64) cells.Style
	Sparse bool // every other dot only: told apart without colours
}

// Area draws layers on top of each other, the first one lowest. Height i is that
// from at[i] up to at[i+1]; nothing slopes. Where the lowest layer is known its
// ground line is drawn even at 0, so that nothing and not known look different.
func (p Plot) Area(s Scale, at []time.Duration, layers ...Layer) {
	in := p.Inner()
	if in.Empty() {
		return
	}
	sum := make([]float64, max(0, len(at)-1))
	below := make([]int, 2*in.W) // dots already filled
	for i, l := range layers {
		n := min(len(sum), len(l.V))
		for k := range n {
			sum[k] += l.V[k]
		}
		g := newRaster(in)
		for x, c := range p.Time.stairs(at, sum[:n], s.frac)[:2*in.W] {
			if !c.has {
				continue
			}
			top := int(c.hi*float64(4*in.H-1) + 0.5)
			if c.hi > 0 || i == 0 {
				top++
			}
			top = min(top, 4*in.H)
			g.band(x, below[x], top, l.Sparse)
			below[x] = max(below[x], top)
		}
		g.draw(p.Buf, func(y int) cells.Style {
			return l.Style(s.value(1 - (float64(y)+0.5)/float64(in.H)))
		}, majority)
	}
}

// A Dash says which half columns of a line are left out, so that lines are told
// apart without colours.
type Dash uint8

// The dashes.
const (
	Solid  Dash = iota
	Dashed      // four of six
	Dotted      // one of three
)

func (d Dash) skips(x int) bool {
	switch d {
	case Dashed:
		return x%6 >= 4
	case Dotted:
		return x%3 > 0
	}
	return false
}

// A Series is one line.
type Series struct {
	Points []Point
	Style  cells.Style
	Pale   cells.Style // of the pale points
	Dash   Dash
}

// Lines draws lines. Where two of them meet in a cell the one with more dots
// gives the colour, of as many each in its turn; the dots of anything else make
// room.
func (p Plot) Lines(s Scale, series ...Series) {
	in := p.Inner()
	if in.Empty() {
		return
	}
	ours := make(map[cells.Style]bool, 2*len(series))
	for _, l := range series {
		ours[l.Style], ours[l.Pale] = true, true
	}
	meet := func(x int, old, add cells.Cell) cells.Cell {
		if ours[old.Style] {
			return inTurn(x, old, add)
		}
		return add
	}
	for _, l := range series {
		known, pale := newRaster(in), newRaster(in)
		stroke(known, pale, l.Dash, p.Time.trace(l.Points, s.frac)[:2*in.W])
		pale.draw(p.Buf, func(int) cells.Style { return l.Pale }, meet)
		known.draw(p.Buf, func(int) cells.Style { return l.Style }, meet)
	}
}

// stroke sets the dots of a line.
func stroke(known, pale *raster, dash Dash, slots []slot) {
	last := 0
	for x, c := range slots {
		if !c.has {
			continue
		}
		lo, hi := dot(c.lo, known.in.H), dot(c.hi, known.in.H)
		next := (lo + hi) / 2
		if c.joined && x > 0 {
			lo, hi = reach(lo, hi, last)
		}
		last = next
		switch {
		case dash.skips(x):
		case c.pale:
			pale.set(x, lo, hi+1)
		default:
			known.set(x, lo, hi+1)
		}
	}
}

// Bounds draws a character at each value of which only that much is known: at
// least this. They are not joined, for nothing leads from one to the next. One
// above the axis is drawn at its end; one below it says nothing there and is
// left out. Lines drawn later cover them.
func (p Plot) Bounds(s Scale, points []Point, r rune, st cells.Style) {
	in := p.Inner()
	for _, pt := range points {
		col, ok := p.Time.Col(pt.At)
		f := s.frac(pt.V)
		if in.Empty() || !ok || col >= in.W || f != f || pt.V < s.Min {
			continue
		}
		p.Buf.Set(in.X+col, in.Y+s.row(pt.V, in.H), r, st)
	}
}

// reach extends a stroke to the dot next to the one it comes from.
func reach(lo, hi, last int) (int, int) {
	switch {
	case last > hi:
		hi = last - 1
	case last < lo:
		lo = last + 1
	}
	return lo, hi
}

// A Range is a span of values at an instant.
type Range struct {
	At     time.Duration
	Lo, Hi float64
}

// Ranges draws each span as an upright stroke of sparse dots: the extent of a
// second's values behind its line. It leaves cells with dots as they are.
func (p Plot) Ranges(s Scale, spans []Range, st cells.Style) {
	in := p.Inner()
	if in.Empty() {
		return
	}
	g := newRaster(in)
	for _, r := range spans {
		x, lo, hi := p.Time.dots(r.At), s.frac(r.Lo), s.frac(r.Hi)
		if lo != lo || hi != hi || !(x >= 0 && x < float64(2*in.W)) {
			continue
		}
		for d := dot(min(lo, hi), in.H); d <= dot(max(lo, hi), in.H); d++ {
			if d%2 == 0 {
				g.set(int(x), d, d+1)
			}
		}
	}
	g.draw(p.Buf, func(int) cells.Style { return st }, func(_ int, old, _ cells.Cell) cells.Cell { return old })
}

// Mark draws an upright line at an instant, behind the data if drawn before
// it; data already there keeps its place. It reports whether the instant is on
// the axis.
func (p Plot) Mark(at time.Duration, line rune, st cells.Style) bool {
	in := p.Inner()
	col, ok := p.Time.Col(at)
	if in.Empty() || !ok || col >= in.W {
		return false
	}
	for y := range in.H {
		if c := p.Buf.At(in.X+col, in.Y+y).R; !braille(c) {
			p.Buf.Set(in.X+col, in.Y+y, line, st)
		}
	}
	return true
}

// Top is the largest finite value of all lists, 0 if there is none.
func Top(lists ...[]float64) float64 {
	top := 0.0
	for _, l := range lists {
		for _, v := range l {
			if finite(v) {
				top = math.Max(top, v)
			}
		}
	}
	return top
}
