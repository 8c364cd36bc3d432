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

// openOf lists the open requests of a cohort: with the age of the youngest, or
// for service, since the last of them was sent.
func (v *View) openOf(c *ledger.Cohort, at time.Duration) []open {
	if c.Open <= 0 {
		return nil
	}
	if !v.Service {
		if c.Youngest == ledger.Never {
			return nil
		}
		return []open{{max(0, at-c.Youngest), c.Open}}
	}
	unsent := min(c.Unsent, c.Open)
	out := []open{{0, unsent}}
	if c.LastSent != ledger.Never {
		out = append(out, open{max(0, at-c.LastSent), c.Open - unsent})
	}
	return out
}

// censored are the requests given up, with the least they can have taken. Of
// their service nothing is known.
func (v *View) censored(n int64, over time.Duration) (int64, time.Duration) {
	if v.Service || over == ledger.Never {
		return 0, ledger.Never
	}
	return n, over
}

func (v *View) dist(response, service *ledger.Dist) *ledger.Dist {
	if v.Service {
		return service
	}
	return response
}

// quantile is a quantile of a cohort's response, or of its service alone, as
// known at the instant at.
func (v *View) quantile(c *ledger.Cohort, q float64, at time.Duration) ledger.Quantile {
	n, over := v.censored(c.Censored, c.Over)
	return ranked(v.dist(c.Response, c.Service), v.openOf(c, at), n, over, q)
}

// laneQuantile is the same of all requests of a lane.
func (v *View) laneQuantile(l *ledger.Lane, q float64, at time.Duration) ledger.Quantile {
	n, over := v.censored(l.Censored, l.Over)
	return ranked(v.dist(l.Response, l.Service), v.allOpen(l, at), n, over, q)
}

func (v *View) allOpen(l *ledger.Lane, at time.Duration) (out []open) {
	for _, c := range l.Cohorts {
		out = append(out, v.openOf(c, at)...)
	}
	if l.Older != nil {
		out = append(out, v.openOf(l.Older, at)...)
	}
	return out
}

// ranked is the q-quantile, rank ⌈q·n⌉, of those that answered, the open ones,
// each at its age, and those given up, above all others.
func ranked(d *ledger.Dist, waits []open, censored int64, over time.Duration, q float64) ledger.Quantile {
	slices.SortFunc(waits, func(a, b open) int { return cmp.Compare(a.age, b.age) })
	n := d.N() + censored
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
		return ledger.Quantile{Value: over, Bound: ledger.Over, Thin: out.Thin}
	}
	out.Value = d.Rank(r - before)
	return out
}

// mean is the mean of a cohort as known at the instant at, and whether it is
// only a lower bound.
func (v *View) mean(c *ledger.Cohort, at time.Duration) (d time.Duration, atLeast bool) {
	n, over := v.censored(c.Censored, c.Over)
	return average(v.dist(c.Response, c.Service), v.openOf(c, at), n, over)
}

// laneMean is the same of all requests of a lane.
func (v *View) laneMean(l *ledger.Lane, at time.Duration) (d time.Duration, atLeast bool) {
	n, over := v.censored(l.Censored, l.Over)
	return average(v.dist(l.Response, l.Service), v.allOpen(l, at), n, over)
}

func average(d *ledger.Dist, waits []open, censored int64, over time.Duration) (time.Duration, bool) {
	n := d.N()
	sum := float64(d.Mean()) * float64(n)
	for _, o := range append(waits, open{over, censored}) {
		if o.n > 0 {
			n += o.n
			sum += float64(o.n) * float64(o.age)
		}
	}
	if n == 0 {
		return ledger.Never, false
	}
	return time.Duration(sum / float64(n)), n > d.N()
}
