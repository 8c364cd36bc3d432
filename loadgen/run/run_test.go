package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
	"dev.example/pileup/loadgen/runfile"
	"dev.example/pileup/probes"
)

// endpoint is a target whose requests take as long as service says.
type endpoint struct {
	start   time.Time
	service func(at time.Duration) (time.Duration, ledger.Class)
	models  map[string]error
	loading time.Duration // how long Prepare takes
	code    int           // of failures

	mu   sync.Mutex
	sent []time.Duration // offsets of the sends
}

func (e *endpoint) Prepare(ctx context.Context, model string) (loadgen.Sender, error) {
	select {
	case <-time.After(e.loading):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err := e.models[model]; err != nil {
		return nil, err
	}
	return e, nil
}

func (e *endpoint) Send(ctx context.Context, s loadgen.Stamps) loadgen.Answer {
	at := time.Since(e.start)
	d, class := e.service(at)
	if class != ledger.Connect {
		s.Sent()
		e.mu.Lock()
		e.sent = append(e.sent, at)
		e.mu.Unlock()
	}
	select {
	case <-time.After(d):
		s.First()
		return loadgen.Answer{Failure: ledger.Failure{Class: class, Code: e.code}, Up: 1000, Down: 10, Peer: "a"}
	case <-ctx.Done():
		return loadgen.Answer{Failure: ledger.Failure{Class: ledger.Reset}}
	}
}

func (e *endpoint) BodyBytes() int64 { return 1000 }
func (e *endpoint) Payload() string  { return "1000 bytes" }

func always(d time.Duration) func(time.Duration) (time.Duration, ledger.Class) {
	return func(time.Duration) (time.Duration, ledger.Class) { return d, ledger.OK }
}

// setup is n lanes of 50 a second.
func setup(n int) ledger.Setup {
	s := ledger.Setup{Seed: 7, Limit: 1000, Targets: []ledger.Target{{Name: "x"}}}
	for i := range n {
		s.Lanes = append(s.Lanes, ledger.LaneSetup{ID: i, Name: fmt.Sprint(i), Targets: []int{0}, Setting: ledger.Setting{
			Model: "m", Arrivals: pace.Constant, Rate: 50,
		}})
	}
	return s
}

// start runs a loop in a goroutine; wait returns its error.
func start(t *testing.T, ctx context.Context, e *endpoint, opt Options) (l *Loop, wait func() error) {
	t.Helper()
	e.start = time.Now()
	opt.Targets = map[int]loadgen.Target{0: e}
	l = New(opt)
	if err := l.Prepare(ctx); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- l.Run(ctx) }()
	return l, func() error { return <-done }
}

func do(t *testing.T, l *Loop, c ledger.Command) uint64 {
	t.Helper()
	id, err := l.Do(c)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func ackOf(s *ledger.Snapshot, id uint64) ledger.Ack {
	for _, a := range s.Commands {
		if a.ID == id {
			return a
		}
	}
	return ledger.Ack{}
}

func balanced(t *testing.T, s *ledger.Snapshot) {
	t.Helper()
	for _, l := range append(slices.Clone(s.Lanes), s.Total) {
		if !l.Balanced() {
			t.Fatalf("at %s: %+v", s.At, l.Totals)
		}
	}
}

func TestDueTimesAreExact(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{service: always(30 * time.Millisecond)}
		opt := Options{Setup: setup(1)}
		opt.Setup.Length = time.Minute
		began := time.Now()
		l, wait := start(t, t.Context(), e, opt)
		if err := wait(); err != nil {
			t.Fatal(err)
		}
		s := l.Snapshot()
		balanced(t, s)
		if s.Total.OK != 3000 || s.Phase != ledger.Ended || s.SendingEnded != time.Minute {
			t.Errorf("%d ok, %s, sending ended at %s", s.Total.OK, s.Phase, s.SendingEnded)
		}
		for i, at := range e.sent {
			if want := time.Duration(i) * 20 * time.Millisecond; at != want {
				t.Fatalf("request %d was sent at %s, want %s", i, at, want)
			}
		}
		if d := time.Since(began); d > time.Minute+time.Second {
			t.Errorf("the run took %s", d)
		}
		if got := s.Total.Response; got.Min() != 30*time.Millisecond || got.Max() != 30*time.Millisecond {
			t.Errorf("responses from %s to %s", got.Min(), got.Max())
		}
	})
}

func TestThirtyRateCommandsASecondSendTheIntegral(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{service: always(time.Millisecond)}
		l, wait := start(t, t.Context(), e, Options{Setup: setup(1)})
		time.Sleep(time.Second)
		integral, rate := 50.0, 50.0
		for i := range 30 {
			time.Sleep(33 * time.Millisecond)
			integral += rate * 0.033
			rate = float64(20 + 7*(i%13))
			do(t, l, ledger.Command{Do: ledger.DoRate, To: rate, Lane: ledger.All})
		}
		time.Sleep(10 * time.Millisecond)
		integral += rate * 0.010
		do(t, l, ledger.Command{Do: ledger.DoStop, Lane: ledger.All})
		if err := wait(); err != nil {
			t.Fatal(err)
		}
		s := l.Snapshot()
		balanced(t, s)
		if d := float64(s.Total.Due) - integral; math.Abs(d) > 1 {
			t.Errorf("%d due, ∫ rate = %.2f", s.Total.Due, integral)
		}
		if len(s.Segments) != 31 {
			t.Errorf("%d segments, want 31", len(s.Segments))
		}
	})
}

func TestAFreezeShowsFromDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{service: func(at time.Duration) (time.Duration, ledger.Class) {
			if at >= 2*time.Second && at < 3*time.Second {
				return 3*time.Second - at + time.Millisecond, ledger.OK
			}
			return time.Millisecond, ledger.OK
		}}
		opt := Options{Setup: setup(1)}
		opt.Setup.Limit = 4 // the others are held, and late from due
		opt.Setup.Length = 5 * time.Second
		l, wait := start(t, t.Context(), e, opt)
		if err := wait(); err != nil {
			t.Fatal(err)
		}
		s := l.Snapshot()
		if s.Total.OK != 250 {
			t.Fatalf("%d ok of %d", s.Total.OK, s.Total.Due)
		}
		c := s.Total.Cohorts[2] // due in the frozen second
		if c.Response.Max() != time.Second+time.Millisecond || c.Response.Rank(25) < 450*time.Millisecond {
			t.Errorf("cohort 3: median %s, max %s; want every late request from its due", c.Response.Rank(25), c.Response.Max())
		}
		if over := c.Response.N() - c.Response.Below(100*time.Millisecond); over < 44 {
			t.Errorf("%d requests of the frozen second took 100 ms or more, want 45", over)
		}
		if got := s.Total.Service.N() - s.Total.Service.Below(100*time.Millisecond); got != 4 {
			t.Errorf("%d long services, want the 4 that were sent", got)
		}
		if s.Total.Seconds[2].Held == 0 {
			t.Error("nothing was held over the limit of 4")
		}
		if lag := s.Total.LagDist.Max(); lag != 0 {
			t.Errorf("lag %s: waiting for the limit is not the driver's lateness", lag)
		}
	})
}

func TestPauseStopsTheScheduleClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{service: always(time.Millisecond)}
		opt := Options{Setup: setup(1)}
		opt.Setup.Length = 2 * time.Second
		l, wait := start(t, t.Context(), e, opt)
		time.Sleep(1005 * time.Millisecond)
		do(t, l, ledger.Command{Do: ledger.DoPause, Lane: 0})
		time.Sleep(3 * time.Second)
		if got := l.Snapshot().Phase; got != ledger.Paused {
			t.Errorf("phase %s", got)
		}
		do(t, l, ledger.Command{Do: ledger.DoResume, Lane: 0})
		if err := wait(); err != nil {
			t.Fatal(err)
		}
		s := l.Snapshot()
		if s.Total.Due != 100 || s.SendingEnded != 5*time.Second || s.Total.Sending != 2*time.Second {
			t.Errorf("%d due, sending ended at %s after %s of it", s.Total.Due, s.SendingEnded, s.Total.Sending)
		}
		if got, want := e.sent[51], 4020*time.Millisecond; got != want {
			t.Errorf("the first request after the pause was sent at %s, want %s", got, want)
		}
	})
}

func TestTimeoutCountsFromSentAndCensors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{service: func(at time.Duration) (time.Duration, ledger.Class) {
			if at < time.Second {
				return time.Hour, ledger.OK
			}
			return 10 * time.Millisecond, ledger.OK
		}}
		opt := Options{Setup: setup(1)}
		opt.Setup.Length, opt.Setup.Timeout = 2*time.Second, 3*time.Second
		l, wait := start(t, t.Context(), e, opt)
		if err := wait(); err != nil {
			t.Fatal(err)
		}
		s := l.Snapshot()
		if s.Total.Fail[ledger.Timeout] != 50 || s.Total.OK != 50 {
			t.Errorf("fail %v, ok %d", s.Total.Fail, s.Total.OK)
		}
		q := s.Total.Responses(s.At).Quantile(0.9)
		if q.Bound != ledger.Over || q.Value != 3*time.Second {
			t.Errorf("p90 = %+v, want over 3s", q)
		}
		var ids []string
		for _, n := range s.Notes {
			ids = append(ids, n.ID)
		}
		if !slices.Contains(ids, "target-gone") {
			t.Errorf("notes %v: 50 timeouts in a row are no gone target", ids)
		}
	})
}

func TestCutGivesUpOnWhatIsOpenAndHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{service: always(time.Hour)}
		opt := Options{Setup: setup(2)}
		opt.Setup.Limit = 30
		l, wait := start(t, t.Context(), e, opt)
		time.Sleep(1010 * time.Millisecond)
		do(t, l, ledger.Command{Do: ledger.DoStop, Lane: ledger.All})
		time.Sleep(time.Second)
		s := l.Snapshot()
		if s.Phase != ledger.Draining || s.Total.InFlight != 30 || s.Total.Held != 72 {
			t.Errorf("%s with %d in flight and %d held", s.Phase, s.Total.InFlight, s.Total.Held)
		}
		do(t, l, ledger.Command{Do: ledger.DoCut, Lane: ledger.All})
		if err := wait(); err != nil {
			t.Fatal(err)
		}
		s = l.Snapshot()
		balanced(t, s)
		if s.Total.Fail[ledger.CutOff] != 102 || s.Phase != ledger.Ended {
			t.Errorf("%d cut, %s", s.Total.Fail[ledger.CutOff], s.Phase)
		}
		if c := s.Total.Cohorts[0]; c.Unsent != 0 || c.Open != 0 {
			t.Errorf("cohort 1: %+v", c)
		}
	})
}

func TestAContextThatEndsCutsTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		e := &endpoint{service: always(time.Hour)}
		l, wait := start(t, ctx, e, Options{Setup: setup(1), Stay: true})
		time.Sleep(time.Second)
		cancel()
		if err := wait(); err != nil {
			t.Fatal(err)
		}
		s := l.Snapshot()
		balanced(t, s)
		if s.Phase != ledger.Ended || s.Total.Fail[ledger.CutOff] != s.Total.Due {
			t.Errorf("%s, %+v", s.Phase, s.Total.Totals)
		}
		if _, err := l.Do(ledger.Command{Do: ledger.DoStop}); !errors.Is(err, ErrOver) {
			t.Errorf("a command after the end: %v", err)
		}
	})
}

func TestAModelIsPreparedOffTheLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{service: always(time.Millisecond), models: map[string]error{"bad": errors.New("no such model")}}
		l, wait := start(t, t.Context(), e, Options{Setup: setup(1)})
		e.loading = 2 * time.Second
		time.Sleep(time.Second)
		good := do(t, l, ledger.Command{Do: ledger.DoModel, Lane: 0, Name: "yolo"})
		time.Sleep(time.Second)
		s := l.Snapshot()
		if ackOf(s, good).State != ledger.Pending || s.Lanes[0].Loading != "yolo" || s.Lanes[0].Setting.Model != "m" {
			t.Errorf("while it loads: %+v, loading %q, model %q", ackOf(s, good), s.Lanes[0].Loading, s.Lanes[0].Setting.Model)
		}
		second := do(t, l, ledger.Command{Do: ledger.DoModel, Lane: 0, Name: "other"})
		time.Sleep(1500 * time.Millisecond)
		s = l.Snapshot()
		if ackOf(s, good).State != ledger.Applied || s.Lanes[0].Setting.Model != "yolo" || s.Lanes[0].Loading != "" {
			t.Errorf("when it is ready: %+v, model %q", ackOf(s, good), s.Lanes[0].Setting.Model)
		}
		if a := ackOf(s, second); a.State != ledger.Refused || !strings.Contains(a.Why, "yolo") {
			t.Errorf("a second model meanwhile: %+v", a)
		}
		bad := do(t, l, ledger.Command{Do: ledger.DoModel, Lane: 0, Name: "bad"})
		time.Sleep(3 * time.Second)
		s = l.Snapshot()
		if a := ackOf(s, bad); a.State != ledger.Refused || a.Why != "no such model" || s.Lanes[0].Setting.Model != "yolo" {
			t.Errorf("a model that is not there: %+v, model %q", a, s.Lanes[0].Setting.Model)
		}
		do(t, l, ledger.Command{Do: ledger.DoStop, Lane: ledger.All})
		if err := wait(); err != nil {
			t.Fatal(err)
		}
		balanced(t, l.Snapshot())
	})
}

func TestRestartBeginsAnEmptyAccountWithThePresentSettings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{service: always(5 * time.Second)}
		var files []string
		opt := Options{Setup: setup(1), Record: func(run int) (File, error) {
			if run > 2 {
				return File{}, errors.New("out-3 exists")
			}
			files = append(files, fmt.Sprint("out-", run))
			return File{Name: fmt.Sprint("out-", run), WriteCloser: nopCloser{io.Discard}}, nil
		}}
		l, wait := start(t, t.Context(), e, opt)
		time.Sleep(1500 * time.Millisecond)
		do(t, l, ledger.Command{Do: ledger.DoRate, Lane: 0, To: 20})
		do(t, l, ledger.Command{Do: ledger.DoRestart})
		time.Sleep(1040 * time.Millisecond)
		s := l.Snapshot()
		if s.Run != 2 || s.Total.Due < 20 || s.Total.Due > 21 || s.Lanes[0].Setting.Rate != 20 || s.At != time.Second {
			t.Errorf("run %d at %s: %d due at %g/s", s.Run, s.At, s.Total.Due, s.Lanes[0].Setting.Rate)
		}
		if s.Record.File != "out-2" || len(files) != 2 {
			t.Errorf("recorded to %q after %v", s.Record.File, files)
		}
		third := do(t, l, ledger.Command{Do: ledger.DoRestart})
		time.Sleep(500 * time.Millisecond)
		s = l.Snapshot()
		if a := ackOf(s, third); a.State != ledger.Refused || a.Why != "out-3 exists" || s.Run != 2 {
			t.Errorf("run %d, %+v: a file that exists must refuse the restart", s.Run, a)
		}
		do(t, l, ledger.Command{Do: ledger.DoCut})
		if err := wait(); err != nil {
			t.Fatal(err)
		}
	})
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

func TestBadCommandsAreRefusedAndSayWhy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{service: always(time.Millisecond)}
		ctx, cancel := context.WithCancel(t.Context())
		l, wait := start(t, ctx, e, Options{Setup: setup(1), Stay: true})
		bad := []ledger.Command{
			{Do: ledger.DoRate, Lane: 7, To: 5},
			{Do: ledger.DoRate, To: math.NaN()},
			{Do: ledger.DoRate, To: -3},
			{Do: ledger.DoRate, To: 1e9},
			{Do: "dance"},
			{Do: ledger.DoMode, Board: "tx2", Mode: 1},
		}
		var ids []uint64
		for _, c := range bad {
			ids = append(ids, do(t, l, c))
		}
		time.Sleep(time.Second)
		s := l.Snapshot()
		for i, id := range ids {
			if a := ackOf(s, id); a.State != ledger.Refused || a.Why == "" {
				t.Errorf("%+v: %+v", bad[i], a)
			}
		}
		if s.Lanes[0].Setting.Rate != 50 || len(s.Segments) != 1 {
			t.Errorf("rate %g in %d segments", s.Lanes[0].Setting.Rate, len(s.Segments))
		}
		for range queue + 1 {
			if _, err := l.Do(ledger.Command{Do: ledger.DoRate, How: ledger.Add, To: 1}); err != nil {
				if !errors.Is(err, ErrQueueFull) {
					t.Error(err)
				}
			}
		}
		time.Sleep(time.Second) // there is room again once the loop ran
		do(t, l, ledger.Command{Do: ledger.DoStop, Lane: ledger.All})
		time.Sleep(time.Second)
		late := do(t, l, ledger.Command{Do: ledger.DoRate, To: 5})
		time.Sleep(time.Second)
		if a := ackOf(l.Snapshot(), late); a.State != ledger.Refused {
			t.Errorf("a rate after the run: %+v", a)
		}
		cancel()
		if err := wait(); err != nil {
			t.Fatal(err)
		}
	})
}

// board is a probe whose power mode can be switched and which falls silent.
type board struct {
	mu   sync.Mutex
	mode int
	fail error
}

func (b *board) Name() string { return "xavier" }
func (b *board) Read(context.Context) (probes.Sample, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fail != nil {
		return probes.Sample{}, b.fail
	}
	m := b.Modes()[b.mode]
	return probes.Sample{At: time.Now(), Mode: &m, GPU: probes.Of(50)}, nil
}

func (b *board) Modes() []probes.Mode {
	return []probes.Mode{{ID: 0, Name: "MAXN"}, {ID: 1, Name: "15W"}}
}

func (b *board) SetMode(_ context.Context, id int) (probes.Mode, error) {
	time.Sleep(300 * time.Millisecond)
	b.mu.Lock()
	defer b.mu.Unlock()
	if id > 1 {
		return probes.Mode{}, errors.New("no such mode")
	}
	b.mode = id
	return b.Modes()[id], nil
}

func TestAPowerModeOpensASegmentAndASilentProbeIsAGap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{service: always(time.Millisecond)}
		b := &board{}
		opt := Options{Setup: setup(1), Probes: []probes.Probe{b}}
		opt.Setup.Length = 10 * time.Second
		l, wait := start(t, t.Context(), e, opt)
		time.Sleep(1500 * time.Millisecond)
		id := do(t, l, ledger.Command{Do: ledger.DoMode, Mode: 1})
		time.Sleep(time.Second)
		no := do(t, l, ledger.Command{Do: ledger.DoMode, Mode: 5})
		time.Sleep(time.Second)
		s := l.Snapshot()
		if a := ackOf(s, id); a.State != ledger.Applied {
			t.Errorf("mode: %+v", a)
		}
		if a := ackOf(s, no); a.State != ledger.Refused || a.Why != "no such mode" {
			t.Errorf("unknown mode: %+v", a)
		}
		last := s.Segments[len(s.Segments)-1]
		if len(s.Segments) != 2 || last.By != "mode" || last.Modes[0] != "15W" || s.Segments[0].Modes[0] != "MAXN" {
			t.Errorf("segments %+v", s.Segments)
		}
		b.mu.Lock()
		b.fail = errors.New("read /sys: input/output error")
		b.mu.Unlock()
		time.Sleep(3 * time.Second)
		s = l.Snapshot()
		if _, why, gap := s.Series[0].Gap(); !gap || why != b.fail.Error() {
			t.Errorf("gap %v: %q", gap, why)
		}
		if err := wait(); err != nil {
			t.Fatal(err)
		}
		if s = l.Snapshot(); s.Total.OK != 500 {
			t.Errorf("a probe that fails stopped the load at %d ok", s.Total.OK)
		}
	})
}

// What was read before a restart lies before the new run's zero.
func TestReadingsKeepTheirPlaceInTimeOverARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		l, wait := start(t, ctx, &endpoint{service: always(time.Millisecond)}, Options{Setup: setup(1), Probes: []probes.Probe{&board{}}})
		for range 2 {
			time.Sleep(2500 * time.Millisecond)
			do(t, l, ledger.Command{Do: ledger.DoRestart})
		}
		time.Sleep(1500 * time.Millisecond)
		var at []time.Duration
		for _, p := range l.Snapshot().Series[0].Points {
			at = append(at, p.At)
		}
		if want := []time.Duration{-5 * time.Second, -4 * time.Second, -3 * time.Second, -2 * time.Second, -time.Second, 0, time.Second}; !slices.Equal(at, want) {
			t.Errorf("read at %v, want %v", at, want)
		}
		cancel()
		if err := wait(); err != nil {
			t.Fatal(err)
		}
	})
}

// What a ledger makes of the recording is what the live one was, at the end of
// every second.
func TestTheRecordingTellsTheSameAsTheLiveRun(t *testing.T) {
	var file bytes.Buffer
	var live []*ledger.Snapshot
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{models: map[string]error{}, loading: 100 * time.Millisecond, service: func(at time.Duration) (time.Duration, ledger.Class) {
			d := time.Duration(at.Microseconds()*7919%2_000_000) * time.Microsecond
			switch {
			case at > 3*time.Second && at < 4*time.Second:
				return time.Millisecond, ledger.Connect
			case at.Microseconds()%13 == 0:
				return d, ledger.HTTP5xx
			}
			return d, ledger.OK
		}}
		b := &board{}
		opt := Options{Setup: setup(2), Probes: []probes.Probe{b}, Record: func(int) (File, error) {
			return File{Name: "out", WriteCloser: nopCloser{&file}}, nil
		}}
		opt.Setup.Length, opt.Setup.Limit, opt.Setup.Timeout = 8*time.Second, 60, 1500*time.Millisecond
		opt.Setup.Lanes[1].Setting.Arrivals = pace.Poisson
		l, wait := start(t, t.Context(), e, opt)
		for i := range 130 {
			time.Sleep(100 * time.Millisecond)
			if s := l.Snapshot(); s.AtClose != nil && s.Phase != ledger.Ended && (len(live) == 0 || live[len(live)-1].Closed < s.AtClose.Closed) {
				live = append(live, s.AtClose)
			}
			switch i {
			case 19: // on the edge of a second
				do(t, l, ledger.Command{Do: ledger.DoRate, Lane: ledger.All, To: 31.4})
			case 25:
				do(t, l, ledger.Command{Do: ledger.DoPause, Lane: 0})
			case 31:
				do(t, l, ledger.Command{Do: ledger.DoModel, Lane: 1, Name: "yolo"})
			case 40:
				do(t, l, ledger.Command{Do: ledger.DoResume, Lane: 0})
			case 41:
				do(t, l, ledger.Command{Do: ledger.DoArrivals, Lane: 0, Arrivals: pace.Poisson})
			case 50:
				do(t, l, ledger.Command{Do: ledger.DoMode, Mode: 1})
			case 60:
				do(t, l, ledger.Command{Do: ledger.DoStop, Lane: 1})
			}
		}
		if err := wait(); err != nil {
			t.Fatal(err)
		}
		live = append(live, l.Snapshot())
	})
	run, err := runfile.Load(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if len(live) < 9 || !run.Ended || run.Unknown() != 0 {
		t.Fatalf("%d live snapshots, ended %v, %d unknown", len(live), run.Ended, run.Unknown())
	}
	i := 0
	for got, err := range run.Feed() {
		if err != nil {
			t.Fatal(err)
		}
		same(t, live[i], got)
		i++
	}
	if i != len(live) {
		t.Errorf("the recording has %d states, the live run had %d", i, len(live))
	}
}

// same compares what a recording can tell: all but the loop's own parts.
func same(t *testing.T, want, got *ledger.Snapshot) {
	t.Helper()
	clean := func(s *ledger.Snapshot) *ledger.Snapshot {
		c := *s
		c.AtClose, c.Setup, c.Run, c.Seq, c.Commands, c.Series, c.Record, c.Why = nil, nil, 0, 0, nil, nil, ledger.Record{}, ""
		c.Notes = slices.Clone(c.Notes)
		slices.SortFunc(c.Notes, func(a, b ledger.Note) int {
			return strings.Compare(fmt.Sprint(a.At, a.ID, a.Args), fmt.Sprint(b.At, b.ID, b.Args))
		})
		return &c
	}
	w, g := clean(want), clean(got)
	if !reflect.DeepEqual(w, g) {
		t.Fatalf("second %d:\n%s", want.Closed, cmp.Diff(w, g, cmp.Exporter(func(reflect.Type) bool { return true })))
	}
}
