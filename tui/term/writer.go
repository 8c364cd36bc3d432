// Package term is the terminal at the other end: an output that never makes
// the program wait, the way back to a usable shell, and what the terminal can
// show.
//
// The one idea: bubbletea writes while it holds the renderer's lock, so one
// write(2) that blocks stops keys, quitting and even SIGTERM. A [Writer] takes
// the write off that path and drops whole frames when the link is slow. It
// never drops or reorders control sequences, and after a drop nothing but a
// complete repaint is let through, so the screen is late but never wrong.
//
// It refuses to know what is drawn.
package term

import (
	"bytes"
	"errors"
	"os"
	"sync"
	"time"
)

// ErrStalled says that the terminal took no more bytes when it was closed.
var ErrStalled = errors.New("terminal takes no more output")

// How bubbletea's output begins. In the alternate screen only a frame starts
// with a cursor sent home, and only one that repaints every line goes on with
// a carriage return.
var (
	home = []byte("\x1b[H")
	full = []byte("\x1b[H\r")
)

// A Writer is an output for bubbletea. Its methods may be called from any
// goroutine. It is a file with a descriptor (Fd), which bubbletea needs to
// learn the size of the screen.
//
// The file is not embedded: *os.File has WriteString, which bubbletea's
// control sequences would use, past the queue.
type Writer struct {
	f        *os.File
	repaint  func()
	lost     func(error)
	patience time.Duration // how long Close waits for a write that does not end

	mu      sync.Mutex
	change  *sync.Cond // of anything below
	pending []byte     // not yet handed to the terminal
	busy    bool       // a write is under way
	running bool
	closed  bool
	err     error

	stale bool // a frame was dropped: only a full repaint is of use
	want  bool // a repaint is to be asked for
	asked int  // frames that may pass by before it is asked for again

	dropped, written int64
	writes           int // that have ended
}

// NewWriter returns a writer to f. Nothing is written before Run.
//
// repaint is called when frames were dropped and the terminal is free again;
// it has to cause a full repaint (a tea.WindowSizeMsg does). lost is called
// once when the terminal is gone. Both are called by Run and may be nil.
func NewWriter(f *os.File, repaint func(), lost func(error)) *Writer {
	w := &Writer{f: f, repaint: repaint, lost: lost, patience: time.Second}
	w.change = sync.NewCond(&w.mu)
	return w
}

// Write queues b, or drops it if it is a frame and the terminal is not ready
// for one. It never waits for the terminal and never fails: bubbletea ignores
// errors of its output, lost tells of them.
func (w *Writer) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil || w.closed {
		return len(b), nil
	}
	if isFrame(b) && !w.admit(b) {
		w.dropped++
		return len(b), nil
	}
	w.pending = append(w.pending, b...)
	w.change.Broadcast()
	return len(b), nil
}

func isFrame(b []byte) bool { return len(b) > len(home) && bytes.HasPrefix(b, home) }

// admit decides about a frame and keeps account of what the screen lacks.
func (w *Writer) admit(b []byte) bool {
	whole := bytes.HasPrefix(b, full)
	switch {
	case w.busy || len(w.pending) > 0:
		w.stale = true
		w.ask()
		return false
	case w.stale && !whole:
		if w.asked--; w.asked <= 0 {
			w.ask()
		}
		return false
	}
	w.stale = false
	return true
}

func (w *Writer) ask() {
	w.want = true
	w.change.Broadcast()
}

// Run hands what was written to the terminal until Close. Its caller gives it
// a goroutine.
func (w *Writer) Run() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running = true
	for {
		switch {
		case len(w.pending) > 0 && w.err == nil:
			w.flush()
		case w.closed:
			w.running = false
			w.change.Broadcast()
			return
		case w.want && w.err == nil:
			w.want, w.asked = false, 8
			w.call(w.repaint)
		default:
			w.change.Wait()
		}
	}
}

// flush writes all that is pending, without holding the lock.
func (w *Writer) flush() {
	b := w.pending
	w.pending, w.busy = nil, true
	w.mu.Unlock()
	n, err := w.f.Write(b)
	w.mu.Lock()
	w.busy = false
	w.written += int64(n)
	w.writes++
	if err != nil {
		w.err, w.pending = err, nil
		w.call(func() {
			if w.lost != nil {
				w.lost(err)
			}
		})
	}
	w.change.Broadcast()
}

func (w *Writer) call(f func()) {
	if f == nil {
		return
	}
	w.mu.Unlock()
	defer w.mu.Lock()
	f()
}

// Read reads from the terminal.
func (w *Writer) Read(b []byte) (int, error) { return w.f.Read(b) }

// Fd is the terminal's descriptor.
func (w *Writer) Fd() uintptr { return w.f.Fd() }

// Drain waits until the terminal has taken everything written, at most for d,
// and reports whether it has.
func (w *Writer) Drain(d time.Duration) bool { return w.wait(d, w.drained) }

func (w *Writer) drained() bool { return w.err != nil || len(w.pending) == 0 && !w.busy }

// Release drains what gives the terminal to somebody else, and makes room for
// it as Close does.
func (w *Writer) Release(d time.Duration) bool { return w.Drain(d) || w.force() }

// Close ends Run once everything is written and waits for it. To a terminal
// that takes nothing for a second it still gives what ends every mode, and then
// the rest, in place of what it had been given and has not shown: see [discard].
// If it takes not even that, Close returns [ErrStalled], and Run ends only when
// the write that hangs does. The file stays open: it is not the writer's.
func (w *Writer) Close() error {
	w.mu.Lock()
	w.closed = true
	w.change.Broadcast()
	w.mu.Unlock()
	if !w.wait(w.patience, w.ended) && !(w.force() && w.wait(w.patience, w.ended)) {
		return ErrStalled
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// ended reports whether Run has nothing to do any more.
func (w *Writer) ended() bool { return !w.running && (len(w.pending) == 0 || w.err != nil) }

// force makes room for what gives the terminal back, behind the write that
// hangs, and reports whether everything was written then. Once that write has
// ended nothing is thrown away any more: it might be what gives it back.
func (w *Writer) force() bool {
	w.mu.Lock()
	w.pending = append([]byte(leave), w.pending...)
	hung := w.writes
	w.mu.Unlock()
	for range 50 { // that write may be longer than what there is room for, and is then thrown away bit by bit
		w.mu.Lock()
		if w.writes == hung {
			discard(w.f.Fd())
		}
		w.mu.Unlock()
		if w.wait(w.patience/50, func() bool { return w.writes > hung }) {
			return w.Drain(w.patience)
		}
	}
	return false
}

// wait waits until done or d has passed and returns what done says then.
func (w *Writer) wait(d time.Duration, done func() bool) bool {
	late := false
	t := time.AfterFunc(d, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		late = true
		w.change.Broadcast()
	})
	defer t.Stop()
	w.mu.Lock()
	defer w.mu.Unlock()
	for !done() && !late {
		w.change.Wait()
	}
	return done()
}

// Stats tells how many frames were dropped and how many bytes were written.
func (w *Writer) Stats() (dropped, written int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.dropped, w.written
}
