package panes

import (
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/chart"
	"dev.example/pileup/tui/format"
)

// A figure is one key figure: a name, a number and its unit.
type figure struct {
	name      string
	num, unit string
	st        cells.Style // of the number
	trend     string      // behind it, in trendSt
	trendSt   cells.Style
	w         int // cells in the wide line, without the gap
	share     float64
	isShare   bool // drawn as a bar with a number
	matters   bool // takes the place of another where there is little
}

// Figures draws the key figures. With room they stand in one line under their
// names; on a small screen in two lines of four.
func Figures(b *cells.Buf, r cells.Rect, v *View, s *ledger.Snapshot) {
	if s == nil || r.H < 2 {
		return
	}
	all := figures(v, s)
	if v.Small {
		smallFigures(b, r, v, all)
		return
	}
	wideFigures(b, r, v, all)
}

// The order of the key figures.
const (
	figOffered = iota
	figThroughput
	figFailed
	figBacklog
	figHeld
	figOldest
	figP50
	figP95
	figLag
	nFigures
)

func figures(v *View, s *ledger.Snapshot) (f [nFigures]figure) {
	t := v.Theme
	l := v.Account(s)
	now := flowOf(s, l)
	f[figOffered] = offered(v, s, l, now)
	f[figThroughput] = rateFigure(t, v.say(lang.HeadThroughput), now.throughput, now.known, t.Value)
	f[figFailed] = failures(v, l, now)
	f[figBacklog] = backlogFigure(v, l, now)
	f[figHeld] = countFigure(t, v.say(lang.HeadHeld), l.Held, t.Label)
	if l.Held >= matters {
		f[figHeld].st, f[figHeld].matters = t.Held.With(cells.Bold), true
	}
	f[figOldest] = spanFigure(t, v.say(lang.HeadOldest), age(s, l.Oldest), t.Value)
	f[figP50], f[figP95] = responses(v, s, l)
	lag := t.Value
	if now.lag > late {
		lag = t.Attention.With(cells.Bold)
	}
	f[figLag] = spanFigure(t, v.say(lang.HeadLag)+" "+v.say(lang.HeadP99), now.lag, lag)
	for i, w := range [nFigures]int{11, 11, 8, 17, 5, 8, 15, 8, 9} {
		f[i].w = w
	}
	return f
}

// matters is how many held requests are more than those just becoming due.
const matters = 5

// late is a lag of the driver's own that deserves attention.
const late = 10 * time.Millisecond

// offered is the rate asked for; while draining, how much of what was open
// when sending ended is done.
func offered(v *View, s *ledger.Snapshot, l *ledger.Lane, now flow) figure {
	t := v.Theme
	if open, over := atEnd(s, l); over && s.Phase == ledger.Draining && open > 0 {
		share := 1 - float64(l.Backlog())/float64(open)
		num, unit := format.Percent(100 * share)
		return figure{name: v.say(lang.SayDrained), num: num, unit: unit, st: t.Attention, share: share, isShare: true}
	}
	return rateFigure(t, v.say(lang.HeadOffered), now.offered, now.known, t.Value)
}

func rateFigure(t *Theme, name string, x float64, known bool, st cells.Style) figure {
	if !known {
		return figure{name: name, num: format.None, st: t.Label}
	}
	num, unit := format.Rate(x)
	return figure{name: name, num: num, unit: unit, st: st}
}

func countFigure(t *Theme, name string, n int64, st cells.Style) figure {
	if n == 0 {
		st = t.Label
	}
	return figure{name: name, num: format.Count(n), st: st}
}

func spanFigure(t *Theme, name string, d time.Duration, st cells.Style) figure {
	num, unit := format.Dur(d)
	return figure{name: name, num: num, unit: unit, st: t.value(num, false, st)}
}

// failures are those of the last seconds, or of the whole run once they are
// past.
func failures(v *View, l *ledger.Lane, now flow) figure {
	t := v.Theme
	name := v.say(lang.HeadFailed)
	switch {
	case now.failed > 0:
		num, unit := format.Rate(now.failed)
		return figure{name: name, num: num, unit: unit, st: t.Bad.With(cells.Bold)}
	case l.Failed > 0:
		return countFigure(t, name, l.Failed, t.Bad)
	}
	return figure{name: name, num: "0", st: t.Label}
}

// backlogFigure says whether the backlog grows. Growth asks for attention; one
// that is more than a second's worth of requests is bad.
func backlogFigure(v *View, l *ledger.Lane, now flow) figure {
	t := v.Theme
	f := countFigure(t, v.say(lang.HeadBacklog), l.Backlog(), t.Value)
	if !now.known || now.steady() {
		return f
	}
	num, unit := format.Rate(abs(now.slope))
	if now.slope < 0 {
		f.trendSt, f.trend = t.Good, "▼ −"+num+unit
		return f
	}
	f.trendSt, f.trend = t.Attention, "▲ +"+num+unit
	if float64(l.Backlog()) > now.offered {
		f.trendSt = t.Bad
	}
	f.st = f.trendSt.With(cells.Bold)
	return f
}

// responses are p50 and p95 of the newest settled cohort; once the run is over
// those of the whole run.
func responses(v *View, s *ledger.Snapshot, l *ledger.Lane) (p50, p95 figure) {
	t := v.Theme
	of := func(q float64) ledger.Quantile { return ledger.Quantile{} }
	note := ""
	switch c := newest(l); {
	case s.Phase == ledger.Ended && v.Service:
		of = func(q float64) ledger.Quantile { return ledger.Of(l.Service, q) }
		note = v.say(lang.SayOfAll)
	case s.Phase == ledger.Ended:
		of, note = l.ResponseQuantile, v.say(lang.SayOfAll)
	case c != nil:
		of = func(q float64) ledger.Quantile { return quantile(v, c, q, s.At) }
		note = v.say(lang.SayOfSecond, lang.With("k", c.K))
	}
	one := func(id lang.ID, q float64, st cells.Style) figure {
		num, unit, thin := format.Quantile(of(q))
		return figure{name: v.say(id), num: num, unit: unit, st: t.value(num, thin, st.With(cells.Bold))}
	}
	p50, p95 = one(lang.HeadP50, 0.5, t.P50), one(lang.HeadP95, 0.95, t.P95)
	p50.trend, p50.trendSt = note, t.Label
	return p50, p95
}

// quantile is a quantile of a cohort's response, or of its service alone.
func quantile(v *View, c *ledger.Cohort, q float64, at time.Duration) ledger.Quantile {
	if v.Service {
		return c.ServiceQuantile(q)
	}
	return c.Quantile(q, at)
}

// wideFigures is a line of names and a line of numbers under them.
func wideFigures(b *cells.Buf, r cells.Rect, v *View, all [nFigures]figure) {
	t := v.Theme
	used := 0
	for _, f := range all {
		used += f.w
	}
	gap := min(6, max(1, (r.W-2-used)/(nFigures-1)))
	x := r.X + 1
	for i := range all {
		f := &all[i]
		if x+f.w > r.Right() {
			return
		}
		b.Text(x, r.Y, f.w, f.name, t.Label)
		if i == figP50 && f.trend != "" {
			n := cells.Width(f.name) + 1
			b.Text(x+n, r.Y, f.w+gap-n-1, f.trend, t.Label)
			f.trend = ""
		}
		drawFigure(b, x, r.Y+1, f.w, t, f)
		x += f.w + gap
	}
}

func drawFigure(b *cells.Buf, x, y, w int, t *Theme, f *figure) {
	if f.isShare {
		b.Right(x, y, 3, f.num, f.st)
		x += b.Text(x+3, y, 2, f.unit, t.Label) + 4
		chart.Bar(b, x, y, w-5, f.share, f.st, t.Grid)
		return
	}
	end := x + w
	x += b.Text(x, y, w, f.num, f.st)
	if f.unit != "" {
		if f.unit[0] != '/' && f.unit[0] != '%' {
			x++
		}
		x += b.Text(x, y, end-x, f.unit, t.Label)
	}
	if f.trend != "" {
		b.Text(x+1, y, end-x-1, f.trend, f.trendSt)
	}
}

// smallOrder is what a small screen shows, in two lines.
var smallOrder = [2][4]int{
	{figBacklog, figOffered, figFailed, figP50},
	{figOldest, figThroughput, figLag, figP95},
}

func smallFigures(b *cells.Buf, r cells.Rect, v *View, all [nFigures]figure) {
	if all[figHeld].matters {
		all[figLag] = all[figHeld]
	}
	all[figP50].trend = ""
	names := [4]int{8, 11, 8, 4}
	const first = 23
	rest := r.W - 1 - first
	widths := [4]int{first, rest * 37 / 100, rest * 33 / 100, rest * 30 / 100}
	for row, line := range smallOrder {
		x := r.X + 1
		for col, n := range line {
			f, w := &all[n], widths[col]
			used := b.Text(x, r.Y+row, w-1, f.name, v.Theme.Label)
			at := max(used+1, min(names[col], w-8))
			drawFigure(b, x+at, r.Y+row, w-1-at, v.Theme, f)
			x += w
		}
	}
}
