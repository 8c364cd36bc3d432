package sink

import (
	"sync"
	"time"
)

// A Record is what a sink saw of the load.
type Record struct {
	Requests  []Request     // in no order
	Unstamped int           // of them, without a stamp of the kernel: the handler's entry counts
	OpenMax   int           // most requests open at once
	CPU       time.Duration // of the sink, user and system
	ClockStep time.Duration // how far the wall clock, which stamps, was set meanwhile
}

// A Request is one that came, with its stamps in ns since the epoch.
type Request struct {
	Arrived  int64 // its first segment, as the kernel stamped it
	Answered int64 // 0: the client went away first
}

// recorder makes a Record. It is safe for concurrent use.
type recorder struct {
	mu   sync.Mutex
	rec  Record
	open int
}

// arrive takes a request up and returns its number.
func (r *recorder) arrive(stamp int64) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if stamp == 0 {
		stamp = time.Now().UnixNano()
		r.rec.Unstamped++
	}
	r.open++
	r.rec.OpenMax = max(r.rec.OpenMax, r.open)
	r.rec.Requests = append(r.rec.Requests, Request{Arrived: stamp})
	return len(r.rec.Requests) - 1
}

// leave ends request i.
func (r *recorder) leave(i int, answered bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open--
	if answered {
		r.rec.Requests[i].Answered = time.Now().UnixNano()
	}
}

// record returns what was recorded so far, less what the process cost.
func (r *recorder) record() Record {
	r.mu.Lock()
	defer r.mu.Unlock()
	rec := r.rec
	rec.Requests = append([]Request(nil), rec.Requests...)
	return rec
}
