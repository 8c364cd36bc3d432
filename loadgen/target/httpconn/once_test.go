package httpconn

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/guard"
	"dev.example/pileup/loadgen/ledger"
)

// seen is how often a server read each request whole.
type seen struct {
	mu    sync.Mutex
	times map[string]int
}

func (s *seen) book(body []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.times[string(body)]++
}

// of is how often request i was read. What a server did is not ordered before
// what its client saw, hence the lock.
func (s *seen) of(i int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.times["request "+strconv.Itoa(i)]
}

// drive sends n requests with bodies of their own, 16 at a time, and returns
// the failure of each.
func drive(t *testing.T, c *Client, n int) []ledger.Failure {
	t.Helper()
	failures := make([]ledger.Failure, n)
	var next atomic.Int64
	var g guard.Group
	for range 16 {
		g.Go("driver", func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				var s count
				res := post(t, c, "request "+strconv.Itoa(i)).Do(context.Background(), &s, nil)
				failures[i] = loadgen.Classify(res.Seen)
				if got := s.sent.Load(); got != 1 {
					t.Errorf("request %d was sent %d times: %+v", i, got, failures[i])
				}
			}
		})
	}
	g.Wait()
	return failures
}

// driveStarts is drive through Start, and through Do where nothing is idle.
func driveStarts(t *testing.T, c *Client, n int) []ledger.Failure {
	t.Helper()
	failures := make([]ledger.Failure, n)
	var next atomic.Int64
	var loops guard.Group
	for range 16 {
		loops.Go("driver", func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				b := newBegun()
				r := post(t, c, "request "+strconv.Itoa(i))
				var res Result
				if r.begin(b) != nil {
					res = <-b.res
				} else {
					res = r.Do(context.Background(), &b.count, nil)
				}
				failures[i] = loadgen.Classify(res.Seen)
				if got := b.sent.Load(); got != 1 {
					t.Errorf("request %d was sent %d times: %+v", i, got, failures[i])
				}
			}
		})
	}
	loops.Wait()
	return failures
}

// A server that closes only when it has read a request, or says before that it
// will, has read exactly what was sent.
func TestServerCountEqualsSent(t *testing.T) {
	for _, tt := range []struct {
		name  string
		o     Options
		n     int
		drive func(*testing.T, *Client, int) []ledger.Failure
	}{
		{"raw", Options{}, 10_000, drive},
		{"started", Options{}, 10_000, driveStarts},
		{"raw, not kept alive", Options{NoKeepAlive: true}, 2000, drive},
		{"net/http", Options{NetHTTP: true}, 10_000, drive},
	} {
		t.Run(tt.name, func(t *testing.T) { countEqualsSent(t, tt.n, tt.o, tt.drive) })
	}
}

func countEqualsSent(t *testing.T, n int, o Options, drive func(*testing.T, *Client, int) []ledger.Failure) {
	s := &seen{times: map[string]int{}}
	a := listen(t, func(c net.Conn) {
		each(c, func(body []byte) bool {
			s.book(body)
			switch rand.IntN(60) {
			case 0:
				return false
			case 1:
				reset(c)
				return false
			case 2:
				_, _ = c.Write([]byte("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"))
				return false
			}
			say(c, 200, "ok")
			return true
		})
	})
	failures := drive(t, client(t, a, o), n)
	for i, f := range failures {
		if got := s.of(i); got != 1 {
			t.Errorf("request %d was read %d times: %+v", i, got, f)
		}
		switch f.Class {
		case ledger.OK, ledger.StaleKeepalive, ledger.Reset:
		default:
			t.Errorf("request %d: %+v", i, f)
		}
	}
}

// A server that closes idle connections as it likes may miss what was sent to
// them, but reads nothing twice, and all that was answered.
func TestNothingIsSentTwice(t *testing.T) {
	for name, o := range paths {
		t.Run(name, func(t *testing.T) { nothingTwice(t, 2000, o) })
	}
}

func nothingTwice(t *testing.T, n int, o Options) {
	s := &seen{times: map[string]int{}}
	a := listen(t, func(c net.Conn) {
		each(c, func(body []byte) bool {
			s.book(body)
			say(c, 200, "ok")
			if rand.IntN(3) > 0 {
				return true
			}
			if rand.IntN(2) == 0 {
				reset(c)
			}
			return false
		})
	})
	for i, f := range driveStarts(t, client(t, a, o), n) {
		got := s.of(i)
		if got > 1 || f.Class == ledger.OK && got != 1 {
			t.Errorf("request %d was read %d times: %+v", i, got, f)
		}
	}
}

// A dead is a connection that answers once and then takes no byte.
type dead struct {
	net.Conn
	asked  atomic.Int32
	writes atomic.Int32
}

func (d *dead) Write(p []byte) (int, error) {
	if d.asked.Load() > 0 {
		d.writes.Add(1)
		return 0, &net.OpError{Op: "write", Err: syscall.ECONNRESET}
	}
	return d.Conn.Write(p)
}

// Nothing was written on a reused connection: net/http would send again if it
// could.
func TestNothingWrittenIsNotRepeated(t *testing.T) {
	for path, o := range paths {
		for _, method := range []string{"POST", "GET"} {
			t.Run(method+" "+path, func(t *testing.T) { notRepeated(t, method, o) })
		}
	}
}

func notRepeated(t *testing.T, method string, o Options) {
	d := &dying{}
	o.Dial = d.dial
	c := client(t, answering(t), o)
	var data []byte
	if method == "POST" {
		data = []byte("x")
	}
	r, err := c.Request(method, "/", "", data)
	if err != nil {
		t.Fatal(err)
	}
	if res := r.Do(t.Context(), &count{}, nil); res.Err != nil || res.Reused {
		t.Fatalf("got %+v", res)
	}
	d.last.asked.Store(1)
	var s count
	res := r.Do(t.Context(), &s, nil)
	if !errors.Is(res.Err, syscall.ECONNRESET) || !res.Reused || d.dials != 1 || s.sent.Load() != 1 || d.last.writes.Load() != 1 {
		t.Errorf("%d dials, %d sent, %d writes: %+v", d.dials, s.sent.Load(), d.last.writes.Load(), res)
	}
	if f := loadgen.Classify(res.Seen); f.Class != ledger.StaleKeepalive {
		t.Errorf("got %+v", f)
	}
}

// A question before the load is asked again when it meets a dead connection.
func TestGetIsRepeated(t *testing.T) { onBoth(t, testGetIsRepeated) }

func testGetIsRepeated(t *testing.T, o Options) {
	d := &dying{}
	o.Dial = d.dial
	c := client(t, answering(t), o)
	var before *dead
	for i := range 3 {
		page, err := c.Get(t.Context(), "/")
		if err != nil || page.Err != nil || string(page.Body) != "ok" || d.dials != i+1 {
			t.Errorf("%d dials: %+v, %v", d.dials, page, err)
		}
		if before != nil && before.writes.Load() != 1 {
			t.Errorf("%d writes to a dead connection", before.writes.Load())
		}
		before = d.last
		before.asked.Store(1)
	}
}

func answering(t *testing.T) Address {
	return listen(t, func(c net.Conn) {
		each(c, func(body []byte) bool { say(c, 200, "ok"); return true })
	})
}

// dying dials dead connections.
type dying struct {
	dials int
	last  *dead
}

func (d *dying) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	d.dials++
	c, err := (&net.Dialer{}).DialContext(ctx, network, addr)
	d.last = &dead{Conn: c}
	return d.last, err
}
