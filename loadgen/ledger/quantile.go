package ledger

import "time"

// A Bound says what a quantile's value is.
type Bound uint8

// The bounds.
const (
	None    Bound = iota // nothing to rank
	Measure              // the quantile itself
	AtLeast              // it depends on requests still open: it is this or more
	Over                 // it falls among timeouts and cut requests: above this, and above every value that was seen
)

// A Quantile is one quantile of the responses of a set of requests, timeouts
// and open requests included in the ranks.
type Quantile struct {
	Value time.Duration
	Bound Bound
	Thin  bool // n·(1−q) < 1: too few requests to conclude anything
}

// Quantile returns the q-quantile of the cohort's responses as known at the
// instant at. Rank ⌈q·n⌉ over ok, timed-out, cut and open requests: timeouts
// and cut ones stand above every observed value, open ones at the age of the
// youngest.
func (c *Cohort) Quantile(q float64, at time.Duration) Quantile {
	return quantile(c.Response, q, c.Censored, c.Over, c.Open, at-c.Youngest)
}

// ServiceQuantileAt is the same over done − sent, of all that were sent. Open
// ones stand at the age of the last that was sent.
func (c *Cohort) ServiceQuantileAt(q float64, at time.Duration) Quantile {
	return quantile(c.Service, q, c.CensoredSent, c.OverSent, c.Open-c.Unsent, at-c.LastSent)
}

// ServiceQuantile is the same over done − sent of the ok requests alone.
func (c *Cohort) ServiceQuantile(q float64) Quantile {
	return quantile(c.Service, q, 0, Never, 0, 0)
}

// ResponseQuantile is the q-quantile of the lane's responses to the last
// closed second. Open requests are not in it.
func (l *Lane) ResponseQuantile(q float64) Quantile {
	return quantile(l.Response, q, l.Censored, l.Over, 0, 0)
}

// ServiceQuantile is the same over done − sent, of all that were sent. Those in
// flight make it a lower bound.
func (l *Lane) ServiceQuantile(q float64) Quantile {
	return quantile(l.Service, q, l.CensoredSent, l.OverSent, l.InFlight, 0)
}

// Of returns the q-quantile of d alone.
func Of(d *Dist, q float64) Quantile { return quantile(d, q, 0, Never, 0, 0) }

func quantile(d *Dist, q float64, censored int64, over time.Duration, open int64, age time.Duration) Quantile {
	n := d.N() + censored + open
	if n == 0 {
		return Quantile{}
	}
	r := rankOf(q, n)
	out := Quantile{Thin: float64(n)*(1-q) < 1-1e-9, Bound: Measure}
	below := d.N()
	if open > 0 {
		below = d.Below(age)
	}
	switch {
	case r <= below:
		out.Value = d.Rank(r)
	case open > 0 && r <= below+open:
		out.Value, out.Bound = age, AtLeast
	case r <= d.N()+open:
		out.Value, out.Bound = d.Rank(r-open), AtLeast
	default: // they stand above all others
		out.Value, out.Bound = max(over, d.Max()), Over
		if open > 0 {
			out.Value = max(out.Value, age)
		}
	}
	return out
}
