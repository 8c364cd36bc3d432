package loadgen

import (
	"container/heap"
	"sync"
)

// gate lets at most limit requests be in flight at once, and at most each at
// one target, and holds the others in order of due.
type gate struct {
	mu      sync.Mutex
	empty   sync.Cond // nothing runs and nothing is held
	limit   int
	each    int // 0 is no bound
	running int
	held    int
	places  []place // by target
	closed  bool
}

type place struct {
	running int
	held    byDue
}

func (g *gate) place(r *request) *place {
	for len(g.places) <= r.ev.Target {
		g.places = append(g.places, place{})
	}
	return &g.places[r.ev.Target]
}

// admit launches r, now or when there is room. It returns how many are open.
func (g *gate) admit(r *request) (open int) {
	g.mu.Lock()
	open = g.running + g.held + 1
	switch p := g.place(r); {
	case g.closed:
		g.mu.Unlock()
		r.finish(Answer{Failure: cutByUs()}, nil)
		return 0
	case g.running < g.limit && g.room(p):
		g.running++
		p.running++
		g.mu.Unlock()
		r.launch()
	default:
		heap.Push(&p.held, r)
		g.held++
		g.mu.Unlock()
	}
	return open
}

func (g *gate) open() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.running + g.held
}

func (g *gate) room(p *place) bool { return g.each == 0 || p.running < g.each }

// release says that r is done and launches what may take its place.
func (g *gate) release(r *request) {
	g.mu.Lock()
	g.running--
	g.place(r).running--
	next := g.next()
	if g.running == 0 && g.held == 0 {
		g.empty.Broadcast()
	}
	g.mu.Unlock()
	if next != nil {
		next.launch()
	}
}

// next takes the first held request that there is room for, nil if there is none.
func (g *gate) next() *request {
	if g.held == 0 || g.running >= g.limit {
		return nil
	}
	var best *place
	for i := range g.places {
		p := &g.places[i]
		if len(p.held) > 0 && g.room(p) && (best == nil || less(p.held[0], best.held[0])) {
			best = p
		}
	}
	if best == nil {
		return nil
	}
	g.running++
	best.running++
	g.held--
	return heap.Pop(&best.held).(*request)
}

// wait returns when nothing runs and nothing is held.
func (g *gate) wait() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.running > 0 || g.held > 0 {
		g.empty.Wait()
	}
}

// clear lets nothing in any more and returns what is held.
func (g *gate) clear() (held []*request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	for i := range g.places {
		held = append(held, g.places[i].held...)
		g.places[i].held = nil
	}
	g.held = 0
	return held // some are running: their end wakes who waits
}

// byDue is a heap of requests by due, then lane, then number.
type byDue []*request

func less(r, s *request) bool {
	a, b := &r.ev, &s.ev
	switch {
	case a.Due != b.Due:
		return a.Due < b.Due
	case a.Lane != b.Lane:
		return a.Lane < b.Lane
	}
	return a.I < b.I
}

func (h byDue) Len() int           { return len(h) }
func (h byDue) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h byDue) Less(i, j int) bool { return less(h[i], h[j]) }
func (h *byDue) Push(x any)        { *h = append(*h, x.(*request)) }
func (h *byDue) Pop() any {
	old := *h
	r := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return r
}
