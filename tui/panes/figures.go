package panes

import (
	"strconv"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/format"
)

// A figure is one key figure: a name, a number and its unit.
type figure struct {
	labels    []string // name and what the number is of, longest first
	num, unit string
	st        cells.Style // of the number
	trend     string      // shape of a trend behind it, in trendSt
	change    string      // number of the trend
	trendSt   cells.Style
	share     float64
	isShare   bool     // drawn as a bar with a number
	matters   bool     // takes the place of another where there is little
	why       []string // there is no number, longest first
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
	f[figThroughput] = rateFigure(t, now.throughput, now.known, t.Value)
	f[figThroughput].why = v.unknown(s, now)
	f[figThroughput].labels = labels(now.of(v), v.say(lang.HeadThroughput))
	f[figFailed] = failures(v, l, now)
	f[figBacklog] = backlogFigure(v, s, l, now)
	f[figHeld] = countFigure(t, l.Held, t.Label)
	f[figHeld].labels = labels(nil, v.say(lang.HeadHeld))
	if l.Held >= matters {
		f[figHeld].st, f[figHeld].matters = t.Held.With(cells.Bold), true
	}
	f[figOldest] = spanFigure(t, age(s, l.Oldest), t.Value)
	f[figOldest].labels = labels(nil, v.say(lang.HeadOldest))
	f[figP50], f[figP95] = responses(v, s, l)
	f[figLag] = lagFigure(v, live, now)
	return f
}

// matters is how many held requests are more than those just becoming due.
const matters = 5

// lagFigure is the driver's own lag. While that is too much, nothing takes its
// place.
func lagFigure(v *View, s *ledger.Snapshot, now flow) figure {
	if d, one := v.DialIn(s); one && d == Slots { // an answer makes the next due as it is taken up
		f := spanFigure(v.Theme, ledger.Never, v.Theme.Label)
		f.labels, f.why = labels(nil, v.say(lang.HeadLag)), v.closedLoop()
		return f
	}
	j, st := judged(s), v.Theme.Value
	if j.late && now.lag > j.limit {
		_, st = j.mark(v.Theme)
		st = st.With(cells.Bold)
	}
	f := spanFigure(v.Theme, now.lag, st)
	f.matters = j.late
	last := flow{whole: now.whole, span: min(now.span, 1)}
	name := v.say(lang.HeadLag) + " " + v.say(lang.HeadP99) // where there is little room, that it is a p99 says more than of what
	f.labels = labels(last.of(v), name)
	if v.oneOfMany(s) { // the header tells that of all
		f.labels = append(labels(last.of(v), v.LaneName(s, v.Lane)+" "+name), f.labels...)
	}
	return f
}

// offered is the rate asked for, of which a closed loop has none; while
// draining, how much of what was open when sending ended is done.
func offered(v *View, s *ledger.Snapshot, l *ledger.Lane, now flow) figure {
	t := v.Theme
	if open := v.Account(s).AtEnd.Open; s.Phase == ledger.Draining && open > 0 {
		share := max(0, 1-float64(l.Backlog())/float64(open))
		num, unit := format.Percent(100 * share)
		return figure{labels: labels(nil, v.say(lang.SayDrained)), num: num, unit: unit, st: t.Attention, share: share, isShare: true}
	}
	known := now.sending && !Paused(v, s) && !v.ClosedIn(s)
	f := rateFigure(t, now.offered, known, t.Value)
	f.labels = labels(nil, v.say(lang.HeadOffered))
	switch {
	case known:
		f.labels = labels(now.of(v), v.say(lang.HeadOffered))
	case v.ClosedIn(s):
		f.why = v.closedLoop()
	case Paused(v, s):
		f.why = []string{v.Lang.Phase(ledger.Paused)}
	default:
		f.why = v.unknown(s, now)
	}
	return f
}

// closedLoop is why there is no rate asked for, and no schedule to be late for.
func (v *View) closedLoop() []string {
	return []string{v.Lang.Arrivals(pace.Closed.String()), v.say(lang.SayClosedWord)}
}

// unknown is why a flow is not known: a change made another one of it, and its
// first second is not over.
func (v *View) unknown(s *ledger.Snapshot, now flow) []string {
	at := changed(s)
	switch {
	case now.known || at <= 0:
		return nil
	case at == s.SendingEnded:
		return []string{v.say(lang.SaySendingEnded), v.say(lang.SayEnded)}
	}
	return []string{v.say(lang.SayJustChanged), v.say(lang.SayChanged)}
}

func rateFigure(t *Theme, x float64, known bool, st cells.Style) figure {
	if !known {
		return figure{num: format.None, st: t.Label}
	}
	num, unit := format.Rate(x)
	return figure{num: num, unit: unit, st: st}
}

func countFigure(t *Theme, n int64, st cells.Style) figure {
	if n == 0 {
		st = t.Label
	}
	return figure{num: format.Count(n), st: st}
}

func spanFigure(t *Theme, d time.Duration, st cells.Style) figure {
	num, unit := format.Dur(d)
	return figure{num: num, unit: unit, st: t.value(num, false, st)}
}

// failures are those of the last seconds, a rate, or all of the run once they
// are past, a count.
func failures(v *View, l *ledger.Lane, now flow) figure {
	t := v.Theme
	name, short := v.say(lang.HeadFailed), v.say(lang.HeadFailedShort)
	if now.failed > 0 {
		num, unit := format.Rate(now.failed)
		return figure{labels: labels(now.of(v), name, short), num: num, unit: unit, st: t.Bad.With(cells.Bold), matters: true}
	}
	f := countFigure(t, l.Failed, t.Bad)
	if f.labels = labels(nil, name); l.Failed > 0 { // none is none of whatever
		f.matters = true
		f.labels = labels([]string{v.say(lang.SayInAll), v.say(lang.SayAllShort)}, name, short)
	}
	return f
}

// backlogFigure says whether the backlog grows. Growth asks for attention; one
// that is more than a second's worth of requests is bad.
func backlogFigure(v *View, s *ledger.Snapshot, l *ledger.Lane, now flow) figure {
	t := v.Theme
	f := countFigure(t, l.Backlog(), t.Value)
	f.labels = labels(nil, v.say(lang.HeadBacklog))
	slope, moves := v.trend(s)
	if !now.known || !moves {
		return f
	}
	num, unit := format.Rate(abs(slope))
	if slope < 0 {
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
	var times ledger.Times
	var of []string
	switch c := newest(l); {
	case s.Phase == ledger.Ended:
		times = v.ofLane(s, l)
		of = []string{v.say(lang.SayOfAll), v.say(lang.SayAllShort)}
	case c != nil:
		times = v.ofCohort(c, s.At)
		of = []string{v.say(lang.SayOfSecond, lang.With("k", c.K)), "@" + strconv.Itoa(c.K)}
	}
	one := func(id lang.ID, q float64, st cells.Style) figure {
		num, unit, thin := format.Quantile(times.Quantile(q))
		names := []string{v.say(id)}
		if v.Service {
			names = []string{v.say(lang.HeadService) + " " + names[0], v.say(lang.HeadServiceShort) + " " + names[0]}
		}
		return figure{labels: labels(of, names...), num: num, unit: unit, st: t.value(num, thin, st.With(cells.Bold))}
	}
	return one(lang.HeadP50, 0.5, t.P50), one(lang.HeadP95, 0.95, t.P95)
}
