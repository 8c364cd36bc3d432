package demo

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"dev.example/pileup/loadgen/guard"
)

// What is said about a model is what the other server says.
func TestNullPages(t *testing.T) {
	null, stopNull := start(t, NewNull(tiny()...))
	defer stopNull()
	full, stopFull := start(t, New(Config{Models: tiny()}))
	defer stopFull()
	for _, path := range []string{"/v1/models/tiny", "/v1/models/pair/metadata"} {
		got, want := do(t, null, "GET", path, nil), do(t, full, "GET", path, nil)
		if got != want {
			t.Errorf("%s: %+v, want %+v", path, got, want)
		}
	}
	if r := do(t, null, "GET", "/v1/models/none", nil); r.code != http.StatusNotFound {
		t.Errorf("a model it does not have: %+v", r)
	}
	for _, n := range []int{1, 100, 100_000} {
		if err := predict(null, "tiny", floats(n)); err != nil {
			t.Errorf("%d floats: %v", n, err)
		}
	}
}

// However the bytes come, each request gets one answer.
func TestNullPieces(t *testing.T) {
	request := func(size int) []byte {
		return []byte("POST /x HTTP/1.1\r\ncontent-length: " + strconv.Itoa(size) + "\r\n\r\n" + strings.Repeat("x", size))
	}
	for name, c := range map[string]struct {
		pieces [][]byte
		n      int
	}{
		"at once":          {[][]byte{request(10)}, 1},
		"no body":          {[][]byte{request(0)}, 1},
		"byte by byte":     {bytes.SplitAfter(request(30), nil), 1},
		"two in one":       {[][]byte{append(request(10), request(20)...)}, 2},
		"one and a half":   {[][]byte{append(request(10), request(20)[:15]...), request(20)[15:]}, 2},
		"a large one":      {[][]byte{request(1 << 20), request(3)}, 2},
		"head, then body":  {[][]byte{request(nullHead)[:40], request(nullHead)[40:]}, 1},
		"as long as fits":  {[][]byte{request(nullHead - 40), request(1)}, 2},
		"a head too long":  {[][]byte{[]byte("POST /" + strings.Repeat("x", nullHead))}, 0},
		"chunks":           {[][]byte{[]byte("POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")}, 0},
		"a length of -1":   {[][]byte{[]byte("POST /x HTTP/1.1\r\nContent-Length: -1\r\n\r\n")}, 0},
		"a length of many": {[][]byte{[]byte("POST /x HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n")}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ours, theirs := net.Pipe()
				var g guard.Group
				g.Go("null", func() { NewNull().answer(theirs); theirs.Close() })
				g.Go("send", func() {
					for _, p := range c.pieces {
						if _, err := ours.Write(p); err != nil && c.n > 0 {
							t.Errorf("write: %v", err)
						}
					}
					synctest.Wait()
					if c.n > 0 {
						ours.Close()
					}
				})
				in, got := bufio.NewReader(ours), 0
				for {
					r, err := http.ReadResponse(in, nil)
					if err != nil {
						break
					}
					if text, err := io.ReadAll(r.Body); err != nil || string(text) != `{"predictions":[[0]]}` {
						t.Errorf("%q, %v", text, err)
					}
					got++
				}
				if got != c.n {
					t.Errorf("%d answers, want %d", got, c.n)
				}
				ours.Close()
				g.Wait()
			})
		})
	}
}

// Over real sockets: bodies of any size are taken whole, and Serve returns when
// told although a connection stands in the middle of one.
func TestNullEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ln, err := Listen(ctx, "127.0.0.1:0")
	if err != nil {
		t.Skipf("no loopback: %v", err)
	}
	var g guard.Group
	g.Go("null", func() {
		if err := NewNull().Serve(ctx, ln); err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	for _, size := range []int{1, nullHead, 5 << 20, 1} {
		url := "http://" + ln.Addr().String() + "/v1/models/tiny:predict"
		r, err := http.Post(url, jsonKind, strings.NewReader(strings.Repeat("x", size)))
		if err != nil {
			t.Fatalf("%d bytes: %v", size, err)
		}
		if text, err := io.ReadAll(r.Body); err != nil || r.StatusCode != http.StatusOK || len(text) == 0 {
			t.Errorf("%d bytes: %s %q, %v", size, r.Status, text, err)
		}
		r.Body.Close()
	}
	c, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, "POST /x HTTP/1.1\r\nContent-Length: 1000000\r\n\r\nxxx"); err != nil {
		t.Fatal(err)
	}
	cancel()
	g.Wait()
	if _, err := c.Read(make([]byte, 1)); err == nil {
		t.Error("the connection goes on")
	}
}

// An answer costs no memory.
func TestNullAllocatesNothing(t *testing.T) {
	head := []byte("POST /v1/models/tiny:predict HTTP/1.1\r\nHost: x\r\nUser-Agent: pileup\r\nContent-Length: 2045\r\n")
	n := NewNull(tiny()...)
	if got := testing.AllocsPerRun(1000, func() {
		if size, ok := bodySize(head); size != 2045 || !ok {
			t.Fatalf("size %d, %v", size, ok)
		}
		n.reply(head)
	}); got > 0 {
		t.Errorf("%v allocations", got)
	}
}
