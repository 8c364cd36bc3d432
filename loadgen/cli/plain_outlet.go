package cli

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"dev.example/pileup/loadgen/guard"
)

// errNotTaken says that an output took nothing any more and was not waited for.
var errNotTaken = errors.New("output is not read")

// An outlet is an output whose other end may stop reading: writing to it never
// waits, so that signals are heard and the run goes on.
type outlet struct {
	to io.Writer

	mu      sync.Mutex
	pending []byte
	busy    bool // somebody writes what is pending
	err     error
	taken   chan struct{} // full: something was, since finish looked last
	group   guard.Group
}

func newOutlet(to io.Writer) *outlet { return &outlet{to: to, taken: make(chan struct{}, 1)} }

// Write never fails: finish tells of errors.
func (o *outlet) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil && len(b) > 0 {
		o.pending = append(o.pending, b...)
		if !o.busy {
			o.busy = true
			o.group.Go("output", o.write)
		}
	}
	return len(b), nil
}

// write writes until nothing is pending, in pieces: each one taken shows that
// the other end still reads.
func (o *outlet) write() {
	const piece = 4096
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.pending) > 0 {
		b := o.pending[:min(len(o.pending), piece)]
		o.pending = o.pending[len(b):]
		o.mu.Unlock()
		_, err := o.to.Write(b)
		o.mu.Lock()
		if err != nil && o.err == nil {
			o.err, o.pending = err, nil
		}
		o.busy = len(o.pending) > 0
		ask(o.taken)
	}
	o.pending = nil
}

// idle reports whether everything has been taken, or nothing ever will.
func (o *outlet) idle() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return !o.busy || o.err != nil
}

// finish waits until everything has been taken: as long as that needs, but once
// ctx is done only while something is taken each second.
func (o *outlet) finish(ctx context.Context) error {
	const most = time.Second
	late := time.NewTimer(most)
	defer late.Stop()
	ended := ctx.Done()
	for !o.idle() {
		select {
		case <-o.taken:
			late.Reset(most)
		case <-ended:
			ended = nil
			late.Reset(most)
		case <-late.C:
			if ctx.Err() != nil {
				o.giveUp()
			}
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// giveUp leaves behind the write that hangs.
func (o *outlet) giveUp() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.busy {
		o.err, o.pending = errNotTaken, nil
	}
}

// through shows a run whose outputs, for as long, make nobody wait, and returns
// when they have taken everything or are given up: see [outlet.finish]. finish
// waits for the first one, whose end the other comes behind.
func through(std *streams, hears *ear, show func(finish func() error) (int, error)) (int, error) {
	out, errs := newOutlet(std.out), newOutlet(std.err)
	std.out, std.err = out, errs
	given := false
	finish := func() error {
		err := out.finish(hears.ctx)
		if errors.Is(err, errNotTaken) {
			given = true
			return nil // the code of the signal says it
		}
		if err != nil {
			return outputLost(err)
		}
		return nil
	}
	code, err := show(finish)
	if e := finish(); err == nil {
		err = e
	}
	_ = errs.finish(hears.ctx) // there is nowhere to tell of it
	if given && code == exitOK {
		code = signalCode(hears.ctx) // it cut no run, but what was to be said of it
	}
	return code, err
}
