// Package pace says when each request of a lane is due. It knows no clock and
// sends nothing: a [Schedule] is a value that is asked for the next instant.
//
// The one idea is the expected count N(t) = ∫ rate dt on the lane's schedule
// clock, which stands still while the lane is paused. Request n is due when N
// reaches its threshold: n itself for constant arrivals, the sum of n+1 unit
// exponential gaps for Poisson arrivals, where a rate that changes over time
// (a [Shape]) needs nothing more. A change of rate bends N at its instant and
// keeps N, so no request is lost or invented by it:
//
//	N │            ╱ rate 20
//	  │          ╱
//	  │        ╱┊
//	  │    _─‾  ┊
//	  │_─‾ rate 5
//	  └─────────┴──────── schedule clock
//
// Some arrivals go by windows instead: at the start of each it is settled how
// many requests it holds, and where. Up to the end of a window that is what N
// has gained by then, so they keep N as well, to within one window.
//
// A [Workload] is a file that says what is due, second by second or one by
// one; it holds a [Trace] for each model. Placed evenly, the requests of all
// models lie side by side in a second, and a shuffle says whose each one is.
//
// Due times are cut to the microsecond, never decrease, and lie on the
// schedule clock. One seed gives one schedule.
package pace

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Arrivals is the pattern in which requests become due. The zero value is
// Constant.
type Arrivals uint8

const (
	Constant      Arrivals = iota // evenly spaced, the first at 0
	Poisson                       // exponential gaps, the first gap drawn too
	PoissonCounts                 // a Poisson number each second, placed as Within says
	Uniform                       // in each window a set number, at random
	Burst                         // in each window a set number, all at its start
	Closed                        // nothing is due by itself: the engine's slots decide
	Traced                        // as a Trace says
)

var arrivals = [...]string{
	Constant: "constant", Poisson: "poisson", PoissonCounts: "poisson-counts",
	Uniform: "uniform", Burst: "burst", Closed: "closed", Traced: "trace",
}

func (a Arrivals) String() string { return word(arrivals[:], "arrivals", uint8(a)) }

// Parse returns the arrivals of that name.
func Parse(s string) (Arrivals, error) {
	i, err := find(arrivals[:], "arrivals", s)
	return Arrivals(i), err
}

// Names lists the known arrivals.
func Names() []string { return slices.Clone(arrivals[:]) }

// Within is how the requests of one second are placed inside it. The zero
// value is Even.
//
// Of PoissonCounts it places what one lane draws. Of a [Workload] of counts
// Even places the requests of all its models together: with n of them in a
// second each slot j/n goes to one model, by a shuffle that depends on the
// seed, the second and its counts alone. So no two coincide, but for what is cut
// to the microsecond, and no model is always first:
//
//	a 3, b 2, c 1  │a··c··b··a··b··a··│b··a··a··c··a··b··│
//	               └──────────────────┴──────────────────┴
//
// Where a board lacks a model, the slots of that model stay empty.
type Within uint8

const (
	Even   Within = iota // of n requests number j, from 0, at j/n of the second
	AtOnce               // all at the start of the second
	Random               // independently of each other, anywhere: the process of Poisson
)

var withins = [...]string{Even: "even", AtOnce: "burst", Random: "random"}

func (w Within) String() string { return word(withins[:], "within", uint8(w)) }

// ParseWithin returns the placing of that name.
func ParseWithin(s string) (Within, error) {
	i, err := find(withins[:], "placing", s)
	return Within(i), err
}

// WithinNames lists the known placings.
func WithinNames() []string { return slices.Clone(withins[:]) }

func word(words []string, what string, i uint8) string {
	if int(i) < len(words) {
		return words[i]
	}
	return fmt.Sprintf("%s-%d", what, i)
}

func find(words []string, what, s string) (int, error) {
	i := slices.Index(words, s)
	if i < 0 {
		last := len(words) - 1
		return 0, fmt.Errorf("unknown %s %q: want %s or %s", what, Brief(s), strings.Join(words[:last], ", "), words[last])
	}
	return i, nil
}

// A Spec says in which pattern requests become due. The zero Spec is constant.
//
// What one number stands for differs: the rate of a [Schedule] is in requests
// per second, but where Shape is in force or Arrivals is Traced it is a
// factor, 1 for as written.
type Spec struct {
	Arrivals Arrivals
	Within   Within        // of PoissonCounts
	Every    time.Duration // length of a window of Uniform and Burst; 0 is 1 s, otherwise 1 ms to 10,000 h
	Count    int64         // of Uniform and Burst: requests in each window, whatever the rate; 0 is what the rate gives
	Once     bool          // of Uniform and Burst: the first window only
	Shape    *Shape        // rate over time, but for Closed, Traced and where Count says how many; nil is flat
	Trace    *Trace        // of Traced; without one nothing is due, which callers refuse
}

// Window is how long a window of PoissonCounts, Uniform and Burst is.
func (s *Spec) Window() time.Duration {
	if s.Arrivals == PoissonCounts || s.Every == 0 {
		return time.Second
	}
	return min(max(s.Every, shortest), Longest).Truncate(time.Microsecond)
}

// counted says whether Count settles how many requests a window holds.
func (s *Spec) counted() bool {
	return s.Count > 0 && (s.Arrivals == Uniform || s.Arrivals == Burst)
}

// once says whether the first window is the only one.
func (s *Spec) once() bool {
	return s.Once && (s.Arrivals == Uniform || s.Arrivals == Burst)
}
