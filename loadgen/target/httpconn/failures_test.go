package httpconn

import (
	"context"
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/ledger"
)

func TestRealFailures(t *testing.T) { onBoth(t, testRealFailures) }

func testRealFailures(t *testing.T, o Options) {
	answer := func(text string) func(net.Conn) {
		return func(c net.Conn) {
			each(c, func([]byte) bool { _, _ = io.WriteString(c, text); return false })
		}
	}
	for _, tt := range []struct {
		name  string
		serve func(net.Conn)
		want  ledger.Failure
	}{
		{"closed", answer(""), ledger.Failure{Class: ledger.Reset, Text: "EOF"}},
		{"RST", func(c net.Conn) { each(c, func([]byte) bool { reset(c); return false }) }, ledger.Failure{Class: ledger.Reset, Text: "read: connection reset by peer"}},
		{"half a head", answer("HTTP/1.1 200 OK\r\nA: b\r\n"), ledger.Failure{Class: ledger.Reset, Text: "unexpected EOF"}},
		{"garbage", answer("hello\x1b[2J\r\n\r\n"), ledger.Failure{Class: ledger.Protocol, Text: `malformed HTTP response "hello\x1b[2J"`}},
		{"bad header", answer("HTTP/1.1 200 OK\r\nno colon\r\n\r\n"), ledger.Failure{Class: ledger.Protocol, Text: `malformed MIME header: missing colon: "no colon"`}},
		{"bad length", answer("HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n"), ledger.Failure{Class: ledger.Protocol, Text: `bad Content-Length "ten"`}},
		{"bad chunk", answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), ledger.Failure{Class: ledger.Protocol, Code: 200, Text: `invalid byte in chunk length`}},
		{"HTTP/2", answer("\x00\x00\x06\x04\x00\x00\x00\x00\x00\x00\x05\x00\x00@\x00\n"), ledger.Failure{Class: ledger.Protocol, Text: `malformed HTTP response "\x00\x00\x06\x04\x00\x00\x00\x00\x00\x00\x05\x00\x00@\x00"`}},
		{"101", answer("HTTP/1.1 101 Switching Protocols\r\n\r\n"), ledger.Failure{Class: ledger.Protocol, Code: 101, Text: "status 101 instead of an answer"}},
		{"truncated", answer("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), ledger.Failure{Class: ledger.BadBody, Code: 200, Text: "truncated after 3 bytes"}},
		{"truncated chunks", answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc"), ledger.Failure{Class: ledger.BadBody, Code: 200, Text: "truncated after 3 bytes"}},
		{"truncated 500", answer("HTTP/1.1 500 X\r\nContent-Length: 10\r\n\r\nabc"), ledger.Failure{Class: ledger.HTTP5xx, Code: 500, Text: "abc"}},
		{"413", answer("HTTP/1.1 413 X\r\nContent-Length: 2\r\n\r\nno"), ledger.Failure{Class: ledger.TooLarge, Code: 413, Text: "the server refuses a body of 1 bytes: no"}},
		{"early answer", func(c net.Conn) { say(c, 500, "no"); each(c, func([]byte) bool { return false }) }, ledger.Failure{Class: ledger.HTTP5xx, Code: 500, Text: "no"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res := post(t, client(t, listen(t, tt.serve), o), "x").Do(t.Context(), &count{}, nil)
			if got := loadgen.Classify(res.Seen); got != tt.want {
				t.Errorf("got  %+v\nwant %+v\nseen %+v", got, tt.want, res.Seen)
			}
		})
	}
}

func TestRealConnectFailures(t *testing.T) { onBoth(t, testRealConnectFailures) }

func testRealConnectFailures(t *testing.T, o Options) {
	gone := listen(t, func(net.Conn) {})
	l, err := net.Listen("tcp", gone.Host+":0")
	if err != nil {
		t.Fatal(err)
	}
	gone.Port = l.Addr().(*net.TCPAddr).Port
	_ = l.Close()
	plain := listen(t, func(c net.Conn) {
		_, _ = c.Read(make([]byte, 100))
		_, _ = io.WriteString(c, "HTTP/1.1 400 Bad Request\r\n\r\n")
	})
	hangs := listen(t, func(c net.Conn) { _, _ = c.Read(make([]byte, 1)) })
	plain.Transport, hangs.Transport = "https", "https"
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	t.Cleanup(secure.Close)
	dialing := func(err error) Options {
		o := o
		o.Dial = func(context.Context, string, string) (net.Conn, error) { return nil, err }
		return o
	}
	for _, tt := range []struct {
		name string
		a    Address
		o    Options
		want ledger.Failure
	}{
		{"refused", gone, o, ledger.Failure{Class: ledger.Connect, Text: "connect " + gone.HostPort() + ": connection refused"}},
		{"TLS to a plain port", plain, o, ledger.Failure{Class: ledger.TLS, Text: "tls: first record does not look like a TLS handshake"}},
		{"TLS cut", hangs, o, ledger.Failure{Class: ledger.TLS, Text: "EOF"}},
		{"no ports", gone, dialing(&net.OpError{Op: "dial", Err: syscall.EADDRNOTAVAIL}), ledger.Failure{Class: ledger.ClientLimit, Text: "dial: cannot assign requested address"}},
		{"no descriptors", gone, dialing(&net.OpError{Op: "dial", Err: syscall.EMFILE}), ledger.Failure{Class: ledger.ClientLimit, Text: "dial: too many open files"}},
		{"no name", gone, dialing(&net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "x"}}), ledger.Failure{Class: ledger.DNS, Text: "lookup x: no such host"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res := post(t, client(t, tt.a, tt.o), "x").Do(t.Context(), &count{}, nil)
			got := loadgen.Classify(res.Seen)
			if tt.name == "TLS cut" && got.Class == ledger.TLS {
				got.Text = tt.want.Text // EOF or RST
			}
			if got != tt.want {
				t.Errorf("got  %+v\nwant %+v\nseen %+v", got, tt.want, res.Seen)
			}
		})
	}
	t.Run("unknown authority", func(t *testing.T) {
		res := post(t, client(t, at(t, secure.URL), o), "x").Do(t.Context(), &count{}, nil)
		if f := loadgen.Classify(res.Seen); f.Class != ledger.TLS || !strings.Contains(f.Text, "unknown authority") {
			t.Errorf("got %+v", f)
		}
		o := o
		o.TLS = &tls.Config{InsecureSkipVerify: true}
		if res := post(t, client(t, at(t, secure.URL), o), "x").Do(t.Context(), &count{}, nil); res.Status != 404 || res.Peer == "" {
			t.Errorf("got %+v", res)
		}
	})
}
