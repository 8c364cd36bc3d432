package pace

import (
	"math"
	"time"
)

// traced is both N and pattern of a trace. A factor stretches time, so no
// request is lost or invented: the trace stands at pos and moves on by factor
// seconds in a second. While another pattern is in force it stands still.
type traced struct {
	cursor
	from    time.Duration // of the last bend
	n       float64       // N at from
	pos     float64       // nanoseconds of the trace at from
	factor  float64
	settled float64
	ended   time.Duration // once a bend came after the end; 0 before
}

// enter goes on from the instant at, at which N is n.
func (t *traced) enter(at time.Duration, n, factor, settled float64) {
	t.from, t.n, t.factor, t.settled, t.ended = at, n, factor, settled, 0
}

// stands is the position at an instant.
func (t *traced) stands(at time.Duration) float64 {
	return min(float64(t.trace.length), t.pos+t.factor*float64(at-t.from))
}

// comes is the instant at which the trace stands at a position.
func (t *traced) comes(pos time.Duration) (time.Duration, bool) {
	more := max(0, float64(pos)-t.pos) / t.factor
	if !(t.factor > 0 && more < float64(never)) {
		return 0, false
	}
	return t.from + time.Duration(math.Round(more)), true
}

func (t *traced) at(at time.Duration) float64 {
	from, _ := t.trace.at(t.pos)
	to, _ := t.trace.at(t.stands(at))
	return t.n + (to - from)
}

func (t *traced) slope(at time.Duration) float64 {
	_, slope := t.trace.at(t.stands(at))
	return t.factor * slope
}

func (t *traced) bend(at time.Duration, factor float64) {
	if end, over := t.over(); over && end <= at {
		t.ended = end
	}
	t.n, t.pos, t.from, t.factor = t.at(at), t.stands(at), at, factor
}

func (t *traced) next() (time.Duration, bool) {
	offset, any := t.offset()
	if !any {
		return 0, false
	}
	return t.comes(offset)
}

func (t *traced) settle(time.Duration) {}

func (t *traced) bent(time.Duration) {}

func (t *traced) leave(time.Duration) float64 { return t.settled }

func (t *traced) over() (time.Duration, bool) {
	if _, any := t.offset(); any {
		return 0, false
	}
	if t.ended > 0 {
		return t.ended, true
	}
	return t.comes(t.trace.length)
}
