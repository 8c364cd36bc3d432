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
	Rate     float64 // requests per second
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
	Zero     time.Time // zero of the run's clock; may lie ahead
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
	opt     Options
	lanes   []*lane
	events  buffers
	gate    gate
	stop    context.CancelCauseFunc
	changed chan struct{} // capacity 1; a lane ended, or the last request was done
}

// New makes an engine. It starts nothing.
func New(opt Options) *Engine {
	if opt.Wait == nil {
		opt.Wait = TimerWait
	}
	e := &Engine{opt: opt, changed: make(chan struct{}, 1)}
	e.gate.limit = max(1, opt.Limit)
	for i, l := range opt.Lanes {
		e.lanes = append(e.lanes, newLane(e, i, l))
	}
	return e
}

// Run sends until every lane has ended and every request is done. When ctx is
// done it cuts what is open and returns soon.
func (e *Engine) Run(ctx context.Context) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	e.gate.mu.Lock()
	e.gate.ctx, e.stop = ctx, stop
	e.gate.mu.Unlock()
	unhook := context.AfterFunc(ctx, func() { e.cut(time.Since(e.opt.Zero)) })
	defer unhook()
	var lanes guard.Group
	for _, l := range e.lanes {
		lanes.Go("lane", func() { l.run(ctx) })
	}
	lanes.Wait()
	e.gate.open.Wait()
}

// Cut ends all sending and gives up on every open request.
func (e *Engine) Cut() {
	e.gate.mu.Lock()
	stop := e.stop
	e.gate.mu.Unlock()
	if stop != nil {
		stop(ErrCut)
	}
}

// cut stops the lanes and fails what is held. Requests in flight end by their
// contexts.
func (e *Engine) cut(at time.Duration) {
	for _, l := range e.lanes {
		l.post(Change{At: ledger.Cut(at), Stop: true})
	}
	for _, r := range e.gate.clear() {
		r.finish(Answer{Failure: ledger.Failure{Class: ledger.CutOff, Text: ErrCut.Error()}})
	}
}

// Apply asks a lane for a change at its instant. Requests due before it are
// sent as they were.
func (e *Engine) Apply(lane int, c Change) { e.lanes[lane].post(c) }

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

// Ended returns when a lane stopped sending, and false while it sends.
func (e *Engine) Ended(lane int) (time.Duration, bool) { return e.lanes[lane].endedAt() }

// Changed has something whenever a lane has ended or nothing is open any more.
func (e *Engine) Changed() <-chan struct{} { return e.changed }

func (e *Engine) signal() {
	select {
	case e.changed <- struct{}{}:
	default:
	}
}

func (e *Engine) now() time.Duration { return ledger.Cut(time.Since(e.opt.Zero)) }

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

// buffers collect events from many goroutines. All events of a request go to
// one shard, so that they stay in order.
type buffers struct {
	shards [8]shard
}

type shard struct {
	mu     sync.Mutex
	events []ledger.Event
	spare  []ledger.Event
	_      [64]byte // keeps the locks on cache lines of their own
}

func (b *buffers) add(e ledger.Event) {
	s := &b.shards[(e.I+int64(e.Lane))&7]
	s.mu.Lock()
	s.events = append(s.events, e)
	s.mu.Unlock()
}

func (b *buffers) drain(into []ledger.Event) []ledger.Event {
	for i := range b.shards {
		s := &b.shards[i]
		s.mu.Lock()
		got := s.events
		s.events, s.spare = s.spare[:0], nil
		s.mu.Unlock()
		into = append(into, got...)
		clear(got) // let go of the strings
		s.mu.Lock()
		s.spare = got[:0]
		s.mu.Unlock()
	}
	return into
}
