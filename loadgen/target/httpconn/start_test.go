package httpconn

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/guard"
	"dev.example/pileup/loadgen/ledger"
)

// begun is a request that was started: a Reply and a Taker.
type begun struct {
	count
	down atomic.Int64
	ends atomic.Int32
	res  chan Result // capacity 2, one more than may come
	then func()      // called in End, after res got it
}

func newBegun() *begun { return &begun{res: make(chan Result, 2)} }

func (b *begun) Write(p []byte) (int, error) { b.down.Add(int64(len(p))); return len(p), nil }

// End is the Taker's; as a Reply, a begun is only a name.
func (b *begun) End(res *Result) {
	b.ends.Add(1)
	kept := *res
	kept.Head = bytes.Clone(res.Head)
	b.res <- kept
	if b.then != nil {
		b.then()
	}
}

type asReply struct{ *begun }

func (asReply) End(loadgen.Answer) {}

func (r *Request) begin(b *begun) loadgen.Started { return r.Start(asReply{b}, b) }

// warm makes n idle connections.
func warm(t testing.TB, r *Request, n int) {
	t.Helper()
	var g guard.Group
	for range n {
		g.Go("warm", func() {
			if res := r.Do(context.Background(), &count{}, nil); res.Err != nil {
				t.Error(res.Err)
			}
		})
	}
	g.Wait()
}

func TestStartNeedsAnIdleConnection(t *testing.T) {
	r := post(t, client(t, answering(t), Options{}), "x")
	b := newBegun()
	if s := r.begin(b); s != nil {
		t.Fatal("something was started")
	}
	warm(t, r, 1)
	if s := r.begin(b); s == nil {
		t.Fatal("nothing was started")
	}
	res := <-b.res
	if res.Err != nil || res.Status != 200 || !res.Reused || res.Up != 1 || res.Down != 2 || res.Peer == "" ||
		b.sent.Load() != 1 || b.first.Load() != 1 || b.down.Load() != 2 {
		t.Errorf("got %+v", res)
	}
}

// A closed loop on one connection: each End starts the next.
func TestEndMayStart(t *testing.T) {
	const n = 1000
	for _, size := range []int{1, 1_400_000, 3_000_000} {
		r := post(t, client(t, listen(t, null(size)), Options{}), strings.Repeat("x", size))
		warm(t, r, 1)
		over := make(chan struct{})
		left := n / (1 + size/100_000)
		var next func()
		next = func() {
			if left--; left < 0 {
				close(over)
				return
			}
			b := newBegun()
			b.then = next
			if r.begin(b) == nil {
				t.Error("the connection is not idle when End is called")
				close(over)
			}
		}
		next()
		<-over
	}
}

func TestAbort(t *testing.T) {
	asked := make(chan struct{}, 10) // more than come
	a := listen(t, func(c net.Conn) {
		first := true
		each(c, func([]byte) bool {
			if first {
				first = false
				say(c, 200, "ok")
			} else {
				asked <- struct{}{}
			}
			return true
		})
	})
	r := post(t, client(t, a, Options{}), "x")
	warm(t, r, 1)
	b, other := newBegun(), newBegun()
	s := r.begin(b)
	<-asked
	s.Abort(asReply{other}, loadgen.ErrCut) // it carries another
	s.Abort(asReply{b}, loadgen.ErrTimeout)
	s.Abort(asReply{b}, loadgen.ErrCut) // too late
	res := <-b.res
	if f := loadgen.Classify(res.Seen); f.Class != ledger.Timeout || f.Text != loadgen.ErrTimeout.Error() || res.Up != 1 {
		t.Errorf("got %+v of %+v", f, res)
	}
	s.Abort(asReply{b}, loadgen.ErrCut)
	if n := b.ends.Load(); n != 1 || b.first.Load() != 0 {
		t.Errorf("ended %d times", n)
	}
}

// Start works in a bubble, on connections that are no sockets.
func TestStartInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g guard.Group
		dial := pipes(&g, func(c net.Conn) {
			each(c, func([]byte) bool { time.Sleep(time.Second); say(c, 200, "ok"); return true })
		})
		c := New(Address{Transport: "http", Host: "board", Port: 1}, Options{Dial: dial})
		r := post(t, c, strings.Repeat("x", 1_000_000))
		warm(t, r, 2)
		for range 3 {
			b, slow := newBegun(), newBegun()
			if r.begin(b) == nil {
				t.Fatal("nothing was started")
			}
			res := <-b.res
			if res.Err != nil || res.Waited != time.Second || res.Up != 1_000_000 || !res.Reused {
				t.Errorf("got %+v", res)
			}
			s := r.begin(slow)
			time.Sleep(time.Second / 2)
			s.Abort(asReply{slow}, loadgen.ErrCut)
			if res := <-slow.res; res.Cause != loadgen.ErrCut || res.Waited != time.Second/2 {
				t.Errorf("got %+v", res)
			}
			warm(t, r, 2)
		}
		c.Close()
		g.Wait()
	})
}

// Starting costs nothing that has to be collected.
func TestStartAllocatesNothing(t *testing.T) {
	for _, size := range []int{2000, 602_112} {
		r := post(t, client(t, listen(t, null(size)), Options{}), strings.Repeat("x", size))
		warm(t, r, 1)
		b := &quiet{over: make(chan struct{})}
		if got := testing.AllocsPerRun(200, func() {
			if r.Start(b, takes{b}) == nil {
				t.Error("nothing was started")
				return
			}
			<-b.over
		}); got > 0 {
			t.Errorf("%d bytes: %v allocations a request", size, got)
		}
	}
}

// quiet is a request of which nothing is kept.
type quiet struct{ over chan struct{} }

func (*quiet) Sent()              {}
func (*quiet) First()             {}
func (*quiet) End(loadgen.Answer) {}

type takes struct{ *quiet }

func (takes) Write(p []byte) (int, error) { return len(p), nil }
func (t takes) End(*Result)               { t.over <- struct{}{} }

// Whatever is given up while it is written, and however descriptors are used
// again, no byte goes to a connection that it is not for.
func TestNothingIsWrittenElsewhere(t *testing.T) {
	const size, n = 1_000_000, 100
	over := make(chan struct{})
	a := listen(t, func(c net.Conn) {
		<-over
		reset(c)
	})
	defer close(over)
	var whole atomic.Int32
	b := listen(t, func(c net.Conn) {
		each(c, func(body []byte) bool {
			if !bytes.Equal(body[:len(body)-8], body[8:]) {
				t.Errorf("a body is mixed: %x", body[:8])
			}
			whole.Add(1)
			say(c, 200, "ok")
			return rand.IntN(4) > 0
		})
	})
	stuck := client(t, a, Options{})
	fine := client(t, b, Options{})
	var g guard.Group
	for i := range 4 {
		g.Go("given up", func() {
			r := post(t, stuck, strings.Repeat("x", 10*size))
			for range n / 4 {
				ctx, cancel := context.WithTimeout(context.Background(), rand.N(5*time.Millisecond))
				_ = r.Do(ctx, &count{}, io.Discard)
				cancel()
			}
		})
		g.Go("answered", func() {
			body := bytes.Repeat(binary.LittleEndian.AppendUint64(nil, uint64(i+1)), size/8)
			r := post(t, fine, string(body))
			for range n / 4 {
				b := newBegun()
				if r.begin(b) == nil {
					_ = r.Do(context.Background(), &count{}, nil)
				} else {
					<-b.res
				}
			}
		})
	}
	g.Wait()
	if whole.Load() == 0 {
		t.Error("nothing was read")
	}
}
