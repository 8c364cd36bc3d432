package loadgen

import (
	"sync"
	"time"

	"dev.example/pileup/loadgen/guard"
)

// flight lists the requests that were sent and are not done, the first sent
// first. In this order their time is over, so that one timer does for all.
type flight struct {
	limit time.Duration // from sent; 0 is none
	now   func() time.Duration

	mu          sync.Mutex
	first, last *request
	timer       *time.Timer
	armed       bool
	rings       time.Duration // the timer, if armed
	waited      bool          // once more, after a standstill
	cut         bool          // everything is being given up
}

const (
	// standstill is how late the timer may be before that is taken for a
	// process that did not run: it was stopped, or its machine slept.
	standstill = 50 * time.Millisecond
	// reading is how long the answers that came meanwhile have to be read.
	reading = 100 * time.Millisecond
)

// add lists r and reports whether it is to be given up at once.
func (f *flight) add(r *request) (cut bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r.before, r.listed = f.last, true
	if f.last != nil {
		f.last.after = r
	} else {
		f.first = r
	}
	f.last = r
	if f.limit > 0 && !f.armed {
		f.arm(r)
	}
	return f.cut
}

func (f *flight) remove(r *request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !r.listed {
		return
	}
	if r.before != nil {
		r.before.after = r.after
	} else {
		f.first = r.after
	}
	if r.after != nil {
		r.after.before = r.before
	} else {
		f.last = r.before
	}
	r.before, r.after, r.listed = nil, nil, false
}

// arm sets the timer for r. When r is done before, the timer finds those that
// followed it, and is set for the first of them.
func (f *flight) arm(r *request) { f.ring(r.ev.Sent + f.limit) }

func (f *flight) ring(at time.Duration) {
	f.armed, f.rings = true, at
	left := at - f.now()
	if f.timer == nil {
		f.timer = time.AfterFunc(left, f.expire)
		return
	}
	f.timer.Reset(left)
}

// expire gives up what has been in flight for too long.
func (f *flight) expire() {
	defer guard.Recover("timeout")
	for _, r := range f.overdue() {
		r.giveUp(ErrTimeout)
	}
}

// overdue returns what has been in flight for too long and sets the timer for
// the first that has not. After a standstill it waits a little first, once:
// answers that came in time may only not have been read.
func (f *flight) overdue() (over []*request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.armed = false
	now := f.now()
	f.waited = !f.waited && f.first != nil && now-f.rings > standstill
	if f.waited {
		f.ring(now + reading)
		return nil
	}
	for r := f.first; r != nil; r = r.after {
		if r.ev.Sent+f.limit > now {
			f.arm(r)
			break
		}
		over = append(over, r)
	}
	return over
}

// cutAll gives up what is in flight and all that is added from now on.
func (f *flight) cutAll() {
	f.mu.Lock()
	f.cut = true
	var all []*request
	for r := f.first; r != nil; r = r.after {
		all = append(all, r)
	}
	f.mu.Unlock()
	for _, r := range all {
		r.giveUp(ErrCut)
	}
}

// stop ends the timer. Nothing is in flight any more.
func (f *flight) stop() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.timer != nil {
		f.timer.Stop()
	}
}
