package loadgen

import (
	"context"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

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
