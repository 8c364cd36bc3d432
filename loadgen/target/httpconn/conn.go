package httpconn

import (
	"context"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// A conn is a connection that writes a request's body in large pieces, straight
// from the bytes all requests share: net/http alone would copy 3 MB in 32 KiB
// steps, through a buffer it allocates each time.
//
// It also holds back what a peer says before it was asked, as gRPC, SSH and SMTP
// servers do, until it was: net/http would drop the connection at a moment of
// its own and print to the log. And it tells of a failed write only when what
// the peer has said by then is read: why it takes no more may be among it.
type conn struct {
	net.Conn
	peer   string        // its remote address
	making time.Duration // what making it took
	asked  chan struct{} // closed at the first write, or by Close
	deaf   chan struct{} // closed when nothing more is read
	once   [2]sync.Once  // for these two
	closed atomic.Bool
}

func newConn(c net.Conn, making time.Duration) *conn {
	w := &conn{Conn: c, making: making, asked: make(chan struct{}), deaf: make(chan struct{})}
	if a := c.RemoteAddr(); a != nil {
		w.peer = a.String()
	}
	return w
}

func (c *conn) ask()  { c.once[0].Do(func() { close(c.asked) }) }
func (c *conn) turn() { c.once[1].Do(func() { close(c.deaf) }) }

// Read returns data only once something was written; errors at once, so that
// the end of an idle connection is heard.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		<-c.asked
	}
	if err != nil {
		c.turn()
	}
	return n, err
}

func (c *conn) Write(p []byte) (int, error) {
	c.ask()
	n, err := c.Conn.Write(p)
	if err != nil {
		t := time.NewTimer(lingering)
		defer t.Stop()
		select {
		case <-c.deaf:
		case <-t.C:
		}
		if c.closed.Load() {
			// net/http takes any other error for the reason of everything. But
			// it has closed the connection itself, for a better one.
			err = io.EOF
		}
	}
	return n, err
}

func (c *conn) Close() error {
	c.closed.Store(true)
	c.ask()
	c.turn()
	return c.Conn.Close()
}

// ReadFrom writes what r holds. net/http hands over an io.LimitedReader with
// the request's body in it; anything else is copied.
func (c *conn) ReadFrom(r io.Reader) (int64, error) {
	if l, ok := r.(*io.LimitedReader); ok {
		if b, ok := l.R.(*body); ok && int64(len(b.rest)) <= l.N {
			n, err := c.send(b)
			l.N -= n
			return n, err
		}
	}
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	return io.CopyBuffer(writeOnly{c}, readOnly{r}, *buf)
}

// send writes the rest of a body, piece by piece.
func (c *conn) send(b *body) (sent int64, err error) {
	for len(b.rest) > 0 && err == nil {
		var n int
		k := min(piece, len(b.rest))
		b.last.Store(k == len(b.rest))
		n, err = c.Write(b.rest[:k])
		b.rest = b.rest[n:]
		b.sent.Add(int64(n))
		b.last.Store(false)
		sent += int64(n)
	}
	return sent, err
}

// buffers are for reading answers, 32 KiB each.
var buffers = sync.Pool{New: func() any {
	b := make([]byte, 32<<10)
	return &b
}}

type (
	writeOnly struct{ io.Writer }
	readOnly  struct{ io.Reader }
)

// A body is one pass over a request's bytes. It has no way back, and so
// net/http has none to send it a second time.
type body struct {
	rest []byte
	size int64
	sent atomic.Int64 // bytes that the connection has taken
	last atomic.Bool  // it is being given the last of them
}

// up is what is known to be sent. Of a request that the peer ended, what is
// being written last counts: the end may be here before the writer has said
// that it is done.
func (b *body) up(ended bool) int64 {
	if ended && b.last.Load() {
		return b.size
	}
	return b.sent.Load()
}

// piece is how much is written at once, so that what was sent of a body is
// known when a request is given up.
const piece = 256 << 10

func (b *body) Read(p []byte) (int, error) {
	if len(b.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	b.sent.Add(int64(n))
	return n, nil
}

func (*body) Close() error { return nil }

// dialing is how many connections are made at once. Thousands at once would
// only make the system look for free ports, and the driver late.
const dialing = 256

// dialer is the dial function of both paths. It also says how long it dialed,
// which the wait for leave to dial is no part of; of [ConnectTimeout] it is one.
func dialer(o Options) func(ctx context.Context, network, addr string) (net.Conn, time.Duration, error) {
	dial := o.Dial
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	making := make(chan struct{}, dialing)
	return func(ctx context.Context, network, addr string) (net.Conn, time.Duration, error) {
		ctx, cancel := context.WithTimeoutCause(ctx, ConnectTimeout, errConnectTimeout)
		defer cancel()
		var c net.Conn
		var took time.Duration
		var err error
		select {
		case making <- struct{}{}:
			start := time.Now()
			c, err = dial(ctx, network, addr)
			took = time.Since(start)
			<-making
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
		if err != nil {
			if context.Cause(ctx) == errConnectTimeout {
				err = &net.OpError{Op: "dial", Net: network, Addr: named(addr), Err: errConnectTimeout}
			}
			return nil, 0, err
		}
		return c, took, nil
	}
}

type named string

func (named) Network() string  { return "tcp" }
func (n named) String() string { return string(n) }
