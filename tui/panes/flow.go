package panes

import (
	"math"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/chart"
)

// A flow is how requests moved lately. Its numbers add up: while nothing is
// paused, slope = offered − throughput − failed.
type flow struct {
	known                              bool
	sending                            bool    // for some of the time: offered means something
	offered, throughput, failed, slope float64 // per second
	grown                              int64   // backlog over the whole span
	moved                              int64   // requests that became due and that were done in it
	open                               int64   // the higher backlog of its two ends
	span                               int     // seconds
	whole                              bool    // all of a run that is over
	lag                                time.Duration
}

// recent is over how many seconds a flow is taken at most.
const recent = 5

// steady reports whether the backlog neither grows nor shrinks: it moved by no
// more than a few requests, or than counting them explains, or by less than a
// fiftieth of the rate.
//
// So many that come and go by themselves scatter by the root of their number
// between two counts of a backlog: of all that moved, or where few are open at
// a time, of those of both counts. Twice that is beyond chance.
func (f *flow) steady() bool {
	const few = 3
	grown := float64(max(f.grown, -f.grown))
	noise := 2 * math.Sqrt(float64(min(f.moved, 2*f.open)))
	return grown < max(few, noise) || abs(f.slope) < f.offered/50
}

// trend is how fast the backlog of the lanes in view grows, and whether that says
// something. Closed loops keep theirs: what it does is of how they begin and end.
func (v *View) trend(s *ledger.Snapshot) (slope float64, moves bool) {
	var all flow
	for i := range s.Lanes {
		l := &s.Lanes[i]
		if v.Lane != ledger.All && v.Lane != i || DialOf(l) == Slots {
			continue
		}
		f := flowOf(s, l)
		all.grown, all.moved, all.open = all.grown+f.grown, all.moved+f.moved, all.open+f.open
		all.offered, all.slope = all.offered+f.offered, all.slope+f.slope
	}
	return all.slope, !all.steady()
}

// of says over how long a flow is, in words and in short: labels of its numbers.
func (f *flow) of(v *View) []string {
	switch {
	case f.whole:
		return []string{v.say(lang.SayOfAll), v.say(lang.SayAllShort)}
	case f.span < 1:
		return nil
	}
	d := time.Duration(f.span) * time.Second
	return []string{v.say(lang.SayOver, lang.With("span", d)), chart.Span(d)}
}

func abs(x float64) float64 { return max(x, -x) }

// flowOf takes the last closed seconds, at most five, that lie behind the last
// change and the end of sending. Until there is one the flow is not known.
func flowOf(s *ledger.Snapshot, l *ledger.Lane) (f flow) {
	f.lag = ledger.Never
	n := len(l.Seconds)
	if n == 0 {
		return f
	}
	if s.Phase == ledger.Ended {
		return whole(s, l)
	}
	f.lag = l.Seconds[n-1].LagP99
	since := changed(s)
	var due, ok, failed int64
	var span, sending float64
	for i := n - 1; i >= 0 && span < recent; i-- {
		c := &l.Seconds[i]
		from := time.Duration(c.K-c.Span) * time.Second
		if from < since {
			break
		}
		due, ok, failed = due+c.Due, ok+c.OK, failed+c.Failed
		span += float64(c.Span)
		sending += c.Sending.Seconds()
	}
	f.known = span > 0
	if !f.known {
		return f
	}
	if f.sending = sending > 0; f.sending {
		f.offered = float64(due) / sending
	}
	f.throughput, f.failed = float64(ok)/span, float64(failed)/span
	f.grown, f.moved, f.span = due-ok-failed, due+ok+failed, int(span)
	f.open = max(l.Seconds[n-1].Backlog(), l.Seconds[n-1].Backlog()-f.grown)
	f.slope = float64(f.grown) / span
	return f
}

// whole is the flow of a run that is over.
func whole(s *ledger.Snapshot, l *ledger.Lane) (f flow) {
	f.lag, f.whole = ledger.Never, true
	if l.LagDist.N() > 0 {
		f.lag = ledger.Of(l.LagDist, 0.99).Value
	}
	if l.Sending > 0 {
		f.known, f.sending = true, true
		f.offered = float64(l.Due) / l.Sending.Seconds()
	}
	if end := s.EndOf(l); end > 0 {
		f.throughput = float64(l.OK) / end.Seconds()
	}
	return f
}

// changed is the last instant from which on nothing was changed: the start of
// the segment, or the end of sending.
func changed(s *ledger.Snapshot) (at time.Duration) {
	if n := len(s.Segments); n > 0 {
		at = s.Segments[n-1].From
	}
	if s.SendingEnded != ledger.Never {
		at = max(at, s.SendingEnded)
	}
	return at
}

// newest returns the newest settled cohort that had requests; before there is one,
// the oldest, of which most is known. It is nil if there is none. Joined ones are left
// out: they are no second.
func newest(l *ledger.Lane) (first *ledger.Cohort) {
	for i := len(l.Cohorts) - 1; i >= 0; i-- {
		switch c := l.Cohorts[i]; {
		case c.Due == 0 || c.Span != 1:
		case c.Settled:
			return c
		default:
			first = c
		}
	}
	return first
}
