package pace

import (
	"cmp"
	"math/bits"
	"slices"
	"time"
)

// share tells each tally of how many requests of all models its second is, and
// how many of them are of models before its own in order of names. That is all
// a trace has to know of the others, and no order of lines can change it.
func (w *Workload) share(seed uint64) {
	order := make([]int, len(w.Models))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(w.Models[a], w.Models[b]) })
	all := make(sums, w.Length/time.Second>>page+1)
	for _, i := range order {
		for k := range w.Traces[i].seconds {
			s := &w.Traces[i].seconds[k]
			sum := all.of(s.second)
			s.first = *sum
			*sum += s.n
		}
	}
	for _, t := range w.Traces {
		t.seed = seed
		for k := range t.seconds {
			t.seconds[k].of = *all.of(t.seconds[k].second)
		}
	}
}

// sums is a number for each second. Pages without any are left out, as a file
// may have one line only, of second 10,000,000.
type sums []*[1 << page]int32

const page = 10 // bits

func (s sums) of(second int32) *int32 {
	p := &s[second>>page]
	if *p == nil {
		*p = new([1 << page]int32)
	}
	return &(*p)[second&(1<<page-1)]
}

// An urn deals the n slots of a second to its models as a shuffle would: it
// holds a ball for each request, in order of models, and slot after slot draws
// one and does not put it back.
//
//	│ before │ own │ after │
//	└────────┴──↑──┴───────┘
//	            ball r of those that are left, 0 ≤ r < before + own + after
//
// Every lane of a workload draws the same numbers from an urn of its own. Of
// the others it needs to know no more than on which side of its own balls one
// was drawn, so an urn is as small for 10 million requests of 1000 models as
// for two of two. But every lane walks over all slots, at some 3 ns each.
type urn struct {
	n                 uint64 // slots
	before, own, left uint64 // balls: of models before one's own, one's own, of all
	state             uint64 // of splitmix64
}

func newUrn(s tally, seed uint64) urn {
	return urn{uint64(s.of), uint64(s.first), uint64(s.n), uint64(s.of), seed}
}

// next returns the next slot of one's own. There must be one.
func (u *urn) next() uint64 {
	before, left, state := u.before, u.left, u.state
	for {
		state += golden
		ball, _ := bits.Mul64(scramble(state), left)
		left--
		own := ball-before < u.own // not where ball < before: that wraps around
		_, borrow := bits.Sub64(ball, before, 0)
		before -= borrow // without a branch, which chance would decide
		if own {
			break
		}
	}
	u.before, u.own, u.left, u.state = before, u.own-1, left, state
	return u.n - left - 1
}
