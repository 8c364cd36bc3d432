package panes

import (
	"math"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/themes"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/chart"
	"dev.example/pileup/tui/format"
	"dev.example/pileup/tui/layout"
)

// Backlog draws how many requests were due and not done: the most in each tenth
// of a second, where it is known, those in flight and above them those held. It
// rises where requests became due, and ends where the run did. The colour of a
// height is how many seconds of the rate it is worth, so a calm run stays calm
// whatever its scale.
type Backlog struct {
	course
}

// Draw draws the pane into r.
func (p *Backlog) Draw(b *cells.Buf, r cells.Rect, v *View, s *ledger.Snapshot) {
	in := frame(b, r, v, layout.Backlog, v.say(lang.PaneBacklog))
	if s == nil || len(v.Account(closed(s)).Seconds) == 0 {
		empty(b, in, v, waiting(v, s))
		return
	}
	l := v.Account(closed(s))
	p.legend(b, r, v, l)
	plot := plotIn(b, in, v, s, false)
	p.fill(l, plot.Time, until(s), v.away)
	top := chart.Top(p.peak)
	scale := chart.Linear(max(headroom(top, plot.Rows()), least), plot.Rows(), true, wholeNumber)
	plot.Frame(scale)
	changes := changesIn(v, s)
	changeLines(plot, v, s, changes)
	p.area(plot, scale, v, full(l))
	changeLabels(plot, v, s, changes)
}

// least is the least the axis spans, so that a backlog of one is small.
const least = 10

// headroom is what the axis spans for data up to top: a row is left free above, for
// the labels of the marks, of many a tenth.
func headroom(top float64, rows int) float64 {
	return top * max(1.1, float64(rows)/float64(max(1, rows-1)))
}

// plotIn is the plot of a chart pane; those of one screen share their columns.
func plotIn(b *cells.Buf, in cells.Rect, v *View, s *ledger.Snapshot, bare bool) chart.Plot {
	t := v.Theme
	in.W = max(0, in.W-1)
	return chart.Plot{
		Buf: b, R: in, Time: v.axis(s, in.W), Bare: bare,
		Look: chart.Look{Axis: t.Chrome, Label: t.Label, Grid: t.Grid},
	}
}

func (p *Backlog) area(plot chart.Plot, scale chart.Scale, v *View, full float64) {
	t := v.Theme
	inFlight := chart.Layer{V: p.inFlight, Style: func(x float64) cells.Style {
		return cells.Style{Fg: t.Backlog[themes.Step(x/full, len(t.Backlog))]}
	}}
	held := chart.Layer{V: p.held, Sparse: v.Mono, Style: func(float64) cells.Style { return t.Held }}
	if chart.Top(p.held) == 0 {
		plot.Area(scale, p.at, inFlight)
		return
	}
	plot.Area(scale, p.at, inFlight, held)
}

// full is the backlog that is drawn in the last colour: four seconds of the
// highest rate that was asked for.
func full(l *ledger.Lane) float64 {
	const seconds, few = 4, 20
	rate := 0.0
	for i := range l.Seconds {
		c := &l.Seconds[i]
		rate = math.Max(rate, float64(c.Due)/float64(max(1, c.Span)))
	}
	return math.Max(few, seconds*rate)
}

// legend writes into the border what is open, apart by what it is doing.
func (p *Backlog) legend(b *cells.Buf, r cells.Rect, v *View, l *ledger.Lane) {
	t := v.Theme
	last := &l.Seconds[len(l.Seconds)-1]
	look := [2]string{}
	if v.Mono {
		look = [2]string{"⣿ ", "⢕ "}
	}
	parts := []part{
		{v.say(lang.SideBacklog), t.Label},
		{v.window(), t.Accent},
		{look[0] + v.say(lang.HeadInFlight) + " " + format.Count(last.InFlight), t.InFlight},
	}
	if last.Held > 0 {
		parts = append(parts, part{look[1] + v.say(lang.HeadHeld) + " " + format.Count(last.Held), t.Held})
	}
	legend(b, r, parts)
}

// part is one entry of a legend.
type part struct {
	text string
	st   cells.Style
}

// legend writes entries into the upper border, right-aligned, as many from the
// last back as fit behind the title; empty ones are left out.
func legend(b *cells.Buf, r cells.Rect, parts []part) {
	x := r.Right() - 3
	for i := len(parts) - 1; i >= 0; i-- {
		n := cells.Width(parts[i].text)
		if n == 0 {
			continue
		}
		if x-n-1 < r.X+18 {
			return
		}
		b.Set(x, r.Y, ' ', cells.Style{})
		x -= n
		b.Text(x, r.Y, n, parts[i].text, parts[i].st)
		b.Set(x-1, r.Y, ' ', cells.Style{})
		x -= 2
	}
}

// caption writes one line into the lower border, right-aligned, if it fits.
func caption(b *cells.Buf, r cells.Rect, text string, st cells.Style) {
	n := cells.Width(text)
	if x := r.Right() - 3 - n; x > r.X+2 && r.H > 1 {
		b.Text(x-1, r.Bottom()-1, n+2, " "+text+" ", st)
	}
}

func wholeNumber(x float64) string { return format.Count(int64(x)) }

// waiting says what a pane without data waits for.
func waiting(v *View, s *ledger.Snapshot) string {
	switch {
	case s == nil || s.Phase == ledger.Ready:
		return v.say(lang.SayNotBegun)
	}
	return v.say(lang.SayNoSecond)
}
