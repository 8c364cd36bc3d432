package ledger

import (
	"cmp"
	"slices"
	"time"
)

// atLeast are requests whose responses are at least so long.
type atLeast struct {
	least time.Duration
	n     int64
}

// ResponseQuantileAt is the q-quantile of the lane's responses of a snapshot
// made at the instant at, which is one at the close of a second or at the end
// of the run. It is [Cohort.Quantile] for requests of many cohorts: each open
// one stands at the age of the youngest of its cohort; timeouts and cut ones
// stand above every other: a quantile among them is above all that was seen, and
// above what theirs bound it to.
func (l *Lane) ResponseQuantileAt(q float64, at time.Duration) Quantile {
	open, lost := l.bounds(at)
	below := l.Response.N() + sumOf(open)
	n := below + sumOf(lost)
	if n == 0 {
		return Quantile{}
	}
	r := rankOf(q, n)
	out := Quantile{Thin: float64(n)*(1-q) < 1-1e-9, Bound: Measure}
	if r > below {
		out.Value, out.Bound = l.Response.Max(), Over
		if n := len(open); n > 0 {
			out.Value = max(out.Value, open[n-1].least)
		}
		bound, _ := ranked(l.Response, inOrder(append(open, lost...)), r)
		out.Value = max(out.Value, bound)
		return out
	}
	var depends bool
	if out.Value, depends = ranked(l.Response, open, r); depends {
		out.Bound = AtLeast
	}
	return out
}

// bounds returns the open requests, each at the age that those of its cohort
// have reached at the instant at, and the timeouts and cut ones at what bounds
// those; both in order.
func (l *Lane) bounds(at time.Duration) (open, lost []atLeast) {
	gone := l.Censored // in no cohort any more
	for i := range len(l.Cohorts) + 1 {
		c := l.Older
		if i < len(l.Cohorts) {
			c = l.Cohorts[i]
		}
		if c == nil {
			continue
		}
		if c.Open > 0 {
			open = append(open, atLeast{max(0, at-c.Youngest), c.Open})
		}
		if c.Censored > 0 {
			lost = append(lost, atLeast{c.Over, c.Censored})
			gone -= c.Censored
		}
	}
	if gone > 0 {
		lost = append(lost, atLeast{l.Over, gone})
	}
	return inOrder(open), inOrder(lost)
}

func inOrder(list []atLeast) []atLeast {
	slices.SortFunc(list, func(a, b atLeast) int { return cmp.Compare(a.least, b.least) })
	return list
}

func sumOf(list []atLeast) (n int64) {
	for _, b := range list {
		n += b.n
	}
	return n
}

// ranked returns the value of rank r among those of d and the bounds, which
// are in order, and whether it depends on these: then it is a lower bound.
func ranked(d *Dist, bounds []atLeast, r int64) (v time.Duration, depends bool) {
	var before int64
	for _, b := range bounds {
		below := before + d.Below(b.least)
		if r <= below {
			break
		}
		if r <= below+b.n {
			return b.least, true
		}
		before += b.n
		depends = true
	}
	return d.Rank(r - before), depends
}
