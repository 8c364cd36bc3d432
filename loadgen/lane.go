package loadgen

import (
	"context"
	"sync"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

// A Change asks a lane for another setting. Nil fields stay as they are.
type Change struct {
	Rate     *float64
	Arrivals *pace.Arrivals
	Seed     uint64 // for new arrivals
	Paused   *bool
	Outlets  []Outlet
	Stop     bool // send no more
}

// forever is later than anything on the run's clock.
const forever = time.Duration(1<<63 - 1)

// dated is a change and when it takes effect.
type dated struct {
	Change
	at time.Duration
}

// lane is the goroutine that takes up one lane's requests when they are due.
type lane struct {
	d       *desk
	id      int
	sched   *pace.Schedule
	shift   time.Duration // run clock − schedule clock
	paused  bool
	since   time.Duration // paused since, on the run's clock
	outlets []Outlet
	n       int64 // requests taken up
	wake    chan struct{}

	mu       sync.Mutex
	mail     []dated       // in order of at
	taken    time.Duration // due of the last request that was taken up
	frontier time.Duration // every request due before it has been reported
	ended    time.Duration // or ledger.Never
}

func newLane(d *desk, id int, l Lane) *lane {
	return &lane{
		d: d, id: id, outlets: l.Outlets,
		sched:  pace.Start(l.Arrivals, l.Rate, l.Seed),
		paused: l.Paused,
		wake:   make(chan struct{}, 1),
		taken:  -time.Microsecond,
		ended:  ledger.Never,
	}
}

func (l *lane) run(ctx context.Context) {
	for {
		for _, c := range l.collect() {
			if end, over := l.sendBefore(c.at); over {
				l.end(end)
				return
			}
			if c.Stop {
				l.end(c.at)
				return
			}
			l.apply(c)
		}
		if ctx.Err() != nil {
			<-l.wake // the stop is on its way
			continue
		}
		due, over := l.next()
		switch now := l.d.now(); {
		case now < due:
			l.report(due)
			l.d.opt.Wait(ctx, l.instant(due), l.wake)
		case over:
			l.end(due)
			return
		case l.claim(due):
			l.take(due, now)
		}
	}
}

// instant is the wall-clock time of an offset, at most a day ahead.
func (l *lane) instant(at time.Duration) time.Time {
	return l.d.opt.Zero.Add(min(at, l.d.now()+24*time.Hour))
}

// next returns when the next request is due on the run's clock, or, with over,
// when the lane has sent all it was to send. After the last of a number of
// requests that is the instant at which one more would be due, so that n
// requests at a rate last as long as n ÷ rate.
func (l *lane) next() (at time.Duration, over bool) {
	enough := l.d.opt.Requests > 0 && l.n >= l.d.opt.Requests
	due, any := l.sched.Next()
	switch length := l.d.opt.Length; {
	case l.paused && enough:
		return l.since, true
	case l.paused:
		return forever, false
	case enough && !any:
		return l.d.now(), true
	case length > 0 && (!any || due >= length):
		return length + l.shift, true
	case any:
		return due + l.shift, enough
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
		l.claim(due) // what is in the mail by now comes after at
		l.take(due, l.d.now())
	}
}

// claim marks the request that is due as taken up, unless a change that waits
// in the mail comes first.
func (l *lane) claim(due time.Duration) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.mail) > 0 && l.mail[0].at <= due {
		return false
	}
	l.taken = due
	l.frontier = max(l.frontier, due)
	return true
}

// take takes up the request that is due.
func (l *lane) take(due, now time.Duration) {
	o := l.outlets[l.n%int64(len(l.outlets))]
	r := &request{d: l.d, sender: o.Sender, ev: ledger.Event{
		Lane: l.id, Target: o.Target, I: l.n,
		Due: due, Started: max(now, due), Sent: ledger.Never, First: ledger.Never, Done: ledger.Never,
	}}
	l.n++
	l.sched.Take()
	l.d.events.add(r.ev)
	l.d.gate.admit(r)
}

func (l *lane) apply(c dated) {
	at := c.at - l.shift
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
			l.since = c.at
		} else {
			l.shift += c.at - l.since
		}
	}
}

// post puts a change in the lane's mail. It never blocks. l.mu is held.
func (l *lane) post(c Change, at time.Duration) {
	l.mail = append(l.mail, dated{c, at})
	l.frontier = min(l.frontier, at)
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

func (l *lane) collect() []dated {
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
	l.d.signal()
}

func (l *lane) endedAt() (time.Duration, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ended, l.ended != ledger.Never
}
