package report

import (
	"strings"
	"testing"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

// The three clients of the cookbook call a server 100 times that takes one
// request at a time and 0.6 s for each.
const serviceTime = 600 * ms

// serial calls again when the last call is done.
func serial(t testing.TB) *ledger.Snapshot { return serialOf(t, 100) }

func serialOf(t testing.TB, n time.Duration) *ledger.Snapshot {
	var all []request
	for i := range n {
		due := i * serviceTime
		all = append(all, request{due: due, sent: due + ms, done: due + serviceTime})
	}
	return served(t, one(pace.Closed, func(s *ledger.Setup, l *ledger.LaneSetup) {
		s.Requests, l.Setting.Slots = int64(n), 1
	}), all, n*serviceTime)
}

// concurrent calls 100 times at once.
func concurrent(t testing.TB) *ledger.Snapshot {
	return served(t, one(pace.Burst, func(_ *ledger.Setup, l *ledger.LaneSetup) {
		l.Pattern.Count, l.Pattern.Once = 100, true
	}), inTurn(make([]time.Duration, 100)), time.Second)
}

// random calls 100 times at random instants of 20 s.
func random(t testing.TB) *ledger.Snapshot {
	spec := pace.Spec{Arrivals: pace.Uniform, Every: 20 * time.Second, Count: 100, Once: true}
	dues := make([]time.Duration, 100)
	schedule := pace.Start(spec, 0, 7)
	for i := range dues {
		dues[i], _ = schedule.Next()
		schedule.Take()
	}
	return served(t, one(pace.Uniform, func(s *ledger.Setup, l *ledger.LaneSetup) {
		s.Length, l.Pattern = 20*time.Second, spec
	}), inTurn(dues), 20*time.Second)
}

// one is a setup of one lane that becomes due in another way.
func one(how pace.Arrivals, set func(*ledger.Setup, *ledger.LaneSetup)) *ledger.Setup {
	s := oneLane()
	s.Length, s.Payload = 0, nil
	l := &s.Lanes[0]
	l.Setting.Model, l.Setting.Rate = "yolo_v5", 0
	l.Setting.Arrivals, l.Pattern.Arrivals = how, how
	set(s, l)
	return s
}

// inTurn serves requests in order of due.
func inTurn(dues []time.Duration) (all []request) {
	free := time.Duration(0)
	for _, due := range dues {
		free = max(free, due) + serviceTime
		all = append(all, request{due: due, sent: due + ms, done: free})
	}
	return all
}

// served is a run of requests that ends by itself. Sending stops at the
// instant stop, in whole seconds.
func served(t testing.TB, setup *ledger.Setup, all []request, stop time.Duration) *ledger.Snapshot {
	t.Helper()
	end := max(stop, all[len(all)-1].done) + time.Second
	s := finished(t, told(t, setup, all, end, func(l *ledger.Ledger, at time.Duration) {
		if at == stop {
			for lane := range setup.Lanes {
				l.Stop(at, lane)
			}
		}
	}))
	s.Why = "done"
	return s
}

func TestTheCookbooksMeanAndEnd(t *testing.T) {
	for _, tt := range []struct {
		name string
		run  func(testing.TB) *ledger.Snapshot
		due  string
		row  string
	}{
		{"serial", serial, "closed loop, 1 open at once: latency hides stalls", "100 100 0 0.600 60.000"},
		{"concurrent", concurrent, "one burst of 100, at 0 s", "100 100 0 30.300 60.000"},
		{"random", random, "uniform: 100 in 20 s, once", "100 100 0 20.186 60.200"},
	} {
		s := tt.run(t)
		if start := Start(lang.English, s.Setup); !strings.Contains(start, "yolo_v5, "+tt.due+"\n") {
			t.Errorf("%s: no %q in\n%s", tt.name, tt.due, start)
		}
		_, got, _ := strings.Cut(End(lang.English, s), "\nmean and end\n")
		head, rest, _ := strings.Cut(got, "\n")
		units, rest, _ := strings.Cut(rest, "\n")
		row, _, _ := strings.Cut(rest, "\n")
		for _, line := range [][2]string{{head, "due ok failed mean end"}, {units, "s s"}, {row, tt.row}} {
			if got := strings.Join(strings.Fields(line[0]), " "); got != line[1] {
				t.Errorf("%s: got %q, want %q", tt.name, got, line[1])
			}
		}
	}
}

// The end is that of the last request, not of the run, and of each lane its
// own; what is not over has none.
func TestTheEndOfALane(t *testing.T) {
	fast := told(t, oneLane(), []request{{due: 0, sent: ms, done: 20 * ms}, {due: 9 * time.Second, sent: 9*time.Second + ms, done: 9500 * ms}},
		11*time.Second, func(l *ledger.Ledger, at time.Duration) {
			if at == 10*time.Second {
				l.Stop(at, 0)
			}
		})
	for name, tt := range map[string]struct {
		s       *ledger.Snapshot
		lane    int
		want    time.Duration
		atLeast bool
	}{
		"before the run's end": {finished(t, fast), ledger.All, 9500 * ms, false},
		"puzzle":               {puzzle(t), 0, puzzle(t).At, false},
		"running":              {puzzleRunning(t), ledger.All, ledger.Never, false},
		"cut":                  {cutOff(t), ledger.All, 4500 * ms, true},
		"a lane that was cut":  {mixed(t), 0, 6 * time.Second, true},
		"a lane that was not":  {mixed(t), 1, 2701400 * time.Microsecond, false},
		"all lanes":            {mixed(t), ledger.All, 6 * time.Second, true},
		"open for long":        {old(t), 0, old(t).At, true}, // and the run ended with it
		"all, one so":          {old(t), ledger.All, old(t).At, false},
		"nothing was due":      {ledger.New(oneLane()).Snapshot(), 0, ledger.Never, false},
	} {
		l := &tt.s.Total
		if tt.lane != ledger.All {
			l = &tt.s.Lanes[tt.lane]
		}
		if got, atLeast := lastDone(l, tt.s); got != tt.want || atLeast != tt.atLeast {
			t.Errorf("%s: got %s, at least: %v; want %s, %v", name, got, atLeast, tt.want, tt.atLeast)
		}
	}
}

// A closed loop offers what is answered, which is no offer, and has no schedule to
// be late for.
func TestAClosedLoopOffersNothing(t *testing.T) {
	s := serial(t)
	text := End(lang.English, s)
	for _, want := range []string{
		"\n  offered      – closed loop\n",
		"\n  lag             –      –      –      –      –      –      –      –\n",
		"\n  closed loop: latency hides stalls\n  lag –: in a closed loop nothing is due before it is taken up\n",
		"\ndriver: lag – closed loop\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	m := decoded(t, s)
	if total := at(m, "total").(map[string]any); total["offered"] != nil || total["throughput"] == nil || len(total["lag"].(map[string]any)) > 0 {
		t.Errorf("got %v", total)
	}
	for key := range at(m, "driver").(map[string]any) {
		if strings.HasPrefix(key, "la") {
			t.Errorf("the driver has %s", key)
		}
	}
	// So does a lane that once was one, and all lanes with it.
	was := *mixed(t)
	was.Segments = append([]ledger.Segment{{Settings: []ledger.Setting{{}, {Arrivals: pace.Closed}}}}, was.Segments...)
	for lane, want := range []bool{false, true} {
		if got := closedLoop(&was.Lanes[lane], &was); got != want {
			t.Errorf("lane %d: got %v", lane, got)
		}
	}
	if !closedLoop(&was.Total, &was) {
		t.Error("all lanes: got false")
	}
	// But what a schedule made due beside it, before or after, can be late.
	if onlyClosed(&was.Lanes[1], &was) || onlyClosed(&was.Total, &was) {
		t.Error("a lane that was something else too has no schedule")
	}
}
