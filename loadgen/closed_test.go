package loadgen

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

// run drives an engine to its end and returns its events in order of stamps.
func run(t *testing.T, opt Options, during func(*Engine)) []ledger.Event {
	t.Helper()
	if opt.Limit == 0 {
		opt.Limit = 1 << 20
	}
	opt.Zero = time.Now()
	e := New(opt)
	done := make(chan struct{})
	go func() { e.Run(t.Context()); close(done) }()
	if during != nil {
		during(e)
	}
	<-done
	if e.flight.first != nil || e.gate.running != 0 || e.gate.held != 0 {
		t.Errorf("the engine has ended with %d running and %d held", e.gate.running, e.gate.held)
	}
	events := e.Drain(nil)
	slices.SortFunc(events, func(a, b ledger.Event) int {
		return cmp.Or(cmp.Compare(a.At(), b.At()), cmp.Compare(a.Lane, b.Lane), cmp.Compare(a.I, b.I), cmp.Compare(a.Kind, b.Kind))
	})
	return events
}

// dues are the dues of a run's events.
func dues(events []ledger.Event) (out []time.Duration) {
	for _, e := range events {
		if e.Kind == ledger.Due {
			out = append(out, e.Due)
		}
	}
	return out
}

// peak is the most requests that were open at once.
func peak(events []ledger.Event) (most int) {
	open := 0
	for _, e := range events {
		switch e.Kind {
		case ledger.Due:
			open++
		case ledger.Done:
			open--
		}
		most = max(most, open)
	}
	return most
}

// starter is a sender that starts without waiting and takes as long as it says.
type starter struct {
	serve
	mu   sync.Mutex
	idle int // connections that are free
	sent int // by Start
}

type onTheWire struct {
	r     Reply
	abort chan error
}

func (o *onTheWire) Abort(r Reply, cause error) {
	if r == o.r {
		o.abort <- cause
	}
}

func (s *starter) Start(r Reply) Started {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.idle == 0 {
		return nil
	}
	s.idle--
	s.sent++
	o := &onTheWire{r, make(chan error, 1)}
	r.Sent()
	go func() {
		a := Answer{}
		select {
		case <-time.After(s.serve(context.Background())):
			r.First()
		case <-o.abort:
			a.Failure.Class = ledger.Reset
		}
		s.mu.Lock()
		s.idle++
		s.mu.Unlock()
		r.End(a)
	}()
	return o
}

func takes(d time.Duration) serve { return func(context.Context) time.Duration { return d } }

// Every way to end is the same for requests that are started and for those
// that need a goroutine of their own.
func TestAStartedRequestIsOneLikeTheOthers(t *testing.T) {
	tests := []struct {
		name  string
		idle  int
		takes time.Duration
		want  ledger.Class
		cut   time.Duration
	}{
		{"answered, all started", 1000, 30 * time.Millisecond, ledger.OK, 0},
		{"answered, some started", 2, 30 * time.Millisecond, ledger.OK, 0},
		{"answered, none started", 0, 30 * time.Millisecond, ledger.OK, 0},
		{"too slow, all started", 1000, time.Hour, ledger.Timeout, 0},
		{"too slow, some started", 50, time.Hour, ledger.Timeout, 0},
		{"cut, some started", 5, time.Hour, ledger.CutOff, 305 * time.Millisecond},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			s := &starter{serve: takes(tt.takes), idle: tt.idle}
			opt := Options{Lanes: lanesAt(2, 100, s), Length: time.Second, Timeout: 5 * time.Second}
			var e *Engine
			events := run(t, opt, func(x *Engine) {
				e = x
				if tt.cut > 0 {
					time.Sleep(tt.cut)
					x.Cut()
				}
			})
			n := 0
			for _, ev := range events {
				if ev.Kind != ledger.Done {
					continue
				}
				n++
				if ev.Failure.Class != tt.want {
					t.Fatalf("%s: lane %d request %d: %s", tt.name, ev.Lane, ev.I, ev.Failure.Name())
				}
				if tt.want == ledger.Timeout && ev.Service() != 5*time.Second {
					t.Errorf("%s: timed out after %s", tt.name, ev.Service())
				}
			}
			if len(events) != 3*n || tt.cut == 0 && n != 200 {
				t.Errorf("%s: %d events of %d requests", tt.name, len(events), n)
			}
			if tt.idle >= 1000 && s.sent != n {
				t.Errorf("%s: %d of %d were started", tt.name, s.sent, n)
			}
			for i := range e.loads {
				if open, work := e.loads[i].open.Load(), e.loads[i].work.Load(); open != 0 || work != 0 {
					t.Errorf("%s: target %d: %d open, %d ns of work at the end", tt.name, i, open, work)
				}
			}
		})
	}
}

func closedLane(slots int, s Sender) []Lane {
	return []Lane{{Arrivals: pace.Closed, Slots: slots, Outlets: []Outlet{{Sender: s}}}}
}

func TestAClosedLoopKeepsItsSlotsBusy(t *testing.T) {
	tests := []struct {
		name   string
		slots  int
		n      int64
		length time.Duration
		due    int
		last   time.Duration // due of the last request
		end    time.Duration // of sending
	}{
		{"one after the other, by number", 1, 100, 0, 100, 9900 * time.Millisecond, 9900 * time.Millisecond},
		{"by time", 4, 0, time.Second, 40, 900 * time.Millisecond, time.Second},
		{"fewer requests than slots", 64, 10, 0, 10, 0, 0},
		{"both, the number first", 10, 25, time.Hour, 25, 200 * time.Millisecond, 200 * time.Millisecond},
	}
	for _, tt := range tests {
		for _, s := range []Sender{takes(100 * time.Millisecond), &starter{serve: takes(100 * time.Millisecond), idle: 3}} {
			synctest.Test(t, func(t *testing.T) {
				var e *Engine
				events := run(t, Options{Lanes: closedLane(tt.slots, s), Requests: tt.n, Length: tt.length}, func(x *Engine) { e = x })
				got := dues(events)
				if len(got) != tt.due || got[len(got)-1] != tt.last {
					t.Errorf("%s: %d due, the last at %s", tt.name, len(got), got[len(got)-1])
				}
				if end, _ := e.Ended(0); end != tt.end || e.now() > tt.end+time.Second {
					t.Errorf("%s: sending ended at %s, want %s; known by %s", tt.name, end, tt.end, e.now())
				}
				if p := peak(events); p > tt.slots {
					t.Errorf("%s: %d open at once", tt.name, p)
				}
				for i, ev := range events {
					if ev.Kind == ledger.Due && ev.Due > 0 && !slices.ContainsFunc(events[:i], func(d ledger.Event) bool {
						return d.Kind == ledger.Done && d.Done == ev.Due
					}) {
						t.Errorf("%s: due at %s, when nothing was done", tt.name, ev.Due)
					}
				}
			})
		}
	}
}

func TestAClosedLoopObeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at := func(d time.Duration) time.Duration { time.Sleep(d); return d }
		paused, going, two, eight := true, false, 2, 8
		events := run(t, Options{Lanes: closedLane(4, takes(100*time.Millisecond))}, func(e *Engine) {
			do := func(c Change) { e.Apply(e.now(), map[int]Change{0: c}) }
			at(250 * time.Millisecond)
			do(Change{Slots: &eight})
			at(280 * time.Millisecond)
			do(Change{Slots: &two})
			at(300 * time.Millisecond)
			do(Change{Paused: &paused})
			at(time.Second)
			do(Change{Burst: 5})
			at(time.Second)
			do(Change{Paused: &going})
			at(250 * time.Millisecond)
			do(Change{Stop: true})
		})
		count := func(from, to time.Duration) (n int) {
			for _, d := range dues(events) {
				if d >= from && d < to {
					n++
				}
			}
			return n
		}
		ms := time.Millisecond
		for _, w := range []struct {
			from, to time.Duration
			want     int
		}{
			{0, 250 * ms, 12},
			{250 * ms, 530 * ms, 4*3 + 4*3},
			{530 * ms, 600 * ms, 0},
			{600 * ms, 830 * ms, 3 * 2},
			{830 * ms, 1830 * ms, 0},
			{1830 * ms, 1831 * ms, 5},
			{1831 * ms, 2830 * ms, 0},
			{2830 * ms, 3080 * ms, 6},
			{3080 * ms, time.Hour, 0},
		} {
			if got := count(w.from, w.to); got != w.want {
				t.Errorf("%d due from %s to %s, want %d", got, w.from, w.to, w.want)
			}
		}
	})
}

// Bursts come on top of the schedule, at their instant, and of -n.
func TestABurstLeavesTheScheduleAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		events := run(t, Options{Lanes: lanesAt(1, 10, takes(0)), Requests: 20}, func(e *Engine) {
			time.Sleep(450 * time.Millisecond)
			e.Apply(e.now(), map[int]Change{0: {Burst: 7}})
		})
		got := dues(events)
		if len(got) != 27 {
			t.Fatalf("%d due, want 20 and 7", len(got))
		}
		n := 0
		for i := range 20 {
			if !slices.Contains(got, time.Duration(i)*100*time.Millisecond) {
				t.Errorf("request %d of the schedule is missing", i)
			}
		}
		for _, d := range got {
			if d == 450*time.Millisecond {
				n++
			}
		}
		if n != 7 {
			t.Errorf("%d due at the burst", n)
		}
	})
}

// Slots of a closed loop on real threads: none is lost, and changes from
// outside stay atomic with what slots take up.
func TestAClosedLoopOnRealThreads(t *testing.T) {
	paused, going := true, false
	type span struct{ from, to time.Duration }
	var pauses []span
	s := &starter{serve: takes(0), idle: 16}
	events := run(t, Options{Lanes: append(closedLane(8, s), closedLane(8, takes(0))...)}, func(e *Engine) {
		both := func(c Change) time.Duration {
			at, _ := e.Apply(e.now(), map[int]Change{0: c, 1: c})
			return at
		}
		for range 20 {
			time.Sleep(2 * time.Millisecond)
			from := both(Change{Paused: &paused})
			time.Sleep(2 * time.Millisecond)
			pauses = append(pauses, span{from, both(Change{Paused: &going})})
		}
		e.Cut()
	})
	n := map[ledger.Kind]int{}
	for _, ev := range events {
		n[ev.Kind]++
		for _, p := range pauses {
			if ev.Kind == ledger.Due && ev.Due >= p.from && ev.Due < p.to {
				t.Fatalf("lane %d request %d is due at %s, paused from %s to %s", ev.Lane, ev.I, ev.Due, p.from, p.to)
			}
		}
	}
	if n[ledger.Due] < 100 || n[ledger.Due] != n[ledger.Done] {
		t.Errorf("%d due, %d done", n[ledger.Due], n[ledger.Done])
	}
}

// A change to a lane that has ended is not taken, and says so.
func TestALaneThatHasEndedTakesNoChange(t *testing.T) {
	for _, lanes := range [][]Lane{lanesAt(1, 10, takes(time.Minute)), closedLane(2, takes(time.Minute))} {
		synctest.Test(t, func(t *testing.T) {
			run(t, Options{Lanes: lanes, Length: time.Second}, func(e *Engine) {
				time.Sleep(1500 * time.Millisecond)
				if _, taken := e.Apply(e.now(), map[int]Change{0: {Burst: 5}}); len(taken) != 0 {
					t.Errorf("lanes %v took a burst after their end", taken)
				}
				f := make([]time.Duration, 1)
				time.Sleep(time.Second)
				if e.Frontier(f); f[0] < 2*time.Second {
					t.Errorf("the frontier stands at %s", f[0])
				}
			})
		})
	}
}

// A closed loop against a server that is not there asks it ten times a second a
// slot, not as fast as it can.
func TestASlotTakesABreath(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		events := run(t, Options{Lanes: closedLane(3, refusing{}), Length: time.Second}, nil)
		if n := len(dues(events)); n != 30 {
			t.Errorf("%d requests in 1 s", n)
		}
	})
}

// refusing is an endpoint to which there is no connection.
type refusing struct{}

func (refusing) BodyBytes() int64 { return 1 }
func (refusing) Payload() string  { return "" }
func (refusing) Send(context.Context, Stamps) Answer {
	return Answer{Failure: ledger.Failure{Class: ledger.Connect}}
}

// After the last of a number of requests the lane has ended, where a rate says
// nothing about how long they last.
func TestANumberOfRequestsEndsWithTheLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, a := range []pace.Arrivals{pace.Poisson, pace.Uniform, pace.Burst, pace.PoissonCounts} {
			var e *Engine
			events := run(t, Options{Lanes: []Lane{{Arrivals: a, Rate: 7, Seed: 3, Outlets: []Outlet{{Sender: takes(0)}}}}, Requests: 10}, func(x *Engine) { e = x })
			all := dues(events)
			if end, _ := e.Ended(0); len(all) != 10 || end != all[9] {
				t.Errorf("%s: %d due, the last at %s, ended at %s", a, len(all), all[len(all)-1], end)
			}
		}
	})
}

// slowStart is a sender that stands still in Start, before or after Sent.
type slowStart struct {
	serve
	in            chan struct{} // it is in Start
	before, after chan struct{}
	aborted       chan error
}

type slowStarted struct {
	s *slowStart
	r Reply
}

func (o slowStarted) Abort(_ Reply, cause error) {
	o.s.aborted <- cause
	go o.r.End(Answer{Failure: ledger.Failure{Class: ledger.Reset}})
}

func (s *slowStart) Start(r Reply) Started {
	s.in <- struct{}{}
	<-s.before
	r.Sent()
	<-s.after
	return slowStarted{s, r}
}

// A cut reaches a request that is just being started.
func TestACutWhileARequestIsStarted(t *testing.T) {
	for _, sent := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := &slowStart{
				serve: takes(0), in: make(chan struct{}, 1), before: make(chan struct{}),
				after: make(chan struct{}), aborted: make(chan error, 1),
			}
			e := New(Options{Zero: time.Now(), Limit: 1, Lanes: lanesAt(1, 1, s), Requests: 1})
			done := make(chan struct{})
			go func() { e.Run(t.Context()); close(done) }()
			<-s.in
			if sent {
				close(s.before)
				synctest.Wait()
			}
			e.Cut()
			synctest.Wait()
			if !sent {
				close(s.before)
				synctest.Wait()
			}
			close(s.after)
			select {
			case cause := <-s.aborted:
				if cause != ErrCut {
					t.Errorf("aborted with %v", cause)
				}
			case <-time.After(time.Minute):
				t.Fatal("it was not aborted")
			}
			<-done
			if got := balance(t, e, 1); got.Fail[ledger.CutOff] != 1 {
				t.Errorf("%+v", got)
			}
		})
	}
}
