package httpconn

import (
	"bufio"
	"errors"
	"io"
	"math"
	"net/http"
	"os"
	"time"

	"dev.example/pileup/loadgen"
)

const (
	// readBytes is the size of a connection's buffer for answers.
	readBytes = 4096
	// headLimit bounds the head of an answer, those of 1xx before it included,
	// in bytes. It is less than net/http's own 10 MB.
	headLimit = 64 << 10
)

// incoming is the reader's alone, but for spoke.
type incoming struct {
	br    *bufio.Reader
	left  int64 // bytes that may still be read
	ended error // what ended the reading; it stays
	res   Result
	head  [headBytes]byte // under res.Head
	last  struct{ contentType, server string }

	p   []byte // for readNow: where to, and what came of it
	n   int
	err error

	spoke bool // for isSilent, under the lock of the wire

	silent func(fd uintptr) // isSilent and readNow, made once
	ready  func(fd uintptr) bool
}

// run is the reader.
func (w *wire) run() {
	for w.exchange() {
	}
}

// exchange takes the answer to one request, and reports whether the connection
// goes on.
func (w *wire) exchange() bool {
	in := &w.in
	in.left = headLimit
	_, err := in.br.Peek(1)
	j, ok := w.carried()
	if !ok {
		w.leave()
		return false
	}
	sent := w.out.begun()
	in.res = Result{Seen: loadgen.Seen{Step: loadgen.Connected, Making: w.made, Size: int64(j.size), Head: in.head[:0]}, Peer: w.peer}
	last := true
	if err == nil {
		in.res.Step = loadgen.Answering
		j.stamps.First()
		last, err = w.answer(j.taker)
	}
	return w.end(j, sent, last, err)
}

// end ends the request. The connection is back in the pool, or gone, before
// anybody hears of it.
func (w *wire) end(j job, sent time.Time, last bool, err error) bool {
	res := &w.in.res
	whole, up, broken := w.settle()
	again := err == nil && whole && !last && w.in.ended == nil && w.in.br.Buffered() == 0
	var cause error
	cause, res.Reused = w.detach()
	switch {
	case err == nil:
	case cause != nil:
		res.Err, res.Cause = cause, cause
	case broken != nil && (res.Step < loadgen.Answering || errors.Is(err, os.ErrDeadlineExceeded)):
		res.Err = broken
	default:
		res.Err = err
	}
	res.Up, res.Waited = int64(up), time.Since(sent)
	again = again && cause == nil && w.pool.put(w)
	if !again {
		w.leave()
	}
	j.taker.End(res)
	return again
}

// answer reads one answer, and reports whether it is the connection's last.
func (w *wire) answer(t Taker) (last bool, err error) {
	in := &w.in
	var h head
	for {
		if err := w.readHead(&h); err != nil {
			return true, err
		}
		if h.status < 100 || h.status >= 200 || h.status == http.StatusSwitchingProtocols {
			break
		}
	}
	in.res.Status, in.res.Type, in.res.Server = h.status, h.contentType, h.server
	if h.status < http.StatusOK {
		// Nobody asked for another protocol, and what follows a 101 has no end.
		return true, nil
	}
	in.left = math.MaxInt64
	return h.last, w.readBody(&h, t)
}

// source is the connection as its buffer reads it.
type source wire

// Read is called by the reader only.
func (s *source) Read(p []byte) (n int, err error) {
	in := &s.in
	switch {
	case in.ended != nil:
		return 0, in.ended
	case in.left <= 0:
		return 0, errHeadTooLong
	}
	p = p[:min(int64(len(p)), in.left)]
	if s.fd == nil {
		n, err = s.nc.Read(p)
	} else {
		in.p = p
		err = s.fd.Read(in.ready)
		n, in.p = in.n, nil
		if err == nil {
			err = in.err
		} else {
			n = 0
		}
	}
	in.left -= int64(n)
	in.ended = err
	return n, err
}

// readNow reads what the socket has. While the connection is idle it does so
// under the lock, so that what comes then is never taken for an answer.
func (w *wire) readNow(fd uintptr) bool {
	in := &w.in
	w.mu.Lock()
	idle := w.job.taker == nil
	if !idle {
		w.mu.Unlock()
	}
	n, blocked, err := readFD(int(fd), in.p)
	if idle {
		w.dead = w.dead || !blocked
		w.mu.Unlock()
	}
	switch {
	case blocked:
		return false
	case err != nil:
		in.n, in.err = 0, w.fault("read", err)
	case n == 0:
		in.n, in.err = 0, io.EOF
	default:
		in.n, in.err = n, nil
	}
	return true
}

// isSilent looks whether the idle connection has ended or said something.
func (w *wire) isSilent(fd uintptr) { w.in.spoke = !silent(int(fd)) }
