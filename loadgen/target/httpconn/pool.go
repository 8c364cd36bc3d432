package httpconn

import (
	"container/list"
	"context"
	"net"
	"slices"
	"sync"
	"time"

	"dev.example/pileup/loadgen/guard"
)

// A pool holds the connections to one address. The one that was used last is
// taken first, so that those too many grow old.
type pool struct {
	dial        func(ctx context.Context) (net.Conn, time.Duration, error)
	limit       int   // connections there are or that are being made; 0 is no bound
	once        bool  // a connection carries one request only
	answerLimit int64 // of each answer

	group guard.Group // readers and writers

	mu      sync.Mutex
	live    int       // connections there are or that are being made
	idle    []*wire   // those that carry nothing, the youngest last
	waiting list.List // of chan *wire, each with capacity 1: gets a connection, or nil for leave to make one
	timer   *time.Timer
	armed   bool // the timer runs
	closed  bool
}

// take returns an idle connection, nil if there is none.
func (p *pool) take() *wire {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pop()
}

func (p *pool) pop() *wire {
	last := len(p.idle) - 1
	if last < 0 {
		return nil
	}
	w := p.idle[last]
	p.idle[last] = nil
	p.idle = p.idle[:last]
	return w
}

// get returns a connection that carries j: an idle one, or one that it makes.
func (p *pool) get(ctx context.Context, j job) (*wire, error) {
	for {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		w, err := p.next(ctx)
		switch {
		case err != nil:
			return nil, err
		case w == nil:
			return p.make(ctx, j)
		case w.attach(j):
			return w, nil
		}
	}
}

// next returns an idle connection, or nil for leave to make one. Beyond the
// bound it waits for either.
func (p *pool) next(ctx context.Context) (*wire, error) {
	p.mu.Lock()
	if w := p.pop(); w != nil || p.limit <= 0 || p.live < p.limit {
		if w == nil {
			p.live++
		}
		p.mu.Unlock()
		return w, nil
	}
	turn := make(chan *wire, 1)
	place := p.waiting.PushBack(turn)
	p.mu.Unlock()
	select {
	case w := <-turn:
		return w, nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	p.waiting.Remove(place)
	p.mu.Unlock()
	select {
	case w := <-turn: // it came all the same
		switch {
		case w == nil:
			p.release()
		case !p.put(w):
			_ = w.nc.Close()
		}
	default:
	}
	return nil, context.Cause(ctx)
}

// make makes a connection that carries j from the start.
func (p *pool) make(ctx context.Context, j job) (*wire, error) {
	c, making, err := p.dial(ctx)
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
		_ = c.Close()
	}
	if err != nil {
		p.release()
		return nil, err
	}
	w := newWire(p, c, making)
	w.attach(j)
	p.mu.Lock()
	if !p.closed {
		p.group.Go("http answers", w.run)
		p.mu.Unlock()
		return w, nil
	}
	p.mu.Unlock()
	_ = c.Close()
	p.release()
	return nil, net.ErrClosed
}

// put takes back a connection that carries nothing, and refuses it if it should
// be closed.
func (p *pool) put(w *wire) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.once {
		return false
	}
	if first := p.waiting.Front(); first != nil {
		p.waiting.Remove(first).(chan *wire) <- w
		return true
	}
	w.since = time.Now()
	p.idle = append(p.idle, w)
	if !p.armed {
		p.arm(IdleTimeout)
	}
	return true
}

// drop forgets a connection that has ended.
func (p *pool) drop(w *wire) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.idle, w); i >= 0 {
		p.idle = slices.Delete(p.idle, i, i+1)
	}
	p.leave()
}

// release gives back the leave to make a connection.
func (p *pool) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.leave()
}

func (p *pool) leave() {
	p.live--
	if first := p.waiting.Front(); first != nil {
		p.live++
		p.waiting.Remove(first).(chan *wire) <- nil
	}
}

// arm starts the timer. There is one for all connections, and it is not stopped
// when one is used: it looks again.
func (p *pool) arm(d time.Duration) {
	p.armed = true
	if p.timer == nil {
		p.timer = time.AfterFunc(d, p.sweep)
		return
	}
	p.timer.Reset(d)
}

// sweep closes the connections that were idle too long.
func (p *pool) sweep() {
	defer guard.Recover("idle connections")
	p.mu.Lock()
	p.armed = false
	now := time.Now()
	n := 0
	for n < len(p.idle) && now.Sub(p.idle[n].since) >= IdleTimeout {
		n++
	}
	tired := slices.Clone(p.idle[:n])
	p.idle = slices.Delete(p.idle, 0, n)
	if len(p.idle) > 0 {
		p.arm(p.idle[0].since.Add(IdleTimeout).Sub(now))
	}
	p.mu.Unlock()
	for _, w := range tired {
		_ = w.nc.Close()
	}
}

// close closes the idle connections and returns when all have ended.
func (p *pool) close() {
	p.mu.Lock()
	p.closed = true
	if p.timer != nil {
		p.timer.Stop()
	}
	idle := p.idle
	p.idle = nil
	p.mu.Unlock()
	for _, w := range idle {
		_ = w.nc.Close()
	}
	p.group.Wait()
}
