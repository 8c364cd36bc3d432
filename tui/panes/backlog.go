package panes

import (
	"math"
	"strings"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/themes"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/chart"
	"dev.example/pileup/tui/format"
	"dev.example/pileup/tui/layout"
)

// Backlog draws how many requests were due and not done at the end of each
// second: those in flight, and above them those held. The colour of a height
// is how many seconds of the rate it is worth, so a calm run stays calm
// whatever its scale.
type Backlog struct {
	at             []time.Duration
	inFlight, held []float64
}

// Draw draws the pane into r.
func (p *Backlog) Draw(b *cells.Buf, r cells.Rect, v *View, s *ledger.Snapshot) {
	in := frame(b, r, v, layout.Backlog, v.say(lang.PaneBacklog), "")
	if s == nil || len(v.Account(closed(s)).Seconds) == 0 {
		empty(b, in, v, waiting(v, s))
		return
	}
	l := v.Account(closed(s))
	p.note(b, r, v, l)
	plot := plotIn(b, in, v, s, false)
	p.fill(l, plot.Time)
	top := chart.Top(p.sums())
	scale := chart.Linear(max(1.1*top, least), plot.Rows(), true, wholeNumber)
	plot.Frame(scale)
	marks(plot, v, s)
	p.area(plot, scale, v.Theme, full(l))
	labels(plot, v, s)
}

// least is the least the axis spans, so that a backlog of one is small. Some
// room is left above the data, for the labels of the marks.
const least = 10

// plotIn is the plot of a chart pane; those of one screen share their columns.
func plotIn(b *cells.Buf, in cells.Rect, v *View, s *ledger.Snapshot, bare bool) chart.Plot {
	t := v.Theme
	in.W = max(0, in.W-1)
	return chart.Plot{
		Buf: b, R: in, Time: v.axis(s, in.W), Bare: bare,
		Look: chart.Look{Axis: t.Chrome, Label: t.Label, Grid: t.Grid},
	}
}

// fill takes the seconds that are on the axis, and the one before them.
func (p *Backlog) fill(l *ledger.Lane, t chart.TimeAxis) {
	p.at, p.inFlight, p.held = p.at[:0], p.inFlight[:0], p.held[:0]
	if t.From <= 0 {
		p.add(0, 0, 0)
	}
	for i := range l.Seconds {
		c := &l.Seconds[i]
		if at := time.Duration(c.K) * time.Second; at >= t.From-time.Minute {
			p.add(at, c.InFlight, c.Held)
		}
	}
}

func (p *Backlog) add(at time.Duration, inFlight, held int64) {
	p.at = append(p.at, at)
	p.inFlight = append(p.inFlight, float64(inFlight))
	p.held = append(p.held, float64(held))
}

func (p *Backlog) sums() []float64 {
	out := make([]float64, len(p.at))
	for i := range out {
		out[i] = p.inFlight[i] + p.held[i]
	}
	return out
}

func (p *Backlog) area(plot chart.Plot, scale chart.Scale, t *Theme, full float64) {
	inFlight := chart.Layer{V: p.inFlight, Style: func(x float64) cells.Style {
		return cells.Style{Fg: t.Backlog[themes.Step(x/full, len(t.Backlog))]}
	}}
	held := chart.Layer{V: p.held, Style: func(float64) cells.Style { return t.Held }}
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

// note writes into the border what is open now, apart by what it is doing.
func (p *Backlog) note(b *cells.Buf, r cells.Rect, v *View, l *ledger.Lane) {
	t := v.Theme
	last := &l.Seconds[len(l.Seconds)-1]
	parts := []part{
		{v.say(lang.HeadInFlight) + " " + format.Count(last.InFlight), t.InFlight},
	}
	if last.Held > 0 {
		parts = append(parts, part{v.say(lang.HeadHeld) + " " + format.Count(last.Held), t.Held})
	}
	if v.Small {
		legend(b, r, parts)
		return
	}
	legend(b, r, append([]part{{v.say(lang.SideBacklog), t.Label}}, parts...))
}

// part is one entry of a legend.
type part struct {
	text string
	st   cells.Style
}

// legend writes entries into the upper border, right-aligned, as many from the
// last back as fit behind the title.
func legend(b *cells.Buf, r cells.Rect, parts []part) {
	x := r.Right() - 3
	for i := len(parts) - 1; i >= 0; i-- {
		n := cells.Width(parts[i].text)
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

// marks draws a line where a segment began and where sending ended.
func marks(plot chart.Plot, v *View, s *ledger.Snapshot) {
	for i := range s.Segments {
		if at := s.Segments[i].From; at > 0 {
			plot.Mark(at, '┊', 0, v.Theme.Label)
		}
	}
	if s.SendingEnded != ledger.Never {
		plot.Mark(s.SendingEnded, '╎', 0, v.Theme.Text)
	}
}

// labels says at the top of each mark what happened there, where there is room
// between the data.
func labels(plot chart.Plot, v *View, s *ledger.Snapshot) {
	in := plot.Inner()
	if s.SendingEnded != ledger.Never {
		label(plot, in, s.SendingEnded, "■ "+v.say(lang.SaySendingEnded), v.Theme.Text)
	}
	for i := range s.Segments {
		g := &s.Segments[i]
		if g.From <= 0 || i+1 < len(s.Segments) && sameColumn(plot, g.From, s.Segments[i+1].From) {
			continue
		}
		label(plot, in, g.From, segmentLabel(v, g), v.Theme.Label)
	}
}

// sameColumn reports whether two marks fall on one: the later one is named.
func sameColumn(plot chart.Plot, a, b time.Duration) bool {
	x, ok := plot.Time.Col(a)
	y, also := plot.Time.Col(b)
	return ok && also && x == y
}

// segmentLabel is what a segment's beginning changed.
func segmentLabel(v *View, g *ledger.Segment) string {
	lane := min(max(g.Lane, 0), len(g.Settings)-1)
	if lane < 0 {
		return ""
	}
	set := g.Settings[lane]
	switch g.By {
	case "rate":
		return format.Setting(set.Rate) + "/s"
	case "model":
		return set.Model
	case "arrivals":
		return v.Lang.Arrivals(set.Arrivals.String())
	case "mode":
		return strings.Join(g.Modes, " ")
	}
	return v.Lang.Do(ledger.Do(g.By))
}

// label writes text beside an instant in the first row where nothing stands:
// behind it, else before it.
func label(plot chart.Plot, in cells.Rect, at time.Duration, text string, st cells.Style) {
	col, ok := plot.Time.Col(at)
	n := cells.Width(text)
	if !ok || in.Empty() || n == 0 {
		return
	}
	for y := in.Y; y < min(in.Y+3, in.Bottom()); y++ {
		for _, x := range []int{in.X + col + 1, in.X + col - n} {
			if x >= in.X && x+n <= in.Right() && blank(plot.Buf, x, y, n) {
				plot.Buf.Text(x, y, n, text, st)
				return
			}
		}
	}
}

// blank reports whether nothing but the grid stands in n cells.
func blank(b *cells.Buf, x, y, n int) bool {
	for i := range n {
		if c := b.At(x+i, y).R; c != 0 && c != ' ' && c != '·' {
			return false
		}
	}
	return true
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
