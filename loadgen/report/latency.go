package report

import (
	"cmp"
	"math"
	"slices"
	"time"

	"dev.example/pileup/loadgen/ledger"
)

// latencies are the distributions of a lane, all as of one instant.
type latencies struct {
	response, service, lag *ledger.Dist
	lane                   *ledger.Lane // nil before the first close

	open     []bounded // by the age they had reached
	censored []bounded // timeouts and cut ones, by when they were given up
}

// bounded are requests whose responses are at least so long.
type bounded struct {
	least time.Duration
	n     int64
}

// latenciesOf returns the latencies of a lane: of a run that is over as it
// ended, of one that goes on as of the last closed second, because that is how
// far the distributions of a lane reach. Before the first close there are none.
func latenciesOf(l *ledger.Lane, s *ledger.Snapshot) *latencies {
	at := s.At
	if !ended(s) {
		if l = atClose(s, l); l == nil {
			return &latencies{}
		}
		at = s.AtClose.At
	}
	out := &latencies{response: l.Response, service: l.Service, lag: l.LagDist, lane: l}
	lost := l.Censored // in no cohort any more
	for _, c := range append(slices.Clone(l.Cohorts), l.Older) {
		if c == nil {
			continue
		}
		age := time.Duration(0)
		if c.Youngest != ledger.Never {
			age = at - c.Youngest
		}
		out.open = with(out.open, age, c.Open)
		out.censored = with(out.censored, c.Over, c.Censored)
		lost -= c.Censored
	}
	out.censored = with(out.censored, l.Over, lost)
	return out
}

// serviceQuantile returns the q-quantile of the services.
func (l *latencies) serviceQuantile(q float64) ledger.Quantile {
	if l.lane == nil {
		return ledger.Quantile{}
	}
	return l.lane.ServiceQuantile(q)
}

// serviceBound reports whether the mean of the services is only a lower bound.
func (l *latencies) serviceBound() bool {
	return l.lane != nil && l.lane.CensoredSent+l.lane.InFlight > 0
}

// with adds n requests to a list in order of the bounds.
func with(list []bounded, least time.Duration, n int64) []bounded {
	if n <= 0 {
		return list
	}
	b := bounded{max(0, least), n}
	i, _ := slices.BinarySearchFunc(list, b, func(a, b bounded) int { return cmp.Compare(a.least, b.least) })
	return slices.Insert(list, i, b)
}

// bound reports whether the mean of the responses is only a lower bound.
func (l *latencies) bound() bool { return len(l.open) > 0 || len(l.censored) > 0 }

// quantile returns the q-quantile of the responses, of rank ⌈q·n⌉ over ok,
// open, timed-out and cut requests; the last two stand above all others. It is
// [ledger.Cohort.Quantile] for requests of many cohorts: each stands at the
// bound of its own, and not at the smallest of all.
func (l *latencies) quantile(q float64) ledger.Quantile {
	below := l.response.N() + requestsOf(l.open)
	n := below + requestsOf(l.censored)
	if n <= 0 {
		return ledger.Quantile{}
	}
	rank := max(1, int64(math.Ceil(q*float64(n)-1e-9)))
	out := ledger.Quantile{Bound: ledger.Measure, Thin: float64(n)*(1-q) < 1-1e-9}
	if rank > below {
		all := slices.Clone(l.open)
		for _, b := range l.censored {
			all = with(all, b.least, b.n)
		}
		out.Value, _ = ranked(l.response, all, rank)
		out.Bound = ledger.Over
		return out
	}
	var depends bool
	if out.Value, depends = ranked(l.response, l.open, rank); depends {
		out.Bound = ledger.AtLeast
	}
	return out
}

// ranked returns the value of that rank among those of d and the bounds, and
// whether it depends on these: then it is a lower bound itself.
func ranked(d *ledger.Dist, bounds []bounded, rank int64) (v time.Duration, depends bool) {
	var before int64
	for _, b := range bounds {
		below := before + d.Below(b.least)
		if rank <= below {
			break
		}
		if rank <= below+b.n {
			return b.least, true
		}
		before += b.n
		depends = true
	}
	return d.Rank(rank - before), depends
}

func requestsOf(list []bounded) (n int64) {
	for _, b := range list {
		n += b.n
	}
	return n
}
