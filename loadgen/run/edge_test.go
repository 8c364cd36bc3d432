package run

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/runfile"
	"dev.example/pileup/probes"
)

// One command to all lanes opens one segment, on real threads too, where no two
// readings of the clock agree.
func TestOneCommandToAllLanesOpensOneSegment(t *testing.T) {
	e := &endpoint{service: always(time.Millisecond)}
	l, wait := start(t, t.Context(), e, Options{Setup: setup(4)})
	id := do(t, l, ledger.Command{Do: ledger.DoRate, Lane: ledger.All, To: 70})
	for ackOf(l.Snapshot(), id).State == ledger.Pending || ackOf(l.Snapshot(), id).ID == 0 {
		time.Sleep(time.Millisecond)
	}
	do(t, l, ledger.Command{Do: ledger.DoCut, Lane: ledger.All})
	if err := wait(); err != nil {
		t.Fatal(err)
	}
	s := l.Snapshot()
	if len(s.Segments) != 2 || s.Segments[1].Lane != ledger.All {
		t.Fatalf("segments %+v", s.Segments)
	}
	for i, set := range s.Segments[1].Settings {
		if set.Rate != 17.5 { // 70 of all four
			t.Errorf("lane %d is at %g/s", i, set.Rate)
		}
	}
}

func TestAnUnchangedSettingOpensNoSegment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{service: always(time.Millisecond)}
		opt := Options{Setup: setup(1)}
		opt.Setup.Length = 2 * time.Second
		l, wait := start(t, t.Context(), e, opt)
		time.Sleep(time.Second)
		id := do(t, l, ledger.Command{Do: ledger.DoRate, To: 50})
		if err := wait(); err != nil {
			t.Fatal(err)
		}
		s := l.Snapshot()
		if len(s.Segments) != 1 || ackOf(s, id).State != ledger.Applied {
			t.Errorf("%d segments, %+v", len(s.Segments), ackOf(s, id))
		}
	})
}

// slowBoard takes a second over a reading, and what it then says is what was
// when it began.
type slowBoard struct{ board }

func (b *slowBoard) Read(ctx context.Context) (probes.Sample, error) {
	s, err := b.board.Read(ctx)
	time.Sleep(700 * time.Millisecond)
	return s, err
}

func TestAStaleReadingDoesNotFlipThePowerModeBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{service: always(time.Millisecond)}
		opt := Options{Setup: setup(1), Probes: []probes.Probe{&slowBoard{}}}
		opt.Setup.Length = 6 * time.Second
		l, wait := start(t, t.Context(), e, opt)
		time.Sleep(2100 * time.Millisecond) // a reading is under way
		do(t, l, ledger.Command{Do: ledger.DoMode, Mode: 1})
		if err := wait(); err != nil {
			t.Fatal(err)
		}
		var modes []string
		for _, s := range l.Snapshot().Segments {
			modes = append(modes, s.Modes[0])
		}
		if !slices.Equal(modes, []string{"MAXN", "15W"}) {
			t.Errorf("modes %v", modes)
		}
	})
}

func TestProbeGapsAreRecordedAndNothingBehindTheEnd(t *testing.T) {
	var file bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		e := &endpoint{service: always(time.Millisecond)}
		b := &board{fail: errors.New("broken")}
		opt := Options{Setup: setup(1), Probes: []probes.Probe{b}, Stay: true, Record: func(int) (File, error) {
			return File{Name: "out", WriteCloser: nopCloser{&file}}, nil
		}}
		opt.Setup.Length = 3 * time.Second
		_, wait := start(t, ctx, e, opt)
		time.Sleep(20 * time.Second)
		cancel()
		if err := wait(); err != nil {
			t.Fatal(err)
		}
	})
	lines := bytes.Split(bytes.TrimSpace(file.Bytes()), []byte("\n"))
	if last := lines[len(lines)-1]; !bytes.HasPrefix(last, []byte(`{"t":"end"`)) {
		t.Errorf("the last line is %s", last)
	}
	run, err := runfile.Load(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Probes) < 3 || run.Probes[0].Sample != nil || run.Probes[0].Why != "broken" {
		t.Errorf("%d probe lines: %+v", len(run.Probes), run.Probes)
	}
}

type sigterm struct{ error }

func (sigterm) EndedBy() string { return "sigterm" }

func TestTheEndSaysWhatEndedIt(t *testing.T) {
	tests := map[string]struct {
		act  func(l *Loop, cancel context.CancelCauseFunc)
		want string
	}{
		"by itself": {func(*Loop, context.CancelCauseFunc) {}, "done"},
		"cut":       {func(l *Loop, _ context.CancelCauseFunc) { _, _ = l.Do(ledger.Command{Do: ledger.DoCut}) }, "cut"},
		"left":      {func(_ *Loop, cancel context.CancelCauseFunc) { cancel(nil) }, "quit"},
		"a signal":  {func(_ *Loop, cancel context.CancelCauseFunc) { cancel(sigterm{errors.New("a signal")}) }, "sigterm"},
		"stop, cut": {func(l *Loop, _ context.CancelCauseFunc) {
			_, _ = l.Do(ledger.Command{Do: ledger.DoStop, Lane: ledger.All})
		}, "done"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				e := &endpoint{service: always(time.Millisecond)} // nothing is open when it ends
				opt := Options{Setup: setup(1)}
				opt.Setup.Length = 3 * time.Second
				l, wait := start(t, ctx, e, opt)
				time.Sleep(1510 * time.Millisecond)
				tt.act(l, cancel)
				if err := wait(); err != nil {
					t.Fatal(err)
				}
				if got := l.Snapshot().Why; got != tt.want {
					t.Errorf("why %q, want %q", got, tt.want)
				}
			})
		})
	}
}

func TestAFileOpenedForARunThatNeverBeganIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		e := &endpoint{service: always(time.Hour)}
		opened, removed := 0, 0
		opt := Options{Setup: setup(1), Record: func(int) (File, error) {
			opened++
			return File{WriteCloser: nopCloser{io.Discard}, Remove: func() error { removed++; return nil }}, nil
		}}
		l, wait := start(t, ctx, e, opt)
		time.Sleep(time.Second)
		do(t, l, ledger.Command{Do: ledger.DoRestart})
		cancel() // whether the loop hears of the restart before is chance
		if err := wait(); err != nil {
			t.Fatal(err)
		}
		if s := l.Snapshot(); removed != opened-s.Run {
			t.Errorf("%d files were opened for %d runs, %d taken back", opened, s.Run, removed)
		}
	})
}

func TestAModelForLanesThatHaveStoppedIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{service: always(3 * time.Second)}
		l, wait := start(t, t.Context(), e, Options{Setup: setup(1)})
		e.loading = time.Second
		time.Sleep(time.Second)
		id := do(t, l, ledger.Command{Do: ledger.DoModel, Name: "yolo"})
		do(t, l, ledger.Command{Do: ledger.DoStop, Lane: ledger.All})
		if err := wait(); err != nil {
			t.Fatal(err)
		}
		s := l.Snapshot()
		if a := ackOf(s, id); a.State != ledger.Refused || s.Lanes[0].Setting.Model != "m" {
			t.Errorf("%+v, model %q", a, s.Lanes[0].Setting.Model)
		}
	})
}

func TestARestartKeepsPausesAndSaysWhatIsSentNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		e := &endpoint{service: always(time.Millisecond)}
		l, wait := start(t, ctx, e, Options{Setup: setup(2)})
		time.Sleep(time.Second)
		do(t, l, ledger.Command{Do: ledger.DoPause, Lane: 1})
		do(t, l, ledger.Command{Do: ledger.DoRestart})
		time.Sleep(1050 * time.Millisecond)
		s := l.Snapshot()
		if s.Run != 2 || s.Lanes[0].Due == 0 || s.Lanes[1].Due != 0 || !s.Lanes[1].Setting.Paused {
			t.Errorf("run %d: %d and %d due", s.Run, s.Lanes[0].Due, s.Lanes[1].Due)
		}
		cancel()
		if err := wait(); err != nil {
			t.Fatal(err)
		}
	})
}

// All that the loop publishes is kept while it goes on; under the race detector
// a write to any of it is found.
func TestTheLoopNeverWritesWhatItPublished(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e := &endpoint{service: always(3 * time.Millisecond)}
	opt := Options{Setup: setup(2), Probes: []probes.Probe{&board{}}}
	opt.Setup.Length = 1500 * time.Millisecond
	l, wait := start(t, ctx, e, opt)
	defer cancel()
	read := make(chan int)
	go func() {
		n := 0
		for ctx.Err() == nil {
			s := l.Snapshot()
			n += len(s.Series[0].Points) + len(s.Setup.Boards) + len(s.Segments[0].Modes) + len(s.Notes)
			for _, p := range s.Series[0].Points {
				n += int(p.At)
			}
			for _, c := range s.Total.Cohorts {
				n += int(c.OK) + int(c.Response.N())
			}
			time.Sleep(time.Millisecond)
		}
		read <- n
	}()
	do(t, l, ledger.Command{Do: ledger.DoMode, Mode: 1})
	do(t, l, ledger.Command{Do: ledger.DoRate, Lane: ledger.All, To: 200})
	if err := wait(); err != nil {
		t.Fatal(err)
	}
	cancel()
	<-read
}

// The event says how things stood at the end of sending, also when that is just
// after the edge of a second, whose first steps wait to be booked.
func TestTheEndOfSendingIsToldAsItWas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{service: always(499 * time.Millisecond)}
		opt := Options{Setup: setup(1)}
		opt.Setup.Length = 2050 * time.Millisecond
		l, wait := start(t, t.Context(), e, opt)
		if err := wait(); err != nil {
			t.Fatal(err)
		}
		for _, n := range l.Snapshot().Notes {
			if n.ID != "sending-ended" {
				continue
			}
			// Due at 0, 20 … 2040 ms; open are those due after 1551 ms.
			if n.At != 2050*time.Millisecond || n.Args[0].Value != int64(103) || n.Args[1].Value != int64(25) {
				t.Errorf("%+v", n)
			}
			return
		}
		t.Error("nothing said that sending ended")
	})
}

// Ten a second and one a command, however often nothing is open.
func TestSnapshotsArePublishedTenTimesASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{service: always(100 * time.Microsecond)}
		opt := Options{Setup: setup(1)}
		opt.Setup.Lanes[0].Setting.Rate, opt.Setup.Length = 1000, 3*time.Second
		l, wait := start(t, t.Context(), e, opt)
		if err := wait(); err != nil {
			t.Fatal(err)
		}
		if n := l.Snapshot().Seq; n > 40 {
			t.Errorf("%d snapshots in 3 s", n)
		}
	})
}

// Nothing that was accepted is left without an answer, whatever ends the loop.
func TestEveryAcceptedCommandIsAnswered(t *testing.T) {
	for range 100 {
		synctest.Test(t, func(t *testing.T) {
			opt := Options{Setup: setup(1)}
			opt.Setup.Lanes[0].Setting.Rate = 0 // it has ended at once
			opt.Targets = map[int]loadgen.Target{0: &endpoint{service: always(0)}}
			l := New(opt)
			if err := l.Prepare(t.Context()); err != nil {
				t.Fatal(err)
			}
			var ids []uint64
			for range 10 {
				ids = append(ids, do(t, l, ledger.Command{Do: ledger.DoMark}))
			}
			if err := l.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, id := range ids {
				if a := ackOf(l.Snapshot(), id); a.ID == 0 || a.State == ledger.Pending || a.State == ledger.Refused && a.Why != ErrOver.Error() {
					t.Fatalf("command %d: %+v", id, a)
				}
			}
		})
	}
}

// What is being prepared when the loop ends is refused too.
func TestWhatTheEndOvertakesIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		e := &endpoint{service: always(time.Millisecond)}
		l, wait := start(t, ctx, e, Options{Setup: setup(1)})
		e.loading = time.Hour
		time.Sleep(time.Second)
		id := do(t, l, ledger.Command{Do: ledger.DoModel, Name: "yolo"})
		time.Sleep(time.Second)
		cancel()
		if err := wait(); err != nil {
			t.Fatal(err)
		}
		if a := ackOf(l.Snapshot(), id); a.State != ledger.Refused || a.Why != ErrOver.Error() || noted(l.Snapshot(), "model-failed") > 0 || a.At.Round(time.Millisecond) != 2*time.Second {
			t.Errorf("%+v", a)
		}
	})
}

func TestARunThatCannotBeginAnswersToo(t *testing.T) {
	opt := Options{Setup: setup(1), Record: func(int) (File, error) { return File{}, errors.New("out exists") }}
	opt.Targets = map[int]loadgen.Target{0: &endpoint{service: always(0)}}
	l := New(opt)
	if err := l.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	id := do(t, l, ledger.Command{Do: ledger.DoMark})
	if err := l.Run(t.Context()); err == nil || err.Error() != "out exists" {
		t.Errorf("ended with %v", err)
	}
	if s := l.Snapshot(); ackOf(s, id).State != ledger.Refused || s.Phase != ledger.Ready {
		t.Errorf("%s, %+v", s.Phase, s.Commands)
	}
}

// Nobody is left to write or to close a file that a run did not come to use.
func TestARunThatCannotBeginLeavesNoFileOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		open := 0
		opt := Options{Setup: setup(1), Record: func(int) (File, error) {
			open++
			return File{WriteCloser: nopCloser{io.Discard}, Remove: func() error { open--; return nil }}, nil
		}}
		opt.Setup.Lanes[0].Balance = "fair"
		opt.Targets = map[int]loadgen.Target{0: &endpoint{service: always(0)}}
		l := New(opt)
		if err := l.Prepare(t.Context()); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if err := l.Run(t.Context()); err == nil || open != 0 || time.Since(began) > 0 {
			t.Errorf("%v after %s, %d files open", err, time.Since(began), open)
		}
	})
}

func TestAnUnknownTargetIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opt := Options{Setup: setup(1), Targets: map[int]loadgen.Target{0: &endpoint{}}}
		opt.Setup.Lanes[0].Setting.Target = "nowhere"
		if err := New(opt).Prepare(t.Context()); err == nil || err.Error() != `there is no target "nowhere"` {
			t.Errorf("prepared with %v", err)
		}
	})
}

// A model that comes too late for this run is not sent by the next one.
func TestARefusedModelIsNotSentAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		setup := pooled(openLoop(50))
		setup.Length = time.Second
		l := begun(t, Options{Setup: setup, Targets: twoBoards(0)})
		l.engine.Run(t.Context()) // and the loop has not heard yet that it ended
		late := l.pools[0]
		late.model = "late"
		if _, err := l.take(ledger.Command{Do: ledger.DoModel, Name: "late"}, map[int]pool{0: late}); !errors.Is(err, errSendingEnded) {
			t.Errorf("taken with %v", err)
		}
		if got := l.pools[0].model; got != "m" {
			t.Errorf("the next run would send %s", got)
		}
	})
}

// gatedBoard is one that takes as long as the test likes to switch.
type gatedBoard struct {
	board
	let chan struct{}
	n   atomic.Int32 // switches under way
}

func (b *gatedBoard) SetMode(ctx context.Context, id int) (probes.Mode, error) {
	if b.n.Add(1) > 1 {
		return probes.Mode{}, errors.New("two at once")
	}
	defer b.n.Add(-1)
	<-b.let
	return b.board.SetMode(ctx, id)
}

// Two switches of one board at once would leave it in the mode of either.
func TestABoardIsSwitchedOnceAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &gatedBoard{let: make(chan struct{})}
		opt := Options{Setup: setup(1), Probes: []probes.Probe{b}}
		opt.Setup.Length = 5 * time.Second
		l, wait := start(t, t.Context(), &endpoint{service: always(time.Millisecond)}, opt)
		time.Sleep(time.Second)
		first := do(t, l, ledger.Command{Do: ledger.DoMode, Mode: 1})
		second := do(t, l, ledger.Command{Do: ledger.DoMode, Mode: 0})
		time.Sleep(time.Second)
		s := l.Snapshot()
		if a := ackOf(s, second); ackOf(s, first).State != ledger.Pending || a.State != ledger.Refused || a.Why != "xavier is still being switched" {
			t.Errorf("%+v, then %+v", ackOf(s, first), a)
		}
		close(b.let)
		time.Sleep(time.Second)
		third := do(t, l, ledger.Command{Do: ledger.DoMode, Mode: 0})
		if err := wait(); err != nil {
			t.Fatal(err)
		}
		s = l.Snapshot()
		if ackOf(s, first).State != ledger.Applied || ackOf(s, third).State != ledger.Applied || s.Segments[len(s.Segments)-1].Modes[0] != "MAXN" {
			t.Errorf("%+v, %+v", ackOf(s, first), ackOf(s, third))
		}
	})
}
