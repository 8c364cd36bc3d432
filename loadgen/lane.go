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

// A Change asks a lane for another setting. Nil fields stay as they are.
type Change struct {
	Rate     *float64       // requests per second, or the factor on a shape or a trace
	Slots    *int           // of a closed loop
	Arrivals *pace.Arrivals // between those of an open loop
	Seed     uint64         // for new arrivals
	Paused   *bool
	Outlets  []Outlet
	Burst    int  // so many requests at once; the schedule goes on as it was
	Stop     bool // send no more
}

// forever is later than anything on the run's clock.
const forever = time.Duration(1<<63 - 1)

// dated is a change and when it takes effect.
type dated struct {
	Change
	at time.Duration
}

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

// follow takes up what is due, until the lane has ended.
func (l *lane) follow(ctx context.Context) {
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
			l.report(due, over)
			if !l.startOne() {
				l.wait(ctx, l.instant(due), l.wake)
			}
		case over:
			if l.endUnasked(due) {
				return
			}
		case l.d.halted.Load():
			l.end(l.reached(due))
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
// requests at a rate that is the instant at which one more would be due, so that
// n of them last as long as n ÷ rate; of other patterns it is that of the last.
func (l *lane) next() (at time.Duration, over bool) {
	enough := l.enough()
	if enough && !l.paused && l.arrivals != pace.Constant {
		return max(0, l.scheduled), true
	}
	due, any := l.sched.Next()
	end, ends := l.sched.End()
	switch length := l.d.opt.Length; {
	case l.paused && enough:
		return l.since, true
	case l.paused:
		return forever, false
	case enough && !any && !ends:
		return l.d.now(), true
	case length > 0 && (!any || due >= length) && (any || !ends || end >= length):
		return length + l.shift, true
	case any:
		return due + l.shift, enough
	case ends:
		return end + l.shift, true
	case l.d.opt.Fixed:
		return l.d.now(), true
	}
	return forever, false
}

// enough reports whether the lane has taken up all the requests it was to send.
func (l *lane) enough() bool {
	return l.d.opt.Requests > 0 && l.n-l.extra >= l.d.opt.Requests
}

// reached is when a lane has ended that takes up no more, though a request is
// due: then, if that is after the last one it took up.
func (l *lane) reached(due time.Duration) time.Duration {
	return max(due, l.taken+time.Microsecond)
}

// sendBefore takes up, however late, everything due before at. It is over if
// the lane has ended before.
func (l *lane) sendBefore(at time.Duration) (end time.Duration, over bool) {
	for {
		due, over := l.next()
		if due >= at {
			return 0, false
		}
		switch {
		case over:
			return due, true
		case l.d.halted.Load():
			return l.reached(due), true
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

// take takes up the schedule's request that is due.
func (l *lane) take(due, now time.Duration) {
	l.takeUp(due, now)
	l.keepRate(due - l.shift)
	l.sched.Take()
	l.scheduled = due
}

// notes is how many requests are noted at most before one of them is started,
// though more are late.
const notes = 1000

// takeUp starts a request that is due, after those that were due before it, or
// notes it if it is late.
func (l *lane) takeUp(due, now time.Duration) {
	for now-due <= ledger.Latest && l.startOne() {
		now = l.d.now()
	}
	r := l.request(due, now)
	if r.ev.Started != ledger.Never {
		l.d.admit(r)
		return
	}
	l.behind = append(l.behind, r)
	l.d.behind.Add(1)
	l.d.bound(l.d.gate.open())
	if l.n%notes == 0 {
		l.startOne()
	}
}

// startOne starts the first of the requests that were noted. It reports whether
// there was one.
func (l *lane) startOne() bool {
	if len(l.behind) == 0 {
		return false
	}
	r := l.behind[0]
	l.behind[0], l.behind = nil, l.behind[1:]
	l.d.behind.Add(-1)
	r.start()
	return true
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

// burst takes up requests that no schedule asked for.
func (l *lane) burst(c dated) {
	if c.Burst == 0 {
		return
	}
	l.mu.Lock()
	l.taken = max(l.taken, c.at)
	l.mu.Unlock()
	for range c.Burst {
		if l.d.halted.Load() {
			return
		}
		l.extra++
		l.takeUp(c.at, l.d.now())
	}
}

// post puts a change in the lane's mail. It never blocks. l.mu is held.
func (l *lane) post(c Change, at time.Duration) {
	l.mail = append(l.mail, dated{c, at})
	l.frontier = min(l.frontier, at)
	l.nudge()
}

func (l *lane) nudge() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

func (l *lane) collect() []dated {
	l.mu.Lock()
	defer l.mu.Unlock()
	mail := l.mail
	if len(mail) > 0 {
		l.mail, l.until = nil, forever
	}
	return mail
}

// report says that nothing is due before the instant at, at which the lane may
// be over, unless a change that waits in the mail says otherwise.
func (l *lane) report(at time.Duration, over bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.mail) > 0 {
		return
	}
	l.frontier, l.until = at, forever
	if over {
		l.until = at
	}
}

// endsBefore reports that the lane takes no change at the instant at any more: it
// has ended, or has nothing to do from before it on. l.mu is held.
func (l *lane) endsBefore(at time.Duration) bool {
	switch {
	case l.ended != ledger.Never:
		return true
	case len(l.mail) > 0:
		return false // it may say otherwise
	case l.closed:
		end, over := l.loopEnd()
		return over && end <= at
	}
	return l.until <= at
}

func (l *lane) reported() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case !l.closed || l.ended != ledger.Never:
		return l.frontier
	case len(l.mail) > 0:
		return l.mail[0].at
	}
	return forever // a slot's next request is due when it is taken up
}

// endUnasked ends the lane, which is over, unless a change comes first.
func (l *lane) endUnasked(at time.Duration) bool {
	l.mu.Lock()
	if len(l.mail) > 0 && l.mail[0].at <= at {
		l.mu.Unlock()
		return false
	}
	l.ended, l.frontier = at, forever
	l.mu.Unlock()
	l.d.signal()
	return true
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
