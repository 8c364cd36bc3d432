package loadgen

import (
	"context"
	"time"

	"dev.example/pileup/loadgen/guard"
	"dev.example/pileup/loadgen/ledger"
)

// closedLoop has so many slots, each with one request that is not done. A slot's
// next request is due when its last one is done, and is taken up in the goroutine
// in which that ended, unless a change waits: then the lane's own goroutine goes
// on. All of it, and what it takes of the lane, is guarded by mu.
type closedLoop struct {
	*lane
	slots    int           // that are to be busy
	busy     int           // that are
	earliest time.Duration // instant of the last change, for what follows it
}

func (l *closedLoop) run(ctx context.Context) {
	for {
		if l.obey() {
			l.d.signal()
			return
		}
		if ctx.Err() != nil {
			<-l.wake // the stop is on its way
			continue
		}
		end, over := l.fill()
		if over {
			l.d.signal()
			return
		}
		timerWait(ctx, l.instant(end), l.wake)
	}
}

// obey applies what is in the mail, in one piece with taking it out: between
// the two a slot would take up a request as if nothing had been asked for. It
// reports whether the lane has ended.
func (l *closedLoop) obey() (ended bool) {
	var extra []*request
	l.mu.Lock()
	for _, c := range l.mail {
		l.earliest = c.at
		if end, over := l.loopEnd(); over && end < c.at {
			c.at, c.Stop = end, true // before it is told
		}
		if c.Stop {
			l.ended, l.frontier = c.at, forever
			break
		}
		extra = append(extra, l.change(c)...)
	}
	l.mail = nil
	ended = l.ended != ledger.Never
	l.mu.Unlock()
	for _, r := range extra {
		r.start()
	}
	return ended
}

// change applies c and returns the requests of a burst. l.mu is held.
func (l *closedLoop) change(c dated) (extra []*request) {
	if c.Slots != nil {
		l.slots = *c.Slots
	}
	l.adopt(c)
	for range c.Burst {
		l.extra++
		l.taken = max(l.taken, c.at)
		extra = append(extra, l.request(l.taken, l.d.now()))
	}
	return extra
}

// fill gives every free slot a request. It returns when sending ends, as far
// as is known, and over when it has.
func (l *closedLoop) fill() (end time.Duration, over bool) {
	for {
		l.mu.Lock()
		if len(l.mail) > 0 {
			l.mu.Unlock()
			return 0, false // at once: the change is to be applied
		}
		end, over = l.loopEnd()
		r := l.nextSlot()
		if over {
			l.ended, l.frontier = end, forever // no slot takes up another
		}
		l.mu.Unlock()
		if r == nil || over {
			return end, over
		}
		l.d.admit(r)
	}
}

// loopEnd is when the closed loop ends, and whether that is now or before.
// l.mu is held.
func (l *closedLoop) loopEnd() (at time.Duration, over bool) {
	switch length := l.d.opt.Length; {
	case l.enough():
		return max(l.taken, 0), true
	case l.paused:
		return forever, false
	case length > 0:
		return length + l.shift, l.d.now() >= length+l.shift
	}
	return forever, false
}

// nextSlot takes up a free slot's request, nil if there is none to take. l.mu
// is held.
func (l *closedLoop) nextSlot() *request {
	if l.busy >= l.slots || l.paused || l.ended != ledger.Never || l.enough() {
		return nil
	}
	now := l.d.now()
	due := max(now, l.taken, l.earliest)
	if length := l.d.opt.Length; length > 0 && due >= length+l.shift {
		return nil
	}
	l.busy++
	l.taken = due
	r := l.request(due, now)
	r.slot = l
	return r
}

// breath is how long a slot waits after a request that could not be sent: a
// server that refuses every connection would else be asked, and the account
// filled, as fast as this machine can.
const breath = 100 * time.Millisecond

// slotDone frees the slot of a request that is done and takes up its next one:
// here, where the place of the one before keeps the engine from ending, or, after
// a breath, in the lane's goroutine.
func (l *closedLoop) slotDone(sent bool) {
	if !sent {
		time.AfterFunc(breath, func() {
			defer guard.Recover("slot")
			l.mu.Lock()
			defer l.mu.Unlock()
			l.busy--
			l.nudge()
		})
		return
	}
	l.mu.Lock()
	l.busy--
	var r *request
	if len(l.mail) == 0 {
		r = l.nextSlot()
	}
	if r == nil || l.enough() {
		l.nudge()
	}
	l.mu.Unlock()
	if r != nil {
		l.d.admit(r)
	}
}

func (l *closedLoop) overBy(at time.Duration) bool {
	end, over := l.loopEnd()
	return over && end <= at
}

// reach is as late as can be: a slot's next request is due when it is taken
// up. But what waits in the mail says when it is due itself.
func (l *closedLoop) reach() time.Duration {
	if len(l.mail) > 0 {
		return l.mail[0].at
	}
	return forever
}
