package httpconn

import (
	"sync"
	"time"
)

// lingering is how long the answer of a server is waited for that takes no more
// of the request.
const lingering = 100 * time.Millisecond

// outgoing is what a connection has to write and how far it is.
type outgoing struct {
	mu    sync.Mutex // held from attach to the end of the first write
	lead  []byte     // not yet taken by the connection
	rest  []byte     // follows it
	taken int        // bytes that it took
	head  int        // bytes of them that are no body
	err   error      // what ended the writing
	turn  int        // counts requests and their ends: what an earlier write did is of no interest
	given int        // bytes that a connection that is no socket is being given
	sent  time.Time  // the first write began

	kick   chan struct{} // capacity 1: the writer has something to write
	closed chan struct{} // closed by the reader at its end

	now, later func(fd uintptr) bool // writeNow and writeLater, made once
}

func (o *outgoing) next() []byte {
	if len(o.lead) > 0 {
		return o.lead
	}
	return o.rest
}

// pending reports whether something is left to write and can be.
func (o *outgoing) pending() bool { return len(o.next()) > 0 && o.err == nil }

func (o *outgoing) took(n int) {
	o.taken += n
	k := min(n, len(o.lead))
	o.lead, o.rest = o.lead[k:], o.rest[n-k:]
}

func (o *outgoing) fail(err error) {
	if err != nil && o.err == nil && len(o.next()) > 0 {
		o.err = err
	}
}

// send writes the request that was attached: what the socket takes of it in one
// write here, the rest in the writer.
func (w *wire) send(s *script) {
	o := &w.out // locked by attach
	o.lead, o.rest, o.head, o.taken, o.err = s.lead, s.rest, s.head, 0, nil
	o.sent = time.Now()
	w.job.stamps.Sent()
	if w.fd != nil {
		o.fail(w.fd.Write(o.now))
	}
	more, broken := o.pending(), o.err != nil
	o.mu.Unlock()
	switch {
	case broken:
		w.linger()
	case more:
		w.goOn()
	}
}

// writeNow runs under the lock of outgoing. That the writer takes the two locks
// in the other order does no harm: it asks for the socket only while a request
// is unfinished, and no other is sent then.
func (w *wire) writeNow(fd uintptr) bool {
	w.push(int(fd))
	return true
}

// writeLater waits for room in the socket when it returns false.
func (w *wire) writeLater(fd uintptr) bool {
	w.out.mu.Lock()
	defer w.out.mu.Unlock()
	return !w.push(int(fd))
}

// push writes once, and reports whether the socket is full. A peer that reads as
// fast as we write would keep one that goes on for as long as the body is.
func (w *wire) push(fd int) (full bool) {
	o := &w.out
	if !o.pending() {
		return false
	}
	n, blocked, err := writeFD(fd, o.lead, o.rest)
	switch {
	case blocked:
		return true
	case err != nil:
		o.fail(w.fault("write", err))
	default:
		o.took(n)
	}
	return false
}

// goOn leaves the rest to the writer.
func (w *wire) goOn() {
	w.mu.Lock()
	if !w.writer && !w.gone {
		w.writer = true
		w.pool.group.Go("http request", w.write)
	}
	w.mu.Unlock()
	select {
	case w.out.kick <- struct{}{}:
	default: // the writer has still to take the last one
	}
}

// write is the writer.
func (w *wire) write() {
	for {
		select {
		case <-w.out.kick:
		case <-w.out.closed:
			return
		}
		if w.fd != nil {
			w.writeOut()
		} else {
			w.copyOut()
		}
		if w.broken() {
			w.linger()
		}
	}
}

// writeOut writes to the socket, write by write so that whoever wants the lock
// or closes the connection waits for one only.
func (w *wire) writeOut() {
	o := &w.out
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.pending() {
		o.mu.Unlock()
		err := w.fd.Write(o.later)
		o.mu.Lock()
		o.fail(err)
	}
}

// copyOut writes to a connection that is no socket, piece by piece so that it
// is known what it took.
func (w *wire) copyOut() {
	o := &w.out
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.pending() {
		p := o.next()
		p = p[:min(len(p), piece)]
		turn := o.turn
		o.given = len(p)
		o.mu.Unlock()
		n, err := w.nc.Write(p)
		o.mu.Lock()
		if o.turn != turn {
			return
		}
		o.given = 0
		o.fail(err)
		o.took(n)
	}
}

// broken reports whether the connection takes no more.
func (w *wire) broken() bool {
	w.out.mu.Lock()
	defer w.out.mu.Unlock()
	return w.out.err != nil
}

// linger waits a little for the answer of a server that takes no more: it may
// have said why.
func (w *wire) linger() {
	if w.nc.SetReadDeadline(time.Now().Add(lingering)) != nil {
		_ = w.nc.Close()
	}
}

// begun is when the request was sent. It waits until it has been.
func (o *outgoing) begun() time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.sent
}

// settle ends the writing of a request that has ended. whole says that all of it
// was written. A write of all that was left is taken for done: an answer may be
// here before the writer has said so.
func (w *wire) settle() (whole bool, up int, err error) {
	o := &w.out
	o.mu.Lock()
	defer o.mu.Unlock()
	if whole = len(o.lead)+len(o.rest) == o.given; whole {
		o.taken += o.given
	}
	up, err = max(0, o.taken-o.head), o.err
	o.lead, o.rest, o.given = nil, nil, 0
	o.turn++
	return whole, up, err
}
