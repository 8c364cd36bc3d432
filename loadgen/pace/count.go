package pace

import (
	"math"
	"time"
)

// A course is N over the schedule clock.
type course interface {
	at(t time.Duration) float64           // N(t), for t from the last bend on
	slope(t time.Duration) float64        // N'(t)
	bend(at time.Duration, speed float64) // from at on with another rate or factor
}

// never is later than any due time: 146 years.
const never = time.Duration(math.MaxInt64 / 2)

// count is N of a flat rate or of a shape.
type count struct {
	n     float64       // N at from
	from  time.Duration // of the last bend
	rate  float64       // requests per second, or the factor on the shape
	shape *Shape        // or nil
	below float64       // ∫ shape up to from
	near  float64       // where N was last sought on the shape, in seconds
	stop  time.Duration // N stands still from here on; 0 is never
	held  bool          // the rate is not for others to change
}

// newCount returns the course that has reached n by from, of arrivals that
// follow a rate.
func newCount(spec *Spec, from time.Duration, n, rate float64) *count {
	c := &count{n: n, from: from, rate: rate, shape: spec.Shape}
	switch {
	case spec.Arrivals >= Closed:
		c.held, c.shape, c.rate = true, nil, 0
	case spec.counted():
		c.held, c.shape, c.rate = true, nil, float64(spec.Count)/spec.Window().Seconds()
	}
	if c.shape != nil {
		c.below = c.shape.Integral(from)
	}
	if spec.once() {
		c.stop = from + spec.Window()
	}
	return c
}

func (c *count) at(t time.Duration) float64 {
	if c.stop > 0 {
		t = max(c.from, min(t, c.stop))
	}
	if c.shape != nil {
		return c.n + c.rate*(c.shape.Integral(t)-c.below)
	}
	return c.n + (t-c.from).Seconds()*c.rate
}

func (c *count) slope(t time.Duration) float64 {
	switch {
	case c.stop > 0 && t >= c.stop:
		return 0
	case c.shape != nil:
		return c.rate * c.shape.Rate(t)
	}
	return c.rate
}

func (c *count) bend(at time.Duration, rate float64) {
	if c.held {
		return
	}
	c.n, c.from, c.rate = c.at(at), at, rate
	if c.shape != nil {
		c.below = c.shape.Integral(at)
	}
}

// reach returns when N reaches n, and false if it never does.
func (c *count) reach(n float64) (time.Duration, bool) {
	more := (n - c.n) / c.rate
	switch {
	case n <= c.n:
		return c.from, true
	case c.rate <= 0:
		return 0, false
	case c.shape == nil && more*1e9 < float64(never):
		return c.from + time.Duration(math.Round(more*1e9)), true
	case c.shape == nil:
		return 0, false
	}
	t, any := c.shape.reach(c.below+more, c.near)
	if !any || t*1e9 >= float64(never) {
		return 0, false
	}
	c.near = t
	return max(c.from, time.Duration(math.Round(t*1e9))), true
}

// whole is ⌊n⌋, where an n that lacks no more than arithmetic loses is whole.
func whole(n float64) float64 { return math.Floor(n + 1e-9 + n*1e-12) }
