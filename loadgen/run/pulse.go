package run

import (
	"sync"
	"time"

	"dev.example/pileup/loadgen/guard"
)

// standstill is how long nothing may go on in this process before that is an
// event.
const standstill = 1500 * time.Millisecond

// A pulse tells whether this process stood still: it was stopped, or its machine
// slept. It beats on its own, because that the loop comes late proves nothing.
type pulse struct {
	mu       sync.Mutex
	last     time.Duration
	from, to time.Duration // of the longest stretch without a beat since it was taken
}

// start lets it beat, on the run's clock, until stop.
func (p *pulse) start(zero time.Time) (stop func()) {
	var beats guard.Group
	over := make(chan struct{})
	beats.Go("pulse", func() {
		tick := time.NewTicker(Period)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				p.beat(time.Since(zero))
			case <-over:
				return
			}
		}
	})
	return func() { close(over); beats.Wait() }
}

func (p *pulse) beat(at time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if at-p.last > p.to-p.from {
		p.from, p.to = p.last, at
	}
	p.last = at
}

// stood returns the stretch in which the process stood still, if it did since the
// last call.
func (p *pulse) stood() (from, to time.Duration, still bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	from, to = p.from, p.to
	p.from, p.to = 0, 0
	return from, to, to-from > standstill
}
