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
	s.Segments = s.Segments[:1]
	if f = flowOf(s, l); f.offered != 40 || f.offered-f.throughput-f.failed != f.slope {
		t.Errorf("over all: %+v", f)
	}
	if f := flowOf(s, &ledger.Lane{}); f.known {
		t.Error("a flow is known before a second has closed")
	}
}

func TestMeanOfOpenRequestsIsALowerBound(t *testing.T) {
	c := &ledger.Cohort{Open: 3, Youngest: 2 * time.Second, Censored: 1, Over: 30 * time.Second}
	d, atLeast := mean(c, 4*time.Second)
	if want := (3*2*time.Second + 30*time.Second) / 4; d != want || !atLeast {
		t.Errorf("got %v %v, want at least %v", d, atLeast, want)
	}
	if d, _ := mean(&ledger.Cohort{}, time.Second); d != ledger.Never {
		t.Errorf("the mean of nothing is %v", d)
	}
}

func TestChangedRates(t *testing.T) {
	s := &ledger.Snapshot{Lanes: []ledger.Lane{{Setting: ledger.Setting{Rate: 50}}}}
	ask := func(h ledger.How, to float64, st ledger.State) {
		s.Commands = append(s.Commands, ledger.Ack{Command: ledger.Command{Do: ledger.DoRate, How: h, To: to}, State: st})
	}
	ask(ledger.Add, 10, ledger.Pending)
	ask(ledger.Set, 7, ledger.Refused)
	ask(ledger.Mul, 2, ledger.Pending)
	if got := RatePending(s, 0); got != 120 {
		t.Errorf("50 + 10 and doubled is %v, want 120", got)
	}
	if got := Changed(3, ledger.Command{Do: ledger.DoRate, How: ledger.Add, To: -10}); got != 0 {
		t.Errorf("3 − 10 is %v, want 0: no rate is negative", got)
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

func TestAxisGrowsInFewSteps(t *testing.T) {
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
