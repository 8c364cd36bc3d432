package panes

import (
	"strconv"
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
	of        string // what the number is of, behind the name where there is room
	ofShort   string // the same in short
	num, unit string
	st        cells.Style // of the number
	trend     string      // shape of a trend behind it, in trendSt
	change    string      // number of the trend
	trendSt   cells.Style
	share     float64
	isShare   bool // drawn as a bar with a number
	matters   bool // takes the place of another where there is little
}

// Figures draws the key figures. With room they stand in one line under their
// names; on a small screen in two lines of four, or of three. They are of the
// end of the last closed second, as all else that is counted.
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

func figures(v *View, live *ledger.Snapshot) (f [nFigures]figure) {
	t := v.Theme
	s := closed(live)
	l := v.Account(s)
	now := flowOf(s, l)
	f[figOffered] = offered(v, live, l, now)
	f[figThroughput] = rateFigure(t, v.say(lang.HeadThroughput), now.throughput, now.known, t.Value)
	f[figFailed] = failures(v, l, now)
	f[figBacklog] = backlogFigure(v, l, now)
	f[figHeld] = countFigure(t, v.say(lang.HeadHeld), l.Held, t.Label)
	if l.Held >= matters {
		f[figHeld].st, f[figHeld].matters = t.Held.With(cells.Bold), true
	}
	f[figOldest] = spanFigure(t, v.say(lang.HeadOldest), age(s, l.Oldest), t.Value)
	f[figP50], f[figP95] = responses(v, s, l)
	f[figLag] = lagFigure(v, live, now.lag)
	return f
}

// matters is how many held requests are more than those just becoming due.
const matters = 5

// lagFigure is the driver's own lag. While that is too much, nothing takes its
// place.
func lagFigure(v *View, s *ledger.Snapshot, lag time.Duration) figure {
	j, st := judged(s), v.Theme.Value
	if j.late && lag > j.limit {
		_, st = j.mark(v.Theme)
		st = st.With(cells.Bold)
	}
	f := spanFigure(v.Theme, v.say(lang.HeadLag)+" "+v.say(lang.HeadP99), lag, st)
	f.matters = j.late
	return f
}

// offered is the rate asked for, of which a closed loop has none; while
// draining, how much of what was open when sending ended is done.
func offered(v *View, s *ledger.Snapshot, l *ledger.Lane, now flow) figure {
	t := v.Theme
	if open := v.Account(s).AtEnd.Open; s.Phase == ledger.Draining && open > 0 {
		share := max(0, 1-float64(l.Backlog())/float64(open))
		num, unit := format.Percent(100 * share)
		return figure{name: v.say(lang.SayDrained), num: num, unit: unit, st: t.Attention, share: share, isShare: true}
	}
	known := now.sending && !Paused(v, s) && !v.ClosedIn(s)
	return rateFigure(t, v.say(lang.HeadOffered), now.offered, known, t.Value)
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
		return figure{name: name, num: num, unit: unit, st: t.Bad.With(cells.Bold), matters: true}
	case l.Failed > 0:
		f := countFigure(t, name, l.Failed, t.Bad)
		f.matters = true
		return f
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
		f.trendSt, f.trend, f.change = t.Good, "▼", "−"+num+unit
		return f
	}
	f.trendSt, f.trend, f.change = t.Attention, "▲", "+"+num+unit
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
	of := func(float64) ledger.Quantile { return ledger.Quantile{} }
	what, short := "", ""
	switch c := newest(l); {
	case s.Phase == ledger.Ended:
		of = func(q float64) ledger.Quantile { return v.laneQuantile(l, q, s.At) }
		what = v.say(lang.SayOfAll)
		short = what
	case c != nil:
		of = func(q float64) ledger.Quantile { return v.quantile(c, q, s.At) }
		what, short = v.say(lang.SayOfSecond, lang.With("k", c.K)), "@"+strconv.Itoa(c.K)
	}
	one := func(id lang.ID, q float64, st cells.Style) figure {
		num, unit, thin := format.Quantile(of(q))
		name := v.say(id)
		if v.Service {
			name = v.say(lang.HeadService) + " " + name
		}
		return figure{name: name, of: what, ofShort: short, num: num, unit: unit, st: t.value(num, thin, st.With(cells.Bold))}
	}
	return one(lang.HeadP50, 0.5, t.P50), one(lang.HeadP95, 0.95, t.P95)
}

// wideFigures is a line of names and a line of numbers under them.
func wideFigures(b *cells.Buf, r cells.Rect, v *View, all [nFigures]figure) {
	t := v.Theme
	widths := [nFigures]int{11, 11, 8, 17, 5, 8, 15, 8, 9}
	used := 0
	for i := range all {
		widths[i] = max(widths[i], cells.Width(all[i].name))
		used += widths[i]
	}
	gap := min(6, max(1, (r.W-2-used)/(nFigures-1)))
	x := r.X + 1
	for i := range all {
		f, w := &all[i], widths[i]
		if x+w > r.Right() {
			return
		}
		n := b.Text(x, r.Y, w, f.name, t.Label)
		if i == figP50 {
			named(b, x+n, r.Y, w+gap-1-n, t, f)
		}
		drawFigure(b, x, r.Y+1, w, t, f)
		x += w + gap
	}
}

// named writes what a figure is of into the w cells behind its name, whole, in
// short, or not at all. It returns how many it used.
func named(b *cells.Buf, x, y, w int, t *Theme, f *figure) int {
	for _, s := range []string{f.of, f.ofShort} {
		if s != "" && 1+cells.Width(s) <= w {
			return 1 + b.Text(x+1, y, w-1, s, t.Label)
		}
	}
	return 0
}

// drawFigure writes a number with its unit and trend into w cells: each whole,
// or as no number.
func drawFigure(b *cells.Buf, x, y, w int, t *Theme, f *figure) {
	if f.isShare {
		b.Whole(x, y, w, f.num+f.unit, f.st)
		chart.Bar(b, x+5, y, w-5, f.share, f.st, t.Grid)
		return
	}
	end := x + w
	x += t.join(b, x, y, w, f.num, f.unit, f.st) + 1
	if f.trend != "" && x < end {
		x += b.Text(x, y, end-x, f.trend, f.trendSt) + 1
		b.Whole(x, y, end-x, f.change, f.trendSt)
	}
}

// The order in which a small screen shows them, in two lines: of four, or
// where they have no room of three.
var (
	smallOrder = [2][]int{
		{figBacklog, figOffered, figFailed, figP50},
		{figOldest, figThroughput, figLag, figP95},
	}
	tinyOrder = [2][]int{
		{figBacklog, figOffered, figP50},
		{figOldest, figThroughput, figP95},
	}
)

// smallRoom is the width from which on four columns have room.
const smallRoom = 79

func smallFigures(b *cells.Buf, r cells.Rect, v *View, all [nFigures]figure) {
	order, widths, names := smallOrder, []int{23, 19, 16, r.W - 59}, []int{8, 11, 8, 4}
	if all[figHeld].matters && !all[figLag].matters {
		all[figLag] = all[figHeld]
	}
	if r.W < smallRoom {
		order, widths, names = tinyOrder, []int{22, 18, r.W - 41}, []int{8, 11, 4}
		if all[figFailed].matters {
			all[figP95] = all[figFailed]
		}
	}
	for row, line := range order {
		x := r.X + 1
		for col, n := range line {
			f, w := &all[n], widths[col]-1
			used := b.Text(x, r.Y+row, w, f.name, v.Theme.Label)
			need := cells.Width(format.Join(f.num, f.unit)) + 1
			f.of = "" // in short
			used += named(b, x+used, r.Y+row, w-used-need, v.Theme, f)
			at := used + 1
			if !f.isShare {
				at = max(at, min(names[col], w-7))
			}
			drawFigure(b, x+at, r.Y+row, w-at, v.Theme, f)
			x += w + 1
		}
	}
}
