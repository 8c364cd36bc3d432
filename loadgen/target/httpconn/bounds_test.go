package httpconn

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/test/bufconn"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/ledger"
)

// A server that changes the protocol and says no more must not hold a request.
func TestAnAnswerOfAnotherProtocolEndsAtOnce(t *testing.T) {
	onBoth(t, testAnAnswerOfAnotherProtocolEndsAtOnce)
}

func testAnAnswerOfAnotherProtocolEndsAtOnce(t *testing.T, o Options) {
	ln := bufconn.Listen(1 << 16)
	defer ln.Close()
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			_, _ = c.Read(make([]byte, 4096))
			_, _ = io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
			// and then nothing, for ever
		}
	}()
	o.Dial = func(ctx context.Context, _, _ string) (net.Conn, error) { return ln.DialContext(ctx) }
	c := New(Address{Transport: "http", Host: "memory", Port: 1}, o)
	defer c.Close()
	r, err := c.Request(http.MethodPost, "/", "text/plain", []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	res := r.Do(t.Context(), &count{}, nil)
	if f := loadgen.Classify(res.Seen); f.Class != ledger.Protocol {
		t.Errorf("got %+v of %+v", f, res)
	}
}

// A page that begins and does not end is given up.
func TestHalfAPageIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		go func() {
			_, _ = theirs.Read(make([]byte, 4096))
			_, _ = io.WriteString(theirs, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
		}()
		c := New(Address{Transport: "http", Host: "memory", Port: 1}, Options{
			Dial: func(context.Context, string, string) (net.Conn, error) { return ours, nil },
		})
		began := time.Now()
		page, err := c.Get(t.Context(), "/")
		if err != nil || !errors.Is(page.Err, ErrStuck) {
			t.Errorf("got %v, %v", page.Err, err)
		}
		if d := time.Since(began); d != StuckAfter {
			t.Errorf("it took %s, want %s", d, StuckAfter)
		}
		theirs.Close()
		c.Close()
	})
}

func TestThereAreNoMoreConnectionsThanAllowed(t *testing.T) {
	onBoth(t, testThereAreNoMoreConnectionsThanAllowed)
}

func testThereAreNoMoreConnectionsThanAllowed(t *testing.T, o Options) {
	var open, most atomic.Int32
	web := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		time.Sleep(time.Millisecond)
	}))
	web.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		switch s {
		case http.StateNew:
			if n := open.Add(1); n > most.Load() {
				most.Store(n)
			}
		case http.StateClosed:
			open.Add(-1)
		}
	}
	web.Start()
	defer web.Close()
	a, err := ParseAddress(web.URL)
	if err != nil {
		t.Fatal(err)
	}
	o.Connections = 3
	c := New(a, o)
	defer c.Close()
	r, err := c.Request(http.MethodPost, "/", "text/plain", []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 200 {
		all.Go(func() {
			if res := r.Do(t.Context(), &count{}, nil); res.Err != nil {
				t.Error(res.Err)
			}
		})
	}
	all.Wait()
	if got := most.Load(); got > 3 {
		t.Errorf("%d connections at once, want at most 3", got)
	}
}
