package demo

import (
	"context"
	"sync"
	"time"
)

const (
	// portion is the most that one connection gets of the link in its turn.
	portion = 16 << 10

	// tick is the shortest sleep of the dealer. Waking for each portion
	// would be 7000 times a second, and Go's timers are a millisecond coarse
	// anyway: it deals all that has become due since it last woke. Bodies
	// that come back in between deal for themselves.
	tick = 2 * time.Millisecond

	// starved is how much of the past the link makes up for when bodies
	// were under way but none had handed anything in: readers and senders
	// were waiting for a processor, which a real link does not need. It
	// would have filled the buffers of the bodies under way, so with many
	// of them it is as long as that takes, at most behind.
	starved  = 4 * time.Millisecond
	buffered = 64 << 10 // bytes a body has ready in its socket

	// behind is how much it makes up for at all. A suspended process must
	// not come back to a link that carries a minute's worth at once.
	behind = 500 * time.Millisecond
)

// A link has a bandwidth that all bodies share by turns: each hands in the
// portion it has just received and waits until the link has carried it, in
// the order of handing in. A body that goes on at once goes to the end of the
// queue, so that all bodies get equal shares (processor sharing to within a
// portion); one that has nothing to carry takes no time from the others.
//
// free is the instant until which the link's time is used up. It advances by
// bytes ÷ rate with each portion and is compared with the clock, never
// counted from it: a late timer delays portions and loses none of the link.
type link struct {
	rate float64 // bytes per second

	mu         sync.Mutex
	free       time.Time
	head, tail *turn
	bodies     int // under way
	carried    int64
	timer      *time.Timer // the dealer's; nil while nobody serves
	armed      bool
	dealt      time.Time // when the timer last fired
}

// A turn is one body's place in the queue. It is used for one portion at a
// time.
type turn struct {
	bytes int
	ready chan struct{} // capacity 1, one signal for each portion carried
	next  *turn
}

func newTurn() *turn { return &turn{ready: make(chan struct{}, 1)} }

// run deals until ctx is done. It must run while bodies are carried.
func (l *link) run(ctx context.Context) {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	l.mu.Lock()
	l.timer, l.armed = timer, false
	l.arm(time.Now())
	l.mu.Unlock()
	for {
		select {
		case <-ctx.Done():
			l.mu.Lock()
			l.timer = nil
			l.mu.Unlock()
			return
		case <-timer.C:
			now := time.Now()
			l.mu.Lock()
			l.armed, l.dealt = false, now
			l.deal(now)
			l.arm(now)
			l.mu.Unlock()
		}
	}
}

// begin says that a body is under way, end that it is no more. An idle link
// saves nothing up for the next body.
func (l *link) begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.bodies == 0 {
		l.free = time.Now()
	}
	l.bodies++
}

func (l *link) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.bodies--
}

// carry returns when the link has carried n bytes in t's turn, or ctx is done.
func (l *link) carry(ctx context.Context, t *turn, n int) error {
	l.mu.Lock()
	now := time.Now()
	if l.head == nil {
		credit := max(starved, min(behind, l.span(l.bodies*buffered)))
		l.free = later(l.free, now.Add(-credit))
	}
	t.bytes = n
	if l.head == nil {
		l.head = t
	} else {
		l.tail.next = t
	}
	l.tail = t
	l.deal(now)
	l.arm(now)
	l.mu.Unlock()

	select {
	case <-t.ready:
		return nil
	case <-ctx.Done():
		l.drop(t)
		return ctx.Err()
	}
}

// drop gives up what t has handed in: its place stays, and takes no time.
func (l *link) drop(t *turn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t.bytes = 0
	now := time.Now()
	l.deal(now)
	l.armed = false // the first in the queue may be due earlier than it was
	l.arm(now)
}

// deal lets go every turn whose portion has been carried by now.
func (l *link) deal(now time.Time) {
	for t := l.head; t != nil; t = l.head {
		done := l.free.Add(l.span(t.bytes))
		if done.After(now) {
			return
		}
		l.free = later(done, now.Add(-behind))
		l.carried += int64(t.bytes)
		l.head, t.next = t.next, nil
		t.ready <- struct{}{}
	}
}

// arm sets the timer for the first turn in the queue, if it is not set.
func (l *link) arm(now time.Time) {
	if l.timer == nil || l.armed || l.head == nil {
		return
	}
	at := later(l.free.Add(l.span(l.head.bytes)), l.dealt.Add(tick))
	l.timer.Reset(at.Sub(now))
	l.armed = true
}

func (l *link) span(bytes int) time.Duration {
	return time.Duration(float64(bytes) / l.rate * float64(time.Second))
}

// total returns the bytes carried so far.
func (l *link) total() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.carried
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
