package loadgen

import (
	"context"
	"math"
	"sync"
	"time"

	"dev.example/pileup/loadgen/guard"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

// A Lane is what the engine needs to send for one lane.
type Lane struct {
	Arrivals pace.Arrivals
	Pattern  pace.Spec // everything but the arrivals
	Rate     float64   // requests per second, 0 to 1e6; with a shape or a trace the factor on it
	Slots    int       // of a closed loop
	Paused   bool
	Seed     uint64
	Balance  Balance
	Outlets  []Outlet
}

// An Outlet is one target's prepared sender.
type Outlet struct {
	Target int // id of the target, from 0
	Sender Sender
	// Weight is the target's share, or its capacity in requests per second,
	// as Balance takes it, at least 0.001; 0 is not known, and a share of 1.
	Weight float64
}

// Options say what an engine sends and within which bounds.
type Options struct {
	Zero        time.Time // zero of the run's clock
	Lanes       []Lane
	Targets     int           // how many there are, those included that no lane sends to yet
	Limit       int           // most requests in flight at once; the others are held in order of due
	Connections int           // the same for one target; 0 is no bound
	Open        int           // most requests open at once, in flight and held; 0 is MaxOpen
	Timeout     time.Duration // for an answer, from sent; 0 is none
	Length      time.Duration // of sending, on each lane's schedule clock; 0 is no end
	Requests    int64         // per lane; 0 is no end
	Fixed       bool          // nobody will change anything: a lane that nothing is due in, now or later, has ended
	Pacing      Pacing        // nil is TimerPacing; PrecisePacing is for load on real time
}

const (
	// MaxBurst is the most requests that a burst may have.
	MaxBurst = 100_000
	// MaxOpen is how many requests may be open at once, in flight and held.
	// With more, lanes that follow a schedule end: each request takes half a
	// kilobyte, and a rate that far above what is done would end with the
	// memory.
	MaxOpen = 1_000_000
	// MaxSlots is the most slots that a closed loop may have.
	MaxSlots = 100_000
)

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
	if opt.Open == 0 {
		opt.Open = MaxOpen
	}
	if opt.Pacing == nil {
		opt.Pacing = TimerPacing
	}
	e := &Engine{desk: &desk{opt: opt, changed: make(chan struct{}, 1)}}
	e.gate.limit, e.gate.each = max(1, opt.Limit), opt.Connections
	e.gate.empty.L = &e.gate.mu
	e.flight.limit, e.flight.now = opt.Timeout, e.now
	e.loads = make([]load, max(opt.Targets, targets(opt.Lanes)))
	for i, l := range opt.Lanes {
		e.lanes = append(e.lanes, newLane(e.desk, i, l))
	}
	return e
}

// targets is one more than the highest target's id.
func targets(lanes []Lane) (n int) {
	for _, l := range lanes {
		for _, o := range l.Outlets {
			n = max(n, o.Target+1)
		}
	}
	return n
}

// Run sends until every lane has ended and every request is done. When ctx is
// done, or after Cut, it gives up on what is open and returns as soon as the
// senders have let go of it.
func (e *Engine) Run(ctx context.Context) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	e.ctx = ctx
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
		lanes.Go("lane", func() { l.loop.run(ctx) })
	}
	lanes.Wait()
	e.gate.wait()
	e.sending.Wait()
	close(over)
	cutter.Wait()
	e.flight.stop()
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

// giveUp stops the lanes, fails what is held and gives up what is in flight.
// What waits for a connection ends by its context. A lane that is late, with
// more due than it has taken up, has ended with what it took up.
func (e *Engine) giveUp() {
	e.halted.Store(true)
	now := e.now()
	for _, l := range e.lanes {
		l.mu.Lock()
		l.post(Change{Stop: true}, max(now, l.taken+time.Microsecond))
		l.mu.Unlock()
	}
	for _, r := range e.gate.clear() {
		r.finish(Answer{Failure: cutByUs()}, nil)
	}
	e.flight.cutAll()
}

// Apply asks lanes, by number, for a change at the instant at, and returns the
// instant at which it takes effect in all of them: at, or just after the
// youngest request that any lane has taken up. What is due before it is sent as
// it was; what is due from then on, as it is now. taken lists, in order, the
// lanes that will do so: those that do not end before.
func (e *Engine) Apply(at time.Duration, changes map[int]Change) (_ time.Duration, taken []int) {
	for _, l := range e.lanes {
		l.mu.Lock()
		defer l.mu.Unlock()
		at = max(at, l.taken+time.Microsecond)
	}
	for i, l := range e.lanes {
		if c, ok := changes[i]; ok && !l.endsBefore(at) {
			l.post(c, at)
			taken = append(taken, i)
		}
	}
	return at, taken
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

// Rate returns the present rate of a lane's shape or trace by itself, as it is
// with a factor of 1 on it, in requests per second: a factor that has been asked
// for and is not in force yet makes no difference to it.
func (e *Engine) Rate(lane int) float64 { return math.Float64frombits(e.lanes[lane].rate.Load()) }

// Open returns how many requests are in flight or held.
func (e *Engine) Open() int { return e.gate.open() + int(e.behind.Load()) }

// Full reports that sending was ended because too many requests were open.
func (e *Engine) Full() bool { return e.full.Load() }

// Changed has something whenever a lane has ended.
func (e *Engine) Changed() <-chan struct{} { return e.changed }
