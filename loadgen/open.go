package loadgen

import (
	"context"
	"math"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

// openLoop takes up requests when its schedule says that they are due. To start a
// request takes much longer than to note that it is due. A lane that is behind
// therefore notes all that is, and starts them one by one: what is due is known in
// time, however late the driver is.
type openLoop struct {
	*lane
	wait Wait

	// Of the lane's goroutine.
	sched     *pace.Schedule
	arrivals  pace.Arrivals
	varies    bool          // the schedule's rate changes by itself
	factor    float64       // on it then
	scheduled time.Duration // due of the last request that was not a burst's
	behind    []*request    // noted as due and not started, in this order

	until time.Duration // when it ends if nothing changes, as far as is known; else forever; guarded by mu
}

func newOpenLoop(l *lane, spec Lane) *openLoop {
	pattern := spec.Pattern
	pattern.Arrivals = spec.Arrivals
	o := &openLoop{
		lane: l, arrivals: spec.Arrivals,
		sched:  pace.Start(pattern, spec.Rate, spec.Seed),
		varies: pattern.Shape != nil || pattern.Trace != nil,
		factor: spec.Rate,
		until:  forever,
	}
	o.keepRate(0)
	return o
}

func (l *openLoop) run(ctx context.Context) {
	l.wait = l.d.opt.Pacing()
	l.follow(ctx)
	for l.startOne() {
	}
}

// follow takes up what is due, until the lane has ended.
func (l *openLoop) follow(ctx context.Context) {
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

// next returns when the next request is due on the run's clock, or, with over,
// when the lane has sent all it was to send. After the last of a number of
// requests at a rate that is the instant at which one more would be due, so that
// n of them last as long as n ÷ rate; of other patterns it is that of the last.
func (l *openLoop) next() (at time.Duration, over bool) {
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

// reached is when a lane has ended that takes up no more, though a request is
// due: then, if that is after the last one it took up.
func (l *openLoop) reached(due time.Duration) time.Duration {
	return max(due, l.taken+time.Microsecond)
}

// sendBefore takes up, however late, everything due before at. It is over if
// the lane has ended before.
func (l *openLoop) sendBefore(at time.Duration) (end time.Duration, over bool) {
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
func (l *openLoop) claim(due time.Duration) bool {
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
func (l *openLoop) take(due, now time.Duration) {
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
func (l *openLoop) takeUp(due, now time.Duration) {
	for due+ledger.Latest >= now && l.startOne() {
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
func (l *openLoop) startOne() bool {
	if len(l.behind) == 0 {
		return false
	}
	r := l.behind[0]
	l.behind[0], l.behind = nil, l.behind[1:]
	l.d.behind.Add(-1)
	r.start()
	return true
}

// burst takes up requests that no schedule asked for.
func (l *openLoop) burst(c dated) {
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

func (l *openLoop) apply(c dated) {
	at := c.at - l.shift
	if l.paused {
		at = l.since - l.shift
	}
	if c.Rate != nil {
		l.sched.SetRate(at, *c.Rate)
		l.factor = *c.Rate
	}
	l.keepRate(at)
	if c.Arrivals != nil {
		l.sched.SetArrivals(at, *c.Arrivals, c.Seed)
		l.arrivals = *c.Arrivals
	}
	l.adopt(c)
	l.burst(c)
}

// keepRate keeps what the rate is at an instant of the schedule clock, without
// the factor on it, for others to see.
func (l *openLoop) keepRate(at time.Duration) {
	if l.varies && l.factor > 0 {
		l.rate.Store(math.Float64bits(l.sched.Rate(at) / l.factor))
	}
}

func (l *openLoop) collect() []dated {
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
func (l *openLoop) report(at time.Duration, over bool) {
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

// endUnasked ends the lane, which is over, unless a change comes first.
func (l *openLoop) endUnasked(at time.Duration) bool {
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

func (l *openLoop) overBy(at time.Duration) bool { return l.until <= at }

func (l *openLoop) reach() time.Duration { return l.frontier }
