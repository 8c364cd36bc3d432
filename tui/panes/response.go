package panes

import (
	"math"
	"strconv"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/chart"
	"dev.example/pileup/tui/layout"
)

// Response draws p50, p95 and p99 of the requests due in each second as lines,
// as far as they are known. Where one still depends on open requests, a mark
// says from where on it may end: no line leads there, for what is known of the
// requests of a moment ago is next to nothing, and a line would fall to it.
type Response struct {
	known  [3][]chart.Point
	bounds [3][]chart.Point
}

var quantiles = [3]float64{0.50, 0.95, 0.99}

// bound is the mark of a lower bound.
const bound = '▵'

// Draw draws the pane into r.
func (p *Response) Draw(b *cells.Buf, r cells.Rect, v *View, s *ledger.Snapshot) {
	title := v.say(lang.PaneResponse)
	if v.Service {
		title = v.say(lang.PaneService)
	}
	in := frame(b, r, v, layout.Response, title)
	if s != nil {
		p.caveat(b, r, v, s)
	}
	if s == nil || s.Closed == 0 {
		*p = Response{}
		p.legend(b, r, v)
		empty(b, in, v, waiting(v, s))
		return
	}
	plot := plotIn(b, in, v, s, in.H < 5) // the labels of the chart above serve it
	lo, hi := p.fill(v, closed(s), plot.Time)
	p.legend(b, r, v)
	if math.IsInf(lo, 0) {
		empty(b, in, v, v.say(nothingOn(v, s, plot.Time)))
		return
	}
	scale := chart.LogScale(lo, hi, plot.Rows(), seconds)
	if v.Linear {
		scale = chart.Linear(hi, plot.Rows(), false, seconds)
	}
	plot.Frame(scale)
	changeLines(plot, v, s, changesIn(v, s))
	p.draw(plot, scale, v)
}

// caveat says in the lower border what the responses are not: the target's
// alone, while the driver is late; whole, in a closed loop.
func (p *Response) caveat(b *cells.Buf, r cells.Rect, v *View, s *ledger.Snapshot) {
	switch j := judged(s); {
	case j.late && !v.Service:
		shape, st := j.mark(v.Theme)
		caption(b, r, shape+" "+v.say(lang.SayLagWithin), st)
	case v.ClosedIn(s):
		caption(b, r, v.say(lang.SayHidesStalls), v.Theme.Label)
	}
}

// nothingOn says why nothing is known of any request on the axis.
func nothingOn(v *View, s *ledger.Snapshot, t chart.TimeAxis) lang.ID {
	for _, c := range v.Account(closed(s)).Cohorts {
		if c.Due > 0 && time.Duration(c.K)*time.Second > t.From {
			return lang.SayFirstAnswer
		}
	}
	return lang.SayNoneDue
}

// draw draws the marks with what may lie above them, then the lines, p99 over
// the others.
func (p *Response) draw(plot chart.Plot, scale chart.Scale, v *View) {
	t := v.Theme
	plot.Ranges(scale, p.above(scale), t.Chrome)
	lines := make([]chart.Series, 3)
	dashes := [3]chart.Dash{}
	if v.Mono {
		dashes = [3]chart.Dash{chart.Solid, chart.Dashed, chart.Dotted}
	}
	for i, st := range []cells.Style{t.P50, t.P95, t.P99} {
		plot.Bounds(scale, p.bounds[2-i], bound, paler([]cells.Style{t.P99, t.P95, t.P50}[i], t))
		lines[i] = chart.Series{Points: p.known[i], Style: st, Pale: paler(st, t), Dash: dashes[i]}
	}
	plot.Lines(scale, lines...)
}

// above are the spans in which a p50 that is only bounded from below may still
// end.
func (p *Response) above(scale chart.Scale) (out []chart.Range) {
	for _, x := range p.bounds[0] {
		if x.V >= scale.Min {
			out = append(out, chart.Range{At: x.At, Lo: x.V, Hi: scale.Max})
		}
	}
	return out
}

// paler is a colour on its way to the colour of labels.
func paler(st cells.Style, t *Theme) cells.Style {
	return st.In(st.Fg.Mix(t.Label.Fg, 0.55))
}

func (p *Response) legend(b *cells.Buf, r cells.Rect, v *View) {
	t := v.Theme
	look := [3]string{}
	if v.Mono {
		look = [3]string{"─ ", "┄ ", "· "}
	}
	scale := v.say(lang.SideLog)
	if v.Linear {
		scale = v.say(lang.SideLinear)
	}
	legend(b, r, []part{
		{v.say(lang.SideResponse), t.Label},
		{string(bound) + " " + v.say(lang.SideOpen), t.Label},
		{v.window(), t.Accent},
		{scale, t.Label},
		{look[0] + v.say(lang.HeadP50), p.lineStyle(0, t.P50, t)},
		{look[1] + v.say(lang.HeadP95), p.lineStyle(1, t.P95, t)},
		{look[2] + v.say(lang.HeadP99), p.lineStyle(2, t.P99, t)},
	})
}

// lineStyle is that of a line, or dim if nothing of it is drawn.
func (p *Response) lineStyle(i int, st cells.Style, t *Theme) cells.Style {
	for _, x := range p.known[i] {
		if x.V == x.V {
			return st
		}
	}
	return dimIf(len(p.bounds[i]) == 0, t, st)
}

// fill takes the quantiles of the cohorts on the axis and returns the range in
// seconds of those that are known. A logarithmic one reaches up to the highest
// bound, so that no mark stands at less than it says; a linear one would leave the
// lines no height. Low bounds, of what became due just now, make the range only
// where nothing is known.
func (p *Response) fill(v *View, s *ledger.Snapshot, t chart.TimeAxis) (lo, hi float64) {
	for i := range quantiles {
		p.known[i], p.bounds[i] = p.known[i][:0], p.bounds[i][:0]
	}
	for _, c := range v.Account(s).Cohorts {
		at := time.Duration(2*c.K-c.Span) * time.Second / 2
		if c.K <= s.Closed && at >= t.From-time.Minute {
			p.add(v, c, at, s.At)
		}
	}
	lo, hi = extent(p.known[:])
	least, most := extent(p.bounds[:])
	switch {
	case math.IsInf(lo, 0):
		return least, most
	case v.Linear:
		return lo, hi
	}
	return lo, max(hi, most)
}

// add takes the quantiles of one cohort: into the lines, where what is not
// known is a gap, or into the marks. A p99 of too few requests is left out: it
// is no more than the slowest of them.
func (p *Response) add(v *View, c *ledger.Cohort, at, now time.Duration) {
	times := v.ofCohort(c, now)
	for i, q := range quantiles {
		val := times.Quantile(q)
		pt := chart.Point{At: at, V: math.NaN()}
		switch {
		case val.Bound == ledger.None || val.Value <= 0 || val.Thin && i == len(quantiles)-1:
		case val.Bound == ledger.Measure:
			pt.V, pt.Pale = val.Value.Seconds(), val.Thin
		default:
			p.bounds[i] = append(p.bounds[i], chart.Point{At: at, V: val.Value.Seconds()})
		}
		p.known[i] = append(p.known[i], pt)
	}
}

// extent is the range of all values there are.
func extent(lists [][]chart.Point) (lo, hi float64) {
	lo = math.Inf(1)
	for _, l := range lists {
		for i := range l {
			if x := l[i].V; x == x {
				lo, hi = math.Min(lo, x), math.Max(hi, x)
			}
		}
	}
	return lo, hi
}

// seconds labels an axis of seconds with round numbers: minutes and hours as
// the axis of time has them.
func seconds(x float64) string {
	short := func(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }
	switch {
	case x == 0:
		return "0"
	case x < 0.9995e-3:
		return short(x*1e6) + " µs"
	case x < 0.9995:
		return short(x*1e3) + " ms"
	case x < 999.5:
		return short(x) + " s"
	case x < 1e9:
		return chart.Span(time.Duration(math.Round(x)) * time.Second)
	}
	return short(x/3600) + " h"
}
