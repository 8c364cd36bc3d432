package loadgen

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

// serve is a sender that takes as long as it says.
type serve func(ctx context.Context) time.Duration

func (s serve) BodyBytes() int64 { return 1 }
func (s serve) Payload() string  { return "" }
func (s serve) Send(ctx context.Context, st Stamps) Answer {
	st.Sent()
	select {
	case <-time.After(s(ctx)):
		return Answer{Up: 1}
	case <-ctx.Done():
		return Answer{Failure: ledger.Failure{Class: ledger.Reset}}
	}
}

func lanesAt(n int, rate float64, s Sender) (out []Lane) {
	for range n {
		out = append(out, Lane{Arrivals: pace.Constant, Rate: rate, Outlets: []Outlet{{Sender: s}}})
	}
	return out
}

// balance tells a ledger what an engine reported, and what is left open.
func balance(t *testing.T, e *Engine, lanes int) ledger.Totals {
	t.Helper()
	setup := &ledger.Setup{}
	for i := range lanes {
		setup.Lanes = append(setup.Lanes, ledger.LaneSetup{ID: i, Targets: []int{0}})
	}
	l := ledger.New(setup)
	events := e.Drain(nil)
	slices.SortStableFunc(events, func(a, b ledger.Event) int { return int(a.At() - b.At()) })
	for _, ev := range events {
		if err := l.Apply(ev); err != nil {
			t.Fatal(err)
		}
	}
	for i := range lanes {
		end, ended := e.Ended(i)
		if !ended {
			t.Fatalf("lane %d has not ended", i)
		}
		l.Stop(end, i)
	}
	if err := l.Finish(); err != nil {
		t.Fatal(err)
	}
	return l.Snapshot().Total.Totals
}

// A cut of thousands of held requests, on real threads, loses none of them.
func TestACutLosesNoRequest(t *testing.T) {
	for range 5 {
		e := New(Options{
			Zero: time.Now(), Limit: 1,
			Lanes: lanesAt(2, 50_000, serve(func(context.Context) time.Duration { return time.Hour })),
		})
		done := make(chan struct{})
		go func() { e.Run(t.Context()); close(done) }()
		for e.lanes[0].reported() < 50*time.Millisecond {
			time.Sleep(time.Millisecond)
		}
		e.Cut()
		<-done
		if got := balance(t, e, 2); got.Due == 0 || got.Fail[ledger.CutOff] != got.Due {
			t.Fatalf("%d due, %d cut", got.Due, got.Fail[ledger.CutOff])
		}
	}
}

// What is late ends with a cut too: a lane that has far more due than it has
// taken up takes up no more of it.
func TestACutEndsALaneThatIsLate(t *testing.T) {
	offline := Lane{Arrivals: pace.Burst, Pattern: pace.Spec{Count: 1 << 40, Once: true}, Outlets: []Outlet{{Sender: takes(time.Hour)}}}
	fast := lanesAt(1, 1e6, takes(time.Hour))[0]
	for name, lane := range map[string]Lane{"all at once": offline, "too fast": fast} {
		e := New(Options{Zero: time.Now().Add(-time.Minute), Limit: 1, Open: 1 << 30, Lanes: []Lane{lane}})
		done := make(chan struct{})
		go func() { e.Run(t.Context()); close(done) }()
		for e.Open() < 1000 {
			time.Sleep(time.Millisecond)
		}
		e.Cut()
		<-done
		if got := balance(t, e, 1); got.Due == 0 || got.Fail[ledger.CutOff] != got.Due || got.Due >= 50_000_000 {
			t.Errorf("%s: %d due, %d cut", name, got.Due, got.Fail[ledger.CutOff])
		}
	}
}

// A burst ends with a cut too: what it has not taken up by then is not due.
func TestACutEndsABurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var e *Engine
		asked := 0
		cuts := inline{takes(time.Hour), func() {
			if asked++; asked == 10 {
				e.Cut()
				e.halted.Store(true) // as the cut does in a goroutine of its own
			}
		}}
		events := run(t, Options{Lanes: []Lane{{Arrivals: pace.Constant, Outlets: []Outlet{{Sender: cuts}}}}}, func(of *Engine) {
			e = of
			e.Apply(e.now(), map[int]Change{0: {Burst: 1000}})
		})
		if n := len(dues(events)); n != 10 {
			t.Errorf("%d of a burst of 1000 were taken up", n)
		}
	})
}

// inline is a sender that is asked in the lane's goroutine.
type inline struct {
	serve
	asked func()
}

func (s inline) Start(Reply) Started {
	s.asked()
	return nil // it goes on as any other
}

// With too many open no lane takes up another; what is open is done.
func TestSendingEndsWhenTooManyAreOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := New(Options{Zero: time.Now(), Limit: 2, Open: 50, Lanes: lanesAt(2, 100, takes(time.Second))})
		e.Run(t.Context()) // would not return
		got := balance(t, e, 2)
		if !e.Full() || got.Due < 50 || got.Due > 52 || got.OK != got.Due {
			t.Errorf("full %v, %d due, %d ok", e.Full(), got.Due, got.OK)
		}
	})
}

// As many as may be open may be.
func TestABurstOfAllThatMayBeOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		burst := Lane{Arrivals: pace.Burst, Pattern: pace.Spec{Count: 50, Once: true}, Outlets: []Outlet{{Sender: takes(time.Second)}}}
		e := New(Options{Zero: time.Now(), Limit: 2, Open: 50, Fixed: true, Lanes: []Lane{burst}})
		e.Run(t.Context())
		if got := balance(t, e, 1); e.Full() || got.OK != 50 {
			t.Errorf("full %v, %d ok", e.Full(), got.OK)
		}
	})
}

// What is asked of a lane that has been told to stop, and has not heard of it
// yet, is refused.
func TestALaneThatIsToStopTakesNoChange(t *testing.T) {
	rate := 1.0
	for name, lanes := range map[string][]Lane{"open": lanesAt(1, 1, takes(0)), "closed": closedLane(1, takes(time.Minute))} {
		synctest.Test(t, func(t *testing.T) {
			run(t, Options{Lanes: lanes, Pacing: func() Wait { return late() }}, func(e *Engine) {
				const stop = 500 * time.Millisecond
				for _, c := range []struct {
					Change
					at    time.Duration
					taken int
				}{{Change{Rate: &rate}, stop - 1, 1}, {Change{Stop: true}, stop, 1}, {Change{Burst: 5}, stop, 0}, {Change{Rate: &rate}, stop + 1, 0}} {
					if _, taken := e.Apply(c.at, map[int]Change{0: c.Change}); len(taken) != c.taken {
						t.Errorf("%s: a change at %s was taken by %d", name, c.at, len(taken))
					}
				}
			})
		})
	}
}

func TestACutBeforeTheRunHolds(t *testing.T) {
	e := New(Options{Zero: time.Now(), Limit: 10, Lanes: lanesAt(1, 1000, serve(func(context.Context) time.Duration { return 0 }))})
	e.Cut()
	e.Run(t.Context()) // would not return
	if got := balance(t, e, 1); got.OK != 0 {
		t.Errorf("%d were sent after a cut", got.OK)
	}
}

// What is over the limit is held and goes in order of due, whatever its lane.
func TestHeldRequestsGoInOrderOfDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var order []string
		named := func(name string) Sender {
			n := 0
			return serve(func(context.Context) time.Duration {
				mu.Lock()
				defer mu.Unlock()
				order = append(order, fmt.Sprint(name, n))
				n++
				return time.Second
			})
		}
		lanes := append(lanesAt(1, 10, named("a")), lanesAt(1, 4, named("b"))...)
		e := New(Options{Zero: time.Now(), Limit: 1, Lanes: lanes, Length: 500 * time.Millisecond})
		e.Run(t.Context())
		// a: 0, 100 … 400 ms; b: 0, 250 ms. Of one due the lower lane is first,
		// but which of the two lanes came first at 0 is chance.
		want := "[a1 a2 b1 a3 a4]"
		if got := fmt.Sprint(order[2:]); got != want {
			t.Errorf("order %s, want %s", got, want)
		}
	})
}

// A change takes effect at one instant in all lanes, after all that was taken
// up, and what is due from then on is as the change says.
func TestAChangeIsAtomicWithWhatIsTakenUp(t *testing.T) {
	const lanes = 3
	e := New(Options{
		Zero: time.Now(), Limit: 1 << 20, Length: time.Hour,
		Lanes: lanesAt(lanes, 20_000, serve(func(context.Context) time.Duration { return 0 })),
	})
	done := make(chan struct{})
	go func() { e.Run(t.Context()); close(done) }()
	paused, going := true, false
	type span struct{ from, to time.Duration }
	var pauses []span
	for range 30 {
		for from := e.now(); e.now() < from+2*time.Millisecond; {
			time.Sleep(100 * time.Microsecond)
		}
		all := func(p *bool) map[int]Change {
			c := map[int]Change{}
			for i := range lanes {
				c[i] = Change{Paused: p}
			}
			return c
		}
		from, _ := e.Apply(e.now(), all(&paused))
		time.Sleep(time.Millisecond)
		to, _ := e.Apply(e.now(), all(&going))
		pauses = append(pauses, span{from, to})
	}
	e.Cut()
	<-done
	for _, ev := range e.Drain(nil) {
		if ev.Kind != ledger.Due {
			continue
		}
		for _, p := range pauses {
			if ev.Due >= p.from && ev.Due < p.to {
				t.Fatalf("lane %d request %d is due at %s, paused from %s to %s", ev.Lane, ev.I, ev.Due, p.from, p.to)
			}
		}
	}
}

// A change comes before what is due after it, however busy the lane is.
func TestNothingIsTakenUpAfterAChangeThatForbidsIt(t *testing.T) {
	paused := true
	for range 300 {
		e := New(Options{Zero: time.Now().Add(-time.Hour), Limit: 1, Lanes: lanesAt(1, 1e6, takes(time.Hour))})
		done := make(chan struct{})
		go func() { e.Run(t.Context()); close(done) }()
		for e.Open() < 100 {
			time.Sleep(50 * time.Microsecond)
		}
		from, _ := e.Apply(0, map[int]Change{0: {Paused: &paused}}) // just after the youngest
		time.Sleep(200 * time.Microsecond)
		e.Cut()
		<-done
		for _, ev := range e.Drain(nil) {
			if ev.Kind == ledger.Due && ev.Due >= from {
				t.Fatalf("request %d was due at %s, after the pause at %s", ev.I, ev.Due, from)
			}
		}
	}
}

// late is the pacing of a machine that is a second late with everything.
func late() Wait {
	return func(_ context.Context, until time.Time, _ <-chan struct{}) {
		time.Sleep(time.Until(until) + time.Second)
	}
}

// A lane that hears late that it has ended takes no change after its end.
func TestALaneThatWakesLateTakesNoChangeAfterItsEnd(t *testing.T) {
	for name, lanes := range map[string][]Lane{"open": lanesAt(1, 1, takes(time.Minute)), "closed": closedLane(1, takes(time.Minute))} {
		synctest.Test(t, func(t *testing.T) {
			events := run(t, Options{Lanes: lanes, Length: time.Second, Pacing: late}, func(e *Engine) {
				time.Sleep(1700 * time.Millisecond)
				if _, taken := e.Apply(e.now(), map[int]Change{0: {Burst: 5}}); len(taken) != 0 {
					t.Errorf("%s: a burst was taken after the end", name)
				}
			})
			if n := len(dues(events)); n != 1 {
				t.Errorf("%s: %d requests", name, n)
			}
		})
	}
}

// Of two changes that a closed loop hears of late, only the one before its end
// is obeyed.
func TestAClosedLoopThatWakesLateEndsWhereItWasTo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var e *Engine
		events := run(t, Options{Lanes: closedLane(1, takes(time.Minute)), Length: time.Second, Pacing: late}, func(of *Engine) {
			e = of
			for _, at := range []time.Duration{900, 600} {
				time.Sleep(at * time.Millisecond)
				e.Apply(e.now(), map[int]Change{0: {Burst: 5}})
			}
		})
		if end, _ := e.Ended(0); len(dues(events)) != 6 || end != time.Second {
			t.Errorf("%d requests, ended at %s", len(dues(events)), end)
		}
	})
}

// The frontier does not pass a change that the lane has not read.
func TestTheFrontierWaitsForTheMail(t *testing.T) {
	e := New(Options{Zero: time.Now(), Lanes: lanesAt(1, 1, takes(0))})
	l := e.lanes[0]
	l.post(Change{Burst: 1}, 300*time.Millisecond)
	l.loop.(*openLoop).report(time.Second, false)
	if at := l.reported(); at > 300*time.Millisecond {
		t.Errorf("nothing is due before %s, and a burst at 300 ms waits", at)
	}
}

// What is taken up at the instant of a cut is due before sending ends.
func TestACutAtTheInstantOfARequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var e *Engine
		events := run(t, Options{Lanes: lanesAt(1, 10, takes(time.Minute))}, func(of *Engine) {
			e = of
			time.Sleep(500 * time.Millisecond)
			synctest.Wait()
			e.Cut()
		})
		all := dues(events)
		if end, _ := e.Ended(0); len(all) != 6 || end <= all[5] {
			t.Errorf("ended at %s, due at %v", end, all)
		}
	})
}

// A change before the end of a lane that hears of both late comes first.
func TestALaneThatWakesLateObeysWhatCameBeforeItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		events := run(t, Options{Lanes: lanesAt(1, 2, takes(0)), Length: 2 * time.Second, Pacing: late}, func(e *Engine) {
			time.Sleep(1990 * time.Millisecond)
			if _, taken := e.Apply(e.now(), map[int]Change{0: {Burst: 5}}); len(taken) != 1 {
				t.Error("a burst before the end was not taken")
			}
		})
		if n := len(dues(events)); n != 9 {
			t.Errorf("%d requests", n)
		}
	})
}

// A lane that is far behind still says how far it got.
func TestTheFrontierMovesWhileALaneIsBehind(t *testing.T) {
	e := New(Options{
		Zero: time.Now().Add(-2 * time.Second), Limit: 1, // two seconds are overdue
		Lanes: lanesAt(1, 10_000, serve(func(context.Context) time.Duration { return time.Hour })),
	})
	done := make(chan struct{})
	go func() { e.Run(t.Context()); close(done) }()
	f := make([]time.Duration, 1)
	for last := time.Duration(-1); f[0] < time.Second; time.Sleep(time.Millisecond) {
		e.Frontier(f)
		if f[0] < last {
			t.Fatalf("the frontier went back from %s to %s", last, f[0])
		}
		last = f[0]
	}
	e.Cut()
	<-done
	balance(t, e, 1)
}

func TestARunOfNRequestsLastsNOverRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		none := 0.0
		tests := []struct {
			rate   float64
			n      int64
			length time.Duration
			zeroAt time.Duration // the rate becomes 0 then
			end    time.Duration
			due    int64
		}{
			{rate: 50, n: 200, end: 4 * time.Second, due: 200},
			{rate: 50, n: 200, length: 3 * time.Second, end: 3 * time.Second, due: 150},
			{rate: 10, n: 5, length: time.Hour, zeroAt: 450 * time.Millisecond, end: 450 * time.Millisecond, due: 5},
		}
		for _, tt := range tests {
			e := New(Options{
				Zero: time.Now(), Limit: 100, Requests: tt.n, Length: tt.length,
				Lanes: lanesAt(1, tt.rate, serve(func(context.Context) time.Duration { return 0 })),
			})
			done := make(chan struct{})
			go func() { e.Run(t.Context()); close(done) }()
			if tt.zeroAt > 0 {
				time.Sleep(tt.zeroAt)
				e.Apply(e.now(), map[int]Change{0: {Rate: &none}})
			}
			<-done
			if end, _ := e.Ended(0); end != tt.end {
				t.Errorf("%+v: ended at %s", tt, end)
			}
			if got := balance(t, e, 1); got.Due != tt.due {
				t.Errorf("%+v: %d due", tt, got.Due)
			}
		}
	})
}

func BenchmarkARequestThroughTheEngine(b *testing.B) {
	e := New(Options{
		Zero: time.Now().Add(-time.Hour), Limit: 1, Requests: int64(b.N),
		Lanes: lanesAt(1, 1e6, nullSender{}),
	})
	b.ReportAllocs()
	b.ResetTimer()
	e.Run(b.Context())
}

type nullSender struct{}

func (nullSender) BodyBytes() int64 { return 1 }
func (nullSender) Payload() string  { return "" }
func (nullSender) Send(_ context.Context, s Stamps) Answer {
	s.Sent()
	return Answer{}
}
