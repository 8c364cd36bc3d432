package loadgen

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

// lane is what the two kinds of lanes have in common: what they were told, how
// far they are, and how a request of theirs is made. Each runs in a goroutine of
// its own.
type lane struct {
	d    *desk
	id   int
	loop loop
	wake chan struct{} // capacity 1

	// Of who takes up requests.
	shift  time.Duration // run clock − schedule clock
	paused bool
	since  time.Duration // paused since, on the run's clock
	deal   dealer
	n      int64 // requests taken up
	extra  int64 // those of them that a burst added

	rate atomic.Uint64 // float64 bits: see Engine.Rate

	mu       sync.Mutex
	mail     []dated       // in order of at
	taken    time.Duration // due of the last request that was taken up
	frontier time.Duration // every request due before it has been reported
	ended    time.Duration // or ledger.Never
	stops    time.Duration // when it was told to; else forever
}

// loop decides what is due.
type loop interface {
	run(ctx context.Context)
	// overBy reports that the lane, which has no mail, has nothing to do from
	// the instant on, or from before it. The lane's mu is held.
	overBy(at time.Duration) bool
	// reach is the instant before which every request due has been reported.
	// The lane's mu is held, and it has not ended.
	reach() time.Duration
}

func newLane(d *desk, id int, l Lane) *lane {
	n := &lane{
		d: d, id: id,
		wake:   make(chan struct{}, 1),
		paused: l.Paused,
		taken:  -time.Microsecond,
		ended:  ledger.Never,
		stops:  forever,
		deal:   dealer{balance: l.Balance, loads: d.loads},
	}
	n.deal.use(l.Outlets)
	if l.Arrivals == pace.Closed {
		n.loop = &closedLoop{lane: n, slots: l.Slots}
	} else {
		n.loop = newOpenLoop(n, l)
	}
	return n
}

// instant is the wall-clock time of an offset, at most a day ahead.
func (l *lane) instant(at time.Duration) time.Time {
	return l.d.opt.Zero.Add(min(at, l.d.now()+24*time.Hour))
}

// enough reports whether the lane has taken up all the requests it was to send.
func (l *lane) enough() bool {
	return l.d.opt.Requests > 0 && l.n-l.extra >= l.d.opt.Requests
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

// adopt takes over what of a change is alike for both kinds.
func (l *lane) adopt(c dated) {
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
}
