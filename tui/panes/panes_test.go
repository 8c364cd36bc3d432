package panes

import (
	"slices"
	"strings"
	"testing"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/themes"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/chart"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text string
		w    int
		want []string
	}{
		{"one two three", 20, []string{"one two three"}},
		{"one two three", 8, []string{"one two", "three"}},
		{"abcdefgh ij", 3, []string{"abc", "def", "gh", "ij"}},
		{"요청이 쌓인다", 6, []string{"요청이", "쌓인다"}},
		{"가나다", 3, []string{"가", "나", "다"}},
		{"가", 1, []string{"가"}},
		{"x", 0, nil},
	} {
		if got := wrap(c.text, c.w); !slices.Equal(got, c.want) {
			t.Errorf("wrap(%q, %d) = %q, want %q", c.text, c.w, got, c.want)
		}
	}
}

func TestFlowAddsUp(t *testing.T) {
	second := func(k int, due, ok, failed int64) ledger.Second {
		return ledger.Second{K: k, Span: 1, Due: due, OK: ok, Failed: failed, Sending: time.Second, LagP99: time.Millisecond}
	}
	l := &ledger.Lane{Seconds: []ledger.Second{
		second(1, 30, 30, 0), second(2, 30, 30, 0), second(3, 50, 30, 2), second(4, 50, 28, 0),
	}}
	s := &ledger.Snapshot{SendingEnded: ledger.Never, Segments: []ledger.Segment{{From: 0}, {From: 2 * time.Second}}}
	f := flowOf(s, l)
	if f.offered != 50 || f.throughput != 29 || f.failed != 1 || f.slope != 20 {
		t.Errorf("since the change: %+v, want 50 − 29 − 1 = 20", f)
	}
	s.Segments[1].From = 3400 * time.Millisecond
	if f = flowOf(s, l); f.known || f.lag != time.Millisecond {
		t.Errorf("no whole second has passed since the change: %+v", f)
	}
	s.Segments = s.Segments[:1]
	if f = flowOf(s, l); f.offered != 40 || f.offered-f.throughput-f.failed != f.slope {
		t.Errorf("over all: %+v", f)
	}
	if f := flowOf(s, &ledger.Lane{}); f.known {
		t.Error("a flow is known before a second has closed")
	}
}

// answered is a distribution of these responses.
func answered(seconds ...float64) *ledger.Dist {
	l := ledger.New(&ledger.Setup{Lanes: []ledger.LaneSetup{{}}, Targets: []ledger.Target{{}}})
	at := time.Duration(0)
	for i, x := range seconds {
		d := time.Duration(x * float64(time.Second))
		e := ledger.Event{I: int64(i), Kind: ledger.Due, Sent: ledger.Never}
		l.Apply(e)
		e.Kind = ledger.Sent
		e.Sent = 0
		l.Apply(e)
		e.Kind, e.Done = ledger.Done, d
		l.Apply(e)
		at = max(at, d)
	}
	if err := l.Advance(at+5*time.Second, []time.Duration{at + 5*time.Second}); err != nil {
		panic(err)
	}
	return l.Snapshot().Total.Cohorts[0].Response
}

func TestMeanOfOpenRequestsIsALowerBound(t *testing.T) {
	v := &View{}
	c := &ledger.Cohort{Open: 3, Youngest: 2 * time.Second, Censored: 1, Over: 30 * time.Second}
	d, atLeast := v.ofCohort(c, 4*time.Second).Mean()
	if want := (3*2*time.Second + 30*time.Second) / 4; d != want || !atLeast {
		t.Errorf("got %v %v, want at least %v", d, atLeast, want)
	}
	if d, _ := v.ofCohort(&ledger.Cohort{}, time.Second).Mean(); d != ledger.Never {
		t.Errorf("the mean of nothing is %v", d)
	}
}

// TestSurvivorsAreNoFacts: what is known of all is more than what is known of
// those that answered, for a lane as for a second, for service as for response.
func TestSurvivorsAreNoFacts(t *testing.T) {
	d := answered(1, 2, 3)
	c := &ledger.Cohort{
		K: 1, Span: 1, Due: 7, OK: 3, Open: 4, Unsent: 1, Response: d, Service: d,
		Youngest: 500 * time.Millisecond, LastSent: 6 * time.Second, Over: ledger.Never,
	}
	l := &ledger.Lane{Cohorts: []*ledger.Cohort{c}, Response: d, Service: d, Totals: ledger.Totals{Over: ledger.Never}}
	const at = 10500 * time.Millisecond
	s := &ledger.Snapshot{Phase: ledger.Ended, At: at}
	for _, tt := range []struct {
		name    string
		service bool
		q       float64
		want    ledger.Quantile
	}{
		{"p25: two of seven", false, 0.25, ledger.Quantile{Value: 2 * time.Second, Bound: ledger.Measure}},
		{"p50: the fourth is open", false, 0.5, ledger.Quantile{Value: 10 * time.Second, Bound: ledger.AtLeast}},
		{"service p25: of six that were sent", true, 0.25, ledger.Quantile{Value: 2 * time.Second, Bound: ledger.Measure}},
		{"service p50", true, 0.5, ledger.Quantile{Value: 3 * time.Second, Bound: ledger.Measure}},
		{"service p75: sent 4.5 s ago", true, 0.75, ledger.Quantile{Value: 4500 * time.Millisecond, Bound: ledger.AtLeast}},
	} {
		v := &View{Service: tt.service}
		if got := v.ofCohort(c, at).Quantile(tt.q); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
		if got := v.ofLane(s, l).Quantile(tt.q); got != tt.want {
			t.Errorf("%s of the lane: got %v, want %v", tt.name, got, tt.want)
		}
	}
	for service, want := range map[bool]time.Duration{false: 46 * time.Second / 7, true: 19500 * time.Millisecond / 6} {
		v := &View{Service: service}
		if d, low := v.ofLane(s, l).Mean(); (d-want).Abs() > time.Microsecond || !low {
			t.Errorf("service %v: the mean is %v %v, want at least %v", service, d, low, want)
		}
	}
}

// TestTurned: what is pending is asked for, whatever the dial is of.
func TestTurned(t *testing.T) {
	ask := func(h ledger.How, to float64, st ledger.State) ledger.Ack {
		return ledger.Ack{Command: ledger.Command{Do: ledger.DoRate, How: h, To: to}, State: st}
	}
	asks := []ledger.Ack{ask(ledger.Add, 10, ledger.Pending), ask(ledger.Set, 7, ledger.Refused), ask(ledger.Mul, 2, ledger.Pending)}
	for _, c := range []struct {
		name        string
		set         ledger.Setting
		due         int64 // in the last second
		asked, less float64
		says        string
	}{
		{"a rate", ledger.Setting{Rate: 50}, 50, 120, 0, "120/s"},
		{"slots", ledger.Setting{Slots: 3}, 40, 26, 3, "26 slots"},
		{"a shape at 20/s", ledger.Setting{Scale: 0.5}, 20, 1.5, 0.5, "×1.5"},
		{"a shape of which nothing is known", ledger.Setting{Scale: 0.5}, -1, 1, 0.5, "×1"},
	} {
		l := ledger.Lane{Setting: c.set}
		if c.due >= 0 {
			l.Seconds = []ledger.Second{{K: 1, Span: 1, Due: c.due, Sending: time.Second}}
		}
		s := &ledger.Snapshot{Lanes: []ledger.Lane{l}, Commands: asks}
		turn := TurnOf(s, 0)
		if turn.Asked != c.asked || !turn.Pending || turn.Say(view(t), turn.Asked) != c.says {
			t.Errorf("%s: + 10 and doubled is %v, %q, want %v, %q", c.name, turn.Asked, turn.Say(view(t), turn.Asked), c.asked, c.says)
		}
		s.Commands = nil
		if got, _ := Turns(s, &ledger.Command{Do: ledger.DoRate, How: ledger.Add, To: -60}); got[0].Asked != c.less {
			t.Errorf("%s: − 60 is %v, want %v", c.name, got[0].Asked, c.less)
		}
	}
}

// TestNoTurnIsPromisedThatIsRefused: what would lose the mix of several lanes leaves
// them as they are, and so does what comes to that behind what is pending.
func TestNoTurnIsPromisedThatIsRefused(t *testing.T) {
	s := &ledger.Snapshot{Lanes: []ledger.Lane{{Setting: ledger.Setting{Rate: 10}}, {Setting: ledger.Setting{Rate: 30}}, {Setting: ledger.Setting{Slots: 8}}}}
	less := func(by float64) ledger.Command {
		return ledger.Command{Do: ledger.DoRate, Lane: ledger.All, How: ledger.Add, To: -by}
	}
	for _, tt := range []struct {
		pending, by, rates, slots float64
		refused                   bool
	}{
		{0, 4, 36, 4, false},
		{0, 40, 40, 8, true},
		{0, 8, 40, 8, true}, // there would be no slot
		{4, 3, 33, 1, false},
		{4, 4, 36, 4, true},
	} {
		s.Commands = nil
		if tt.pending > 0 {
			s.Commands = []ledger.Ack{{Command: less(tt.pending)}}
		}
		c := less(tt.by)
		got, why := Turns(s, &c)
		if len(got) != 2 || got[0].Asked != tt.rates || got[1].Asked != tt.slots || (why != nil) != tt.refused {
			t.Errorf("%v less: got %+v, %v", tt, got, why)
		}
	}
}

// view is a plain one.
func view(t *testing.T) *View {
	t.Helper()
	th, err := themes.Load("dark")
	if err != nil {
		t.Fatal(err)
	}
	r := Resolve(th)
	return &View{Theme: &r, Lang: lang.English, Lane: ledger.All}
}

func TestWindowsAreWalkedInACircle(t *testing.T) {
	v := view(t)
	for range len(chart.Windows) + 1 {
		v.NextWindow()
	}
	if v.Window != 0 {
		t.Errorf("after all windows comes %v, want the first", v.Window)
	}
	v.Window = 7 * time.Second
	if v.NextWindow(); v.Window != 0 {
		t.Errorf("after an unknown window comes %v", v.Window)
	}
}

// TestAxisGrowsInSteps that keep at least two thirds of the picture.
func TestAxisGrowsInSteps(t *testing.T) {
	for i := range steps[1:] {
		if 3*steps[i] < 2*steps[i+1] {
			t.Errorf("from %v to %v", steps[i], steps[i+1])
		}
	}

	v := view(t)
	widths := map[time.Duration]bool{}
	for k := range 600 {
		a := v.axis(&ledger.Snapshot{Closed: k}, 98)
		if now := time.Duration(k) * time.Second; a.To < now || a.From > now {
			t.Fatalf("second %d is not on %v…%v", k, a.From, a.To)
		}
		widths[a.To-a.From] = true
	}
	if len(widths) != len(steps) {
		t.Errorf("the axis had %d widths, want %d", len(widths), len(steps))
	}
}

// A message that is too long is cut with a mark, never wrapped over the panes.
func TestMessagesStayInTheirLine(t *testing.T) {
	b := cells.NewBuf(20, 2)
	Message(b, cells.Rect{Y: 1, W: 20, H: 1}, view(t), ledger.Bad, strings.Repeat("long ", 9))
	if got := b.String(); got != "\n ▲ long long long …\n" {
		t.Errorf("got %q", got)
	}
}
