// Package loadgen sends what is due. A lane waits for the next instant of its
// schedule, takes the request up, and hands it to a [Target], whatever became of
// the requests before it (open loop).
package loadgen

import (
	"context"
	"errors"

	"dev.example/pileup/loadgen/ledger"
)

// A Target is one endpoint that speaks one protocol.
type Target interface {
	// Prepare makes sure that the endpoint serves the model and encodes the
	// model's request once. It never runs on the path of a request. The
	// error says what the endpoint answered; see [Refusal].
	Prepare(ctx context.Context, model string) (Sender, error)
}

// A Sender sends one prepared request as often as it is asked to. It is safe
// for concurrent use and keeps no statistics.
type Sender interface {
	// Send sends the request once, never twice, and returns what became of
	// it. It calls s.Sent immediately before the first write on an
	// established connection and s.First at the first byte of the answer.
	// When ctx is done it closes the connection and returns within
	// milliseconds, whatever the network does, and the engine decides by the
	// cause of ctx whether the request timed out or was cut.
	Send(ctx context.Context, s Stamps) Answer
	// BodyBytes is the size of one request's body.
	BodyBytes() int64
	// Payload says in one line what is sent:
	// "mobilenet_v1: 150,528 floats, 3.15 MB as JSON".
	Payload() string
}

// A Starter is a Sender that can begin a request without waiting, which spares
// the request a goroutine and the schedule the time to wake it.
type Starter interface {
	Sender
	// Start begins the request if it can do so without waiting: on a
	// connection that is idle, with what the system takes at once of the
	// body; the rest goes on by itself. It calls r.Sent, and later, exactly
	// once and from a goroutine of its own, r.End. When it returns nil it
	// has done nothing; Send is the way then.
	Start(r Reply) Started
}

// A Started request can be given up.
type Started interface {
	// Abort ends r's request within milliseconds, whatever the network does,
	// and does nothing if r has ended: the connection may carry another
	// request by then. r.End is still called; cause stands for the cause of
	// a context.
	Abort(r Reply, cause error)
}

// A Reply takes what becomes of a started request.
type Reply interface {
	Stamps
	// End takes the answer. It may start another request and does not block.
	End(Answer)
}

// Stamps takes the time at the steps of a request. Each method may be called
// more than once; the first call counts.
type Stamps interface {
	Sent()
	First()
}

// An Answer is what became of one request.
type Answer struct {
	Failure ledger.Failure // zero if it was answered and judged good
	Up      int64          // body bytes sent, all of them or not
	Down    int64          // body bytes received
	Peer    string         // address that answered, "" if none
}

// Causes with which the engine cancels the context of a request.
var (
	ErrTimeout = errors.New("no answer within the limit")
	ErrCut     = errors.New("cut by the driver")
)

// A Refusal is why a target cannot be driven, found before anything was sent.
type Refusal struct {
	Err  error  // what is wrong, with the endpoint's own words where there are any
	Hint string // what to write or do instead; may be empty
	// NoModel says that only the model is missing: another target may have it.
	NoModel bool
}

func (r *Refusal) Error() string { return r.Err.Error() }
func (r *Refusal) Unwrap() error { return r.Err }
