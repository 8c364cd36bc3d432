package httpconn

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/guard"
	"dev.example/pileup/loadgen/ledger"
)

// at is the address of an httptest server.
func at(t *testing.T, raw string) Address {
	t.Helper()
	a, err := ParseAddress(raw)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestDo(t *testing.T) { onBoth(t, testDo) }

func testDo(t *testing.T, o Options) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "text/x")
		w.Header().Set("Server", "fake/1")
		w.Header().Set("Set-Cookie", "a=b")
		user, password, _ := r.BasicAuth()
		_, _ = fmt.Fprintf(w, "%s %s host=%s type=%s len=%d body=%d auth=%s:%s x=%s cookie=%s encoding=%s agent=%s",
			r.Method, r.URL.Path, r.Host, r.Header.Get("Content-Type"), r.ContentLength, len(b),
			user, password, r.Header.Get("X-A"), r.Header.Get("Cookie"), r.Header.Get("Accept-Encoding"), r.UserAgent())
	}))
	t.Cleanup(srv.Close)
	a := at(t, srv.URL+"/pre")
	a.User = userinfo
	o.Header = http.Header{"X-A": {"1"}, "Host": {"board"}}
	c := client(t, a, o)
	r := post(t, c, strings.Repeat("x", 100_000))
	for i := range 2 {
		var s count
		var body strings.Builder
		res := r.Do(t.Context(), &s, &body)
		want := "POST /pre/p host=board type=application/json len=100000 body=100000 auth=me:secret x=1 cookie= encoding= agent=pileup"
		if body.String() != want || string(res.Head) != want {
			t.Errorf("got  %s\nwant %s", body.String(), want)
		}
		if res.Err != nil || res.Status != 200 || res.Type != "text/x" || res.Server != "fake/1" ||
			res.Down != int64(len(want)) || res.Up != 100_000 || res.Step != loadgen.Answering ||
			res.Reused != (i == 1) || "http://"+res.Peer != srv.URL {
			t.Errorf("got %+v", res)
		}
		if s.sent.Load() != 1 || s.first.Load() != 1 {
			t.Errorf("%d sent, %d first", s.sent.Load(), s.first.Load())
		}
	}
}

func TestRedirectIsNotFollowed(t *testing.T) { onBoth(t, testRedirectIsNotFollowed) }

func testRedirectIsNotFollowed(t *testing.T, o Options) {
	var asked int
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		http.Redirect(w, r, "/other", http.StatusFound)
	}))
	t.Cleanup(srv.Close)
	res := post(t, client(t, at(t, srv.URL), o), "x").Do(t.Context(), &count{}, nil)
	if f := loadgen.Classify(res.Seen); f.Class != ledger.HTTP3xx || f.Code != 302 || asked != 1 {
		t.Errorf("asked %d times, got %+v", asked, f)
	}
}

func TestAnswerLimit(t *testing.T) { onBoth(t, testAnswerLimit) }

func testAnswerLimit(t *testing.T, o Options) {
	for _, chunked := range []bool{false, true} {
		a := listen(t, func(c net.Conn) {
			each(c, func([]byte) bool {
				body := strings.Repeat("x", 70_000)
				if chunked {
					_, _ = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(body), body)
					return false
				}
				say(c, 200, body)
				return false
			})
		})
		o.AnswerLimit = 65_536
		res := post(t, client(t, a, o), "x").Do(t.Context(), &count{}, nil)
		f := loadgen.Classify(res.Seen)
		if f.Class != ledger.TooLarge || f.Text != "answer larger than our limit of 65536 bytes" {
			t.Errorf("chunked %t: got %+v", chunked, f)
		}
		if len(res.Head) > headBytes {
			t.Errorf("head of %d bytes", len(res.Head))
		}
	}
}

func TestCancelledWithACause(t *testing.T) { onBoth(t, testCancelledWithACause) }

func testCancelledWithACause(t *testing.T, o Options) {
	for _, where := range []string{"dial", "wait", "body"} {
		t.Run(where, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			a := listen(t, func(c net.Conn) {
				each(c, func([]byte) bool {
					if where == "body" {
						_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
					}
					return true
				})
			})
			o := o
			if where == "dial" {
				o.Dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
					cancel(loadgen.ErrTimeout)
					<-ctx.Done()
					return nil, ctx.Err()
				}
			}
			r := post(t, client(t, a, o), "x")
			res := r.Do(ctx, &cancelling{cancel, where}, cancelOnWrite{cancel})
			if f := loadgen.Classify(res.Seen); f.Class != ledger.Timeout || f.Text != loadgen.ErrTimeout.Error() {
				t.Errorf("got %+v of %+v", f, res)
			}
		})
	}
}

// cancelling ends a request at one of its steps.
type cancelling struct {
	cancel context.CancelCauseFunc
	where  string
}

func (c *cancelling) Sent() {
	if c.where == "wait" {
		c.cancel(loadgen.ErrTimeout)
	}
}
func (*cancelling) First() {}

type cancelOnWrite struct{ cancel context.CancelCauseFunc }

func (c cancelOnWrite) Write(p []byte) (int, error) {
	c.cancel(loadgen.ErrTimeout)
	return len(p), nil
}

// pipes dials in-memory connections whose other end is served by f.
func pipes(g *guard.Group, f func(net.Conn)) func(context.Context, string, string) (net.Conn, error) {
	return func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		g.Go("serve", func() {
			defer server.Close()
			f(server)
		})
		return client, nil
	}
}

// A worker that is killed after 3 s each time, on connections that were used
// before, is no stale connection: the age tells.
func TestKilledAtTheSameAge(t *testing.T) { onBoth(t, testKilledAtTheSameAge) }

func testKilledAtTheSameAge(t *testing.T, o Options) {
	synctest.Test(t, func(t *testing.T) {
		var g guard.Group
		o.Dial = pipes(&g, func(c net.Conn) {
			asked := 0
			each(c, func([]byte) bool {
				if asked++; asked == 1 {
					say(c, 200, "ok")
					return true
				}
				time.Sleep(3 * time.Second)
				return false
			})
		})
		c := New(Address{Transport: "http", Host: "board", Port: 1}, o)
		r, err := c.Request("POST", "/", "", []byte("x"))
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if res := r.Do(t.Context(), &count{}, nil); res.Err != nil {
				t.Fatal(res.Err)
			}
			res := r.Do(t.Context(), &count{}, nil)
			if f := loadgen.Classify(res.Seen); f.Class != ledger.Reset || res.Waited != 3*time.Second || !res.Reused {
				t.Errorf("got %+v of %+v", f, res)
			}
		}
		c.Close()
		g.Wait()
	})
}

// The end of an idle connection is heard late where connecting takes long.
func TestStaleFarAway(t *testing.T) { onBoth(t, testStaleFarAway) }

func testStaleFarAway(t *testing.T, o Options) {
	synctest.Test(t, func(t *testing.T) {
		for after, want := range map[time.Duration]ledger.Class{150 * time.Millisecond: ledger.StaleKeepalive, 250 * time.Millisecond: ledger.Reset} {
			var g guard.Group
			dial := pipes(&g, func(c net.Conn) {
				asked := 0
				each(c, func([]byte) bool {
					if asked++; asked == 1 {
						say(c, 200, "ok")
						return true
					}
					time.Sleep(after)
					return false
				})
			})
			o.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
				time.Sleep(100 * time.Millisecond)
				return dial(ctx, network, addr)
			}
			c := New(Address{Transport: "http", Host: "board", Port: 1}, o)
			r := post(t, c, "x")
			warm(t, r, 1)
			res := r.Do(t.Context(), &count{}, nil)
			if f := loadgen.Classify(res.Seen); f.Class != want || res.Making != 100*time.Millisecond {
				t.Errorf("after %s: got %+v of %+v", after, f, res)
			}
			c.Close()
			g.Wait()
		}
	})
}

func TestConnectTimeout(t *testing.T) { onBoth(t, testConnectTimeout) }

func testConnectTimeout(t *testing.T, o Options) {
	synctest.Test(t, func(t *testing.T) {
		o.Dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		c := New(Address{Transport: "http", Host: "board", Port: 1}, o)
		r, err := c.Request("POST", "/", "", []byte("x"))
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		var s count
		f := loadgen.Classify(r.Do(t.Context(), &s, nil).Seen)
		want := ledger.Failure{Class: ledger.Connect, Text: "connect board:1: no connection within 10s"}
		if f != want || time.Since(start) != ConnectTimeout || s.sent.Load() != 0 {
			t.Errorf("after %s: got %+v, want %+v", time.Since(start), f, want)
		}
	})
}

// However many want one, none waits longer.
func TestConnectTimeoutOfMany(t *testing.T) { onBoth(t, testConnectTimeoutOfMany) }

func testConnectTimeoutOfMany(t *testing.T, o Options) {
	synctest.Test(t, func(t *testing.T) {
		var now atomic.Int32
		o.Dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
			now.Add(1)
			defer now.Add(-1)
			<-ctx.Done()
			return nil, ctx.Err()
		}
		r := post(t, client(t, Address{Transport: "http", Host: "board", Port: 1}, o), "x")
		var all guard.Group
		for range dialing + 44 {
			all.Go("one", func() {
				start := time.Now()
				f := loadgen.Classify(r.Do(context.Background(), &count{}, nil).Seen)
				want := ledger.Failure{Class: ledger.Connect, Text: "connect board:1: no connection within 10s"}
				if d := time.Since(start); f != want || d != ConnectTimeout {
					t.Errorf("after %s: got %+v", d, f)
				}
			})
		}
		synctest.Wait()
		if now.Load() != dialing {
			t.Errorf("%d are made at once", now.Load())
		}
		all.Wait()
	})
}

func TestIdleConnectionsAreClosed(t *testing.T) { onBoth(t, testIdleConnectionsAreClosed) }

func testIdleConnectionsAreClosed(t *testing.T, o Options) {
	synctest.Test(t, func(t *testing.T) {
		var g guard.Group
		o.Dial = pipes(&g, func(c net.Conn) {
			each(c, func([]byte) bool { say(c, 200, "ok"); return true })
		})
		c := New(Address{Transport: "http", Host: "board", Port: 1}, o)
		r, err := c.Request("POST", "/", "", []byte("x"))
		if err != nil {
			t.Fatal(err)
		}
		for i, idle := range []time.Duration{0, IdleTimeout - 1, IdleTimeout + 1} {
			time.Sleep(idle)
			res := r.Do(t.Context(), &count{}, nil)
			if res.Err != nil || res.Reused != (i == 1) {
				t.Errorf("after %s: %+v", idle, res)
			}
		}
		c.Close()
		g.Wait()
	})
}

// A request ends when it does, not when it is known what was written of it.
func TestTheEndIsNotLate(t *testing.T) { onBoth(t, testTheEndIsNotLate) }

func testTheEndIsNotLate(t *testing.T, o Options) {
	synctest.Test(t, func(t *testing.T) {
		var g guard.Group
		for name, say := range map[string]string{
			"an early answer": "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
			"and kept alive":  "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
			"garbage":         "hello\r\n\r\n",
			"nothing":         "",
		} {
			over := make(chan struct{})
			o.Dial = pipes(&g, func(c net.Conn) {
				_, _ = c.Read(make([]byte, 1000))
				_, _ = io.WriteString(c, say)
				<-over // it takes no more
			})
			c := New(Address{Transport: "http", Host: "board", Port: 1}, o)
			r := post(t, c, strings.Repeat("x", 1_000_000))
			start := time.Now()
			ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, loadgen.ErrTimeout)
			res := r.Do(ctx, &count{}, nil)
			cancel()
			want := time.Duration(0)
			switch {
			case say == "":
				want = time.Second
			case name == "and kept alive" && o.NetHTTP:
				want = 50 * time.Millisecond // net/http's own wait
			}
			if d := time.Since(start); d != want || res.Waited != want || res.Up > 1_000_000-piece {
				t.Errorf("%s: ended after %s, waited %s, %d up: %v", name, d, res.Waited, res.Up, res.Err)
			}
			close(over)
			c.Close()
		}
		g.Wait()
	})
}

func TestBodyMustNotBeEmpty(t *testing.T) {
	if _, err := New(Address{Transport: "http", Host: "x"}, Options{}).Request("POST", "/", "", nil); err == nil {
		t.Error("no error")
	}
}

// null answers requests of n bytes without allocating.
func null(n int) func(net.Conn) {
	return func(c net.Conn) {
		buf := make([]byte, 64<<10)
		answer := []byte("HTTP/1.1 200 OK\r\nContent-Length: 19\r\n\r\n{\"predictions\":[1]}")
		for {
			for left := n; left > 0; {
				k, err := c.Read(buf)
				if err != nil {
					return
				}
				if left == n { // the head comes first, in one piece with some body
					for i := range k - 3 {
						if string(buf[i:i+4]) == "\r\n\r\n" {
							k -= i + 4
							break
						}
					}
				}
				left -= k
			}
			if _, err := c.Write(answer); err != nil {
				return
			}
		}
	}
}

func TestAllocationPerRequest(t *testing.T) {
	const size, n = 600_000, 200
	r := post(t, client(t, listen(t, null(size)), Options{}), strings.Repeat("x", size))
	do := func() {
		if res := r.Do(t.Context(), &count{}, nil); res.Err != nil {
			t.Fatal(res.Err)
		}
	}
	do()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range n {
		do()
	}
	runtime.ReadMemStats(&after)
	if got := (after.TotalAlloc - before.TotalAlloc) / n; got >= 10_000 && pooled {
		t.Errorf("%d bytes allocated per request", got)
	}
}

// The body that keeps net/http from repeating a GET is not seen on the wire.
func TestGetHasNoBody(t *testing.T) { onBoth(t, testGetHasNoBody) }

func testGetHasNoBody(t *testing.T, o Options) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprint(w, r.Method, r.ContentLength, r.TransferEncoding, r.Header["Content-Length"])
	}))
	t.Cleanup(srv.Close)
	r, err := client(t, at(t, srv.URL), o).Request("GET", "/", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if res := r.Do(t.Context(), &count{}, nil); string(res.Head) != "GET0 [] []" && string(res.Head) != "GET 0 [] []" {
		t.Errorf("got %s", res.Head)
	}
}
