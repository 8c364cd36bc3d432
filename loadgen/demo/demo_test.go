package demo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"sync"
	"testing"

	"dev.example/pileup/loadgen/guard"
)

// A pipes is a listener without a network: works in a synctest bubble.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newPipes() *pipes {
	return &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.done) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes", Net: "pipe"} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.conns <- theirs:
		return ours, nil
	case <-p.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

type serving interface {
	Serve(context.Context, net.Listener) error
}

// start serves until the returned stop is called, which waits for the end.
func start(t testing.TB, s serving) (client *http.Client, stop func()) {
	t.Helper()
	ln := newPipes()
	ctx, cancel := context.WithCancel(context.Background())
	var g guard.Group
	g.Go("server", func() {
		if err := s.Serve(ctx, ln); err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	tr := &http.Transport{DialContext: ln.dial, MaxIdleConnsPerHost: 1000, DisableCompression: true}
	return &http.Client{Transport: tr}, func() {
		cancel()
		g.Wait()
		tr.CloseIdleConnections()
	}
}

// floats is a predict body of n floats as Python clients write them.
func floats(n int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	b := []byte(`{"instances": [[`)
	for i := range n {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendFloat(b, rng.Float64(), 'g', 17, 64)
	}
	return append(b, "]]}"...)
}

func predict(c *http.Client, model string, body []byte) error {
	r, err := c.Post("http://demo/v1/models/"+model+":predict", "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	text, err := io.ReadAll(r.Body)
	if err = errors.Join(err, r.Body.Close()); err != nil {
		return err
	}
	if r.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", r.Status, text)
	}
	return nil
}

// deal runs the link's dealer until the returned stop is called.
func deal(t *testing.T, l *link) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var g guard.Group
	g.Go("dealer", func() { l.run(ctx) })
	return func() {
		cancel()
		g.Wait()
	}
}

// upload carries a body of that size.
func upload(t *testing.T, l *link, size int) {
	t.Helper()
	l.begin()
	defer l.end()
	turn := newTurn()
	for size > 0 {
		n := min(portion, size)
		if err := l.carry(t.Context(), turn, n); err != nil {
			t.Error(err)
			return
		}
		size -= n
	}
}
