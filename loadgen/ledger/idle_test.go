package ledger

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// boards is a setup of lanes that send to all of so many targets.
func boards(lane, targets int) *Setup {
	s := lanes(lane)
	s.Targets = nil
	for id := range targets {
		s.Targets = append(s.Targets, Target{ID: id, Name: fmt.Sprint("board ", id)})
	}
	for i := range s.Lanes {
		s.Lanes[i].Targets = nil
		for id := range targets {
			s.Lanes[i].Targets = append(s.Lanes[i].Targets, id)
		}
	}
	return s
}

// at makes the events of a story happen at another target.
func at(target int, s story) []Event {
	ev := s.events()
	for i := range ev {
		ev[i].Target = target
	}
	return ev
}

func TestATargetIsIdleWhileNothingOfItIsOpen(t *testing.T) {
	const sec = time.Second
	tests := []struct {
		name    string
		stories []story // at target 0
		stop    time.Duration
		want    []Span
		idle    time.Duration
		times   int64
	}{
		{"never asked", nil, 4 * sec, []Span{{0, 4 * sec}}, 4 * sec, 1},
		{"never idle", []story{{due: 0, done: 3 * sec}}, sec, nil, 0, 0},
		{"before and after", []story{{due: sec, done: 2 * sec}}, 4 * sec, []Span{{0, sec}, {2 * sec, 4 * sec}}, 3 * sec, 2},
		{"held counts as busy", []story{{due: 0, sent: 2500 * ms, done: 3 * sec}}, 3 * sec, nil, 0, 0},
		{"one after another, without a gap", []story{{due: 0, done: 1500 * ms}, {i: 1, due: 1500 * ms, done: 2 * sec}}, 2 * sec, nil, 0, 0},
		{"overlapping", []story{{due: 0, done: 1500 * ms}, {i: 1, due: sec, done: 2 * sec}}, 3 * sec, []Span{{2 * sec, 3 * sec}}, sec, 1},
		{"of two lanes", []story{{due: 0, done: sec}, {lane: 1, due: 500 * ms, done: 2 * sec}}, 3 * sec, []Span{{2 * sec, 3 * sec}}, sec, 1},
		{"a failure ends it too", []story{{due: 0, done: sec, class: Connect}}, 2 * sec, []Span{{sec, 2 * sec}}, sec, 1},
		{
			"a brief one counts and is not listed",
			[]story{{due: 0, done: sec}, {i: 1, due: sec + 999*time.Microsecond, done: 2 * sec}},
			2 * sec, nil, 999 * time.Microsecond, 1,
		},
		{
			"a request without a length breaks nothing",
			[]story{{due: sec, sent: sec, done: sec}},
			2 * sec,
			[]Span{{0, 2 * sec}},
			2 * sec, 1,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := New(boards(2, 1))
			for _, s := range tt.stories {
				if s.sent == 0 {
					s.sent = s.due
				}
				mustApply(t, l, at(0, s)...)
			}
			l.Stop(tt.stop, 0)
			l.Stop(tt.stop, 1)
			s := mustFinish(t, l)
			got := s.Targets[0]
			if d := cmp.Diff(tt.want, got.Idling, whole); d != "" {
				t.Error(d)
			}
			share := float64(tt.idle) / float64(s.At)
			if got.Idle != tt.idle || got.Idles != tt.times || got.IdleShare != share {
				t.Errorf("idle for %s, %g, %d times; want %s, %g, %d", got.Idle, got.IdleShare, got.Idles, tt.idle, share, tt.times)
			}
		})
	}
}

// The figure of the lab's paper: the fast board idles while the slow one drains.
func TestTheFastBoardIdlesWhileTheSlowOneDrains(t *testing.T) {
	l := New(boards(1, 2))
	for i := range 20 {
		due := time.Duration(i) * 100 * ms
		took := 100 * ms // board 0 just keeps up
		if i%2 == 1 {
			took = 3 * time.Second
		}
		mustApply(t, l, at(i%2, story{i: int64(i), due: due, sent: due, done: due + took})...)
	}
	l.Stop(2*time.Second, 0)
	mustAdvance(t, l, 3*time.Second+Grace)
	now := l.Snapshot().Targets[0]
	if last := now.Idling[len(now.Idling)-1]; last != (Span{1900 * ms, Never}) || now.Idle != 2000*ms {
		t.Errorf("at 3 s idle for %s, the last time %v", now.Idle, last)
	}
	s := mustFinish(t, l)
	fast, slow := s.Targets[0], s.Targets[1]
	if s.At != 4900*ms || fast.Idle != 900*ms+3000*ms || slow.Idle != 100*ms {
		t.Errorf("fast %s, slow %s of %s", fast.Idle, slow.Idle, s.At)
	}
	if n := len(fast.Idling); n != 10 || fast.Idling[9] != (Span{1900 * ms, 4900 * ms}) {
		t.Errorf("%d spans: %v", n, fast.Idling)
	}
	if d := cmp.Diff([]Span{{0, 100 * ms}}, slow.Idling); d != "" {
		t.Error(d)
	}
}

// What is told late counts from the second in which it is booked: what was
// said of a closed second stays.
func TestALateRequestTakesBackNoIdling(t *testing.T) {
	l := New(boards(1, 1))
	mustAdvance(t, l, 2*time.Second+Grace)
	mustApply(t, l, at(0, story{due: 500 * ms, sent: 500 * ms, done: 2500 * ms})...)
	l.Stop(3*time.Second, 0)
	want := []Span{{0, 2 * time.Second}, {2500 * ms, 3 * time.Second}}
	if d := cmp.Diff(want, mustFinish(t, l).Targets[0].Idling); d != "" {
		t.Error(d)
	}
}

// A run whose last second was closed before it was known to have ended says
// nothing of the time after its end.
func TestIdlingEndsWithTheRun(t *testing.T) {
	l := New(boards(1, 1))
	mustApply(t, l, at(0, story{due: 0, sent: 0, done: 1500 * ms})...)
	mustAdvance(t, l, 3*time.Second+Grace)
	l.Stop(1700*ms, 0)
	s := mustFinish(t, l)
	want := TargetState{Tally: s.Total.Targets[0], Response: s.Total.Response, LastDone: 1500 * ms, Over: Never, Idle: 200 * ms, Idles: 1, IdleShare: 200. / 1700, Idling: []Span{{1500 * ms, 1700 * ms}}}
	if d := cmp.Diff(want, s.Targets[0], whole); d != "" {
		t.Error(d)
	}
}

// The list of spans is bounded, their sum is not.
func TestIdleSpansAreBounded(t *testing.T) {
	l := New(boards(1, 1))
	const n = 3 * keepIdling
	for i := range n { // busy for the first half of every 10 ms
		due := time.Duration(i) * 10 * ms
		mustApply(t, l, at(0, story{i: int64(i), due: due, sent: due, done: due + 5*ms})...)
	}
	l.Stop(n*10*ms, 0)
	got := mustFinish(t, l).Targets[0]
	if k := len(got.Idling); k < keepIdling || k > 2*keepIdling {
		t.Errorf("%d spans are kept", k)
	}
	if got.Idle != n*5*ms || got.Idles != n {
		t.Errorf("idle for %s, %d times", got.Idle, got.Idles)
	}
}

// Idling does not depend on the order in which events were told within a
// second: the sum of both is checked against a count of busy microseconds.
func TestIdlingAgainstACountOfMicroseconds(t *testing.T) {
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 1))
		l := New(boards(2, 1))
		busy := make([]bool, 4_000_000)
		var all []Event
		for i := range 30 {
			due := time.Duration(rng.IntN(3_000_000)) * time.Microsecond
			done := due + time.Duration(rng.IntN(100_000))*time.Microsecond
			for us := due / time.Microsecond; us < done/time.Microsecond; us++ {
				busy[us] = true
			}
			all = append(all, at(0, story{lane: i % 2, i: int64(i), due: due, sent: due, done: done})...)
		}
		mustApply(t, l, all...)
		l.Stop(4*time.Second, 0)
		l.Stop(4*time.Second, 1)
		var idle time.Duration
		for _, b := range busy {
			if !b {
				idle += time.Microsecond
			}
		}
		if got := mustFinish(t, l).Targets[0].Idle; got != idle {
			t.Errorf("seed %d: idle for %s, want %s", seed, got, idle)
		}
	}
}

// A lane's account with each target stays right when it is sent to one of them
// alone, and when one joins that the setup did not know.
func TestTalliesFollowTheTargetOfALane(t *testing.T) {
	l := New(boards(2, 2))
	send := func(lane, target int, i int64, due time.Duration, class Class) {
		mustApply(t, l, at(target, story{lane: lane, i: i, due: due, sent: due, done: due + 100*ms, class: class})...)
	}
	send(0, 0, 0, 0, OK)
	send(0, 1, 1, 10*ms, OK)
	send(1, 0, 0, 20*ms, HTTP5xx)
	to := l.Setting(0)
	to.Target = "board 1"
	if at := l.Change(300*ms, string(DoTarget), 0, to); at != 300*ms {
		t.Errorf("the change took effect at %s", at)
	}
	send(0, 1, 2, 400*ms, OK)
	send(0, 1, 3, 500*ms, Connect)
	to.Target = ""
	l.Change(600*ms, string(DoTarget), 0, to)
	mustApply(t, l, at(0, story{i: 4, due: 700 * ms, sent: 700 * ms, done: Never})...)
	send(0, 7, 5, 800*ms, OK)
	s := l.Snapshot()
	tally := func(target int, due, ok, failed, open int64) Tally {
		return Tally{Target: target, Due: due, OK: ok, Failed: failed, Open: open, GoneAt: Never, BackAt: Never}
	}
	tests := []struct {
		name      string
		got, want []Tally
	}{
		{"lane 0", s.Lanes[0].Targets, []Tally{tally(0, 2, 1, 0, 1), tally(1, 3, 2, 1, 0), tally(7, 1, 1, 0, 0)}},
		{"lane 1", s.Lanes[1].Targets, []Tally{tally(0, 1, 0, 1, 0), tally(1, 0, 0, 0, 0)}},
		{"total", s.Total.Targets, []Tally{tally(0, 3, 1, 1, 1), tally(1, 3, 2, 1, 0), tally(7, 1, 1, 0, 0)}},
	}
	for _, tt := range tests {
		if d := cmp.Diff(tt.want, tt.got); d != "" {
			t.Errorf("%s: %s", tt.name, d)
		}
	}
	segs := s.Segments
	if len(segs) != 3 || segs[1].By != "target" || segs[1].Settings[0].Target != "board 1" || segs[2].Settings[0].Target != "" {
		t.Errorf("segments %+v", segs)
	}
	if d := cmp.Diff([]int64{2, 0}, segs[1].Due); d != "" {
		t.Error(d)
	}
}
