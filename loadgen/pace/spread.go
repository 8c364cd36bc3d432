package pace

import (
	"math"
	"math/rand/v2"
	"time"
)

// spread places n requests in [at, at+over), one after the other, and keeps
// none of them: a window of an hour costs no more than one of a second.
type spread struct {
	within   Within
	at, over time.Duration
	n, k     int64         // how many, and how many were taken
	phase    float64       // of Even: where in its n-th part each one lies, 0 to 1
	urn      *urn          // of Even: says which slots are its own; nil where all are
	rest     float64       // of Random: what share of over lies behind the last one
	due      time.Duration // of request k, while k < n
}

// newSpread places the first of n requests.
func newSpread(within Within, at, over time.Duration, n int64, phase float64, rng *rand.Rand) spread {
	s := spread{within: within, at: at, over: over, n: n, phase: phase, rest: 1}
	s.place(rng)
	return s
}

func (s *spread) left() int64 { return s.n - s.k }

func (s *spread) end() time.Duration { return s.at + s.over }

// take moves on to the next request.
func (s *spread) take(rng *rand.Rand) {
	s.k++
	s.place(rng)
}

// place settles the due time of request k. At random the next of m sorted
// uniform places is the least of m places in what is left, and the share that
// lies behind it is the largest of m uniform numbers, V^(1/m) = exp(−E/m).
func (s *spread) place(rng *rand.Rand) {
	if s.k >= s.n {
		return
	}
	share := 0.0
	switch s.within {
	case Even:
		share = (float64(s.k) + s.phase) / float64(s.n)
		if s.urn != nil {
			share = float64(s.urn.next()) / float64(s.urn.n)
		}
	case Random:
		s.rest *= math.Exp(-rng.ExpFloat64() / float64(s.n-s.k))
		share = 1 - s.rest
	case AtOnce:
	}
	offset := time.Duration(math.Round(share * float64(s.over)))
	s.due = s.at + max(0, min(offset, s.over-1))
}
