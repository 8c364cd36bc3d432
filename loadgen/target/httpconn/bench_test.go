package httpconn

import (
	"strconv"
	"strings"
	"testing"
)

// BenchmarkDo sends over loopback to a server that costs as little as it can.
// The server's work is in the figure: what the paths differ by is ours.
func BenchmarkDo(b *testing.B) {
	for _, size := range []int{2000, 602_112} {
		for _, way := range []struct {
			name  string
			o     Options
			start bool
		}{{"started", Options{}, true}, {"raw", Options{}, false}, {"nethttp", Options{NetHTTP: true}, false}} {
			b.Run(strconv.Itoa(size)+"/"+way.name, func(b *testing.B) {
				r := post(b, client(b, listen(b, null(size)), way.o), strings.Repeat("x", size))
				warm(b, r, 1)
				b.ReportAllocs()
				b.SetBytes(int64(size))
				if way.start {
					benchStart(b, r)
					return
				}
				for b.Loop() {
					if res := r.Do(b.Context(), &count{}, nil); res.Err != nil {
						b.Fatal(res.Err)
					}
				}
			})
		}
	}
}

func benchStart(b *testing.B, r *Request) {
	g := &quiet{over: make(chan struct{})}
	for b.Loop() {
		if r.Start(g, takes{g}) == nil {
			b.Fatal("nothing was started")
		}
		<-g.over
	}
}

// BenchmarkPool takes and gives back a connection beside others that are idle.
func BenchmarkPool(b *testing.B) {
	for _, n := range []int{1, 10_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			p := &pool{}
			for range n {
				p.put(&wire{})
			}
			defer p.timer.Stop()
			for b.Loop() {
				p.put(p.take())
			}
		})
	}
}
