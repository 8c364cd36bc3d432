package ledger

import (
	"math"
	"time"
)

// Never is the stamp of something that did not happen. All other stamps are
// offsets from the start of the run, cut to the microsecond.
const Never = time.Duration(math.MinInt64)

// Cut cuts an offset to the microsecond, as every stamp is.
func Cut(d time.Duration) time.Duration { return d.Truncate(time.Microsecond) }

// Kind says which step of a request an [Event] reports.
type Kind uint8

// The steps of a request, in the order in which they happen. A request that
// the driver takes up within [Latest] has no Started: the step Due tells when
// that was. One that fails before it is sent has no Sent.
const (
	Due     Kind = iota // it became due
	Started             // the driver took it up, late
	Sent                // its first byte is about to be written
	Done                // it was answered and judged, or failed

	kinds = 4
)

// An Event is one step of one request, with everything known about it so far.
// Events of one request reach the ledger in the order of their kinds.
type Event struct {
	Kind   Kind
	Lane   int
	Target int
	I      int64 // number of the request within its lane, from 0

	Due     time.Duration // when the schedule says it starts
	Started time.Duration // when the driver took it up, or Never if it has not yet
	Sent    time.Duration // immediately before its first write, or Never
	First   time.Duration // first byte of the answer, or Never
	Done    time.Duration // answer complete and judged, or failed

	Up, Down int64 // body bytes sent and received
	Failure  Failure
	Peer     string // address that answered, "" if none

	// Booked is set by a reader of a run file: the second in which each
	// step was booked, where that was later than its own; 0 otherwise.
	Booked [kinds]int
}

// At returns the event's own stamp.
func (e *Event) At() time.Duration {
	switch e.Kind {
	case Due:
		return e.Due
	case Started:
		return e.Started
	case Sent:
		return e.Sent
	default:
		return e.Done
	}
}

// Lag is the driver's own lateness: started − due.
func (e *Event) Lag() time.Duration { return e.Started - e.Due }

// Late reports whether the request was taken up so late that its start is a step
// of its own.
func (e *Event) Late() bool { return e.Started != Never && e.Lag() > Latest }

// starts reports whether it is this step that tells when the request was taken
// up.
func (e *Event) starts() bool { return e.Kind == Started || e.Kind == Due && e.Started != Never }

// Response is the headline latency: done − due.
func (e *Event) Response() time.Duration { return e.Done - e.Due }

// Service is done − sent, or Never for a request that was never sent.
func (e *Event) Service() time.Duration {
	if e.Sent == Never {
		return Never
	}
	return e.Done - e.Sent
}

// OK reports whether a done request was answered and judged good.
func (e *Event) OK() bool { return e.Failure.Class == 0 }

// SecondOf returns the number k of the second [k−1, k) that holds at.
// Everything before zero is in second 1.
func SecondOf(at time.Duration) int {
	return max(1, int(at/time.Second)+1)
}
