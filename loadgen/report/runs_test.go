package report

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
	"dev.example/pileup/probes"
)

const ms = time.Millisecond

// request is what became of one; Never marks a step that did not happen.
type request struct {
	lane, target    int
	due, sent, done time.Duration
	late            time.Duration // taken up, beyond 12 µs after due
	failure         ledger.Failure
}

// sharing lets n requests, due every gap, share one server of that many
// requests per second equally.
func sharing(n int, gap time.Duration, perSecond float64) []request {
	all := make([]request, n)
	left := make(map[int]float64) // work by request, in seconds of the server alone
	now, next := time.Duration(0), 0
	for next < n || len(left) > 0 {
		least := time.Duration(1 << 62)
		for _, w := range left {
			least = min(least, time.Duration(w*float64(len(left))*1e9))
		}
		arrival := time.Duration(1 << 62)
		if next < n {
			arrival = time.Duration(next)*gap - now
		}
		step := min(least, arrival)
		for i := range left {
			left[i] -= step.Seconds() / float64(len(left))
		}
		now += step
		for i, w := range left {
			if w < 1e-9 {
				all[i].done = now.Truncate(time.Microsecond)
				delete(left, i)
			}
		}
		if step == arrival {
			all[next] = request{due: now, sent: now + 41*time.Microsecond}
			left[next] = (0.5 + float64(next*7%11)/10) / perSecond // sizes differ
			next++
		}
	}
	return all
}

// told feeds a ledger with the requests up to an instant. act is called at the
// start of every second.
func told(t testing.TB, setup *ledger.Setup, all []request, until time.Duration, act func(l *ledger.Ledger, at time.Duration)) *ledger.Ledger {
	t.Helper()
	l := ledger.New(setup)
	events := eventsOf(all)
	frontier := make([]time.Duration, len(setup.Lanes))
	for at := time.Duration(0); at < until; at += time.Second {
		act(l, at)
		for len(events) > 0 && events[0].At() < min(at+time.Second, until) {
			if err := l.Apply(events[0]); err != nil {
				t.Fatal(err)
			}
			events = events[1:]
		}
		for i := range frontier {
			frontier[i] = at + time.Second
		}
		if err := l.Advance(min(until, at+time.Second+ledger.Grace), frontier); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

func eventsOf(all []request) (events []ledger.Event) {
	numbers := map[int]int64{}
	for _, r := range all {
		e := ledger.Event{
			Lane: r.lane, Target: r.target, I: numbers[r.lane], Due: r.due, Started: r.due + 12*time.Microsecond + r.late,
			Sent: ledger.Never, First: ledger.Never, Done: ledger.Never,
		}
		numbers[r.lane]++
		events = append(events, e)
		if e.Sent = r.sent; r.sent != ledger.Never {
			e.Kind = ledger.Sent
			events = append(events, e)
		}
		e.Kind, e.Done, e.Failure, e.Up = ledger.Done, r.done, r.failure, 3160000
		if e.OK() {
			e.Down, e.Peer = 812, "10.0.0.7:8501"
		}
		events = append(events, e)
	}
	slices.SortStableFunc(events, func(a, b ledger.Event) int {
		return cmp.Or(cmp.Compare(a.At(), b.At()), cmp.Compare(a.Kind, b.Kind))
	})
	return events
}

func finished(t testing.TB, l *ledger.Ledger) *ledger.Snapshot {
	t.Helper()
	if err := l.Finish(); err != nil {
		t.Fatal(err)
	}
	return l.Snapshot()
}

func oneLane() *ledger.Setup {
	return &ledger.Setup{
		Tool: "pileup 0.1.0", Start: time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC), Seed: 7,
		Targets: []ledger.Target{{Name: "xavier", URL: "http://xavier:8501", Protocol: "tfs+http"}},
		Lanes: []ledger.LaneSetup{{
			Name: "A", Targets: []int{0},
			Setting: ledger.Setting{Model: "mobilenet_v1", Rate: 50, BodyBytes: 3160000},
		}},
		Payload: []string{"mobilenet_v1: 150,528 floats, 3.16 MB as JSON"},
		Limit:   1000, Timeout: 5 * time.Minute, Length: 10 * time.Second,
	}
}

// puzzle is a run that is overloaded: more is asked than is possible, and the later
// requests look faster.
func puzzle(t testing.TB) *ledger.Snapshot {
	l := told(t, oneLane(), sharing(500, 20*ms, 38), 14*time.Second, func(l *ledger.Ledger, at time.Duration) {
		if at == 10*time.Second {
			l.Stop(at, 0)
		}
	})
	s := finished(t, l)
	cpu := func(at time.Duration, x float64) probes.Point {
		return probes.Point{At: at, Sample: &probes.Sample{Own: probes.Process{CPU: probes.Of(x)}}}
	}
	s.Series = []probes.Series{
		{Name: "xavier", Points: []probes.Point{{At: 0, Sample: &probes.Sample{}}}},
		{Name: "driver", Points: []probes.Point{cpu(-time.Second, 0.5), cpu(0, 0.75), {At: time.Second}, cpu(13*time.Second, 3.25), cpu(time.Minute, 99)}},
	}
	return s
}

// puzzleRunning is the same run in its fifth second.
func puzzleRunning(t testing.TB) *ledger.Snapshot {
	return told(t, oneLane(), sharing(500, 20*ms, 38), 4500*ms, func(*ledger.Ledger, time.Duration) {}).Snapshot()
}

func twoLanes() *ledger.Setup {
	s := oneLane()
	s.Targets = append(s.Targets, ledger.Target{ID: 1, Name: "tx2", URL: "http://tx2:8501", Protocol: "tfs+http"})
	s.Lanes[0].Targets = []int{0, 1}
	s.Lanes = append(s.Lanes, ledger.LaneSetup{
		ID: 1, Name: "B", Targets: []int{1},
		Setting: ledger.Setting{Model: "yolo_v5", Arrivals: pace.Poisson, Rate: 0},
	})
	s.Boards = []ledger.Board{{Probe: "xavier", Modes: []probes.Mode{{Name: "MAXN"}, {ID: 3, Name: "30W"}}}}
	s.Timeout, s.Requests = 0, 100
	return s
}

// mixed is a run of two lanes with every kind of end: answered, refused, timed
// out, cut, never sent; with a pause, a model, and another power mode.
func mixed(t testing.TB) *ledger.Snapshot {
	var all []request
	for i := range 60 {
		r := request{target: i % 2, due: time.Duration(i) * 50 * ms}
		r.sent, r.done = r.due+ms, r.due+time.Duration(100+i*13%70)*ms
		switch {
		case i%10 == 3:
			r.sent, r.done, r.failure = ledger.Never, r.due+2*ms, ledger.Failure{Class: ledger.Connect, Text: "connection refused"}
		case i >= 40 && i%2 == 1:
			r.done, r.failure = r.sent+2*time.Second, ledger.Failure{Class: ledger.Timeout}
		case i == 58:
			r.done, r.failure = 6*time.Second, ledger.Failure{Class: ledger.CutOff}
		case i == 57:
			r.sent, r.done, r.failure = ledger.Never, 6*time.Second, ledger.Failure{Class: ledger.CutOff}
		}
		all = append(all, r)
	}
	for i := range 4 {
		due := 2100*ms + time.Duration(i)*200*ms
		all = append(all, request{lane: 1, target: 1, due: due, sent: due + ms, done: due + 400*time.Microsecond + ms})
	}
	l := told(t, twoLanes(), all, 7*time.Second, func(l *ledger.Ledger, at time.Duration) {
		a, b := l.Setting(0), l.Setting(1)
		switch at {
		case 0:
			l.StartMode(0, "MAXN")
		case 2 * time.Second:
			b.Rate = 5
			l.Change(at, "rate", 1, b)
			l.Mode(at+500*ms, 0, "30W")
		case 3 * time.Second:
			a.Paused = true
			l.Change(at, "pause", 0, a)
		case 4 * time.Second:
			l.Stop(at, 0)
			l.Stop(at, 1)
		}
	})
	return finished(t, l)
}

// old is a run so long that its first seconds were joined.
func old(t testing.TB) *ledger.Snapshot {
	s := *puzzle(t)
	s.AtClose = nil
	l := s.Total
	l.Seconds = slices.Clone(l.Seconds)
	var sum ledger.Second
	for _, sec := range l.Seconds[:10] {
		sum.Due, sum.Sent, sum.OK = sum.Due+sec.Due, sum.Sent+sec.Sent, sum.OK+sec.OK
		sum.Peak = max(sum.Peak, sec.Peak)
	}
	last := l.Seconds[9]
	sum.K, sum.Span = 10, 10
	sum.InFlight, sum.OldLeft, sum.ThisLeft = last.InFlight, last.OldLeft, last.ThisLeft
	l.Seconds = append([]ledger.Second{sum}, l.Seconds[10:]...)
	c := *l.Cohorts[9]
	c.K, c.Span = 10, 10
	older := *l.Cohorts[5]
	older.K = 0
	l.Cohorts = append([]*ledger.Cohort{&c}, l.Cohorts[10:]...)
	l.Older, l.Late = &older, 1
	s.Total, s.Lanes = l, []ledger.Lane{l}
	return &s
}
