package httpconn

import (
	"io"
	"iter"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/ledger"
)

func splitLines(s string) iter.Seq[string] { return strings.SplitSeq(s, "\r\n") }

// What is sent does not depend on the path.
func TestBothPathsWriteTheSame(t *testing.T) {
	for _, tt := range []struct {
		name   string
		header http.Header
		method string
		size   int
	}{
		{"small", nil, "POST", 10},
		{"large", nil, "POST", 300_000},
		{"just small", nil, "PUT", smallBytes},
		{"just large", nil, "PUT", smallBytes + 1},
		{"headers", http.Header{"X-B": {"1", " 2 "}, "X-A": {"x\ty"}, "Host": {"board"}, "User-Agent": {"me"}}, "POST", 10},
		{"GET", nil, "GET", 0},
		{"GET with a body", nil, "GET", 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := make(chan string, 1) // one request at a time
			a := listen(t, func(c net.Conn) {
				all := make([]byte, 0, tt.size+1024)
				for !strings.HasSuffix(string(all), "\r\n\r\n"+strings.Repeat("y", tt.size)) {
					n, err := c.Read(all[len(all):cap(all)])
					if err != nil {
						return
					}
					all = all[:len(all)+n]
				}
				got <- string(all)
				say(c, 200, "ok")
			})
			a.Prefix, a.User = "/a%20b", userinfo
			wrote := map[string]string{}
			for path, o := range paths {
				o.Header = tt.header
				r, err := client(t, a, o).Request(tt.method, "/p?q=1", "a/b", []byte(strings.Repeat("y", tt.size)))
				if err != nil {
					t.Fatal(err)
				}
				if r.Via() != path {
					t.Fatalf("goes via %s, want %s", r.Via(), path)
				}
				if res := r.Do(t.Context(), &count{}, nil); res.Err != nil || res.Up != int64(tt.size) {
					t.Errorf("%s: got %+v", path, res)
				}
				wrote[path] = <-got
			}
			if wrote[ViaRaw] != wrote[ViaNetHTTP] {
				t.Errorf("got\n%.500s\nwant\n%.500s", wrote[ViaRaw], wrote[ViaNetHTTP])
			}
		})
	}
}

func TestVia(t *testing.T) {
	for _, tt := range []struct {
		name   string
		a      Address
		o      Options
		method string
		want   string
	}{
		{"plain", Address{Transport: "http", Host: "a"}, Options{}, "POST", ViaRaw},
		{"IPv6", Address{Transport: "http", Host: "fe80::1%eth0", Port: 1}, Options{}, "POST", ViaRaw},
		{"TLS", Address{Transport: "https", Host: "a"}, Options{}, "POST", ViaNetHTTP},
		{"asked for", Address{Transport: "http", Host: "a"}, Options{NetHTTP: true}, "POST", ViaNetHTTP},
		{"a name to be encoded", Address{Transport: "http", Host: "bücher"}, Options{}, "POST", ViaNetHTTP},
		{"HEAD", Address{Transport: "http", Host: "a"}, Options{}, "HEAD", ViaNetHTTP},
		{"CONNECT", Address{Transport: "http", Host: "a"}, Options{}, "CONNECT", ViaNetHTTP},
		{"a bad name", Address{Transport: "http", Host: "a"}, Options{Header: http.Header{"A b": {"c"}}}, "POST", ViaNetHTTP},
		{"a bad value", Address{Transport: "http", Host: "a"}, Options{Header: http.Header{"A": {"b\nc"}}}, "POST", ViaNetHTTP},
		{"headers without end", Address{Transport: "http", Host: "a"}, Options{Header: http.Header{"A": {strings.Repeat("x", 200_000)}}}, "POST", ViaNetHTTP},
	} {
		r, err := client(t, tt.a, tt.o).Request(tt.method, "/", "", []byte("x"))
		if err != nil {
			t.Fatal(err)
		}
		if r.Via() != tt.want {
			t.Errorf("%s: goes via %s, want %s", tt.name, r.Via(), tt.want)
		}
	}
}

// What comes on an idle connection is nobody's answer.
func TestUnaskedAnswers(t *testing.T) {
	for _, stray := range []string{
		"HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n",
		"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
		"x",
		"", // it closes
	} {
		for _, o := range []Options{{}, {Dial: unknown}} {
			ask, said := make(chan struct{}), make(chan struct{})
			a := listen(t, func(c net.Conn) {
				each(c, func([]byte) bool { say(c, 200, "ok"); return false })
				<-ask
				_, _ = io.WriteString(c, stray)
				if stray == "" {
					_ = c.Close()
				}
				said <- struct{}{}
				_, _ = io.Copy(io.Discard, c)
			})
			c := client(t, a, o)
			r := post(t, c, "x")
			warm(t, r, 1)
			ask <- struct{}{}
			<-said
			for o.Dial != nil && c.pool.any() { // only a socket can be looked at
				runtime.Gosched()
			}
			b := newBegun()
			if r.begin(b) != nil {
				t.Errorf("%q: started; got %+v", stray, <-b.res)
				continue
			}
			if res := r.Do(t.Context(), &count{}, nil); loadgen.Classify(res.Seen) != (ledger.Failure{}) || res.Reused {
				t.Errorf("%q: got %+v", stray, res)
			}
			close(ask)
			<-said
		}
	}
}

func (p *pool) any() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.live > 0
}
