package pace

import (
	"math/rand/v2"
	"time"
)

// A pattern turns N into due times. What it has handed out it accounts for in
// terms of N, so that it can go on when N bends and another one can follow.
type pattern interface {
	next() (time.Duration, bool)
	take()
	settle(at time.Duration)        // N is about to bend at that instant
	bent(at time.Duration)          // it has
	leave(at time.Duration) float64 // another pattern follows: N accounted for
	over() (time.Duration, bool)    // when it ended by itself, if it did
}

// steady is the pattern of requests that are due when N reaches a mark.
type steady struct {
	course  *count
	gaps    *rand.Rand // exponential; nil is evenly spaced
	mark    float64
	settled float64 // when it began; may be more than N
}

func newSteady(course *count, gaps *rand.Rand, settled float64) *steady {
	s := &steady{course: course, gaps: gaps, mark: settled, settled: settled}
	if gaps == nil {
		s.mark = whole(settled)
	}
	s.take()
	return s
}

// next is when N reaches the mark while it rises: at a rate of 0 nothing is due,
// though N stand on the mark.
func (s *steady) next() (time.Duration, bool) {
	if s.course.rate <= 0 {
		return 0, false
	}
	due, any := s.course.reach(s.mark)
	if any && s.course.slope(due) <= 0 {
		due, any = s.course.reach(s.mark + rising)
	}
	return due, any
}

// rising is how far N has to be beyond a mark that it stands on to have risen
// from it: a request of a billion.
const rising = 1e-9

func (s *steady) take() {
	if s.gaps == nil {
		s.mark++
		return
	}
	s.mark += s.gaps.ExpFloat64()
}

func (s *steady) settle(time.Duration) {}

func (s *steady) bent(time.Duration) {}

func (s *steady) leave(time.Duration) float64 { return s.settled }

func (s *steady) over() (time.Duration, bool) { return 0, false }

// idle is the pattern in which nothing is due.
type idle struct{ settled float64 }

func (idle) next() (time.Duration, bool) { return 0, false }

func (idle) take() {}

func (idle) settle(time.Duration) {}

func (idle) bent(time.Duration) {}

func (i idle) leave(time.Duration) float64 { return i.settled }

func (idle) over() (time.Duration, bool) { return 0, false }
