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

// A Quantile is one quantile of the [Times] of a set of requests.
type Quantile struct {
	Value time.Duration
	Bound Bound
	Thin  bool // n·(1−q) < 1: too few requests to conclude anything
}

// Of returns the q-quantile of d alone.
func Of(d *Dist, q float64) Quantile { return Known(d).Quantile(q) }
