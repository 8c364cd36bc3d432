package httpconn

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"

	"dev.example/pileup/loadgen"
)

// The two ways a request can go, see [Request.Via].
const (
	ViaRaw     = "raw"      // written by ourselves
	ViaNetHTTP = "net/http" // TLS, and whatever is unusual
)

// smallBytes is the largest body that is copied to stand behind its head, so
// that it takes a plain write. A larger one is not copied.
const smallBytes = 64 << 10

// A script is a request as it stands on the wire. It is encoded once and
// shared by every request that is sent of it.
type script struct {
	lead []byte // the head, and a small body
	rest []byte // a large body
	head int    // bytes of lead that are the head
}

// encode returns the bytes that net/http would write, nil where it would
// refuse, or where a request is unusual.
func (r *Request) encode(last bool) *script {
	t := r.template
	if t.URL.Scheme != "http" || !usual(t) {
		return nil
	}
	req := *t
	req.Close = last
	if len(r.body) > 0 {
		req.Body = io.NopCloser(bytes.NewReader(r.body))
	}
	var b beginning
	if req.Write(&b) != nil {
		return nil
	}
	head, small := b.n-len(r.body), len(r.body)
	if small > smallBytes {
		small = 0
	}
	if len(b.kept) < head+small {
		return nil
	}
	return &script{lead: bytes.Clone(b.kept[:head+small]), rest: r.body[small:], head: head}
}

// beginning keeps the beginning of what is written, and its length.
type beginning struct {
	kept []byte
	n    int
}

func (b *beginning) Write(p []byte) (int, error) {
	b.n += len(p)
	b.kept = append(b.kept, p[:min(len(p), max(0, smallBytes+headLimit-len(b.kept)))]...)
	return len(p), nil
}

// usual reports whether nothing about a request needs more than its bytes on a
// connection.
func usual(r *http.Request) bool {
	switch r.Method {
	case http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
	default:
		return false
	}
	if strings.ContainsFunc(r.URL.Host, func(c rune) bool { return c >= 0x80 }) {
		return false
	}
	for name, values := range r.Header {
		if name == "" || strings.ContainsFunc(name, func(c rune) bool { return !isToken(byte(min(c, 0x80))) }) {
			return false
		}
		for _, v := range values {
			if strings.ContainsFunc(v, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }) {
				return false
			}
		}
	}
	return true
}

// A Taker takes the answer to one request that [Request.Start] began.
type Taker interface {
	// Write gets the answer's body as it comes. It must not keep it; its
	// errors are ignored.
	io.Writer
	// End gets what was seen of the request, once; the Result and its Head
	// are good until End returns. The connection is free for another
	// request by then, whose answer waits for End to return: it must be
	// short. It may start a request.
	End(*Result)
}

// Via says which way the request goes: [ViaRaw] or [ViaNetHTTP].
func (r *Request) Via() string {
	if r.script != nil {
		return ViaRaw
	}
	return ViaNetHTTP
}

// Start begins the request on an idle connection and returns at once. When
// there is none, or the request goes the other way, it returns nil, having done
// nothing. reply takes the stamps, and stands for the request in Abort; its End
// is for t to call.
func (r *Request) Start(reply loadgen.Reply, t Taker) loadgen.Started {
	if r.script == nil {
		return nil
	}
	for {
		w := r.client.pool.take()
		if w == nil {
			return nil
		}
		if w.attach(job{owner: reply, stamps: reply, taker: t, size: len(r.body)}) {
			w.send(r.script)
			return w
		}
	}
}

// doRaw is Do on a connection of ours.
func (r *Request) doRaw(ctx context.Context, s loadgen.Stamps, sink io.Writer) Result {
	a := &awaited{sink: sink, done: make(chan struct{}, 1)}
	j := job{owner: a, stamps: s, taker: a, size: len(r.body)}
	w, err := r.client.pool.get(ctx, j)
	if err != nil {
		return Result{Seen: loadgen.Seen{Err: err, Cause: context.Cause(ctx), Size: int64(len(r.body))}}
	}
	w.send(r.script)
	select {
	case <-a.done:
	case <-ctx.Done():
		w.abort(a, context.Cause(ctx))
		<-a.done
	}
	return a.res
}

// awaited is a Taker somebody waits for.
type awaited struct {
	sink io.Writer
	res  Result
	done chan struct{} // capacity 1, gets one
}

func (a *awaited) Write(p []byte) (int, error) {
	if a.sink == nil {
		return len(p), nil
	}
	return a.sink.Write(p)
}

func (a *awaited) End(res *Result) {
	a.res = *res
	a.res.Head = bytes.Clone(res.Head)
	a.done <- struct{}{}
}
