package httpconn

import (
	"context"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A played is the client's end of a connection whose server waits to be asked,
// says all that it has to say, in pieces, and closes.
type played struct {
	asked chan struct{} // closed by the first write, or by Close
	once  sync.Once
	said  []byte
	sizes []byte // of the pieces, over and over
	at    int
}

func (p *played) Read(b []byte) (int, error) {
	<-p.asked
	if len(p.said) == 0 {
		return 0, io.EOF
	}
	n := len(b)
	if len(p.sizes) > 0 {
		n = min(n, 1+int(p.sizes[p.at%len(p.sizes)]))
		p.at++
	}
	n = copy(b[:n], p.said)
	p.said = p.said[n:]
	return n, nil
}

func (p *played) Write(b []byte) (int, error) { return len(b), p.Close() }
func (p *played) Close() error {
	p.once.Do(func() { close(p.asked) })
	return nil
}
func (*played) LocalAddr() net.Addr             { return nil }
func (*played) RemoteAddr() net.Addr            { return named("played") }
func (*played) SetDeadline(time.Time) error     { return os.ErrNoDeadline }
func (*played) SetReadDeadline(time.Time) error { return os.ErrNoDeadline }

func (*played) SetWriteDeadline(time.Time) error { return os.ErrNoDeadline }

// FuzzAnswer holds what is made of any answer, in whatever pieces it comes, to
// what net/http makes of it.
func FuzzAnswer(f *testing.F) {
	for _, s := range servers {
		if len(s.answer) < 10_000 {
			f.Add([]byte(s.answer), []byte{0})
			f.Add([]byte(s.answer), []byte{100, 3})
		}
	}
	f.Fuzz(func(t *testing.T, said, sizes []byte) {
		ask := func(o Options, sizes []byte) account {
			o.AnswerLimit = 1 << 16
			o.Dial = func(context.Context, string, string) (net.Conn, error) {
				return &played{asked: make(chan struct{}), said: said, sizes: sizes}, nil
			}
			c := client(t, Address{Transport: "http", Host: "played"}, o)
			defer c.Close()
			var s count
			var body strings.Builder
			a := accountOf(post(t, c, "x").Do(t.Context(), &s, &body), &s)
			if int64(body.Len()) != a.Down || !strings.HasPrefix(body.String(), a.Head) {
				t.Errorf("body of %d bytes, counted %d, begins with %q, head %q", body.Len(), a.Down, body.String(), a.Head)
			}
			if a.Down > 1<<16+32<<10 {
				t.Errorf("read %d bytes of a body", a.Down)
			}
			a.Up = 0 // it answers to the first write, which in net/http is the head
			if a.Failure.Class != 0 {
				a.Down, a.Head = 0, "" // where it stops depends on the pieces
			}
			return a
		}
		want := ask(paths[ViaNetHTTP], nil)
		for _, sizes := range [][]byte{nil, sizes} {
			if diff := cmp.Diff(want, ask(paths[ViaRaw], sizes)); diff != "" {
				t.Errorf("net/http (-), raw (+), in pieces of %v:\n%s", sizes, diff)
			}
		}
	})
}
