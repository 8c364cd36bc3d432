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

	open     []opened // youngest first
	censored int64
	over     time.Duration // smallest bound among the censored, or Never
}

// opened are requests that were open at that instant and at least so old.
type opened struct {
	age time.Duration
	n   int64
}

// latenciesOf returns the latencies of a lane: of a run that is over as it
// ended, of one that goes on as of the last closed second, because that is how
// far the distributions of a lane reach. Before the first close there are none.
func latenciesOf(l *ledger.Lane, s *ledger.Snapshot) *latencies {
	at := s.At
	if !ended(s) {
		if l = atClose(s, l); l == nil {
			return &latencies{over: ledger.Never}
		}
		at = s.AtClose.At
	}
	out := &latencies{
		response: l.Response, service: l.Service, lag: l.LagDist,
		censored: l.Censored, over: l.Over,
	}
	for _, c := range append(slices.Clone(l.Cohorts), l.Older) {
		if c == nil || c.Open <= 0 {
			continue
		}
		o := opened{n: c.Open}
		if c.Youngest != ledger.Never {
			o.age = max(0, at-c.Youngest)
		}
		out.open = append(out.open, o)
	}
	slices.SortFunc(out.open, func(a, b opened) int { return cmp.Compare(a.age, b.age) })
	return out
}

// bound reports whether the mean of the responses is only a lower bound.
func (l *latencies) bound() bool { return l.censored > 0 || len(l.open) > 0 }

// quantile returns the q-quantile of the responses, of rank ⌈q·n⌉ over ok,
// open, timed-out and cut requests. It is [ledger.Cohort.Quantile] for open
// requests of several ages: those of a cohort stand at the age of its youngest,
// so that every rank from the youngest of all on is a lower bound.
func (l *latencies) quantile(q float64) ledger.Quantile {
	n := l.response.N() + l.censored
	for _, o := range l.open {
		n += o.n
	}
	if n <= 0 {
		return ledger.Quantile{}
	}
	rank := max(1, int64(math.Ceil(q*float64(n)-1e-9)))
	out := ledger.Quantile{Bound: ledger.Measure, Thin: float64(n)*(1-q) < 1-1e-9}
	var younger int64
	for _, o := range l.open {
		below := younger + l.response.Below(o.age)
		if rank <= below {
			break
		}
		out.Bound = ledger.AtLeast
		if rank <= below+o.n {
			out.Value = o.age
			return out
		}
		younger += o.n
	}
	if rank > l.response.N()+younger {
		out.Value, out.Bound = l.over, ledger.Over
		return out
	}
	out.Value = l.response.Rank(rank - younger)
	return out
}
