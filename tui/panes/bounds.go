package panes

import (
	"cmp"
	"math"
	"slices"
	"time"

	"dev.example/pileup/loadgen/ledger"
)

// What is known of a set of requests while some of them are open: those that
// answered, and of the others how long they have taken at least. A statistic
// of the first alone would be one of those that were quick.

// open are requests that have taken at least so long.
type open struct {
	age time.Duration
	n   int64
}

// openOf are the open requests of a cohort: with the age of the youngest, or
// those that were sent, for as long as the last of them is.
func (v *View) openOf(c *ledger.Cohort, at time.Duration) open {
	n, since := c.Open, c.Youngest
	if v.Service {
		n, since = c.Open-c.Unsent, c.LastSent
	}
	if n <= 0 || since == ledger.Never {
		return open{}
	}
	return open{max(0, at-since), n}
}

// known is what is known for certain of a set: the answered ones, and how many
// were given up, none before over.
type known struct {
	d        *ledger.Dist
	censored int64
	over     time.Duration
}

func (v *View) ofCohort(c *ledger.Cohort) known {
	if v.Service {
		return known{c.Service, c.CensoredSent, c.OverSent}
	}
	return known{c.Response, c.Censored, c.Over}
}

func (v *View) ofLane(l *ledger.Lane) known {
	if v.Service {
		return known{l.Service, l.CensoredSent, l.OverSent}
	}
	return known{l.Response, l.Censored, l.Over}
}

// quantile is a quantile of a cohort's response, or of its service alone, as
// known at the instant at.
func (v *View) quantile(c *ledger.Cohort, q float64, at time.Duration) ledger.Quantile {
	return v.ofCohort(c).rank(q, v.openOf(c, at))
}

// laneQuantile is the same of all requests of a lane.
func (v *View) laneQuantile(l *ledger.Lane, q float64, at time.Duration) ledger.Quantile {
	return v.ofLane(l).rank(q, v.allOpen(l, at)...)
}

func (v *View) allOpen(l *ledger.Lane, at time.Duration) (out []open) {
	for _, c := range l.Cohorts {
		out = append(out, v.openOf(c, at))
	}
	if l.Older != nil {
		out = append(out, v.openOf(l.Older, at))
	}
	return out
}

// rank is the q-quantile, rank ⌈q·n⌉, of those that answered, the open ones,
// each at its age, and those given up, above all others.
func (k known) rank(q float64, waits ...open) ledger.Quantile {
	d := k.d
	slices.SortFunc(waits, func(a, b open) int { return cmp.Compare(a.age, b.age) })
	n := d.N() + k.censored
	for _, o := range waits {
		n += o.n
	}
	if n <= 0 {
		return ledger.Quantile{}
	}
	r := max(1, int64(math.Ceil(q*float64(n)-1e-9)))
	out := ledger.Quantile{Thin: float64(n)*(1-q) < 1-1e-9, Bound: ledger.Measure}
	var before int64 // open ones of a lower rank
	for _, o := range waits {
		if o.n <= 0 {
			continue
		}
		below := d.Below(o.age)
		if r <= below+before {
			break
		}
		out.Bound = ledger.AtLeast
		if before += o.n; r <= below+before {
			out.Value = o.age
			return out
		}
	}
	if r > d.N()+before {
		out.Value, out.Bound = max(k.over, d.Max(), longest(waits)), ledger.Over
		return out
	}
	out.Value = d.Rank(r - before)
	return out
}

// longest is the age of the oldest of the open ones, which are in order.
func longest(waits []open) (age time.Duration) {
	for _, o := range waits {
		if o.n > 0 {
			age = o.age
		}
	}
	return age
}

// mean is the mean of a cohort as known at the instant at, and whether it is
// only a lower bound.
func (v *View) mean(c *ledger.Cohort, at time.Duration) (d time.Duration, atLeast bool) {
	return v.ofCohort(c).mean(v.openOf(c, at))
}

// laneMean is the same of all requests of a lane.
func (v *View) laneMean(l *ledger.Lane, at time.Duration) (d time.Duration, atLeast bool) {
	return v.ofLane(l).mean(v.allOpen(l, at)...)
}

// mean counts the open ones and those given up with the least they take.
func (k known) mean(waits ...open) (time.Duration, bool) {
	n := k.d.N()
	sum := float64(k.d.Mean()) * float64(n)
	for _, o := range append(waits, open{k.over, k.censored}) {
		if o.n > 0 {
			n += o.n
			sum += float64(o.n) * float64(o.age)
		}
	}
	if n == 0 {
		return ledger.Never, false
	}
	return time.Duration(sum / float64(n)), n > k.d.N()
}
