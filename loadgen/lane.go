package loadgen

import (
	"context"
	"sync"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

// A Change asks a lane for another setting at an instant of the run's clock.
// Nil fields stay as they are.
type Change struct {
	At       time.Duration
	Rate     *float64
	Arrivals *pace.Arrivals
	Seed     uint64 // for new arrivals
	Paused   *bool
	Outlets  []Outlet
	Stop     bool // send no more from At on
}

// forever is later than anything on the run's clock.
const forever = time.Duration(1<<63 - 1)

// lane is the goroutine that takes up one lane's requests when they are due.
type lane struct {
	e       *Engine
	id      int
	sched   *pace.Schedule
	shift   time.Duration // run clock − schedule clock
	paused  bool
	since   time.Duration // paused since, on the run's clock
	outlets []Outlet
	n       int64 // requests taken up
	wake    chan struct{}

	mu       sync.Mutex
	mail     []Change
	frontier time.Duration // every request due before it has been reported
	ended    time.Duration // or ledger.Never
}

func newLane(e *Engine, id int, l Lane) *lane {
	return &lane{
		e: e, id: id, outlets: l.Outlets,
		sched:  pace.Start(l.Arrivals, l.Rate, l.Seed),
		paused: l.Paused,
		wake:   make(chan struct{}, 1),
		ended:  ledger.Never,
	}
}

func (l *lane) run(ctx context.Context) {
	for {
		for _, c := range l.collect() {
			if end, over := l.sendBefore(c.At); over {
				l.end(end)
				return
			}
			if c.Stop {
				l.end(c.At)
				return
			}
			l.apply(c)
		}
		due, over := l.next()
		switch now := l.e.now(); {
		case now < due:
			l.report(due)
			l.e.opt.Wait(ctx, l.instant(due), l.wake)
		case over:
			l.end(due)
			return
		default:
			l.take(due, now)
		}
	}
}

// instant is the wall-clock time of an offset, at most a day ahead.
func (l *lane) instant(at time.Duration) time.Time {
	return l.e.opt.Zero.Add(min(at, l.e.now()+24*time.Hour))
}

// next returns when the next request is due on the run's clock, or, with over,
// when the lane has sent all it was to send. After the last of a number of
// requests that is the instant at which one more would be due, so that n
// requests at a rate last as long as n ÷ rate.
func (l *lane) next() (at time.Duration, over bool) {
	enough := l.e.opt.Requests > 0 && l.n >= l.e.opt.Requests
	due, any := l.sched.Next()
	switch length := l.e.opt.Length; {
	case l.paused && enough:
		return l.since, true
	case l.paused:
		return forever, false
	case length > 0 && (!any || due >= length):
		return length + l.shift, true
	case any:
		return due + l.shift, enough
	case enough:
		return l.e.now(), true
	}
	return forever, false
}

// sendBefore takes up, however late, everything due before at.
func (l *lane) sendBefore(at time.Duration) (end time.Duration, over bool) {
	for {
		due, over := l.next()
		if due >= at {
			return 0, false
		}
		if over {
			return due, true
		}
		l.take(due, l.e.now())
	}
}

// take takes up the request that is due.
func (l *lane) take(due, now time.Duration) {
	o := l.outlets[l.n%int64(len(l.outlets))]
	r := &request{e: l.e, sender: o.Sender, ev: ledger.Event{
		Lane: l.id, Target: o.Target, I: l.n,
		Due: due, Started: max(now, due), Sent: ledger.Never, First: ledger.Never, Done: ledger.Never,
	}}
	l.n++
	l.sched.Take()
	l.e.events.add(r.ev)
	l.e.gate.admit(r)
}

func (l *lane) apply(c Change) {
	at := c.At - l.shift
	if l.paused {
		at = l.since - l.shift
	}
	if c.Rate != nil {
		l.sched.SetRate(at, *c.Rate)
	}
	if c.Arrivals != nil {
		l.sched.SetArrivals(at, *c.Arrivals, c.Seed)
	}
	if c.Outlets != nil {
		l.outlets = c.Outlets
	}
	if c.Paused != nil && *c.Paused != l.paused {
		l.paused = *c.Paused
		if l.paused {
			l.since = c.At
		} else {
			l.shift += c.At - l.since
		}
	}
}

// post puts a change in the lane's mail. It never blocks.
func (l *lane) post(c Change) {
	l.mu.Lock()
	l.mail = append(l.mail, c)
	l.frontier = min(l.frontier, c.At)
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

func (l *lane) collect() []Change {
	l.mu.Lock()
	defer l.mu.Unlock()
	mail := l.mail
	l.mail = nil
	return mail
}

// report says that nothing is due before the instant at, unless a change that
// waits in the mail says otherwise.
func (l *lane) report(at time.Duration) {
	l.mu.Lock()
	if len(l.mail) == 0 {
		l.frontier = at
	}
	l.mu.Unlock()
}

func (l *lane) reported() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.frontier
}

func (l *lane) end(at time.Duration) {
	l.mu.Lock()
	l.ended, l.frontier = at, forever
	l.mu.Unlock()
	l.e.signal()
}

func (l *lane) endedAt() (time.Duration, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ended, l.ended != ledger.Never
}
