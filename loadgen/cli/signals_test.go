//go:build unix

package cli

import (
	"context"
	"errors"
	"io"
	"syscall"
	"testing"
	"time"

	"dev.example/pileup/loadgen/ledger"
)

// A stage is a run and its show at once. It can be told to raise a signal at
// each moment of a run's beginning.
type stage struct {
	t                       *testing.T
	preparing, ready, begun func() // at the end of the preparation, after it, and as the run begins
	hangs                   bool   // the preparation never ends, once preparing is called
	ran                     bool
}

func (s *stage) Prepare(ctx context.Context) error {
	call(s.preparing)
	if s.hangs {
		select {}
	}
	return nil
}

func (s *stage) Snapshot() *ledger.Snapshot { return &ledger.Snapshot{Run: 1} }

func (s *stage) Do(ledger.Command) (uint64, error) { return 1, nil }

func (s *stage) Run(ctx context.Context) error {
	s.ran = true
	call(s.begun)
	select {
	case <-ctx.Done():
	case <-time.After(10 * time.Second):
		s.t.Error("the signal was lost")
	}
	return nil
}

func (*stage) stays() bool { return false }

func (s *stage) run(hears *ear, loop runner) (int, error) {
	if code := hears.begin(loop, io.Discard, nil); code != exitOK {
		return code, nil
	}
	_ = loop.Run(hears.ctx)
	return signalCode(hears.ctx), nil
}

// listened does something while somebody listens, as drive does.
func listened(t *testing.T, do func(*ear) (int, error)) (int, error) {
	hears := listen(t.Context())
	defer hears.stop()
	code, err := do(hears)
	return endedBy(hears, io.Discard, code, err)
}

func call(f func()) {
	if f != nil {
		f()
	}
}

func raise(t *testing.T, s syscall.Signal) func() {
	return func() {
		if err := syscall.Kill(syscall.Getpid(), s); err != nil {
			t.Error(err)
		}
	}
}

// From the first question to a target until the run is over there is no moment
// at which a signal is lost.
func TestNoSignalIsLostBeforeARunBegins(t *testing.T) {
	term := raise(t, syscall.SIGTERM)
	for name, s := range map[string]stage{
		"as it is prepared": {preparing: term},
		"once it is":        {ready: term},
		"as it begins":      {begun: term},
	} {
		for range 50 { // a signal comes when the system likes
			s.t = t
			code, err := listened(t, func(hears *ear) (int, error) {
				return prepareAndShow(hears, &s, &s, func() { call(s.ready) })
			})
			if code != exitTerm || err != nil {
				t.Fatalf("%s: exit code %d, %v; want %d", name, code, err, exitTerm)
			}
		}
	}
}

// Whatever the preparation waits for, a signal ends it.
func TestASignalEndsAPreparationThatHangs(t *testing.T) {
	s := &stage{t: t, hangs: true, preparing: raise(t, syscall.SIGINT)}
	if code, err := listened(t, func(hears *ear) (int, error) { return prepareAndShow(hears, s, s, func() {}) }); code != exitCut || err != nil || s.ran {
		t.Errorf("exit code %d, %v, ran: %t; want %d and no run", code, err, s.ran, exitCut)
	}
}

// So does whoever called.
func TestACallerThatGivesUpEndsAPreparationThatHangs(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	e := listen(ctx)
	defer e.stop()
	why := errors.New("why")
	if err := e.during("prepare", func() error { cancel(why); select {} }); err != why {
		t.Errorf("%v, want %v", err, why)
	}
}

// A signal between preparation and run that has been heard is not forgotten:
// the run does not begin.
func TestASignalAfterThePreparationEndsIt(t *testing.T) {
	s := &stage{t: t}
	var hears *ear
	show := showFunc(func(e *ear, loop runner) (int, error) {
		hears = e
		e.taken(syscall.SIGTERM)
		return s.run(e, loop)
	})
	code, err := listened(t, func(hears *ear) (int, error) { return prepareAndShow(hears, s, show, func() {}) })
	if code != exitTerm || err != nil || s.ran {
		t.Errorf("exit code %d, %v, ran: %t; want %d and no run", code, err, s.ran, exitTerm)
	}
	if hears.ctx.Err() == nil {
		t.Error("somebody still listens")
	}
}

type showFunc func(*ear, runner) (int, error)

func (showFunc) stays() bool                                { return false }
func (f showFunc) run(hears *ear, loop runner) (int, error) { return f(hears, loop) }
