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

// Response draws p50, p95 and p99 of the requests due in each second. What
// still depends on open requests is a lower bound, dotted and paler.
type Response struct {
	points [3][]chart.Point
}

var quantiles = [3]float64{0.50, 0.95, 0.99}

// Draw draws the pane into r.
func (p *Response) Draw(b *cells.Buf, r cells.Rect, v *View, s *ledger.Snapshot) {
	t := v.Theme
	title := v.say(lang.PaneResponse)
	if v.Service {
		title = v.say(lang.PaneService)
	}
	in := frame(b, r, v, layout.Response, title, "")
	p.legend(b, r, v)
	if s == nil || s.Closed == 0 {
		empty(b, in, v, waiting(v, s))
		return
	}
	plot := plotIn(b, in, v, s, in.H < 5) // the labels of the chart above serve it
	lo, hi := p.fill(v, s, plot.Time)
	if math.IsInf(lo, 0) {
		empty(b, in, v, v.say(lang.SayFirstAnswer))
		return
	}
	scale := chart.LogScale(lo, hi, plot.Rows(), seconds)
	if v.Linear {
		scale = chart.Linear(hi, plot.Rows(), false, seconds)
	}
	plot.Frame(scale)
	marks(plot, v, s)
	plot.Ranges(scale, p.above(scale.Max), t.Chrome)
	lines := make([]chart.Series, 3)
	for i, st := range []cells.Style{t.P50, t.P95, t.P99} {
		lines[2-i] = chart.Series{Points: p.points[i], Style: st, Low: paler(st, t)}
	}
	plot.Lines(scale, lines...)
}

// above are the spans in which a p50 that is only bounded from below may still
// end.
func (p *Response) above(top float64) (out []chart.Range) {
	for _, x := range p.points[0] {
		if x.Low {
			out = append(out, chart.Range{At: x.At, Lo: x.V, Hi: top})
		}
	}
	return out
}

// paler is a colour on its way to the colour of lines.
func paler(st cells.Style, t *Theme) cells.Style {
	return st.In(st.Fg.Mix(t.Label.Fg, 0.55))
}

func (p *Response) legend(b *cells.Buf, r cells.Rect, v *View) {
	t := v.Theme
	parts := []part{
		{v.say(lang.HeadP50), t.P50}, {v.say(lang.HeadP95), t.P95}, {v.say(lang.HeadP99), t.P99},
	}
	scale := v.say(lang.SideLog)
	if v.Linear {
		scale = v.say(lang.SideLinear)
	}
	if v.Small {
		legend(b, r, parts)
		return
	}
	note := []part{{scale, t.Label}, {v.say(lang.SideResponse), t.Label}, {"⠒⠂⠂ " + v.say(lang.SideOpen), t.Label}}
	legend(b, r, append(note, parts...))
}

// fill takes the quantiles of the cohorts on the axis and returns their range
// in seconds. What is only bounded from below does not pull the axis down: the
// requests of a moment ago are bounded by next to nothing.
func (p *Response) fill(v *View, s *ledger.Snapshot, t chart.TimeAxis) (lo, hi float64) {
	lo, hi = math.Inf(1), 0
	bound := math.Inf(1)
	for i := range p.points {
		p.points[i] = p.points[i][:0]
	}
	for _, c := range v.Account(s).Cohorts {
		at := time.Duration(2*c.K-c.Span) * time.Second / 2
		if c.K > s.Closed || at < t.From-time.Minute {
			continue
		}
		for i, q := range quantiles {
			val := quantile(v, c, q, s.At)
			x := math.NaN()
			if val.Bound != ledger.None && val.Value > 0 {
				x = val.Value.Seconds()
				hi, bound = math.Max(hi, x), math.Min(bound, x)
				if val.Bound == ledger.Measure {
					lo = math.Min(lo, x)
				}
			}
			p.points[i] = append(p.points[i], chart.Point{
				At: at, V: x, Low: val.Bound == ledger.AtLeast || val.Bound == ledger.Over,
			})
		}
	}
	if math.IsInf(lo, 0) {
		lo = bound
	}
	return lo, hi
}

// seconds labels an axis of seconds with round numbers.
func seconds(x float64) string {
	short := func(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }
	switch {
	case x == 0:
		return "0"
	case x < 0.9995e-3:
		return short(x*1e6) + " µs"
	case x < 0.9995:
		return short(x*1e3) + " ms"
	case x < 1e4:
		return short(x) + " s"
	}
	return short(x/3600) + " h"
}
