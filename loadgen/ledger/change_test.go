package ledger

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dev.example/pileup/loadgen/pace"
)

// Every part of a setting that a command can change opens a segment, and the
// state at the close of a second has what was in force then.
func TestEachChangeOfASettingOpensASegment(t *testing.T) {
	tests := []struct {
		do Do
		to func(*Setting)
	}{
		{DoRate, func(s *Setting) { s.Rate = 7 }},
		{DoRate, func(s *Setting) { s.Slots = 8 }},
		{DoRate, func(s *Setting) { s.Scale = 1.5 }},
		{DoModel, func(s *Setting) { s.Model, s.BodyBytes = "other", 9 }},
		{DoTarget, func(s *Setting) { s.Target = "xavier" }},
		{DoArrivals, func(s *Setting) { s.Arrivals = pace.Poisson }},
		{DoPause, func(s *Setting) { s.Paused = true }},
	}
	l := New(lanes(2))
	want := []Setting{l.Setting(1)}
	for i, tt := range tests {
		to := l.Setting(1)
		tt.to(&to)
		at := time.Duration(i)*time.Second + 500*ms
		if got := l.Change(at, string(tt.do), 1, to); got != at {
			t.Errorf("%s took effect at %s", tt.do, got)
		}
		want = append(want, to)
		mustAdvance(t, l, time.Duration(i+1)*time.Second+Grace)
		if d := cmp.Diff(to, l.Snapshot().AtClose.Lanes[1].Setting); d != "" {
			t.Errorf("%s: at the close %s", tt.do, d)
		}
	}
	segs := l.Snapshot().Segments
	if len(segs) != len(want) {
		t.Fatalf("%d segments, want %d", len(segs), len(want))
	}
	for i, s := range segs {
		if d := cmp.Diff(want[i], s.Settings[1]); d != "" {
			t.Errorf("segment %d: %s", i, d)
		}
		if i > 0 && (s.By != string(tests[i-1].do) || s.Lane != 1 || s.From != segs[i-1].To) {
			t.Errorf("segment %d is %+v", i, s)
		}
	}
}

// In a closed loop nothing is offered: the account knows no rate, only slots,
// and each request is due when another is done.
func TestAClosedLoop(t *testing.T) {
	setup := lanes(1)
	setup.Lanes[0].Setting = Setting{Model: "m", Slots: 2}
	l := New(setup)
	for i := range int64(100) { // two at a time, 50 ms each
		due := time.Duration(i/2) * 50 * ms
		mustApply(t, l, story{i: i, due: due, sent: due, done: due + 50*ms}.events()...)
	}
	mustAdvance(t, l, 2*time.Second+Grace)
	for _, sec := range l.Snapshot().Total.Seconds {
		if sec.Due != 40 || sec.Backlog() != 2 || sec.Sending != time.Second {
			t.Errorf("second %+v", sec)
		}
	}
	l.Stop(2500*ms, 0)
	s := mustFinish(t, l)
	checkSums(t, s)
	if got := s.Lanes[0]; got.OK != 100 || got.PeakBacklog != 2 || got.Setting.Slots != 2 || got.Sending != 2500*ms {
		t.Errorf("lane %+v", got.Totals)
	}
	if idle := s.Targets[0].Idle; idle != 0 {
		t.Errorf("a target whose slots are never empty was idle for %s", idle)
	}
}
