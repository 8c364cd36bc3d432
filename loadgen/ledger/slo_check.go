package ledger

import (
	"time"
)

// A Verdict is how a run stands with an [SLO].
type Verdict struct {
	SLO SLO
	// Known says that the requests that are due so far decide it: no answer
	// to one that is open can change it. Once the run has ended it is true, but
	// for a Thin quantile, of which nothing is concluded. What is bounded from
	// below, throughput, is known only then.
	Known bool
	// Held is whether it is kept, false while that is not known.
	Held bool
	// Value is what was seen, in the unit of the figure, and Bound what that
	// is: the figure itself (Measure); a lower bound of it, because of open
	// requests, of a mean also because of timeouts and cut ones, of a quantile
	// because a lower one that is not thin misses the limit already (AtLeast); or
	// the least that timeouts and cut ones can have come to (Over). With None
	// there was nothing to look at, and Value is 0.
	Value float64
	Bound Bound
	N     int64 // requests that Value is of; of a backlog, seconds
	Thin  bool  // a quantile of so few requests that it says little
}

// Check says how the run stands: while it goes on as of the last closed
// second, once it has ended in all.
//
//   - Open requests count as answered no sooner than now. A quantile among
//     them is missed if that is too late already, and else not known. A mean
//     or a maximum is of the settled cohorts, unless the open ones spoil it.
//   - Timeouts and cut requests rank above every value: a quantile among them
//     is missed, and so is every mean and maximum with any of them.
//   - Other failures count in errors alone. There open requests may all be ok, or
//     all fail.
//   - Throughput is ok per second from 0 to the end: to the instant at which the
//     last request of the lane was done, the drain included.
//   - Without one ok request, or without a lane of that name, an SLO is
//     missed in the end, whatever it asks for.
//
// A Thin quantile decides nothing. But it is no less than a lower one: where the
// largest that is not thin, the value of rank n−1, misses the limit, so does it.
func (s SLO) Check(snap *Snapshot) Verdict {
	v := Verdict{SLO: s}
	over := snap.Phase == Ended
	if !over {
		if snap = snap.AtClose; snap == nil {
			return v
		}
	}
	l := snap.lane(s.Lane)
	if l == nil {
		v.Known = true
		return v
	}
	switch s.Figure {
	case SLOQuantile:
		v.quantile(l.Responses(snap.At))
	case SLOMean, SLOMax:
		v.whole(l, l.Responses(snap.At))
	case SLOErrors:
		v.errors(float64(l.Failed), float64(l.Backlog()), l.OK+l.Failed+l.Backlog())
	case SLOBacklog:
		v.measure(float64(l.PeakBacklog), 1, int64(snap.Closed))
	case SLOThroughput:
		v.measure(float64(l.OK), snap.EndOf(l).Seconds(), l.OK)
		if !over {
			v.Known, v.Held = false, false
		}
	}
	if over && l.OK == 0 {
		v.Known, v.Held = true, false
	}
	return v
}

// lane returns the lane of that name, all together for "", nil if there is
// none.
func (s *Snapshot) lane(name string) *Lane {
	if name == "" {
		return &s.Total
	}
	for i := range s.Lanes {
		if s.Lanes[i].Info.Name == name {
			return &s.Lanes[i]
		}
	}
	return nil
}

// holds reports whether a value is on the right side of the limit.
func (s SLO) holds(value float64) bool {
	switch s.Op {
	case "<":
		return value < s.Limit
	case "<=":
		return value <= s.Limit
	case ">":
		return value > s.Limit
	case ">=":
		return value >= s.Limit
	}
	return false
}

// measure decides by sum ÷ of, of n requests or seconds.
func (v *Verdict) measure(sum, of float64, n int64) {
	if of == 0 || n == 0 && v.SLO.Figure != SLOThroughput {
		return
	}
	v.Value, v.Bound, v.N = sum/of, Measure, n
	v.Known, v.Held = true, v.SLO.holds(v.Value)
}

// errors decides by the share of n requests that failed: it is no less than if all
// open ones are ok, and no more than if all fail.
func (v *Verdict) errors(failed, open float64, n int64) {
	if n == 0 {
		return
	}
	v.Value, v.Bound, v.N = failed/float64(n), Measure, n
	if open > 0 {
		v.Bound = AtLeast
	}
	least, most := v.SLO.holds(v.Value), v.SLO.holds((failed+open)/float64(n))
	v.Known, v.Held = least == most, least && most
}

func (v *Verdict) quantile(t Times) {
	q := t.Quantile(v.SLO.Percent / 100)
	if n := t.N(); q.Thin && n > 1 {
		below := t.Quantile(1 - 1/float64(n))
		switch {
		case below.Bound == Over:
			q = below
		case !v.SLO.holds(below.Value.Seconds()):
			q = Quantile{Value: below.Value, Bound: AtLeast}
		}
	}
	v.Value, v.Bound, v.Thin, v.N = q.Value.Seconds(), q.Bound, q.Thin, t.N()
	holds := v.SLO.holds(v.Value)
	switch {
	case q.Thin:
	case q.Bound == Measure:
		v.Known, v.Held = true, holds
	case q.Bound == AtLeast:
		v.Known = !holds
	case q.Bound == Over:
		v.Known = true
	}
}

// whole decides by a mean or a maximum, which one request can spoil.
func (v *Verdict) whole(l *Lane, t Times) {
	v.Value, v.N = v.SLO.of(meanOf([]*Dist{t.d}, t.open, t.lost))
	holds := v.SLO.holds(v.Value)
	switch {
	case v.N == 0:
	case len(t.lost) > 0 && v.SLO.Figure == SLOMax:
		v.Bound, v.Known = Over, true
	case len(t.lost) > 0:
		v.Bound, v.Known = AtLeast, true
	case len(t.open) == 0:
		v.Bound, v.Known, v.Held = Measure, true, holds
	default:
		v.Bound, v.Known = AtLeast, !holds
		if value, n := v.SLO.of(meanOf(l.settled())); holds && n > 0 {
			v.Value, v.N, v.Bound = value, n, Measure
			v.Known, v.Held = true, v.SLO.holds(value)
		}
	}
}

// settled returns the responses of the settled cohorts.
func (l *Lane) settled() (list []*Dist) {
	for _, c := range l.Cohorts {
		if c.Settled {
			list = append(list, c.Response)
		}
	}
	return list
}

// of picks the mean or the maximum, in seconds, of n requests.
func (s SLO) of(mean, most time.Duration, n int64) (float64, int64) {
	if s.Figure == SLOMax {
		return most.Seconds(), n
	}
	return mean.Seconds(), n
}
