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
	w := &watch{stamps: s, wrote: make(chan struct{})}
	req := r.template.WithContext(httptrace.WithClientTrace(ctx, w.trace()))
	b := &body{rest: r.body}
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
	if b.sent.Load() < int64(len(r.body)) {
		w.settle()
	}
	res.Err, res.Size, res.Up = err, int64(len(r.body)), b.sent.Load()
	if err != nil {
		res.Cause = context.Cause(ctx)
	}
	w.end(&res)
	return res
}

// read reads the answer's body within the limit.
func (c *Client) read(resp *http.Response, res *Result, sink io.Writer) error {
	defer resp.Body.Close()
	if resp.ContentLength > c.limit {
		return &loadgen.LimitError{Limit: c.limit}
	}
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	for {
		n, err := resp.Body.Read(*buf)
		p := (*buf)[:n]
		res.Down += int64(n)
		if room := headBytes - len(res.Head); room > 0 && n > 0 {
			res.Head = append(res.Head, p[:min(n, room)]...)
		}
		if sink != nil && n > 0 {
			_, _ = sink.Write(p)
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case res.Down > c.limit:
			return &loadgen.LimitError{Limit: c.limit}
		}
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
	sent   time.Time
	wrote  chan struct{} // closed when no more is written
	once   sync.Once     // for it
}

func (w *watch) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		TLSHandshakeStart:    w.handshake,
		GotConn:              w.got,
		GotFirstResponseByte: w.first,
		WroteRequest:         func(httptrace.WroteRequestInfo) { w.once.Do(func() { close(w.wrote) }) },
	}
}

// settle waits until what was written is known: the answer may be here before
// the writer has said so.
func (w *watch) settle() {
	w.mu.Lock()
	written := w.step >= loadgen.Connected
	w.mu.Unlock()
	if !written {
		return
	}
	t := time.NewTimer(settling)
	defer t.Stop()
	select {
	case <-w.wrote:
	case <-t.C:
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
		w.peer = c.peer
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
	res.Step, res.Reused, res.Peer = w.step, w.reused, w.peer
	if res.Status != 0 {
		res.Step = loadgen.Answering
	}
	if !w.sent.IsZero() {
		res.Waited = time.Since(w.sent)
	}
}
