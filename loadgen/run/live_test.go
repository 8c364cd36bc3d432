package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
	"dev.example/pileup/loadgen/runfile"
)

// twoBoards are two targets of which b does not have the model yolo.
func twoBoards(service time.Duration) map[int]loadgen.Target {
	missing := &loadgen.Refusal{Err: errors.New("b has no yolo"), NoModel: true}
	return map[int]loadgen.Target{
		0: &endpoint{start: time.Now(), service: always(service)},
		1: &endpoint{start: time.Now(), service: always(service), models: map[string]error{"yolo": missing}},
	}
}

// pooled is a setup of lanes that are each sent to both boards.
func pooled(lanes ...ledger.LaneSetup) ledger.Setup {
	s := ledger.Setup{Seed: 7, Limit: 1000, Targets: []ledger.Target{{ID: 0, Name: "a"}, {ID: 1, Name: "b"}}}
	for i, l := range lanes {
		l.ID, l.Name = i, string(rune('A'+i))
		if l.Targets == nil {
			l.Targets = []int{0, 1}
		}
		if l.Setting.Model == "" {
			l.Setting.Model = "m"
		}
		s.Lanes = append(s.Lanes, l)
	}
	return s
}

func openLoop(rate float64) ledger.LaneSetup {
	return ledger.LaneSetup{Setting: ledger.Setting{Rate: rate}}
}

// laboured is an endpoint whose requests take the driver long to start.
type laboured struct{ *endpoint }

func (l laboured) Prepare(context.Context, string) (loadgen.Sender, error) { return l, nil }

func (l laboured) Start(r loadgen.Reply) loadgen.Started {
	time.Sleep(75 * time.Millisecond)
	go func() { r.End(l.Send(context.Background(), r)) }()
	return l
}

func (laboured) Abort(loadgen.Reply, error) {}

// A driver that is late is told apart from a limit that holds, live and from the
// file: what waits to be started is held, and its lag counts when it is.
func TestARecordingOfADriverThatIsLate(t *testing.T) {
	setup := pooled(openLoop(40))
	setup.Length = 5 * time.Second
	slow := func() map[int]loadgen.Target {
		all := twoBoards(0)
		for i, e := range all {
			all[i] = laboured{e.(*endpoint)}
		}
		return all
	}
	s, run, _ := liveOn(t, slow, setup, nil)
	sec := s.Total.Seconds
	if len(sec) < 10 || sec[0].Due != 40 || sec[0].Held < 20 || sec[1].Due != 40 || sec[4].Held < 120 {
		t.Fatalf("seconds: %+v", sec)
	}
	if sec[7].Due != 0 || sec[7].LagMax < 4*time.Second || s.Total.LagDist.N() != 200 || noted(s, "driver-late") != 1 {
		t.Errorf("second 8: %+v; %d lags", sec[7], s.Total.LagDist.N())
	}
	if n := len(run.Requests); n != 200 {
		t.Errorf("%d requests recorded", n)
	}
}

// live drives a run to its end, recorded, does what it is told to at the
// instants, and holds the recording to what was live. It returns the last
// snapshot, the recording, and each command's answer.
func live(t *testing.T, setup ledger.Setup, at map[time.Duration]ledger.Command) (*ledger.Snapshot, *runfile.Run, map[ledger.Do]ledger.Ack) {
	t.Helper()
	return liveOn(t, func() map[int]loadgen.Target { return twoBoards(200 * time.Millisecond) }, setup, at)
}

// liveOn is live with other targets.
func liveOn(t *testing.T, targets func() map[int]loadgen.Target, setup ledger.Setup, at map[time.Duration]ledger.Command) (*ledger.Snapshot, *runfile.Run, map[ledger.Do]ledger.Ack) {
	t.Helper()
	var file bytes.Buffer
	var snaps []*ledger.Snapshot
	var last *ledger.Snapshot
	answers := map[ledger.Do]ledger.Ack{}
	synctest.Test(t, func(t *testing.T) {
		l := New(Options{
			Setup: setup, Targets: targets(),
			Record: func(int) (File, error) { return File{Name: "out", WriteCloser: nopCloser{&file}}, nil },
		})
		if err := l.Prepare(t.Context()); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- l.Run(t.Context()) }()
		for now := time.Duration(0); l.Snapshot().Phase != ledger.Ended; now += 10 * time.Millisecond {
			if c, ok := at[now]; ok {
				do(t, l, c)
			}
			if now == 5*time.Minute {
				t.Fatal("the run does not end")
			}
			time.Sleep(10 * time.Millisecond)
			s := l.Snapshot()
			balanced(t, s)
			if s.AtClose != nil && (len(snaps) == 0 || snaps[len(snaps)-1].Closed < s.AtClose.Closed) && s.Phase != ledger.Ended {
				snaps = append(snaps, s.AtClose)
			}
			for _, a := range s.Commands {
				answers[a.Do] = a
			}
		}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		last = l.Snapshot()
	})
	run, err := runfile.Load(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	for got, err := range run.Feed() {
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(snaps, func(s *ledger.Snapshot) bool { return s.Closed == got.Closed })
		switch {
		case got.Phase == ledger.Ended:
			same(t, last, got)
		case i >= 0: // the last close may be that of the end
			same(t, snaps[i], got)
		}
	}
	return last, run, answers
}

func noted(s *ledger.Snapshot, id string) (n int) {
	for _, note := range s.Notes {
		if note.ID == id {
			n++
		}
	}
	return n
}

// between counts the requests that were due in [from, to), by target.
func between(r *runfile.Run, lane int, from, to time.Duration) (n [2]int) {
	for _, e := range r.Requests {
		if e.Lane == lane && e.Due >= from && e.Due < to {
			n[e.Target]++
		}
	}
	return n
}

func TestAPoolIsDealtTo(t *testing.T) {
	setup := pooled(openLoop(50), ledger.LaneSetup{Setting: ledger.Setting{Rate: 10, Model: "yolo"}})
	setup.Length = 10 * time.Second
	s, run, _ := live(t, setup, nil)
	if got := between(run, 0, 0, time.Hour); got != [2]int{250, 250} {
		t.Errorf("lane A: %v dealt, want 250 each", got)
	}
	if got := between(run, 1, 0, time.Hour); got != [2]int{100, 0} || noted(s, "pool-without") != 1 {
		t.Errorf("lane B: %v dealt, %d notes; board b has no yolo", got, noted(s, "pool-without"))
	}
}

func TestAModelThatNoTargetHasIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		setup := pooled(ledger.LaneSetup{Targets: []int{1}, Setting: ledger.Setting{Rate: 10, Model: "yolo"}})
		err := New(Options{Setup: setup, Targets: twoBoards(0)}).Prepare(t.Context())
		var r *loadgen.Refusal
		if !errors.As(err, &r) || !r.NoModel {
			t.Errorf("prepared with %v", err)
		}
	})
}

func TestTheTargetIsChosenWhileItRuns(t *testing.T) {
	one := openLoop(50)
	one.Targets = []int{0}
	setup := pooled(openLoop(50), one)
	setup.Length = 4 * time.Second
	s, run, acks := live(t, setup, map[time.Duration]ledger.Command{
		time.Second:             {Do: ledger.DoTarget, Lane: ledger.All, Name: "b"},
		2 * time.Second:         {Do: ledger.DoTarget, Lane: ledger.All, Name: ""},
		3500 * time.Millisecond: {Do: ledger.DoModel, Lane: 0, Name: "yolo"},
	})
	for _, w := range []struct {
		lane     int
		from, to time.Duration
		want     [2]int
	}{
		{0, 0, time.Second, [2]int{25, 25}},
		{0, time.Second + time.Microsecond, 2 * time.Second, [2]int{0, 49}},
		{1, time.Second + time.Microsecond, 2 * time.Second, [2]int{0, 49}},
		{0, 2 * time.Second, 3 * time.Second, [2]int{25, 25}},
		{1, 2*time.Second + time.Microsecond, 3 * time.Second, [2]int{49, 0}},
		{0, 3501 * time.Millisecond, time.Hour, [2]int{24, 0}},
	} {
		if got := between(run, w.lane, w.from, w.to); got != w.want {
			t.Errorf("lane %d, %s to %s: %v dealt, want %v", w.lane, w.from, w.to, got, w.want)
		}
	}
	if len(s.Segments) != 4 || s.Segments[1].By != "target" || s.Segments[1].Settings[1].Target != "b" {
		t.Errorf("segments: %+v", s.Segments)
	}
	if acks[ledger.DoTarget].State != ledger.Applied {
		t.Errorf("answer: %+v", acks[ledger.DoTarget])
	}
}

// A target that no lane was sent to at the start can be chosen all the same.
func TestATargetOutsideOfEveryPool(t *testing.T) {
	one := openLoop(50)
	one.Targets = []int{0}
	setup := pooled(one)
	setup.Length = 2 * time.Second
	s, run, acks := live(t, setup, map[time.Duration]ledger.Command{
		time.Second:             {Do: ledger.DoTarget, Name: "b"},
		1500 * time.Millisecond: {Do: ledger.DoModel, Name: "yolo"}, // which b does not have
	})
	if got := between(run, 0, time.Second+time.Microsecond, time.Hour); got != [2]int{0, 49} {
		t.Errorf("%v dealt", got)
	}
	if acks[ledger.DoTarget].State != ledger.Applied || acks[ledger.DoModel].State != ledger.Refused || noted(s, "model-failed") != 1 {
		t.Errorf("answers: %+v", acks)
	}
}

func TestABurstOpensNoSegment(t *testing.T) {
	setup := pooled(openLoop(50), openLoop(10))
	setup.Length = 2 * time.Second
	s, run, acks := live(t, setup, map[time.Duration]ledger.Command{
		510 * time.Millisecond:  {Do: ledger.DoBurst, Lane: 0, To: 20},
		1200 * time.Millisecond: {Do: ledger.DoMark, Name: "here"},
	})
	if s.Lanes[0].Due != 120 || s.Lanes[1].Due != 20 || len(s.Segments) != 1 {
		t.Errorf("%d and %d due, %d segments", s.Lanes[0].Due, s.Lanes[1].Due, len(s.Segments))
	}
	if got := between(run, 0, 510*time.Millisecond, 520*time.Millisecond); got[0]+got[1] != 20 {
		t.Errorf("%v due at the burst", got)
	}
	if noted(s, "burst") != 1 || noted(s, "mark") != 1 || acks[ledger.DoBurst].State != ledger.Applied {
		t.Errorf("notes %+v, answer %+v", s.Notes, acks[ledger.DoBurst])
	}
}

func TestRefusedBursts(t *testing.T) {
	for _, n := range []float64{0, -1, 0.5, 1e9} {
		setup := pooled(openLoop(10))
		setup.Length = time.Second
		s, _, acks := live(t, setup, map[time.Duration]ledger.Command{500 * time.Millisecond: {Do: ledger.DoBurst, To: n}})
		if acks[ledger.DoBurst].State != ledger.Refused || s.Total.Due != 10 {
			t.Errorf("a burst of %g: %+v, %d due", n, acks[ledger.DoBurst], s.Total.Due)
		}
	}
}

func TestABurstThatWouldBeTooMuchIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		setup := setup(1)
		setup.Length = 2 * time.Second
		l, wait := start(t, t.Context(), &endpoint{service: always(3 * time.Second)}, Options{Setup: setup, Open: 120})
		time.Sleep(time.Second)
		id := do(t, l, ledger.Command{Do: ledger.DoBurst, To: 95})
		if err := wait(); err != nil {
			t.Fatal(err)
		}
		if s := l.Snapshot(); ackOf(s, id).State != ledger.Refused || s.Why != "done" {
			t.Errorf("%+v, %s", ackOf(s, id), s.Why)
		}
	})
}

// Bursts that have been asked for count as open before their requests are due.
func TestBurstsThatFollowEachOtherAreTooMuchTogether(t *testing.T) {
	l := begun(t, Options{Setup: setup(2), Targets: map[int]loadgen.Target{0: &endpoint{}}, Open: 100})
	burst := ledger.Command{Do: ledger.DoBurst, Lane: 1, To: 40}
	for i := range 3 {
		if err := l.burst(burst, []int{1}); (err != nil) != (i == 2) {
			t.Errorf("burst %d of 40: %v", i+1, err)
		}
	}
	burst.To = 10
	if err := l.burst(burst, []int{0, 1}); err != nil {
		t.Error(err)
	}
}

func TestABurstCountsOnce(t *testing.T) {
	for _, s := range []ledger.Setting{{Rate: 0}, {Rate: 50}, {Rate: 50, Paused: true}, {Arrivals: pace.Closed, Slots: 1}} {
		synctest.Test(t, func(t *testing.T) {
			setup := setup(1)
			s.Model = "m"
			setup.Length, setup.Lanes[0].Setting = 10*time.Second, s
			ctx, cancel := context.WithCancel(t.Context())
			l, wait := start(t, ctx, &endpoint{service: always(time.Millisecond)}, Options{Setup: setup, Open: 100, Stay: true})
			for range 4 {
				time.Sleep(time.Second + time.Millisecond)
				id := do(t, l, ledger.Command{Do: ledger.DoBurst, To: 90})
				time.Sleep(500 * time.Millisecond)
				if a := ackOf(l.Snapshot(), id); a.State != ledger.Applied {
					t.Errorf("%+v: %+v", s, a)
				}
			}
			cancel()
			if err := wait(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// The rate keys turn the dial that a lane has.
func TestTheDialOfALane(t *testing.T) {
	shape, err := pace.ParseShape("step 10,40 every 2s")
	if err != nil {
		t.Fatal(err)
	}
	closed := ledger.LaneSetup{Setting: ledger.Setting{Arrivals: pace.Closed, Slots: 4}}
	shaped := ledger.LaneSetup{Pattern: pace.Spec{Shape: shape}, Setting: ledger.Setting{Scale: 1}}
	setup := pooled(openLoop(10), closed, shaped)
	setup.Length = 4 * time.Second
	s, run, _ := live(t, setup, map[time.Duration]ledger.Command{
		1010 * time.Millisecond: {Do: ledger.DoRate, Lane: ledger.All, How: ledger.Mul, To: 2},
		3010 * time.Millisecond: {Do: ledger.DoRate, Lane: 2, How: ledger.Set, To: 20},
	})
	sum := func(lane int, from, to time.Duration) int {
		n := between(run, lane, from, to)
		return n[0] + n[1]
	}
	for _, w := range []struct {
		lane     int
		from, to time.Duration
		want     int
	}{
		{0, 0, time.Second, 10},
		{0, 2 * time.Second, 4 * time.Second, 40},
		{1, 0, time.Second, 20},
		{1, 2 * time.Second, 4 * time.Second, 80}, // 200 ms each
		{2, 0, time.Second, 10},
		{2, 1100 * time.Millisecond, 1900 * time.Millisecond, 16},
		{2, 2100 * time.Millisecond, 2600 * time.Millisecond, 40},
		{2, 3100 * time.Millisecond, 3600 * time.Millisecond, 10},
	} {
		if got := sum(w.lane, w.from, w.to); got < w.want-1 || got > w.want+1 {
			t.Errorf("lane %d, %s to %s: %d due, want %d", w.lane, w.from, w.to, got, w.want)
		}
	}
	if got := []float64{s.Lanes[0].Setting.Rate, float64(s.Lanes[1].Setting.Slots), s.Lanes[2].Setting.Scale}; !slices.Equal(got, []float64{20, 8, 0.5}) {
		t.Errorf("dials stand at %v", got)
	}
}

// begun is a loop whose run has begun and whose engine does nothing yet.
func begun(t *testing.T, opt Options) *Loop {
	t.Helper()
	l := New(opt)
	if err := l.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := l.begin(); err != nil {
		t.Fatal(err)
	}
	return l
}

// Commands that follow each other faster than a lane takes them up each go by
// what the one before asked for.
func TestAShapeIsScaledFromWhatWasAskedForLast(t *testing.T) {
	shape, err := pace.ParseShape("step 10,10 every 100s")
	if err != nil {
		t.Fatal(err)
	}
	setup := pooled(ledger.LaneSetup{Pattern: pace.Spec{Shape: shape}, Setting: ledger.Setting{Scale: 1}})
	l := begun(t, Options{Setup: setup, Targets: twoBoards(0)})
	for _, step := range []struct {
		c    ledger.Command
		want float64
	}{
		{ledger.Command{How: ledger.Add, To: 10}, 2},
		{ledger.Command{How: ledger.Add, To: 10}, 3},
		{ledger.Command{How: ledger.Mul, To: 2}, 6},
		{ledger.Command{How: ledger.Add, To: -10}, 5},
		{ledger.Command{How: ledger.Set, To: 40}, 4},
	} {
		step.c.Do = ledger.DoRate
		if err := l.setRate(step.c, []int{0}); err != nil {
			t.Fatal(err)
		}
		if got := l.ledger.Setting(0).Scale; got != step.want {
			t.Errorf("%+v: scaled by %g, want %g", step.c, got, step.want)
		}
	}
}

// The keys that change all lanes change the sum of their rates and keep the mix.
func TestAllLanesTogetherKeepTheirMix(t *testing.T) {
	for _, tt := range []struct {
		c    ledger.Command
		want []float64
	}{
		{ledger.Command{How: ledger.Add, To: 1}, []float64{20.5, 20.5, 0}},
		{ledger.Command{How: ledger.Set, To: 50}, []float64{25, 25, 0}},
		{ledger.Command{How: ledger.Mul, To: 2}, []float64{40, 40, 0}},
		{ledger.Command{Lane: 2, How: ledger.Add, To: 1}, []float64{20, 20, 1}},
	} {
		setup := pooled(openLoop(20), openLoop(20), openLoop(0))
		setup.Length = time.Second
		c := tt.c
		if c.Do = ledger.DoRate; c.Lane == 0 {
			c.Lane = ledger.All
		}
		s, _, _ := live(t, setup, map[time.Duration]ledger.Command{500 * time.Millisecond: c})
		var got []float64
		for _, l := range s.Lanes {
			got = append(got, l.Setting.Rate)
		}
		if !slices.Equal(got, tt.want) || noted(s, "rate") != 1 || len(s.Segments) != 2 {
			t.Errorf("%+v: %v, %d notes, %d segments", tt.c, got, noted(s, "rate"), len(s.Segments))
		}
	}
}

// What takes every rate to 0 would lose the mix.
func TestAllLanesTogetherDoNotStandStill(t *testing.T) {
	for _, c := range []ledger.Command{
		{How: ledger.Add, To: -40},
		{How: ledger.Add, To: -60},
		{How: ledger.Set, To: 0},
		{How: ledger.Mul, To: 0},
		{How: ledger.Set, To: 1e-6}, // the smaller share is nothing
	} {
		setup := pooled(openLoop(30), openLoop(10), openLoop(0))
		setup.Length = time.Second
		c.Do, c.Lane = ledger.DoRate, ledger.All
		s, _, acks := live(t, setup, map[time.Duration]ledger.Command{500 * time.Millisecond: c})
		if a := acks[c.Do]; a.State != ledger.Refused || a.Why != "the mix of the lanes would be lost; space pauses them" || len(s.Segments) != 1 {
			t.Errorf("%+v: %+v, %d segments", c, a, len(s.Segments))
		}
	}
}

func TestWhatADialCannotDo(t *testing.T) {
	closed := ledger.LaneSetup{Setting: ledger.Setting{Arrivals: pace.Closed, Slots: 4}}
	counted := ledger.LaneSetup{Pattern: pace.Spec{Count: 10}, Setting: ledger.Setting{Arrivals: pace.Uniform, Rate: 10}}
	for _, tt := range []struct {
		lane ledger.LaneSetup
		c    ledger.Command
	}{
		{closed, ledger.Command{Do: ledger.DoArrivals, Arrivals: pace.Poisson}},
		{openLoop(10), ledger.Command{Do: ledger.DoArrivals, Arrivals: pace.Closed}},
		{openLoop(10), ledger.Command{Do: ledger.DoArrivals, Arrivals: pace.Traced}},
		{counted, ledger.Command{Do: ledger.DoRate, To: 50}},
		{closed, ledger.Command{Do: ledger.DoRate, To: 0}},
		{openLoop(10), ledger.Command{Do: ledger.DoTarget, Name: "nowhere"}},
	} {
		setup := pooled(tt.lane)
		setup.Length = time.Second
		s, _, acks := live(t, setup, map[time.Duration]ledger.Command{500 * time.Millisecond: tt.c})
		if a := acks[tt.c.Do]; a.State != ledger.Refused || a.Why == "" || len(s.Segments) != 1 {
			t.Errorf("%+v: %+v, %d segments", tt.c, a, len(s.Segments))
		}
	}
}

func TestTheDrainHasALimit(t *testing.T) {
	tests := []struct {
		name  string
		drain time.Duration
		cut   int64
	}{
		{"not needed", time.Second, 0},
		{"too short", 110 * time.Millisecond, 4}, // 50/s, 200 ms each
	}
	for _, tt := range tests {
		setup := pooled(openLoop(50))
		setup.Length, setup.Drain = time.Second, tt.drain
		s, _, _ := live(t, setup, nil)
		if s.Total.Fail[ledger.CutOff] != tt.cut || s.Why != "done" || (noted(s, "drain-over") == 1) != (tt.cut > 0) {
			t.Errorf("%s: %d cut, %s, notes %+v", tt.name, s.Total.Fail[ledger.CutOff], s.Why, s.Notes)
		}
		for _, n := range s.Notes {
			if n.ID == "drain-over" && n.Args[0].Value != n.At-s.SendingEnded {
				t.Errorf("%s: noted at %s, %v after sending ended at %s", tt.name, n.At, n.Args[0].Value, s.SendingEnded)
			}
		}
	}
}

// A stretch without a beat is a standstill, unless it begins with every lane paused,
// as when the program is suspended.
func TestAStandstillIsNoted(t *testing.T) {
	for _, tt := range []struct {
		name  string
		beats []time.Duration // tenths of a second
		rests time.Duration   // every lane is paused then; 0 is not
		want  string
	}{
		{"on time", []time.Duration{1, 2, 3}, 0, ""},
		{"a little late", []time.Duration{1, 16, 17}, 0, ""},
		{"stopped", []time.Duration{1, 2, 32, 33, 50}, 0, "3.2s 3s"},
		{"stopped at once", []time.Duration{25, 26}, 0, "2.5s 2.5s"},
		{"suspended", []time.Duration{1, 2, 32, 33}, 2, ""},
		{"stopped later", []time.Duration{1, 2, 3, 4, 5, 6, 36, 37}, 2, "3.6s 3s"},
	} {
		l := New(Options{Setup: pooled(openLoop(1))})
		for _, at := range tt.beats {
			at *= 100 * time.Millisecond
			l.pulse.beat(at)
			if at == tt.rests*100*time.Millisecond {
				l.rested = at
			}
		}
		l.stalled(10 * time.Second)
		l.stalled(11 * time.Second) // it is noted once
		var got strings.Builder
		for _, n := range l.ledger.Snapshot().Notes {
			got.WriteString(fmt.Sprint(n.At, " ", n.Args[0].Value))
		}
		if got.String() != tt.want {
			t.Errorf("%s: noted %q, want %q", tt.name, got.String(), tt.want)
		}
	}
}

// Paused lanes are at rest.
func TestAPauseIsARest(t *testing.T) {
	paused := openLoop(1)
	paused.Setting.Paused = true
	l := New(Options{Setup: pooled(paused)})
	l.stalled(time.Second)
	if l.rested != time.Second {
		t.Errorf("at rest at %s", l.rested)
	}
}

// The load goes on while the loop waits for a file that is slow to open.
func TestALoopThatWaitsForAFileIsNoStandstill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opt := Options{Setup: setup(1), Record: func(run int) (File, error) {
			if run > 1 {
				time.Sleep(2 * time.Second)
				return File{}, errors.New("out-2 exists")
			}
			return File{Name: "out", WriteCloser: nopCloser{io.Discard}}, nil
		}}
		opt.Setup.Length = 5 * time.Second
		l, wait := start(t, t.Context(), &endpoint{service: always(time.Millisecond)}, opt)
		time.Sleep(time.Second)
		do(t, l, ledger.Command{Do: ledger.DoRestart})
		if err := wait(); err != nil {
			t.Fatal(err)
		}
		if s := l.Snapshot(); noted(s, "stalled") != 0 || s.Run != 1 || s.Total.OK != 250 {
			t.Errorf("run %d, %d ok, noted %+v", s.Run, s.Total.OK, s.Notes)
		}
	})
}

// What cannot work is stopped after twenty requests, unless it is to go on.
func TestARunThatCannotWorkIsStopped(t *testing.T) {
	tests := []struct {
		name  string
		class ledger.Class
		code  int
		going bool
		why   string
		due   int64
	}{
		{"the same 400", ledger.HTTP4xx, 400, false, "failed", 22},
		{"the same 400, but to go on", ledger.HTTP4xx, 400, true, "done", 100},
		{"too many requests", ledger.HTTP4xx, 429, false, "done", 100},
		{"a server in trouble", ledger.HTTP5xx, 500, false, "done", 100},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			e := &endpoint{start: time.Now(), service: func(time.Duration) (time.Duration, ledger.Class) { return time.Millisecond, tt.class }, code: tt.code}
			setup := setup(1)
			setup.Length = 2 * time.Second
			l, wait := start(t, t.Context(), e, Options{Setup: setup, KeepGoing: tt.going})
			if err := wait(); err != nil {
				t.Fatal(err)
			}
			s := l.Snapshot()
			balanced(t, s)
			if s.Why != tt.why || s.Total.Due < tt.due-2 || s.Total.Due > tt.due+5 || (noted(s, "hopeless") == 1) != (tt.why == "failed") {
				t.Errorf("%s: %s after %d due, noted %+v", tt.name, s.Why, s.Total.Due, s.Notes)
			}
		})
	}
}

// A load that the server will never be done with is ended before memory is.
func TestTooManyOpenEndSending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{start: time.Now(), service: always(time.Hour)}
		setup := setup(1)
		setup.Limit, setup.Drain = 1, time.Second
		setup.Lanes[0].Setting = ledger.Setting{Model: "m", Arrivals: pace.Burst, Rate: 5000}
		setup.Lanes[0].Pattern = pace.Spec{Count: 5000, Once: true}
		l, wait := start(t, t.Context(), e, Options{Setup: setup, Open: 1000})
		if err := wait(); err != nil {
			t.Fatal(err)
		}
		s := l.Snapshot()
		balanced(t, s)
		if s.Why != "failed" || s.Total.Due != 1001 || noted(s, "too-many-open") != 1 {
			t.Errorf("%s after %d due, noted %+v", s.Why, s.Total.Due, s.Notes)
		}
	})
}

// A server that stands still for 2 s of 10: in an open loop the 200 requests due
// meanwhile have waited for it, in a closed loop the four that were open.
func TestAStallIsSeenInAnOpenLoopOnly(t *testing.T) {
	tests := []struct {
		name     string
		lane     ledger.Setting
		min, max time.Duration // of p90
	}{
		{"open", ledger.Setting{Model: "m", Rate: 100}, time.Second, 2 * time.Second},
		{"closed", ledger.Setting{Model: "m", Arrivals: pace.Closed, Slots: 4}, 0, 50 * time.Millisecond},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			frozen := func(at time.Duration) (time.Duration, ledger.Class) {
				if at >= 4*time.Second && at < 6*time.Second {
					return 6*time.Second + 40*time.Millisecond - at, ledger.OK
				}
				return 40 * time.Millisecond, ledger.OK
			}
			setup := setup(1)
			setup.Length, setup.Lanes[0].Setting = 10*time.Second, tt.lane
			l, wait := start(t, t.Context(), &endpoint{service: frozen}, Options{Setup: setup})
			if err := wait(); err != nil {
				t.Fatal(err)
			}
			total := l.Snapshot().Total
			if p := ledger.Of(total.Response, 0.9).Value; p < tt.min || p > tt.max {
				t.Errorf("%s: p90 %s of %d", tt.name, p, total.OK)
			}
		})
	}
}

// Weights are asked for what is dealt to: not for a board that lacks the model,
// and anew for each model.
func TestAPoolIsWeighedByItsModel(t *testing.T) {
	weigh := func(target int, model string) (float64, error) {
		switch {
		case model == "m":
			return []float64{3, 1}[target], nil
		case target == 0 && model == "other":
			return 1, nil
		case target == 1 && model == "other":
			return 4, nil
		}
		return 0, errors.New("not known")
	}
	synctest.Test(t, func(t *testing.T) {
		setup := pooled(openLoop(50), openLoop(10))
		setup.Lanes[0].Balance = "weighted"
		setup.Lanes[1].Setting.Model = "yolo" // which b does not have, and nobody has weighed at a
		l := New(Options{Setup: setup, Targets: twoBoards(0), Weigh: weigh})
		if err := l.Prepare(t.Context()); err == nil || err.Error() != "not known" {
			t.Errorf("an unknown weight in a pool: %v", err)
		}
		setup.Lanes[1].Targets = []int{0}
		setup.Length = 2 * time.Second
		l = New(Options{Setup: setup, Targets: twoBoards(0), Weigh: weigh})
		if err := l.Prepare(t.Context()); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- l.Run(t.Context()) }()
		time.Sleep(time.Second - 10*time.Millisecond)
		do(t, l, ledger.Command{Do: ledger.DoModel, Lane: 0, Name: "other"})
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		s := l.Snapshot()
		if got := s.Lanes[0].Targets; got[0].Due < 46 || got[0].Due > 49 || got[0].Due+got[1].Due != 100 {
			t.Errorf("dealt %d and %d, want 3:1 of 50 and 1:4 of 50", got[0].Due, got[1].Due)
		}
		if w := s.Setup.Lanes[0].Weights; !slices.Equal(w, []float64{3, 1}) || s.Setup.Lanes[1].Weights != nil {
			t.Errorf("weights %v and %v", w, s.Setup.Lanes[1].Weights)
		}
		l.restart = &ledger.Command{}
		l.renew()
		if w := l.setup.Lanes[0].Weights; !slices.Equal(w, []float64{1, 4}) || l.setup.Lanes[1].Weights != nil {
			t.Errorf("weights %v and %v after a restart", w, l.setup.Lanes[1].Weights)
		}
	})
}

// A lane that hears late that its time is over, because this process stood
// still, stops late in the recording too.
func TestALateStopIsRecordedAsItWasTold(t *testing.T) {
	var file bytes.Buffer
	var last *ledger.Snapshot
	synctest.Test(t, func(t *testing.T) {
		waits, timer := 0, loadgen.TimerPacing()
		slow := func(ctx context.Context, until time.Time, wake <-chan struct{}) {
			if waits++; waits == 75 {
				time.Sleep(2500 * time.Millisecond)
				return
			}
			timer(ctx, until, wake)
		}
		setup := pooled(openLoop(50))
		setup.Length = 2 * time.Second
		l := New(Options{
			Setup: setup, Targets: twoBoards(200 * time.Millisecond), Pacing: func() loadgen.Wait { return slow },
			Record: func(int) (File, error) { return File{Name: "out", WriteCloser: nopCloser{&file}}, nil },
		})
		if err := l.Prepare(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := l.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		last = l.Snapshot()
	})
	run, err := runfile.Load(&file)
	if err != nil {
		t.Fatal(err)
	}
	for got, err := range run.Feed() {
		if err != nil {
			t.Fatal(err)
		}
		if got.Phase == ledger.Ended {
			same(t, last, got)
		}
	}
	if last.Total.Sending != 2*time.Second {
		t.Errorf("%s of sending", last.Total.Sending)
	}
}
