package panes

import (
	"time"

	"dev.example/pileup/loadgen/ledger"
)

// A flow is how requests moved lately. Its numbers add up: while nothing is
// paused, slope = offered − throughput − failed.
type flow struct {
	known                              bool
	offered, throughput, failed, slope float64 // per second
	grown                              int64   // backlog over the whole span
	lag                                time.Duration
}

// recent is over how many seconds a flow is taken at most.
const recent = 5

// steady reports whether the backlog neither grows nor shrinks: it moved by no
// more than a few requests, or by less than a fiftieth of the rate.
func (f *flow) steady() bool {
	const few = 3
	return max(f.grown, -f.grown) < few || abs(f.slope) < f.offered/50
}

func abs(x float64) float64 { return max(x, -x) }

// flowOf takes the last closed seconds since the last change and since sending
// ended: at most five, at least one.
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
		if i < n-1 && from < since {
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
	if sending > 0 {
		f.offered = float64(due) / sending
	}
	f.throughput, f.failed = float64(ok)/span, float64(failed)/span
	f.grown = due - ok - failed
	f.slope = float64(f.grown) / span
	return f
}

// whole is the flow of a run that is over.
func whole(s *ledger.Snapshot, l *ledger.Lane) (f flow) {
	f.lag = ledger.Never
	if l.LagDist.N() > 0 {
		f.lag = ledger.Of(l.LagDist, 0.99).Value
	}
	if l.Sending > 0 {
		f.known = true
		f.offered = float64(l.Due) / l.Sending.Seconds()
	}
	if s.At > 0 {
		f.throughput = float64(l.OK) / s.At.Seconds()
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

// newest returns the newest settled cohort that had requests, nil if there is
// none.
func newest(l *ledger.Lane) *ledger.Cohort {
	for i := len(l.Cohorts) - 1; i >= 0; i-- {
		if c := l.Cohorts[i]; c.Settled && c.Due > 0 {
			return c
		}
	}
	return nil
}

// atEnd is the backlog when sending ended, and false before.
func atEnd(s *ledger.Snapshot, l *ledger.Lane) (int64, bool) {
	if s.SendingEnded == ledger.Never {
		return 0, false
	}
	best, found := int64(0), false
	for i := len(l.Seconds) - 1; i >= 0; i-- {
		c := &l.Seconds[i]
		if time.Duration(c.K)*time.Second < s.SendingEnded {
			break
		}
		best, found = c.Backlog(), true
	}
	if !found {
		best = l.Backlog()
	}
	return max(best, l.Backlog()), true
}

// mean is the mean response of a cohort as it is known at the instant at, and
// whether it is only a lower bound: open requests count with the age of the
// youngest, those given up with the least they can have taken.
func mean(c *ledger.Cohort, at time.Duration) (d time.Duration, atLeast bool) {
	n := c.Response.N()
	sum := float64(c.Response.Mean()) * float64(n)
	if c.Open > 0 && c.Youngest != ledger.Never {
		n += c.Open
		sum += float64(c.Open) * float64(max(0, at-c.Youngest))
		atLeast = true
	}
	if c.Censored > 0 && c.Over != ledger.Never {
		n += c.Censored
		sum += float64(c.Censored) * float64(c.Over)
		atLeast = true
	}
	if n == 0 {
		return ledger.Never, false
	}
	return time.Duration(sum / float64(n)), atLeast
}

// serviceMean is the mean of done − sent of the ok requests.
func serviceMean(c *ledger.Cohort) time.Duration {
	if c.Service.N() == 0 {
		return ledger.Never
	}
	return c.Service.Mean()
}
