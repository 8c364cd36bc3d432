package pace

import "math"

// ramp goes from one rate to another, which then stays.
//
//	rate(t) = a + (b−a)·t/T                t < T, then b
//	N(t)    = a·t + (b−a)·t²/2T            t < T, then N(T) + b·(t−T)
//
//	b │        ┌──────
//	  │     ╱‾
//	  │  ╱‾
//	a │‾
//	  └────────┴────── t
//	           T
//
// N(t) = n is a quadratic equation. Its root is written so that nothing
// cancels: t = 2n / (a + √(a² + 2·(b−a)/T·n)).
type ramp struct {
	a, b float64 // requests per second
	over float64 // T in seconds
}

func newRamp(rates string, over float64) (curve, error) {
	a, b, err := between(rates)
	return ramp{a, b, over}, err
}

func (r ramp) rate(t float64) float64 {
	if t >= r.over {
		return r.b
	}
	return r.a + (r.b-r.a)*(t/r.over)
}

func (r ramp) integral(t float64) float64 {
	if t >= r.over {
		return r.whole() + r.b*(t-r.over)
	}
	return t * (r.a + (r.b-r.a)*(t/r.over)/2)
}

// whole is N(T).
func (r ramp) whole() float64 { return r.over * (r.a + r.b) / 2 }

func (r ramp) reach(n, _ float64) (float64, bool) {
	whole := r.whole()
	if n <= whole {
		root := math.Sqrt(max(0, r.a*r.a+2*(r.b-r.a)/r.over*n))
		return min(r.over, 2*n/(r.a+root)), true
	}
	return r.over + (n-whole)/r.b, r.b > 0
}
