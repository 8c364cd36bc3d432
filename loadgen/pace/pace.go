// Package pace says when each request of a lane is due. It knows no clock and
// sends nothing: a [Schedule] is a value that is asked for the next instant.
//
// The one idea is the expected count N(t) = ∫ rate dt on the lane's schedule
// clock, which stands still while the lane is paused. Request n is due when N
// reaches its threshold: n itself for constant arrivals, the sum of n+1 unit
// exponential gaps for Poisson arrivals. A change of rate bends N at its
// instant and keeps N, so no request is lost or invented by it:
//
//	N │            ╱ rate 20
//	  │          ╱
//	  │        ╱┊
//	  │    _─‾  ┊
//	  │_─‾ rate 5
//	  └─────────┴──────── schedule clock
//
// Due times are cut to the microsecond.
package pace

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// Arrivals is the pattern in which requests become due.
type Arrivals uint8

const (
	Constant Arrivals = iota // evenly spaced, the first at 0
	Poisson                  // exponential gaps, the first gap drawn too
)

var names = [...]string{Constant: "constant", Poisson: "poisson"}

func (a Arrivals) String() string {
	if int(a) < len(names) {
		return names[a]
	}
	return fmt.Sprintf("arrivals-%d", uint8(a))
}

// Parse returns the arrivals of that name.
func Parse(s string) (Arrivals, error) {
	for i, n := range names {
		if n == s {
			return Arrivals(i), nil
		}
	}
	return 0, fmt.Errorf("unknown arrivals %q: want constant or poisson", s)
}

// Names lists the known arrivals.
func Names() []string { return append([]string(nil), names[:]...) }

// A Schedule yields the due times of one lane. It is not safe for concurrent
// use.
type Schedule struct {
	arrivals Arrivals
	rate     float64 // requests per second of the schedule clock
	from     time.Duration
	n        float64 // N at from
	next     float64 // N at which the next request is due
	rng      *rand.Rand
}

// Start begins a schedule at 0 of the schedule clock. rate is in requests per
// second; at 0 nothing is ever due. seed draws the Poisson gaps.
func Start(a Arrivals, rate float64, seed uint64) *Schedule {
	s := &Schedule{arrivals: a, rate: rate}
	s.reseed(seed)
	if a == Poisson {
		s.next = s.rng.ExpFloat64()
	}
	return s
}

func (s *Schedule) reseed(seed uint64) {
	s.rng = rand.New(rand.NewPCG(seed, seed^0x9e3779b97f4a7c15))
}

// Count returns N(at), the expected number of requests due by at.
func (s *Schedule) Count(at time.Duration) float64 {
	return s.n + (at-s.from).Seconds()*s.rate
}

// Next returns when the next request is due on the schedule clock, and false
// if none is at the present rate.
func (s *Schedule) Next() (time.Duration, bool) {
	if s.rate <= 0 {
		return 0, false
	}
	d := (s.next - s.n) / s.rate * float64(time.Second)
	if d > math.MaxInt64/2 {
		return 0, false
	}
	due := s.from + time.Duration(math.Round(d))
	return max(due, s.from).Truncate(time.Microsecond), true
}

// Take moves on to the request after the next one.
func (s *Schedule) Take() {
	if s.arrivals == Poisson {
		s.next += s.rng.ExpFloat64()
		return
	}
	s.next++
}

// SetRate bends N at the instant at. Requests due before at must have been
// taken.
func (s *Schedule) SetRate(at time.Duration, rate float64) {
	s.bend(at)
	s.rate = rate
}

// SetArrivals changes the pattern at the instant at and keeps N. Requests due
// before at must have been taken. seed draws the gaps from here on.
func (s *Schedule) SetArrivals(at time.Duration, a Arrivals, seed uint64) {
	if a == s.arrivals {
		return
	}
	s.bend(at)
	s.arrivals = a
	s.reseed(seed)
	if a == Poisson {
		s.next = s.n + s.rng.ExpFloat64()
		return
	}
	s.next = math.Floor(s.n) + 1
}

func (s *Schedule) bend(at time.Duration) {
	s.n, s.from = s.Count(at), at
}

// Seed derives the seed of one stream of random numbers from the run's seed,
// so that a further lane changes no other. (splitmix64 over the parts.)
func Seed(run uint64, purpose string, lane, segment int) uint64 {
	h := run
	mix := func(v uint64) {
		h += v + 0x9e3779b97f4a7c15
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		h ^= h >> 31
	}
	for _, c := range []byte(purpose) {
		mix(uint64(c))
	}
	mix(uint64(lane))
	mix(uint64(segment))
	return h
}
