package demo

import (
	"sync"
	"time"
)

// A traffic counts what the board's memory, threads and network see of the
// requests.
type traffic struct {
	mu       sync.Mutex
	requests level // taken up and not answered
	held     int64 // bytes received of those
	answered int64 // bytes sent
}

func (t *traffic) open() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.requests.add(1, time.Now())
}

func (t *traffic) hold(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.held += int64(n)
}

func (t *traffic) sent(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.answered += int64(n)
}

func (t *traffic) close(held int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.requests.add(-1, time.Now())
	t.held -= held
}
