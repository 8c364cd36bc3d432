package httpconn

import (
	"context"
	"io"
	"math/rand/v2"
	"net"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/guard"
	"dev.example/pileup/loadgen/ledger"
)

// A tally counts the connections that are open.
type tally struct{ open, most, made atomic.Int32 }

type tallied struct {
	net.Conn
	of     *tally
	closed atomic.Bool
}

func (c *tallied) Close() error {
	if !c.closed.Swap(true) {
		c.of.open.Add(-1)
	}
	return c.Conn.Close()
}

func (n *tally) dial(dial func(context.Context, string, string) (net.Conn, error)) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		n.made.Add(1)
		for now, most := n.open.Add(1), n.most.Load(); now > most && !n.most.CompareAndSwap(most, now); most = n.most.Load() {
		}
		return &tallied{Conn: c, of: n}, nil
	}
}

// Many that want one of few connections, give up, abort and meet a server that
// closes: the bound holds, nobody waits for ever, and nothing is left.
func TestTheBoundHolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g guard.Group
		var n tally
		c := New(Address{Transport: "http", Host: "board", Port: 1}, Options{
			Connections: 3,
			Dial: n.dial(pipes(&g, func(c net.Conn) {
				each(c, func([]byte) bool {
					time.Sleep(rand.N(20 * time.Millisecond))
					say(c, 200, "ok")
					return rand.IntN(4) > 0
				})
			})),
		})
		r := post(t, c, "x")
		var ok atomic.Int32
		var all guard.Group
		for range 300 {
			all.Go("one", func() {
				time.Sleep(rand.N(2 * time.Second))
				ctx, cancel := context.WithTimeoutCause(context.Background(), rand.N(200*time.Millisecond), loadgen.ErrCut)
				defer cancel()
				b := newBegun()
				res := Result{}
				if s := r.begin(b); s != nil {
					time.Sleep(rand.N(20 * time.Millisecond))
					s.Abort(asReply{b}, loadgen.ErrCut)
					res = <-b.res
				} else {
					res = r.Do(ctx, &count{}, nil)
				}
				switch f := loadgen.Classify(res.Seen); f.Class {
				case ledger.OK:
					ok.Add(1)
				case ledger.CutOff, ledger.StaleKeepalive:
				default:
					t.Errorf("got %+v", f)
				}
			})
		}
		all.Wait()
		c.Close()
		g.Wait()
		if n.most.Load() != 3 || n.open.Load() != 0 || c.pool.live != 0 || c.pool.waiting.Len() != 0 || len(c.pool.idle) != 0 || ok.Load() < 50 {
			t.Errorf("at most %d connections, %d are open, %d counted; %d ok", n.most.Load(), n.open.Load(), c.pool.live, ok.Load())
		}
	})
}

// The connection used last is used next, and the others grow old.
func TestLastInFirstOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g guard.Group
		var n tally
		c := New(Address{Transport: "http", Host: "board", Port: 1}, Options{Dial: n.dial(pipes(&g, func(c net.Conn) {
			each(c, func([]byte) bool { time.Sleep(time.Second / 10); say(c, 200, "ok"); return true })
		}))})
		r := post(t, c, "x")
		warm(t, r, 3)
		for range 40 {
			if res := r.Do(t.Context(), &count{}, nil); res.Err != nil || !res.Reused {
				t.Errorf("got %+v", res)
			}
		}
		synctest.Wait()
		if n.open.Load() != 1 || n.made.Load() != 3 {
			t.Errorf("%d connections of %d are open", n.open.Load(), n.made.Load())
		}
		time.Sleep(IdleTimeout)
		synctest.Wait()
		if n.open.Load() != 0 {
			t.Errorf("%d connections are open", n.open.Load())
		}
		c.Close()
		g.Wait()
	})
}

func TestNoKeepAlive(t *testing.T) {
	for name, o := range paths {
		t.Run(name, func(t *testing.T) {
			var n tally
			o.NoKeepAlive, o.Dial = true, n.dial((&net.Dialer{}).DialContext)
			closes := make(chan string, 10) // more than are asked
			a := listen(t, func(c net.Conn) {
				b := make([]byte, 4096)
				k, _ := c.Read(b)
				closes <- string(b[:k])
				say(c, 200, "ok")
				_, _ = io.Copy(io.Discard, c)
			})
			r := post(t, client(t, a, o), "x")
			for range 3 {
				if res := r.Do(t.Context(), &count{}, nil); res.Err != nil || res.Reused {
					t.Errorf("got %+v", res)
				}
				if r.begin(newBegun()) != nil {
					t.Error("a connection is kept")
				}
				if head := <-closes; !containsLine(head, "Connection: close") {
					t.Errorf("got %q", head)
				}
			}
			if n.made.Load() != 3 {
				t.Errorf("%d connections", n.made.Load())
			}
		})
	}
}

func containsLine(head, line string) bool {
	for l := range splitLines(head) {
		if l == line {
			return true
		}
	}
	return false
}

// After Close there are no goroutines and no connections, and none are made.
func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g guard.Group
		c := New(Address{Transport: "http", Host: "board", Port: 1}, Options{Dial: pipes(&g, func(c net.Conn) {
			each(c, func([]byte) bool { say(c, 200, "ok"); return true })
		})})
		r := post(t, c, "x")
		warm(t, r, 3)
		c.Close()
		g.Wait()
		if f := loadgen.Classify(r.Do(t.Context(), &count{}, nil).Seen); f.Class != ledger.Connect || r.begin(newBegun()) != nil {
			t.Errorf("got %+v", f)
		}
		c.Close()
	})
}
