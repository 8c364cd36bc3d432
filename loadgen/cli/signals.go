package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
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
	return signals(ctx, func(os.Signal) bool { return false })
}

// onSecondSignal is onSignal, but the first interrupt stops sending and lets
// the run drain. It says so to w.
func onSecondSignal(ctx context.Context, loop runner, w io.Writer) (_ context.Context, stop func()) {
	drained := 0 // the run that was asked to
	return signals(ctx, func(s os.Signal) bool {
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

// signals ends the context it returns at the first signal that take does not
// take for itself.
func signals(ctx context.Context, take func(os.Signal) bool) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	got := make(chan os.Signal, 4)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) { // nohup means what it says
			signal.Notify(got, s)
		}
	}
	var group guard.Group
	group.Go("signals", func() {
		for {
			select {
			case s := <-got:
				if !take(s) {
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
