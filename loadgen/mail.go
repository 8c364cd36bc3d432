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

// endsBefore reports that the lane takes no change at the instant at any more: it
// has ended, or has nothing to do from before it on. l.mu is held.
func (l *lane) endsBefore(at time.Duration) bool {
	switch {
	case l.ended != ledger.Never, l.stops <= at:
		return true
	case len(l.mail) > 0:
		return false // it may say otherwise
	}
	return l.loop.overBy(at)
}

// reported is the instant before which every request due has been reported.
func (l *lane) reported() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended != ledger.Never {
		return l.frontier
	}
	return l.loop.reach()
}
