package pace

import "time"

// A Schedule yields the due times of one lane. It costs the same few hundred
// bytes whatever the rate, the window or the length. It is not safe for
// concurrent use.
type Schedule struct {
	spec    Spec
	rate    float64 // requests per second, or a factor
	course  course
	pattern pattern
	trace   *traced       // once it was begun
	from    time.Duration // of the last change

	floor time.Duration // nothing is due before it
	due   time.Duration // of the next request
	any   bool          // there is one
}

// Start begins a schedule at 0 of the schedule clock. rate is in requests per
// second, 0 to 1e9 (what lies outside is taken as the nearest); on a shape or
// a trace it is a factor. At 0 nothing is due, unless Count says how many. seed
// draws whatever the spec leaves to chance.
func Start(spec Spec, rate float64, seed uint64) *Schedule {
	s := &Schedule{spec: spec, rate: bound(rate)}
	settled := 0.0
	if spec.Arrivals == Constant {
		settled = -1 // the first is due at N = 0
	}
	s.enter(0, 0, settled, seed)
	return s
}

func bound(rate float64) float64 {
	if rate > 0 {
		return min(rate, 1e9)
	}
	return 0 // NaN too
}

// enter begins the pattern of the spec at an instant at which N is n and is
// accounted for up to settled.
func (s *Schedule) enter(at time.Duration, n, settled float64, seed uint64) {
	s.from, s.floor = at, at
	if s.spec.Arrivals == Traced && s.spec.Trace != nil {
		if s.trace == nil {
			s.trace = &traced{cursor: newCursor(s.spec.Trace)}
		}
		s.trace.enter(at, n, s.rate, settled)
		s.course, s.pattern = s.trace, s.trace
		s.look()
		return
	}
	c := newCount(&s.spec, at, n, s.rate)
	s.course = c
	switch rng := stream(seed); {
	case s.spec.Arrivals == Constant:
		s.pattern = newSteady(c, nil, settled)
	case s.spec.Arrivals == Poisson, s.spec.Arrivals == PoissonCounts && s.spec.Within == Random:
		s.pattern = newSteady(c, rng, settled)
	case s.spec.Arrivals < Closed:
		s.pattern = newWindows(&s.spec, c, rng, at, settled)
	default:
		s.pattern = idle{settled}
	}
	s.look()
}

// look settles the due time of the next request.
func (s *Schedule) look() {
	due, any := s.pattern.next()
	s.due, s.any = max(due.Truncate(time.Microsecond), s.floor), any
	if !any {
		s.due = 0
	}
}

// Next returns when the next request is due on the schedule clock, and false
// if none is at the present rate.
func (s *Schedule) Next() (time.Duration, bool) { return s.due, s.any }

// Take moves on to the request after the next one. Where none is due it does
// nothing.
func (s *Schedule) Take() {
	if !s.any {
		return
	}
	s.floor = s.due
	s.pattern.take()
	s.look()
}

// Count returns N(at), the expected number of requests due by an instant that
// is not before the last change. Where it is settled by windows or by the
// seconds of a trace, N rises evenly within each.
func (s *Schedule) Count(at time.Duration) float64 { return s.course.at(max(at, s.from)) }

// Rate returns N'(at), in requests per second, at an instant that is not
// before the last change.
func (s *Schedule) Rate(at time.Duration) float64 { return s.course.slope(max(at, s.from)) }

// SetRate bends N at the instant at, rounded up to the microsecond, which is
// not before the last change or the last request taken (an earlier one is taken
// as that). Requests due before at must have been taken; those due from at on
// follow the new rate. It means what it means to [Start].
//
// The patterns by windows draw the rest of the present window anew. Uniform
// has sent ⌊N⌋ by the end of each window, unless a fall of the rate came too
// late for that; Burst has so at its start, as things stand then, and pays what
// a rise adds at the next start. At any time both have sent N to within
// 1 + the highest rate × the window. PoissonCounts sends N on average,
// however often the rate changes. With Count the rate changes nothing.
func (s *Schedule) SetRate(at time.Duration, rate float64) {
	rate = bound(rate)
	if rate == s.rate {
		return
	}
	at = s.instant(at)
	s.pattern.settle(at)
	s.course.bend(at, rate)
	s.pattern.bent(at)
	s.rate, s.from, s.floor = rate, at, at
	s.look()
}

// SetArrivals changes the pattern at the instant at, of which holds what holds
// for SetRate, and keeps N. seed draws from here on. To the present arrivals
// it does nothing.
//
// Windows, and a first window that is the only one, count from at. What the
// pattern before has sent in advance of N is not sent again; what it was still
// to send of its window is not made up for. Closed keeps N where it is. A
// trace goes on where it stood when it was left, at first at its beginning.
// The number SetRate last gave stays, whatever it means to the new pattern:
// who changes to or from a trace sets the rate as well.
func (s *Schedule) SetArrivals(at time.Duration, a Arrivals, seed uint64) {
	if a == s.spec.Arrivals {
		return
	}
	at = s.instant(at)
	settled, n := s.pattern.leave(at), s.course.at(at)
	s.course.bend(at, s.rate)
	s.spec.Arrivals = a
	s.enter(at, n, max(n, settled), seed)
}

// instant makes an instant one of a change: a whole microsecond, and not before
// what has been.
func (s *Schedule) instant(at time.Duration) time.Duration {
	at = min(max(at, s.floor), never)
	return (at + time.Microsecond - 1).Truncate(time.Microsecond)
}

// End returns when a schedule that ends by itself is over, once all its
// requests were taken: one whose first window is the only one at the window's
// start for Burst and at its end for Uniform, a trace at the end of its length.
func (s *Schedule) End() (time.Duration, bool) {
	at, over := s.pattern.over()
	if !over {
		return 0, false
	}
	return at, true
}
