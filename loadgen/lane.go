package loadgen

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

// lane takes up one lane's requests when they are due, in a goroutine of its
// own; in a closed loop also in the goroutines in which requests end. To start a
// request takes much longer than to note that it is due. A lane that is behind
// therefore notes all that is, and starts them one by one: what is due is known in
// time, however late the driver is.
type lane struct {
	d      *desk
	id     int
	closed bool          // slots decide what is due, see fill
	wake   chan struct{} // capacity 1
	wait   Wait

	// Of the lane's goroutine; in a closed loop of whoever holds mu.
	sched     *pace.Schedule
	shift     time.Duration // run clock − schedule clock
	paused    bool
	varies    bool          // the schedule's rate changes by itself
	factor    float64       // on it then
	since     time.Duration // paused since, on the run's clock
	deal      dealer
	arrivals  pace.Arrivals
	scheduled time.Duration // due of the last request that was not a burst's
	n         int64         // requests taken up
	extra     int64         // those of them that a burst added
	behind    []*request    // noted as due and not started, in this order

	rate atomic.Uint64 // float64 bits: see Engine.Rate

	mu       sync.Mutex
	mail     []dated       // in order of at
	taken    time.Duration // due of the last request that was taken up
	frontier time.Duration // every request due before it has been reported
	ended    time.Duration // or ledger.Never
	until    time.Duration // when it ends if nothing changes, as far as is known; else forever
	stops    time.Duration // when it was told to; else forever
	slots    int           // that are to be busy
	busy     int           // that are
	earliest time.Duration // instant of the last change, for what follows it
}

func newLane(d *desk, id int, l Lane) *lane {
	spec := l.Pattern
	spec.Arrivals = l.Arrivals
	n := &lane{
		d: d, id: id, closed: l.Arrivals == pace.Closed, arrivals: l.Arrivals,
		sched:  pace.Start(spec, l.Rate, l.Seed),
		paused: l.Paused,
		wake:   make(chan struct{}, 1),
		taken:  -time.Microsecond,
		ended:  ledger.Never,
		until:  forever,
		stops:  forever,
		slots:  l.Slots,
		varies: spec.Shape != nil || spec.Trace != nil,
		factor: l.Rate,
		deal:   dealer{balance: l.Balance, loads: d.loads},
	}
	n.deal.use(l.Outlets)
	n.keepRate(0)
	return n
}

func (l *lane) run(ctx context.Context) {
	l.wait = l.d.opt.Pacing()
	if l.closed {
		l.loop(ctx)
		return
	}
	l.follow(ctx)
	for l.startOne() {
	}
}

// instant is the wall-clock time of an offset, at most a day ahead.
func (l *lane) instant(at time.Duration) time.Time {
	return l.d.opt.Zero.Add(min(at, l.d.now()+24*time.Hour))
}

// enough reports whether the lane has taken up all the requests it was to send.
func (l *lane) enough() bool {
	return l.d.opt.Requests > 0 && l.n-l.extra >= l.d.opt.Requests
}

// keepRate keeps what the rate is at an instant of the schedule clock, without
// the factor on it, for others to see.
func (l *lane) keepRate(at time.Duration) {
	if l.varies && l.factor > 0 {
		l.rate.Store(math.Float64bits(l.sched.Rate(at) / l.factor))
	}
}

// request makes the lane's next request and reports it as due, and as started if
// it is not late.
func (l *lane) request(due, now time.Duration) *request {
	started := max(now, due)
	if started-due > ledger.Latest {
		started = ledger.Never
	}
	o := l.deal.pick()
	r := &request{d: l.d, lane: l, out: o, ev: ledger.Event{
		Lane: l.id, Target: o.Target, I: l.n,
		Due: due, Started: started, Sent: ledger.Never, First: ledger.Never, Done: ledger.Never,
	}}
	l.n++
	l.d.events.add(&r.ev, ledger.Due)
	return r
}

func (l *lane) apply(c dated) {
	at := c.at - l.shift
	if l.paused {
		at = l.since - l.shift
	}
	if c.Rate != nil {
		l.sched.SetRate(at, *c.Rate)
		l.factor = *c.Rate
	}
	if c.Slots != nil {
		l.slots = *c.Slots
	}
	l.keepRate(at)
	if c.Arrivals != nil {
		l.sched.SetArrivals(at, *c.Arrivals, c.Seed)
		l.arrivals = *c.Arrivals
	}
	if c.Outlets != nil {
		l.deal.use(c.Outlets)
	}
	if c.Paused != nil && *c.Paused != l.paused {
		l.paused = *c.Paused
		if l.paused {
			l.since = c.at
		} else {
			l.shift += c.at - l.since
		}
	}
	l.burst(c)
}
