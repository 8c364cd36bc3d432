package pace

import (
	"math/rand/v2"
	"slices"
	"time"
)

// A Trace is when the requests of one model of a [Workload] are due, from 0 of
// its own time. It holds either the counts of the seconds that have any, 20
// bytes each, or due times, 8 bytes each. It is immutable.
type Trace struct {
	seconds []tally // in order of second
	dues    []int64 // µs, in order
	within  Within  // how counts are placed
	seed    uint64  // of places: the same for all models where they share slots
	total   int64
	length  time.Duration
}

// tally is how many requests one second has. Second 1 is [0, 1 s).
type tally struct {
	second, n int32
	before    int32 // in all seconds before it
	of, first int32 // Even: n of all models in this second, and of those before this one
}

func (t tally) start() time.Duration { return time.Duration(t.second-1) * time.Second }

// Total returns the number of requests.
func (t *Trace) Total() int64 { return t.total }

// Length returns the end of the last second of the workload, in which other
// models may have requests too. Every due time is before it.
func (t *Trace) Length() time.Duration { return t.length }

// second returns the tally of second k, 1 or more; with its n 0 where there are none.
func (t *Trace) second(k int64) tally {
	if t.dues != nil {
		from, _ := slices.BinarySearch(t.dues, (k-1)*1e6)
		to, _ := slices.BinarySearch(t.dues, k*1e6)
		return tally{second: int32(k), n: int32(to - from), before: int32(from)}
	}
	i, found := slices.BinarySearchFunc(t.seconds, int32(k), func(s tally, k int32) int { return int(s.second - k) })
	switch {
	case found:
		return t.seconds[i]
	case i < len(t.seconds):
		return tally{second: int32(k), before: t.seconds[i].before}
	}
	return tally{second: int32(k), before: int32(t.total)}
}

// at returns N after so many nanoseconds of the trace, and its slope in
// requests per second: within each second it rises evenly, wherever in it the
// requests are placed.
func (t *Trace) at(ns float64) (n, slope float64) {
	k := int64(ns / 1e9)
	s := t.second(k + 1)
	return float64(s.before) + float64(s.n)*(ns/1e9-float64(k)), float64(s.n)
}

// cursor walks over the requests of a trace.
type cursor struct {
	trace  *Trace
	i      int    // of seconds, of dues
	now    spread // of a second
	urn    *urn   // of a second that other models share
	source *rand.PCG
	rng    *rand.Rand
}

func newCursor(t *Trace) cursor {
	c := cursor{trace: t, urn: &urn{}, source: rand.NewPCG(0, 0)}
	c.rng = rand.New(c.source)
	c.load()
	return c
}

// load places the requests of the second in hand. Each second has a seed of
// its own, so what is in it moves no other.
func (c *cursor) load() {
	if c.i >= len(c.trace.seconds) {
		return
	}
	s := c.trace.seconds[c.i]
	seed := Seed(c.trace.seed, "place", int(s.second), 0)
	c.source.Seed(seed, ^seed)
	c.now = spread{within: c.trace.within, at: s.start(), over: time.Second, n: int64(s.n), rest: 1}
	if c.trace.within == Even && s.n < s.of {
		*c.urn = newUrn(s, seed)
		c.now.urn = c.urn
	}
	c.now.place(c.rng)
}

// offset returns when the next request is due in the trace's own time.
func (c *cursor) offset() (time.Duration, bool) {
	if c.trace.dues == nil {
		return c.now.due, c.now.left() > 0
	}
	if c.i == len(c.trace.dues) {
		return 0, false
	}
	return time.Duration(c.trace.dues[c.i]) * time.Microsecond, true
}

func (c *cursor) take() {
	if c.trace.dues != nil {
		c.i++
		return
	}
	c.now.take(c.rng)
	if c.now.left() == 0 {
		c.i++
		c.load()
	}
}
