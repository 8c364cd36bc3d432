package pace

import (
	"fmt"
	"slices"
)

// maxSteps bounds the rates of one shape.
const maxSteps = 10_000

// steps holds one rate after the other, the last one for ever.
//
//	rate(t) = r[i]                    i = ⌊t/T⌋, at most the last
//	N(t)    = (r[0] + … + r[i−1])·T + r[i]·(t − i·T)
//
//	r[2] │             ┌──────
//	r[1] │      ┌──────┘
//	r[0] │──────┘
//	     └──────┴──────┴────── t
//	            T      2T
type steps struct {
	rates  []float64 // requests per second
	before []float64 // N at the start of each
	over   float64   // T in seconds
}

func newSteps(list string, over float64) (curve, error) {
	rates, err := parseRates(list)
	switch {
	case err != nil:
		return nil, err
	case len(rates) > maxSteps:
		return nil, fmt.Errorf("%d steps are too many (at most %d)", len(rates), maxSteps)
	case slices.Max(rates) == 0:
		return nil, fmt.Errorf("it sends nothing")
	}
	s := steps{rates: rates, over: over}
	sum := 0.0 // of rates, so that whole rates stay exact
	for _, r := range rates {
		s.before = append(s.before, sum*over)
		sum += r
	}
	return s, nil
}

// step is the number of the step in force at t. The division may fall short of
// a boundary by what arithmetic loses.
func (s steps) step(t float64) int {
	return int(min(t/s.over*(1+1e-12), float64(len(s.rates)-1)))
}

func (s steps) rate(t float64) float64 { return s.rates[s.step(t)] }

func (s steps) integral(t float64) float64 {
	i := s.step(t)
	return s.before[i] + s.rates[i]*(t-float64(i)*s.over)
}

func (s steps) reach(n, _ float64) (float64, bool) {
	i, _ := slices.BinarySearch(s.before, n) // the first that starts at n or later
	i--
	return float64(i)*s.over + (n-s.before[i])/s.rates[i], s.rates[i] > 0
}
