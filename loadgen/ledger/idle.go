package ledger

import (
	"slices"
	"time"
)

// A Span is a stretch of time, from From up to but not including To, which is
// Never while it lasts.
type Span struct{ From, To time.Duration }

const (
	// Brief is the shortest span of idling that is listed. Shorter ones are
	// in the sum.
	Brief = time.Millisecond

	keepIdling = 1000
)

// idling is when a target had nothing to do: none of its requests, of any
// lane, was due and not done. Of each second the stamps are collected as they
// are told, and put in order when it closes, so that the order in which they
// were told does not matter. What is told late counts from the beginning of
// the second in which it is booked.
//
//	due     ·    ·  ·             ·
//	done           ·  ·   ·           ·
//	idle ░░░            ░░ ░░░░░░░    ░░░░
type idling struct {
	open    int64         // at the last close
	due     []int64       // stamps of the open second
	done    []int64       //
	since   time.Duration // idle since, or Never
	past    time.Duration // in all, in spans that are over
	times   int64         // how many those are
	spans   []Span        // the last of them, but for brief ones
	upTo    time.Duration // the last close
	view    []Span        // immutable, as of then
	changed bool          // since the view was made
}

// close counts what was idle from the last close up to the instant to.
func (t *idling) close(to time.Duration) {
	if t.open <= int64(len(t.done)) { // else something was open all the time
		t.sweep()
	}
	t.open += int64(len(t.due) - len(t.done))
	t.due, t.done = t.due[:0], t.done[:0]
	t.upTo = to
	if t.changed || t.view == nil {
		t.changed = false
		t.view = slices.Clone(t.spans)
		if t.since != Never {
			t.view = append(t.view, Span{t.since, Never})
		}
	}
}

// sweep goes through the steps of the second in order of stamps.
func (t *idling) sweep() {
	for _, list := range [][]int64{t.due, t.done} {
		for i := range list {
			list[i] = max(list[i], int64(t.upTo))
		}
		slices.Sort(list)
	}
	open, due, done := t.open, t.due, t.done
	for len(due) > 0 || len(done) > 0 {
		at := int64(1<<63 - 1)
		if len(due) > 0 {
			at = due[0]
		}
		if len(done) > 0 {
			at = min(at, done[0])
		}
		before := open
		for ; len(due) > 0 && due[0] == at; due = due[1:] {
			open++
		}
		for ; len(done) > 0 && done[0] == at; done = done[1:] {
			open--
		}
		switch {
		case before == 0 && open > 0:
			t.end(time.Duration(at))
		case before > 0 && open == 0:
			t.since, t.changed = time.Duration(at), true
		}
	}
}

// end ends the present span.
func (t *idling) end(at time.Duration) {
	d := at - t.since
	if d > 0 { // it is 0 where the first request is due at 0
		t.times++
	}
	if d >= Brief {
		t.spans = keepLast(append(t.spans, Span{t.since, at}), keepIdling)
	}
	t.past += d
	t.since, t.changed = Never, true
}

// finish ends what lasts to the end of the run.
func (t *idling) finish() {
	if t.since == Never {
		return
	}
	t.end(t.upTo)
	t.view = slices.Clone(t.spans)
}

// tell fills in the account as of the last close.
func (t *idling) tell(s *TargetState) {
	s.Idling, s.Idle, s.Idles = t.view, t.past, t.times
	if t.since != Never && t.upTo > 0 {
		s.Idle += t.upTo - t.since
		s.Idles++
	}
	if t.upTo > 0 {
		s.IdleShare = float64(s.Idle) / float64(t.upTo)
	}
}
