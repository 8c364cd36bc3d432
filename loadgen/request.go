package loadgen

import (
	"container/heap"
	"context"
	"sync"
	"time"

	"dev.example/pileup/loadgen/guard"
	"dev.example/pileup/loadgen/ledger"
)

// request is one request from due to done. It is the Stamps of its sender.
type request struct {
	d      *desk
	sender Sender
	ev     ledger.Event // what is known so far; guarded by mu once it runs

	mu       sync.Mutex
	timer    *time.Timer
	cancel   context.CancelCauseFunc
	finished bool
}

// Sent takes the stamp of the first write and starts the clock of the timeout.
func (r *request) Sent() {
	now := r.d.now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.finished || r.ev.Sent != ledger.Never {
		return
	}
	r.ev.Sent = now
	if t := r.d.opt.Timeout; t > 0 && r.cancel != nil {
		r.timer = time.AfterFunc(t, func() { r.cancel(ErrTimeout) })
	}
	e := r.ev
	e.Kind = ledger.Sent
	r.d.events.add(e)
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

func (r *request) run(ctx context.Context) {
	if ctx.Err() != nil {
		r.finish(Answer{Failure: cutByUs()})
		return
	}
	ctx, cancel := context.WithCancelCause(ctx)
	r.mu.Lock()
	r.cancel = cancel
	r.mu.Unlock()
	a := r.sender.Send(ctx, r)
	if a.Failure.Class != ledger.OK {
		switch context.Cause(ctx) {
		case nil:
		case ErrTimeout:
			a.Failure = ledger.Failure{Class: ledger.Timeout, Text: ErrTimeout.Error() + " of " + r.d.opt.Timeout.String()}
		default:
			a.Failure = cutByUs()
		}
	} else {
		r.Sent() // an answer without a request would unbalance the account
	}
	cancel(nil)
	r.finish(a)
}

func (r *request) finish(a Answer) {
	now := r.d.now()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.finished = true
	if r.timer != nil {
		r.timer.Stop()
	}
	r.ev.Kind = ledger.Done
	r.ev.Done = now
	r.ev.Failure, r.ev.Up, r.ev.Down, r.ev.Peer = a.Failure, a.Up, a.Down, a.Peer
	r.d.events.add(r.ev)
}

// gate lets at most limit requests run at once and holds the others in order
// of due.
type gate struct {
	mu      sync.Mutex
	ctx     context.Context // of the run, for the requests it lets in
	limit   int
	running int
	held    byDue
	closed  bool
	open    guard.Group
}

// admit runs r in a goroutine of its own, now or when there is room.
func (g *gate) admit(r *request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.closed:
		r.finish(Answer{Failure: cutByUs()})
	case g.running < g.limit:
		g.running++
		ctx := g.ctx
		g.open.Go("request", func() { g.serve(ctx, r) })
	default:
		heap.Push(&g.held, r)
	}
}

// serve runs r and then, in the same goroutine, what is held.
func (g *gate) serve(ctx context.Context, r *request) {
	for r != nil {
		r.run(ctx)
		r = g.next()
	}
}

func (g *gate) next() *request {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.held) > 0 {
		return heap.Pop(&g.held).(*request)
	}
	g.running--
	return nil
}

// clear lets nothing in any more and returns what is held.
func (g *gate) clear() []*request {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	held := g.held
	g.held = nil
	return held
}

// byDue is a heap of requests by due, then lane, then number.
type byDue []*request

func (h byDue) Len() int      { return len(h) }
func (h byDue) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h byDue) Less(i, j int) bool {
	a, b := &h[i].ev, &h[j].ev
	switch {
	case a.Due != b.Due:
		return a.Due < b.Due
	case a.Lane != b.Lane:
		return a.Lane < b.Lane
	}
	return a.I < b.I
}
func (h *byDue) Push(x any) { *h = append(*h, x.(*request)) }
func (h *byDue) Pop() any {
	old := *h
	r := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return r
}
