package loadgen

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"dev.example/pileup/loadgen/guard"
	"dev.example/pileup/loadgen/ledger"
)

// desk is what lanes and requests share: the clock, the bounds, the way out
// for events and the gate to the endpoint.
type desk struct {
	opt     Options
	ctx     context.Context // of the run, for what needs one of its own
	events  buffers
	gate    gate
	flight  flight
	loads   []load        // by target
	sending guard.Group   // requests that need a goroutine
	behind  atomic.Int64  // requests that lanes have noted as due and not started
	changed chan struct{} // capacity 1; a lane ended

	halted atomic.Bool // nothing more is taken up by what follows a schedule
	full   atomic.Bool // and this is why: too much is open
}

// admit hands r to the gate.
func (d *desk) admit(r *request) { d.bound(d.gate.admit(r)) }

// bound ends sending when too many requests are open, of which the gate knows so
// many.
func (d *desk) bound(open int) {
	if open+int(d.behind.Load()) > d.opt.Open {
		d.full.Store(true)
		d.halted.Store(true)
	}
}

// now is the present instant of the run's clock.
func (d *desk) now() time.Duration { return ledger.Cut(time.Since(d.opt.Zero)) }

func (d *desk) signal() {
	select {
	case d.changed <- struct{}{}:
	default:
	}
}

func cutByUs() ledger.Failure {
	return ledger.Failure{Class: ledger.CutOff, Text: ErrCut.Error()}
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

// add reports the step kind of a request.
func (b *buffers) add(e *ledger.Event, kind ledger.Kind) {
	s := &b.shards[(e.I+int64(e.Lane))&7]
	s.mu.Lock()
	s.events = append(s.events, *e)
	s.events[len(s.events)-1].Kind = kind
	s.mu.Unlock()
}

// drain is called by one goroutine.
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
