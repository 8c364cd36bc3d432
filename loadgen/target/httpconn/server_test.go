package httpconn

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
	"testing"

	"dev.example/pileup/loadgen/guard"
)

// paths are the options for each of the two.
var paths = map[string]Options{ViaRaw: {}, ViaNetHTTP: {NetHTTP: true}}

// onBoth runs a test on both paths.
func onBoth(t *testing.T, f func(t *testing.T, o Options)) {
	t.Helper()
	for name, o := range paths {
		t.Run(name, func(t *testing.T) { f(t, o) })
	}
}

// count counts the stamps of one request.
type count struct{ sent, first atomic.Int32 }

func (c *count) Sent()  { c.sent.Add(1) }
func (c *count) First() { c.first.Add(1) }

// listen serves every connection with f, one goroutine each, until the test
// ends, and returns where.
func listen(t testing.TB, f func(net.Conn)) Address {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var g guard.Group
	g.Go("accept", func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			g.Go("serve", func() {
				defer c.Close()
				f(c)
			})
		}
	})
	t.Cleanup(func() { _ = l.Close(); g.Wait() })
	a := l.Addr().(*net.TCPAddr)
	return Address{Transport: "http", Host: a.IP.String(), Port: a.Port}
}

// reset closes a connection so that the peer gets a RST.
func reset(c net.Conn) {
	_ = c.(*net.TCPConn).SetLinger(0)
	_ = c.Close()
}

// each reads requests from a connection and calls f with each one's body until
// f says no or the peer is gone.
func each(c net.Conn, f func(body []byte) bool) {
	r := bufio.NewReader(c)
	for {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		body, err := io.ReadAll(req.Body)
		if err != nil || !f(body) {
			return
		}
	}
}

// say answers with text, which is a whole body.
func say(c net.Conn, status int, text string) {
	_, _ = fmt.Fprintf(c, "HTTP/1.1 %d X\r\nContent-Length: %d\r\n\r\n%s", status, len(text), text)
}

func client(t testing.TB, a Address, o Options) *Client {
	t.Helper()
	c := New(a, o)
	t.Cleanup(c.Close)
	return c
}

func post(t testing.TB, c *Client, body string) *Request {
	t.Helper()
	r, err := c.Request(http.MethodPost, "/p", "application/json", []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var userinfo = url.UserPassword("me", "secret")
