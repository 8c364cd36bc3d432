package httpconn

import (
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync"
	"time"

	"dev.example/pileup/loadgen"
)

// headBytes of an answer are kept for what is said about it.
const headBytes = 1024

// A Result is what was seen of one request.
type Result struct {
	loadgen.Seen
	Peer string // address that answered, "" if none was reached
}

// Do sends the request, once, and reads its answer to the end. It calls s.Sent
// when a connection is there, immediately before the first write, and s.First
// at the answer's first byte, neither after it has returned. sink gets the
// answer's body as it comes and may be nil; it must not keep what it gets, and
// its errors are ignored.
//
// When ctx is done it closes the connection and returns; Err is then the cause.
func (r *Request) Do(ctx context.Context, s loadgen.Stamps, sink io.Writer) Result {
	if r.script != nil {
		return r.doRaw(ctx, s, sink)
	}
	w := &watch{stamps: s}
	req := r.template.WithContext(httptrace.WithClientTrace(ctx, w.trace()))
	b := &body{rest: r.body, size: int64(len(r.body))}
	if !r.repeatable {
		// Even GET gets one: net/http repeats what has no body.
		req.Body = b
	}
	var res Result
	resp, err := r.client.transport.RoundTrip(req)
	if err == nil {
		res.Status, res.Type, res.Server = resp.StatusCode, resp.Header.Get("Content-Type"), resp.Header.Get("Server")
		if resp.StatusCode < http.StatusOK {
			// Nobody asked for another protocol, and what follows a 101 has no
			// end that a context could bring.
			_ = resp.Body.Close()
		} else {
			err = r.client.read(resp, &res, sink)
		}
	}
	if err != nil {
		res.Cause = context.Cause(ctx)
	}
	res.Err, res.Size, res.Up = err, int64(len(r.body)), b.up(res.Cause == nil)
	w.end(&res)
	return res
}

// read reads the answer's body within the limit.
func (c *Client) read(resp *http.Response, res *Result, sink io.Writer) error {
	defer resp.Body.Close()
	if resp.ContentLength > c.limit {
		return &loadgen.LimitError{Limit: c.limit}
	}
	if sink == nil {
		sink = io.Discard
	}
	return res.copyIn(resp.Body, c.limit, sink)
}

// copyIn reads the body of an answer to its end, within the limit.
func (res *Result) copyIn(r io.Reader, limit int64, sink io.Writer) error {
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	for {
		n, err := r.Read(*buf)
		res.took((*buf)[:n], sink)
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case res.Down > limit:
			return &loadgen.LimitError{Limit: limit}
		}
	}
}

// took counts and hands on some of the body.
func (res *Result) took(p []byte, sink io.Writer) {
	res.Down += int64(len(p))
	if room := headBytes - len(res.Head); room > 0 {
		res.Head = append(res.Head, p[:min(len(p), room)]...)
	}
	if len(p) > 0 {
		_, _ = sink.Write(p)
	}
}

// A watch follows one request through net/http, whose hooks run in its
// goroutines and may come after the request has ended.
type watch struct {
	mu     sync.Mutex
	stamps loadgen.Stamps // nil once the request has ended
	step   loadgen.Step
	reused bool
	peer   string
	making time.Duration
	sent   time.Time
}

func (w *watch) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		TLSHandshakeStart:    w.handshake,
		GotConn:              w.got,
		GotFirstResponseByte: w.first,
	}
}

func (w *watch) handshake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.step = max(w.step, loadgen.Handshaking)
}

func (w *watch) got(info httptrace.GotConnInfo) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.step, w.reused = loadgen.Connected, info.Reused
	c := info.Conn
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	if c, ok := c.(*conn); ok {
		w.peer, w.making = c.peer, c.making
	}
	if w.stamps != nil {
		w.sent = time.Now()
		w.stamps.Sent()
	}
}

func (w *watch) first() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.step = loadgen.Answering
	if w.stamps != nil {
		w.stamps.First()
	}
}

// end takes what was seen and lets no later hook through.
func (w *watch) end(res *Result) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stamps = nil
	res.Step, res.Reused, res.Peer, res.Making = w.step, w.reused, w.peer, w.making
	if res.Status != 0 {
		res.Step = loadgen.Answering
	}
	if !w.sent.IsZero() {
		res.Waited = time.Since(w.sent)
	}
}
