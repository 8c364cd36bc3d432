package loadgen

import (
	"sync"

	"dev.example/pileup/loadgen/ledger"
)

// buffers collect events from many goroutines. All events of a request go to
// one shard, so that they stay in order.
type buffers struct {
	shards [8]shard
}

type shard struct {
	mu     sync.Mutex
	events []ledger.Event
	spare  []ledger.Event
	_      [64]byte // keeps the locks on cache lines of their own
}

// add reports the step kind of a request.
func (b *buffers) add(e *ledger.Event, kind ledger.Kind) {
	s := &b.shards[(e.I+int64(e.Lane))&7]
	s.mu.Lock()
	s.events = append(s.events, *e)
	s.events[len(s.events)-1].Kind = kind
	s.mu.Unlock()
}

// drain is called by one goroutine.
func (b *buffers) drain(into []ledger.Event) []ledger.Event {
	for i := range b.shards {
		s := &b.shards[i]
		s.mu.Lock()
		got := s.events
		s.events, s.spare = s.spare[:0], nil
		s.mu.Unlock()
		into = append(into, got...)
		clear(got) // let go of the strings
		s.mu.Lock()
		s.spare = got[:0]
		s.mu.Unlock()
	}
	return into
}
