package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"dev.example/pileup/loadgen/guard"
	"dev.example/pileup/loadgen/ledger"
)

// killed is the cause of a context that a signal ended.
type killed struct{ os.Signal }

func (k killed) Error() string { return "ended by " + k.String() }

// onSignal returns a context that the first interrupt, SIGTERM or SIGHUP ends.
// stop must be called; signals are the system's again then.
func onSignal(ctx context.Context) (_ context.Context, stop func()) {
	return signals(ctx, ending, func(context.Context, os.Signal) bool { return false })
}

// onSecondSignal is onSignal, but the first interrupt stops sending and lets
// the run drain. It says so to w. Other signals do what they are there for.
func onSecondSignal(ctx context.Context, loop runner, w io.Writer, others map[syscall.Signal]func(context.Context)) (_ context.Context, stop func()) {
	drained := 0 // the run that was asked to
	all := slices.Clone(ending)
	for s := range others {
		all = append(all, s)
	}
	return signals(ctx, all, func(ctx context.Context, s os.Signal) bool {
		if other := others[s.(syscall.Signal)]; other != nil {
			other(ctx)
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
	})
}

// ending are the signals that end a run.
var ending = []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}

// signals ends the context it returns at the first one of some signals that
// take does not take for itself.
func signals(ctx context.Context, some []syscall.Signal, take func(context.Context, os.Signal) bool) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	got := make(chan os.Signal, 8)
	for _, s := range some {
		if !signal.Ignored(s) && !ignoredFromStart(s) { // nohup means what it says
			signal.Notify(got, s)
		}
	}
	var group guard.Group
	group.Go("signals", func() {
		for {
			select {
			case s := <-got:
				if !take(ctx, s) {
					signal.Stop(got) // one more ends the process at once
					cancel(killed{s})
					return
				}
			case <-ctx.Done():
				return
			}
		}
	})
	return ctx, func() {
		signal.Stop(got)
		cancel(nil)
		group.Wait()
	}
}

// signalCode is the exit code of the signal that ended ctx, or 0.
func signalCode(ctx context.Context) int {
	var k killed
	if !errors.As(context.Cause(ctx), &k) {
		return exitOK
	}
	switch k.Signal {
	case syscall.SIGTERM:
		return exitTerm
	case syscall.SIGHUP:
		return exitHangup
	}
	return exitCut
}
