package pace

import "math"

// sine swings between two rates, from their mean, rising first.
//
//	rate(t) = m + a·sin(2πt/T)             m = (lo+hi)/2, a = (hi−lo)/2
//	N(t)    = m·t + a·T/2π·(1 − cos(2πt/T))
//
//	hi │   _-‾-_               _-‾-_
//	   │ ╱       ╲           ╱       ╲
//	m  │╱─────────╲─────────╱─────────╲
//	   │           ╲       ╱
//	lo │             ‾-_-‾
//	   └───────────────────┴─────────── t
//	                       T
//
// N(t) = n has no closed form. N never falls, so Newton's steps are kept
// between bounds that close in on the root.
type sine struct {
	mean, swing float64 // m and a, requests per second
	over        float64 // T in seconds
}

func newSine(rates string, over float64) (curve, error) {
	lo, hi, err := between(rates)
	return sine{(lo + hi) / 2, math.Abs(hi-lo) / 2, over}, err
}

func (s sine) rate(t float64) float64 {
	return max(0, s.mean+s.swing*math.Sin(2*math.Pi*math.Mod(t/s.over, 1)))
}

func (s sine) integral(t float64) float64 {
	periods := math.Floor(t / s.over)
	n, _ := s.within(t - periods*s.over)
	return periods*s.mean*s.over + n
}

// within is N and its slope t into a period.
func (s sine) within(t float64) (n, slope float64) {
	sin, cos := math.Sincos(math.Pi * t / s.over) // of half the angle: 1 − cos 2x = 2·sin²x
	return s.mean*t + s.swing*s.over/math.Pi*sin*sin, s.mean + 2*s.swing*sin*cos
}

func (s sine) reach(n, near float64) (float64, bool) {
	periods := math.Floor(n / (s.mean * s.over))
	before := periods * s.over
	return before + s.solve(n-periods*s.mean*s.over, near-before), true
}

// solve returns when N is n, within the first period, beginning at t.
func (s sine) solve(n, t float64) float64 {
	lo, hi := 0.0, s.over
	if !(t > lo && t < hi) {
		t = min(n/s.mean, hi)
	}
	enough := max(1e-11, 4e-16*s.over) // a hundredth of a nanosecond, or what t can hold
	for range 100 {
		got, slope := s.within(t)
		switch {
		case got < n:
			lo = t
		case got > n:
			hi = t
		default:
			return t
		}
		next := t - (got-n)/slope
		if !(next > lo && next < hi) {
			next = (lo + hi) / 2
		}
		if math.Abs(next-t) <= enough {
			return next
		}
		t = next
	}
	return t
}
