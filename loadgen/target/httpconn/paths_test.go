package httpconn

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/ledger"
)

// An account is what a run would book of one request.
type account struct {
	Failure     ledger.Failure
	Status      int
	Step        loadgen.Step
	Reused      bool
	Up, Down    int64
	Type        string
	Head        string
	Peer        bool
	Sent, First int32
}

func accountOf(res Result, s *count) account {
	return account{
		Failure: loadgen.Classify(res.Seen), Status: res.Status, Step: res.Step, Reused: res.Reused,
		Up: res.Up, Down: res.Down, Type: res.Type, Head: string(res.Head), Peer: res.Peer != "",
		Sent: s.sent.Load(), First: s.first.Load(),
	}
}

// A server is one that behaves in some way. It gets the connection when a
// request has been read, unless it is eager.
type server struct {
	name   string
	answer string         // what it says, and then it closes
	stays  bool           // it says it each time it is asked, and does not close
	open   bool           // it says it and then no more, without closing
	do     func(net.Conn) // or what it does
	eager  bool           // it does not read the request first
	cold   bool           // only on a new connection: on an idle one it would be another test
	size   int            // of the request's body, 1 if 0
	timed  bool           // how much of the body it took is chance
	text   string         // why the text of the failure is not the same
	more   bool           // it says more than it was asked: net/http may send on before it sees that
	class  ledger.Class
}

const (
	good  = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
	large = 12 << 20 // more than sockets buffer
	half  = "whether reading or writing fails first is chance"
)

var servers = []server{
	{name: "length", answer: good, stays: true},
	{name: "length twice", answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\ncontent-length: 2\r\n\r\nok", stays: true},
	{name: "type and server", answer: "HTTP/1.1 200 OK\r\nServer: a\r\nserver: b\r\ncontent-TYPE:\t text/x ;y \t\r\nContent-Length: 2\r\n\r\nok", stays: true},
	{name: "no words", answer: "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", stays: true},
	{name: "line feeds", answer: "HTTP/1.1 200 OK\nContent-Length: 2\n\nok", stays: true},
	{name: "folded", answer: "HTTP/1.1 200 OK\r\nA: b\r\n\tc\r\nContent-Length: 2\r\n\r\nok", stays: true},
	{name: "space before the colon", answer: "HTTP/1.1 200 OK\r\nContent-Length : 7\r\nContent-Length: 2\r\n\r\nok", stays: true},
	{name: "204", answer: "HTTP/1.1 204 No Content\r\n\r\n", stays: true},
	{name: "204 with a length", answer: "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n", stays: true},
	{name: "304 with a length", answer: "HTTP/1.1 304 X\r\nContent-Length: 5\r\n\r\n", stays: true, class: ledger.HTTP3xx},
	{name: "empty", answer: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", stays: true},
	{name: "chunks", answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n2;x=\"y\"\r\nbc\r\n0\r\n\r\n", stays: true},
	{name: "chunks and a length", answer: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: Chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", stays: true},
	{name: "a trailer", answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nA: b\r\n\r\n", stays: true},
	{name: "an announced trailer", answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: A\r\n\r\n1\r\na\r\n0\r\nA: b\r\n\r\n", stays: true},
	{name: "continue", answer: "HTTP/1.1 100 Continue\r\n\r\n" + good, stays: true},
	{name: "early hints", answer: "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + good, stays: true},
	{name: "a long head", answer: "HTTP/1.1 200 OK\r\nA: " + strings.Repeat("x", 9000) + "\r\nContent-Length: 2\r\n\r\nok", stays: true},
	{name: "many headers", answer: "HTTP/1.1 200 OK\r\n" + strings.Repeat("A: b\r\n", 2000) + "Content-Length: 2\r\n\r\nok", stays: true},
	{name: "a long body", answer: "HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n" + strings.Repeat("x", 300_000), stays: true},
	{name: "long chunks", answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + strings.Repeat("8000\r\n"+strings.Repeat("x", 0x8000)+"\r\n", 9) + "0\r\n\r\n", stays: true},
	{name: "HTTP/1.0 keeps alive", answer: "HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\nok", stays: true},
	{name: "HTTP/1.0", answer: "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", stays: true},
	{name: "HTTP/1.0 with chunks", answer: "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"},
	{name: "close", answer: "HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 2\r\n\r\nok", stays: true},
	{name: "until close", answer: "HTTP/1.1 200 OK\r\n\r\nok"},
	{name: "until close, HTTP/1.0", answer: "HTTP/1.0 200 OK\r\nServer: SimpleHTTP/0.6\r\n\r\nok"},
	{name: "HTTP/2.0 in words", answer: "HTTP/2.0 200 OK\r\nContent-Length: 2\r\n\r\nok"},
	{name: "more than the answer", answer: good + "HTTP", stays: true, more: true},
	{name: "two answers", answer: good + good, stays: true, more: true},
	{name: "a short body and a long one", answer: "HTTP/1.1 500 X\r\nContent-Length: 1\r\n\r\nno", stays: true, more: true, class: ledger.HTTP5xx},

	{name: "404", answer: "HTTP/1.1 404 X\r\nContent-Type: text/html\r\nContent-Length: 15\r\n\r\n<title>a</title", stays: true, class: ledger.HTTP4xx},
	{name: "413", answer: "HTTP/1.1 413 X\r\nContent-Length: 2\r\n\r\nno", stays: true, class: ledger.TooLarge},
	{name: "redirect", answer: "HTTP/1.1 307 X\r\nLocation: /\r\nContent-Length: 0\r\n\r\n", stays: true, class: ledger.HTTP3xx},
	{name: "101", answer: "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n", open: true, class: ledger.Protocol},
	{name: "099", answer: "HTTP/1.1 099 X\r\nContent-Length: 2\r\n\r\nok", class: ledger.Protocol},
	{name: "999", answer: "HTTP/1.1 999 X\r\nContent-Length: 2\r\n\r\nok", stays: true, class: ledger.HTTP5xx},

	{name: "garbage", answer: "hello\x1b[2J\r\n\r\n", class: ledger.Protocol},
	{name: "garbage, and it waits", answer: "SSH-2.0-OpenSSH_9.2\r\n", open: true, class: ledger.Protocol},
	{name: "an unfinished line of garbage", answer: "hello", class: ledger.Protocol},
	{name: "half a status line", answer: "HTTP/1.1 20", class: ledger.Protocol},
	{name: "four digits", answer: "HTTP/1.1 2000 OK\r\n\r\n", class: ledger.Protocol},
	{name: "HTTP/2", answer: "\x00\x00\x06\x04\x00\x00\x00\x00\x00\x00\x05\x00\x00@\x00\n", open: true, class: ledger.Protocol},
	{name: "no colon", answer: "HTTP/1.1 200 OK\r\nno colon\r\n", open: true, class: ledger.Protocol},
	{name: "a first line that goes on", answer: "HTTP/1.1 200 OK\r\n a: b\r\n\r\n", class: ledger.Protocol},
	{name: "a bad value", answer: "HTTP/1.1 200 OK\r\nA: \x01\r\nContent-Length: 2\r\n\r\nok", class: ledger.Protocol},
	{name: "a bad name", answer: "HTTP/1.1 200 OK\r\nA(: b\r\nContent-Length: 2\r\n\r\nok", class: ledger.Protocol},
	{name: "bad length", answer: "HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n", class: ledger.Protocol},
	{name: "signed length", answer: "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nok", class: ledger.Protocol},
	{name: "negative length", answer: "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nok", class: ledger.Protocol},
	{name: "empty length", answer: "HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\nok", class: ledger.Protocol},
	{name: "length too long", answer: "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nok", class: ledger.Protocol},
	{name: "two lengths", answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok", class: ledger.Protocol},
	{name: "bad chunk", answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", class: ledger.Protocol},
	{name: "a chunk too long", answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n", class: ledger.Protocol},
	{name: "a chunk without its end", answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n", class: ledger.Protocol},
	{name: "chunks of nothing", answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + strings.Repeat("1;"+strings.Repeat("x", 4000)+"\r\na\r\n", 10), class: ledger.Protocol},
	{name: "a bad trailer", answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nno colon\r\n\r\n", class: ledger.Protocol},
	{name: "half a trailer", answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nA: b\r\n", class: ledger.Protocol},
	{name: "no trailer", answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n", class: ledger.Protocol},
	{name: "a long trailer", answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nA: " + strings.Repeat("b", 5000) + "\r\n\r\n", class: ledger.Protocol},
	{name: "a forbidden trailer", answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: Content-Length\r\n\r\n1\r\na\r\n0\r\n\r\n", class: ledger.Protocol},
	{name: "compressed transfer", answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", class: ledger.Protocol},
	{name: "chunked twice", answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", class: ledger.Protocol},
	{name: "a head without end", answer: "HTTP/1.1 200 OK\r\n" + strings.Repeat("A: b\r\n", 20_000), class: ledger.Protocol},
	{name: "a line without end", answer: "HTTP/1.1 200 OK\r\nA: " + strings.Repeat("b", 200_000), class: ledger.Protocol},
	{name: "hints without end", answer: strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 5000), class: ledger.Protocol},

	{name: "truncated", answer: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", class: ledger.BadBody},
	{name: "truncated, and long", answer: "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + strings.Repeat("x", 50_000), class: ledger.BadBody},
	{name: "truncated chunks", answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc", class: ledger.BadBody},
	{name: "truncated between chunks", answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", class: ledger.BadBody},
	{name: "truncated 500", answer: "HTTP/1.1 500 X\r\nContent-Length: 10\r\n\r\nabc", class: ledger.HTTP5xx},
	{name: "larger than the limit", answer: "HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\nabc", class: ledger.TooLarge},
	{name: "chunks larger than the limit", answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n110000\r\n" + strings.Repeat("x", 0x110000) + "\r\n0\r\n\r\n", class: ledger.TooLarge, timed: true},
	{name: "half a head", answer: "HTTP/1.1 200 OK\r\nA: b\r\n", class: ledger.Reset},
	{name: "half a header", answer: "HTTP/1.1 200 OK\r\nA: b", class: ledger.Reset},

	{name: "closed", answer: "", class: ledger.Reset},
	{name: "RST", do: reset, class: ledger.Reset},
	{name: "RST in the head", do: func(c net.Conn) { utter(c, "HTTP/1.1 200 OK\r\nA: b\r\n"); reset(c) }, class: ledger.Reset, text: "between two lines net/http forgets what it was, and says EOF"},
	{name: "RST in a header", do: func(c net.Conn) { utter(c, "HTTP/1.1 200 OK\r\nA"); reset(c) }, class: ledger.Protocol},
	{name: "RST in the body", do: func(c net.Conn) { utter(c, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab"); reset(c) }, class: ledger.Reset},
	{name: "closed unread", eager: true, cold: true, do: func(c net.Conn) { _ = c.Close() }, size: large, timed: true, text: half, class: ledger.Reset},
	{name: "closed half read", eager: true, do: func(c net.Conn) { _, _ = io.CopyN(io.Discard, c, 100_000) }, size: large, timed: true, text: half, class: ledger.Reset},

	{name: "an early answer", eager: true, cold: true, timed: true, do: func(c net.Conn) { say(c, 500, "no"); each(c, func([]byte) bool { return false }) }, class: ledger.HTTP5xx},
	{name: "a large request", answer: good, size: large, stays: true},
	{name: "an early answer to a large request", eager: true, size: large, timed: true, class: ledger.TooLarge, do: func(c net.Conn) {
		_, _ = io.ReadFull(c, make([]byte, 1000))
		_, _ = io.WriteString(c, "HTTP/1.1 413 X\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno")
		_, _ = io.Copy(io.Discard, c)
	}},
	{name: "an early answer, and RST", eager: true, size: large, timed: true, class: ledger.TooLarge, do: func(c net.Conn) {
		_, _ = io.ReadFull(c, make([]byte, 1000))
		_, _ = io.WriteString(c, "HTTP/1.1 413 X\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno")
	}},
	{name: "an early answer, a pause and RST", eager: true, size: large, timed: true, class: ledger.TooLarge, do: func(c net.Conn) {
		_, _ = io.ReadFull(c, make([]byte, 1000))
		_, _ = io.WriteString(c, "HTTP/1.1 413 X\r\nContent-Length: 2\r\n\r\nno")
		time.Sleep(20 * time.Millisecond)
	}},
	{name: "an SSH banner", eager: true, cold: true, timed: true, class: ledger.Protocol, do: func(c net.Conn) {
		_, _ = io.WriteString(c, "SSH-2.0-OpenSSH_9.2\r\n")
		_, _ = io.Copy(io.Discard, c)
	}},
}

// utter says something and lets it arrive.
func utter(c net.Conn, s string) { _, _ = io.WriteString(c, s); time.Sleep(10 * time.Millisecond) }

// serve answers each connection's first spare requests well and is then as the
// table says.
func (s server) serve(spare int) func(net.Conn) {
	return func(c net.Conn) {
		if s.eager && spare == 0 {
			s.do(c)
			return
		}
		n := 0
		for r := bufio.NewReader(c); asked(r); {
			if n++; !s.answers(c, spare, n) {
				return
			}
		}
	}
}

// asked reads a request and forgets it.
func asked(r *bufio.Reader) bool {
	req, err := http.ReadRequest(r)
	if err != nil {
		return false
	}
	_, err = io.Copy(io.Discard, req.Body)
	return err == nil
}

// answers answers the connection's nth request and reports whether it goes on.
func (s server) answers(c net.Conn, spare, n int) bool {
	switch {
	case n < spare:
		say(c, 200, "ok")
		return true
	case n == spare:
		say(c, 200, "ok")
		if s.eager {
			s.do(c)
		}
		return !s.eager
	case s.do != nil:
		s.do(c)
		return false
	}
	_, _ = io.WriteString(c, s.answer)
	if s.open {
		_, _ = io.Copy(io.Discard, c)
	}
	return s.stays
}

var largeBody = bytes.Repeat([]byte("x"), large)

func (s server) body() []byte { return largeBody[:max(1, s.size)] }

// A way is one in which a request may be sent.
type way struct {
	name    string
	options Options
	warm    bool // on a connection that was used before
	start   bool
}

// sends is once, and again where net/http did not keep a connection: that its
// writer took more than 50 ms to say that it was done is chance.
func (w way) sends(t *testing.T, s server) (a account, again bool) {
	t.Helper()
	for range 5 {
		a, again = w.once(t, s)
		if a.Reused == w.warm && (again || !s.stays || !w.options.NetHTTP) {
			break
		}
	}
	return a, again && !(s.more && w.options.NetHTTP)
}

// once sends one request to the server on a client of its own, and then one
// more to see whether it goes over the same connection.
func (w way) once(t *testing.T, s server) (account, bool) {
	t.Helper()
	spare := 0
	if w.warm {
		spare = 1
	}
	o := w.options
	o.AnswerLimit = 1 << 20
	c := client(t, listen(t, s.serve(spare)), o)
	r, err := c.Request(http.MethodPost, "/p", "application/json", s.body())
	if err != nil {
		t.Fatal(err)
	}
	var cnt *count
	var res Result
	if w.warm {
		if res := post(t, c, "x").Do(t.Context(), &count{}, nil); res.Err != nil {
			t.Fatal(res.Err)
		}
	}
	if w.start {
		b := newBegun()
		if r.begin(b) == nil {
			t.Fatal("nothing was started")
		}
		res, cnt = <-b.res, &b.count
	} else {
		cnt = &count{}
		res = r.Do(t.Context(), cnt, nil)
	}
	a := accountOf(res, cnt)
	if s.timed {
		a.Up, a.Down = 0, 0
	}
	if a.Failure.Class == ledger.StaleKeepalive {
		a.Failure.Class = ledger.Reset // the time tells which, and what went up
	}
	if s.text != "" {
		a.Failure.Text = ""
	}
	if !s.stays {
		return a, false
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	return a, r.Do(ctx, &count{}, nil).Reused
}

// TestBothPathsAgree sends to every awkward server in every way. What is booked
// must be the same.
func TestBothPathsAgree(t *testing.T) {
	for _, s := range servers {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			for _, warm := range []bool{false, true} {
				if s.cold && warm {
					continue
				}
				want, reused := way{options: paths[ViaNetHTTP], warm: warm}.sends(t, s)
				if want.Failure.Class != s.class && !warm {
					t.Errorf("net/http: class %v, want %v", want.Failure.Class, s.class)
				}
				ways := []way{{name: "raw", warm: warm}, {name: "raw on a pipe", warm: warm, options: Options{Dial: unknown}}}
				if warm {
					ways = append(ways, way{name: "started", warm: true, start: true})
				}
				for _, w := range ways {
					got, again := w.sends(t, s)
					if diff := cmp.Diff(want, got); diff != "" || again != reused {
						t.Errorf("%s, warm %t: net/http (-), it (+); reused %t, %t:\n%s", w.name, warm, reused, again, diff)
					}
				}
			}
		})
	}
}

// unknown dials a connection whose socket is not to be seen.
func unknown(ctx context.Context, network, addr string) (net.Conn, error) {
	c, err := (&net.Dialer{}).DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return struct{ net.Conn }{c}, nil
}
