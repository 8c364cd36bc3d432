package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/run"
)

// bySuspend marks the commands of a suspension.
const bySuspend = "suspend"

// A suspender suspends the program: what is sent pauses, so that no request is
// due meanwhile, and the process stops until somebody continues it.
type suspender struct {
	loop   runner
	stop   func() error // stops the process until it is continued
	paused []int        // lanes that were paused for it; All stands for each
	away   atomic.Bool  // the terminal is the shell's
}

// suspends is what SIGTSTP does where there is no screen: the terminal has sent
// it to the whole group, of which the others have stopped.
func suspends(loop runner) map[syscall.Signal]func(context.Context) {
	return map[syscall.Signal]func(context.Context){unix.SIGTSTP: func(ctx context.Context) {
		s := &suspender{loop: loop, stop: stopSelf}
		if !s.Able() {
			return
		}
		_ = s.Suspend() // if nothing stopped it, it goes on
		for s.Resume() != nil && ctx.Err() == nil {
			time.Sleep(10 * time.Millisecond) // until there is room in the queue
		}
	}}
}

// Able is part of tui.Suspender.
func (*suspender) Able() bool { return !orphaned() && !ignoredFromStart(unix.SIGTSTP) }

// Suspend is part of tui.Suspender.
func (s *suspender) Suspend() error {
	s.away.Store(true)
	s.pause()
	return s.stop()
}

// Resume is part of tui.Suspender. After an error it can be tried again. A run
// that is over has nothing to resume.
func (s *suspender) Resume() error {
	s.away.Store(false)
	for len(s.paused) > 0 {
		_, err := s.loop.Do(ledger.Command{Do: ledger.DoResume, Lane: s.paused[0], By: bySuspend})
		if err != nil && !errors.Is(err, run.ErrOver) {
			return err
		}
		s.paused = s.paused[1:]
	}
	return nil
}

// patience is how long a suspension waits for the run to say that it pauses.
const patience = 500 * time.Millisecond

// pause pauses the lanes that send, and waits until they do not.
func (s *suspender) pause() {
	var last uint64
	for _, lane := range sending(s.loop.Snapshot()) {
		id, err := s.loop.Do(ledger.Command{Do: ledger.DoPause, Lane: lane, By: bySuspend})
		if err != nil {
			break
		}
		s.paused, last = append(s.paused, lane), id
	}
	if last == 0 {
		return
	}
	late := time.NewTimer(patience)
	defer late.Stop()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !answered(s.loop.Snapshot(), last) {
		select {
		case <-late.C:
			return
		case <-tick.C:
		}
	}
}

// answered reports whether a command has its answer. Pauses are answered in
// their order.
func answered(s *ledger.Snapshot, id uint64) bool {
	return slices.ContainsFunc(s.Commands, func(a ledger.Ack) bool { return a.ID == id && a.State != ledger.Pending })
}

// sending lists the lanes that send: just All, for one instant for them all,
// if none is paused.
func sending(s *ledger.Snapshot) (lanes []int) {
	if s.Phase != ledger.Sending {
		return nil
	}
	paused := false
	for i := range s.Lanes {
		switch l := &s.Lanes[i]; {
		case l.Ended:
		case l.Setting.Paused:
			paused = true
		default:
			lanes = append(lanes, i)
		}
	}
	if !paused {
		return []int{ledger.All}
	}
	return lanes
}

// errNotStopped says that a stop had no effect.
var errNotStopped = errors.New("not stopped")

// stopGroup stops the process group as ctrl+z does, and waits until it is
// continued.
func stopGroup() error {
	return untilContinued(func() error { return unix.Kill(0, unix.SIGTSTP) })
}

// stopSelf stops this process alone: the others of its group have stopped by
// themselves.
func stopSelf() error {
	return untilContinued(func() error { return unix.Kill(os.Getpid(), unix.SIGSTOP) })
}

// untilContinued does what stops the process, and returns when it goes on.
func untilContinued(stop func() error) error {
	cont := make(chan os.Signal, 1)
	signal.Notify(cont, syscall.SIGCONT)
	defer signal.Stop(cont)
	if err := stop(); err != nil {
		return err
	}
	// The process stops within one of these. Their time goes on meanwhile, so
	// the second is there for a signal that comes just after the first.
	for range 2 {
		select {
		case <-cont:
			return nil
		case <-time.After(150 * time.Millisecond):
		}
	}
	return errNotStopped
}
