package httpconn

import (
	"bufio"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"dev.example/pileup/loadgen"
)

// A wire is one connection that we write to ourselves. It carries one request
// at a time:
//
//	idle ──attach──▶ carries a request ──send──▶ … answer … ──detach──▶ idle
//
// Whoever sends writes, in its own goroutine, what the socket takes in one write;
// the writer, a goroutine of the connection, writes the rest. Only the reader,
// its other goroutine, ends a request. What can end a connection (Abort, the
// idle timer, the pool) closes it, and the reader sees to the rest.
type wire struct {
	pool *pool
	nc   net.Conn
	fd   syscall.RawConn // its socket, nil if it is no TCP connection
	peer string
	made time.Duration // what making it took
	out  outgoing
	in   incoming

	mu     sync.Mutex // held shortly, and never while something is called or closed
	job    job        // what it carries; without a taker it is idle
	cause  error      // why the request is given up
	used   bool       // it has carried a request before this one
	dead   bool       // it spoke or ended while idle
	gone   bool       // its reader has ended, or is about to
	writer bool       // the writer was started

	since time.Time // it is idle; the pool's, under its lock
}

// A job is one request on its way.
type job struct {
	owner  any // what Abort knows it by
	stamps loadgen.Stamps
	taker  Taker
	size   int // of its body
}

func newWire(p *pool, c net.Conn, making time.Duration) *wire {
	w := &wire{pool: p, nc: c, fd: descriptor(c), made: making}
	if a := c.RemoteAddr(); a != nil {
		w.peer = a.String()
	}
	w.out.kick, w.out.closed = make(chan struct{}, 1), make(chan struct{})
	w.out.now, w.out.later = w.writeNow, w.writeLater
	w.in.silent, w.in.ready = w.isSilent, w.readNow
	w.in.br = bufio.NewReaderSize((*source)(w), readBytes)
	return w
}

// attach gives the connection a request to carry. It fails if the connection
// has ended or said something while it was idle. After true comes send: until
// then the reader is kept waiting, so that no answer is looked at before it was
// asked for.
func (w *wire) attach(j job) bool {
	w.out.mu.Lock()
	w.mu.Lock()
	ok := !w.dead
	if ok && w.used && w.fd != nil {
		ok = w.fd.Control(w.in.silent) == nil && !w.in.spoke
	}
	if ok {
		w.job, w.cause = j, nil
	} else {
		w.dead = true
	}
	w.mu.Unlock()
	if !ok {
		w.out.mu.Unlock()
		// The reader hears it too; a connection without an end would not
		// wake it.
		_ = w.nc.Close()
	}
	return ok
}

// carried is the request whose answer comes. Without one the connection is
// dead from here on.
func (w *wire) carried() (job, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.job.taker == nil {
		w.dead = true
		return job{}, false
	}
	return w.job, true
}

// detach ends what the connection carries, and returns why it was given up, if
// it was.
func (w *wire) detach() (cause error, reused bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	cause, reused = w.cause, w.used
	w.job, w.used = job{}, true
	return cause, reused
}

// Abort gives up r's request if the connection still carries it.
func (w *wire) Abort(r loadgen.Reply, cause error) { w.abort(r, cause) }

func (w *wire) abort(owner any, cause error) {
	w.mu.Lock()
	ours := w.job.taker != nil && w.job.owner == owner && w.cause == nil
	if ours {
		w.cause = cause
	}
	w.mu.Unlock()
	if ours {
		_ = w.nc.Close()
	}
}

// leave ends the connection. Only the reader calls it, as its last act on the
// connection.
func (w *wire) leave() {
	_ = w.nc.Close()
	w.mu.Lock()
	w.dead, w.gone = true, true
	w.mu.Unlock()
	close(w.out.closed)
	w.pool.drop(w)
}

// fault is an error of the socket as package net puts it.
func (w *wire) fault(op string, err error) error {
	return &net.OpError{Op: op, Net: "tcp", Source: w.nc.LocalAddr(), Addr: w.nc.RemoteAddr(), Err: os.NewSyscallError(op, err)}
}
