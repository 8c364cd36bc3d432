package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"

	"dev.example/pileup/loadgen/guard"
	"dev.example/pileup/loadgen/ledger"
)

// killed is the cause of a context that a signal ended.
type killed struct{ os.Signal }

func (k killed) Error() string { return "ended by " + k.String() }

// EndedBy names what ended a run, for [run.Loop].
func (k killed) EndedBy() string {
	switch k.Signal {
	case syscall.SIGTERM:
		return "sigterm"
	case syscall.SIGHUP:
		return "hang-up"
	}
	return "interrupt"
}

// onSignal returns a context that the first interrupt, SIGTERM or SIGHUP ends.
// stop must be called; signals are the system's again then.
func onSignal(ctx context.Context) (_ context.Context, stop func()) {
	e := listen(ctx)
	return e.ctx, e.stop
}

// ending are the signals that end a run.
var ending = []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}

// An ear hears the signals of a run, from before it is prepared until it is
// over: there is no moment between at which one would get lost.
type ear struct {
	ctx    context.Context // ended by the first signal that nobody took
	cancel context.CancelCauseFunc
	got    chan os.Signal
	group  guard.Group

	mu   sync.Mutex
	take func(os.Signal) bool // nil: every signal ends ctx
}

// listen hears the signals that end a run. stop must be called. An output whose
// reader has gone is one that is lost, from now on, and ends nothing.
func listen(ctx context.Context) *ear {
	signal.Ignore(syscall.SIGPIPE)
	e := &ear{got: make(chan os.Signal, 8)}
	e.ctx, e.cancel = context.WithCancelCause(ctx)
	e.notify(ending)
	e.group.Go("signals", e.hear)
	return e
}

func (e *ear) notify(some []syscall.Signal) {
	for _, s := range some {
		if !signal.Ignored(s) && !ignoredFromStart(s) { // nohup means what it says
			signal.Notify(e.got, s)
		}
	}
}

func (e *ear) hear() {
	for {
		select {
		case s := <-e.got:
			if !e.taken(s) {
				return
			}
		case <-e.ctx.Done():
			return
		}
	}
}

// taken reports whether somebody took the signal; else it ends ctx.
func (e *ear) taken(s os.Signal) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.take != nil && e.take(s) {
		return true
	}
	signal.Stop(e.got) // one more ends the process at once
	e.cancel(killed{s})
	return false
}

// during does what comes before a run, and returns its error. When ctx is done it
// leaves that behind, whatever it waits for, and returns the cause: at a signal a
// killed.
func (e *ear) during(what string, do func() error) error {
	var group guard.Group
	done := make(chan error, 1)
	group.Go(what, func() { done <- do() })
	select {
	case err := <-done:
		if by, is := errors.AsType[killed](context.Cause(e.ctx)); is {
			return by
		}
		return err
	case <-e.ctx.Done():
		return context.Cause(e.ctx)
	}
}

// stop makes signals the system's again.
func (e *ear) stop() {
	signal.Stop(e.got)
	e.cancel(nil)
	e.group.Wait()
}

// begin is called when a run begins: from now on the first interrupt stops
// sending and lets the run drain. It says so to w. Other signals do what they
// are there for. It returns the exit code of a signal that came before, and 0
// if there was none.
func (e *ear) begin(loop runner, w io.Writer, others map[syscall.Signal]func(context.Context)) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	if code := signalCode(e.ctx); code != exitOK {
		return code
	}
	drained := 0 // the run that was asked to
	e.take = func(s os.Signal) bool {
		if other := others[s.(syscall.Signal)]; other != nil {
			other(e.ctx)
			return true
		}
		now := loop.Snapshot()
		if s != os.Interrupt || drained == now.Run || now.Phase == ledger.Ended {
			return false
		}
		drained = now.Run
		if now.Phase != ledger.Draining {
			if _, err := loop.Do(ledger.Command{Do: ledger.DoStop, Lane: ledger.All, By: "signal"}); err != nil {
				return false
			}
		}
		fmt.Fprintln(w, "pileup: waiting for what is open; interrupt again to give it up")
		return true
	}
	e.notify(slices.Collect(maps.Keys(others)))
	return exitOK
}

// signalCode is the exit code of the signal that ended ctx, or 0.
func signalCode(ctx context.Context) int {
	if by, is := errors.AsType[killed](context.Cause(ctx)); is {
		return by.code()
	}
	return exitOK
}

func (k killed) code() int {
	switch k.Signal {
	case syscall.SIGTERM:
		return exitTerm
	case syscall.SIGHUP:
		return exitHangup
	}
	return exitCut
}
