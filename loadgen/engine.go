package loadgen

import (
	"context"
	"sync"
	"time"

	"dev.example/pileup/loadgen/guard"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

// A Lane is what the engine needs to send for one lane.
type Lane struct {
	Arrivals pace.Arrivals
	Rate     float64 // requests per second, 0 to 1e6
	Paused   bool
	Seed     uint64
	Outlets  []Outlet // requests are dealt to them in turn
}

// An Outlet is one target's prepared sender.
type Outlet struct {
	Target int // id of the target
	Sender Sender
}

// A Wait blocks until the instant until, until wake has something or until
// ctx is done, whichever is first.
type Wait func(ctx context.Context, until time.Time, wake <-chan struct{})

// Options say what an engine sends and within which bounds.
type Options struct {
	Zero     time.Time // zero of the run's clock
	Lanes    []Lane
	Limit    int           // most requests in flight at once; the others are held in order of due
	Timeout  time.Duration // for an answer, from sent; 0 is none
	Length   time.Duration // of sending, on each lane's schedule clock; 0 is no end
	Requests int64         // per lane; 0 is no end
	Wait     Wait          // nil is TimerWait
}

// An Engine sends the requests of one run. Its methods are safe for
// concurrent use.
type Engine struct {
	*desk
	lanes []*lane

	mu   sync.Mutex
	cut  bool // asked for, before or while it runs
	stop context.CancelCauseFunc
}

// New makes an engine. It starts nothing.
func New(opt Options) *Engine {
	if opt.Wait == nil {
		opt.Wait = TimerWait
	}
	e := &Engine{desk: &desk{opt: opt, changed: make(chan struct{}, 1)}}
	e.gate.limit = max(1, opt.Limit)
	for i, l := range opt.Lanes {
		e.lanes = append(e.lanes, newLane(e.desk, i, l))
	}
	return e
}

// Run sends until every lane has ended and every request is done. When ctx is
// done, or after Cut, it gives up on what is open and returns as soon as the
// senders have let go of it.
func (e *Engine) Run(ctx context.Context) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	e.gate.ctx = ctx
	e.mu.Lock()
	e.stop = stop
	if e.cut {
		stop(ErrCut)
	}
	e.mu.Unlock()

	var cutter, lanes guard.Group
	over := make(chan struct{})
	cutter.Go("cut", func() {
		select {
		case <-ctx.Done():
			e.giveUp()
		case <-over:
		}
	})
	for _, l := range e.lanes {
		lanes.Go("lane", func() { l.run(ctx) })
	}
	lanes.Wait()
	e.gate.open.Wait()
	close(over)
	cutter.Wait()
}

// Cut ends all sending and gives up on every open request, those included
// that are due before Run is called.
func (e *Engine) Cut() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.cut = true
	if e.stop != nil {
		e.stop(ErrCut)
	}
}

// giveUp stops the lanes and fails what is held. Requests in flight end by
// their contexts.
func (e *Engine) giveUp() {
	now := e.now()
	for _, l := range e.lanes {
		l.mu.Lock()
		l.post(Change{Stop: true}, max(now, l.taken+time.Microsecond))
		l.mu.Unlock()
	}
	for _, r := range e.gate.clear() {
		r.finish(Answer{Failure: cutByUs()})
	}
}

// Apply asks lanes, by number, for a change at the instant at, and returns the
// instant at which it takes effect in all of them: at, or just after the
// youngest request that any lane has taken up. What is due before it is sent as
// it was; what is due from then on, as it is now.
func (e *Engine) Apply(at time.Duration, changes map[int]Change) time.Duration {
	for _, l := range e.lanes {
		l.mu.Lock()
		defer l.mu.Unlock()
		at = max(at, l.taken+time.Microsecond)
	}
	for i, c := range changes {
		e.lanes[i].post(c, at)
	}
	return at
}

// Drain appends to into the events since the last call and returns it. The
// events of one request come in the order of their kinds.
func (e *Engine) Drain(into []ledger.Event) []ledger.Event { return e.events.drain(into) }

// Frontier fills into, by lane, with the instant before which every request
// due has been handed to Drain, as of the call: call it before Drain.
func (e *Engine) Frontier(into []time.Duration) {
	now := e.now()
	for i, l := range e.lanes {
		into[i] = min(now, l.reported())
	}
}

// Ended returns when a lane stopped sending, and false while it sends. All of
// its requests have been reported by then.
func (e *Engine) Ended(lane int) (time.Duration, bool) { return e.lanes[lane].endedAt() }

// Changed has something whenever a lane has ended.
func (e *Engine) Changed() <-chan struct{} { return e.changed }

// TimerWait waits with Go's timer, which on Linux ends up to a millisecond late.
func TimerWait(ctx context.Context, until time.Time, wake <-chan struct{}) {
	t := time.NewTimer(time.Until(until))
	defer t.Stop()
	select {
	case <-t.C:
	case <-wake:
	case <-ctx.Done():
	}
}
