package loadgen

import (
	"context"
	"sync"

	"dev.example/pileup/loadgen/ledger"
)

// request is one request from due to done. It is the [Reply] of its sender.
type request struct {
	d    *desk
	lane *lane
	out  *Outlet
	slot *closedLoop  // whose slot it fills, or nil
	ev   ledger.Event // what is known so far; guarded by mu once it is launched

	mu       sync.Mutex
	started  Started
	cancel   context.CancelCauseFunc
	cause    error // why it is being given up
	finished bool

	before, after *request // in the list of what is in flight; guarded by its lock
	listed        bool
}

// start takes up the request, which was noted as due, and hands it to the gate.
func (r *request) start() {
	if r.ev.Started == ledger.Never {
		r.ev.Started = r.d.now()
		r.d.events.add(&r.ev, ledger.Started)
	}
	r.d.admit(r)
}

// launch sends the request: at once where the sender can, else in a goroutine
// of its own. The gate has let it in.
func (r *request) launch() {
	if s, ok := r.out.Sender.(Starter); ok {
		if started := s.Start(r); started != nil {
			r.begun(started)
			return
		}
	}
	r.d.sending.Go("request", func() { r.send(r.d.ctx) })
}

// begun keeps what can abort the request. It may have ended already, or have
// been given up before there was anything to abort.
func (r *request) begun(s Started) {
	r.mu.Lock()
	r.started = s
	cause := r.cause
	r.mu.Unlock()
	if cause != nil {
		s.Abort(r, cause)
	}
}

func (r *request) send(ctx context.Context) {
	defer r.d.gate.release(r)
	if ctx.Err() != nil {
		r.finish(Answer{Failure: cutByUs()}, nil)
		return
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r.mu.Lock()
	r.cancel = cancel
	r.mu.Unlock()
	a := r.out.Sender.Send(ctx, r)
	r.finish(a, context.Cause(ctx))
}

// Sent takes the stamp of the first write and starts the clock of the timeout.
func (r *request) Sent() {
	now := r.d.now()
	r.mu.Lock()
	if r.finished || r.ev.Sent != ledger.Never {
		r.mu.Unlock()
		return
	}
	r.ev.Sent = now
	r.d.events.add(&r.ev, ledger.Sent)
	r.mu.Unlock()
	if cut := r.d.flight.add(r); cut {
		r.giveUp(ErrCut)
	}
}

// First takes the stamp of the answer's first byte.
func (r *request) First() {
	now := r.d.now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.finished && r.ev.First == ledger.Never {
		r.ev.First = now
	}
}

// End takes the answer to a request that was started.
func (r *request) End(a Answer) {
	r.mu.Lock()
	cause := r.cause
	r.mu.Unlock()
	r.finish(a, cause)
	r.d.gate.release(r)
}

// giveUp ends a request that is in flight.
func (r *request) giveUp(cause error) {
	r.mu.Lock()
	if r.finished || r.cause != nil {
		r.mu.Unlock()
		return
	}
	r.cause = cause
	started, cancel := r.started, r.cancel
	r.mu.Unlock()
	if started != nil {
		started.Abort(r, cause)
	}
	if cancel != nil {
		cancel(cause)
	}
}

// finish books what became of the request. A failure with a cause is ours.
func (r *request) finish(a Answer, cause error) {
	switch {
	case a.Failure.Class == ledger.OK:
		r.Sent() // an answer without a request would unbalance the account
	case cause == ErrTimeout:
		a.Failure = ledger.Failure{Class: ledger.Timeout, Text: ErrTimeout.Error() + " of " + r.d.opt.Timeout.String()}
	case cause != nil:
		a.Failure = cutByUs()
	}
	now := r.d.now()
	r.mu.Lock()
	r.finished = true
	r.ev.Done = now
	r.ev.Failure, r.ev.Up, r.ev.Down, r.ev.Peer = a.Failure, a.Up, a.Down, a.Peer
	r.d.events.add(&r.ev, ledger.Done)
	r.mu.Unlock()
	r.d.flight.remove(r)
	r.lane.deal.undo(r.out, a.Failure.Class)
	if r.slot != nil {
		r.slot.slotDone(r.ev.Sent != ledger.Never)
	}
}
