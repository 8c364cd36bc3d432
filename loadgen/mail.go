package loadgen

import (
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

// post puts a change in the lane's mail. It never blocks. l.mu is held.
func (l *lane) post(c Change, at time.Duration) {
	l.mail = append(l.mail, dated{c, at})
	l.frontier = min(l.frontier, at)
	if c.Stop {
		l.stops = min(l.stops, at)
	}
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
	case l.ended != ledger.Never, l.stops <= at:
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
