package report

import (
	"cmp"
	"slices"
	"strings"
	"testing"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
)

// pooled is a run of two lanes on two boards, of which the second is slow. Each
// board takes one request at a time; the lanes deal in turn.
func pooled(t testing.TB) *ledger.Snapshot {
	setup := boards(lanesOf([]int{0, 1}, 10, 2))
	setup.Lanes[1].Setting.Model = "yolo_v5"
	var all []request
	for lane, l := range setup.Lanes {
		gap := time.Duration(float64(time.Second) / l.Setting.Rate)
		for i := range int(10 * l.Setting.Rate) {
			all = append(all, request{lane: lane, target: i % 2, due: time.Duration(i) * gap})
		}
	}
	slices.SortStableFunc(all, func(a, b request) int { return cmp.Compare(a.due, b.due) })
	free, takes := [2]time.Duration{}, [2]time.Duration{70 * ms, 230 * ms}
	for i := range all {
		r := &all[i]
		r.sent = r.due + ms
		free[r.target] = max(free[r.target], r.sent) + takes[r.target]*time.Duration(1+r.lane)
		r.done = free[r.target]
	}
	slices.SortStableFunc(all, func(a, b request) int { return cmp.Compare(a.done, b.done) })
	return served(t, setup, all, 10*time.Second)
}

func targetsOf(t *testing.T, s *ledger.Snapshot) string {
	t.Helper()
	_, text, found := strings.Cut(End(lang.English, s), "\n\ntargets\n")
	if !found {
		return ""
	}
	text, _, _ = strings.Cut(text, "\n\n")
	return text
}

// Who was done last, and since when the others had nothing to do.
func TestTheLastTarget(t *testing.T) {
	s := pooled(t)
	text := targetsOf(t, s)
	if want := "\n  tx2 was done last, at 16.201 s, xavier idle from 9.871 s\n"; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
	dead := *s
	dead.Targets = slices.Clone(s.Targets)
	dead.Targets[1].Gone = true
	if text := targetsOf(t, &dead); strings.Contains(text, "done last") {
		t.Errorf("a target that is gone was done last:\n%s", text)
	}
	span := func(from, to time.Duration) ledger.TargetState {
		return ledger.TargetState{Idling: []ledger.Span{{From: 0, To: ms}, {From: from, To: to}}}
	}
	busy, end := ledger.TargetState{}, 16*time.Second
	for name, tt := range map[string]struct {
		targets []ledger.TargetState
		want    int
	}{
		"one is busy to the end":   {[]ledger.TargetState{span(9*time.Second, end), busy}, 1},
		"all are idle at the end":  {[]ledger.TargetState{span(9*time.Second, end), span(12*time.Second, end), span(2*time.Second, end)}, 1},
		"its idling was long ago":  {[]ledger.TargetState{span(2*time.Second, 3*time.Second), span(12*time.Second, end)}, 0},
		"two are busy to the end":  {[]ledger.TargetState{busy, busy, span(2*time.Second, end)}, -1},
		"two were done at once":    {[]ledger.TargetState{span(9*time.Second, end), span(9*time.Second, end)}, -1},
		"one had nothing to do":    {[]ledger.TargetState{span(0, end), span(9*time.Second, end)}, 1},
		"there is nothing to tell": {nil, -1},
	} {
		if got := lastOf(&ledger.Snapshot{At: end, Targets: tt.targets}); got != tt.want {
			t.Errorf("%s: got %d, want %d", name, got, tt.want)
		}
	}
}

// How fast was the one against the other: the table says it, and fits.
func TestTargetsAreCompared(t *testing.T) {
	for name, tt := range map[string]struct {
		s    *ledger.Snapshot
		want []string
	}{
		"done": {pooled(t), []string{
			"          due  share  ok  failed   mean    p50    p95     end    idle\n",
			"  xavier   60   50.0  60       0  0.096  0.071  0.211   9.871  11.261\n",
			"  tx2      60   50.0  60       0  3.266  3.251  5.781  16.201   0.100\n",
			"  xavier idle 69.5 % of the time, in 40 intervals; longest: 0.471–0.600,\n",
			"  tx2 idle 0.6 % of the time, in 1 interval; longest: 0.000–0.100 s",
		}},
		"timeouts and cut ones": {mixed(t), []string{
			"  xavier   30   46.9  29       1  ≥0.232  0.132   0.168  ≥6.000  0.000\n",
			"  tx2      34   53.1  20      14  ≥0.649  0.145  >2.001   4.951  1.367\n",
			"> falls among timeouts",
		}},
	} {
		text := targetsOf(t, tt.s)
		for _, want := range tt.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", name, want, text)
			}
		}
	}
	long := *pooled(t)
	setup := *long.Setup
	setup.Targets = slices.Clone(setup.Targets)
	setup.Targets[0].Name, setup.Targets[1].Name = "nano-in-the-corner", "xavier-at-the-door"
	long.Setup = &setup
	text := targetsOf(t, &long)
	if strings.Contains(text, "share") || !strings.Contains(text, "                      due  ok  failed   mean") {
		t.Errorf("what does not fit has its shares left out:\n%s", text)
	}
	for line := range strings.Lines(text) {
		if width(strings.TrimSuffix(line, "\n")) > columns {
			t.Errorf("too wide: %s", line)
		}
	}
}

// While a run goes on, what is open stands at the least it can have taken.
func TestTargetsOfARunThatGoesOn(t *testing.T) {
	all := []request{
		{due: 0, sent: ms, done: 200 * ms},
		{target: 1, due: 0, sent: ms, done: 9 * time.Second},
		{target: 1, due: 100 * ms, sent: 101 * ms, done: 400 * ms},
	}
	s := told(t, boards(lanesOf([]int{0, 1}, 10)), all, 2500*ms, func(*ledger.Ledger, time.Duration) {}).Snapshot()
	text := targetsOf(t, s)
	for _, want := range []string{"  0.200  (0.200)   (0.200)    –  1.800\n", " ≥1.150    0.300  (≥1.900)    –  0.000\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	m := decoded(t, s)
	if got := at(m, "targets", 1, "response").(map[string]any); got["mean_at_least"] != 1.15 || got["p95_at_least"] != 1.9 || got["p50"] != 0.3 {
		t.Errorf("got %v", got)
	}
	if got := at(m, "targets", 0, "last_done"); got != nil {
		t.Errorf("more may come, and the last was done at %v", got)
	}
}

// Three boards still fit into one line, and where they do not, no unit stands
// alone.
func TestTheLastTargetOfThree(t *testing.T) {
	s := *pooled(t)
	setup := *s.Setup
	setup.Targets = append(slices.Clone(setup.Targets), ledger.Target{ID: 2, Name: "nano"})
	s.Setup = &setup
	idle := ledger.TargetState{Tally: ledger.Tally{Target: 2}, Idling: []ledger.Span{{From: 12345 * ms, To: s.At}}}
	s.Targets = append(slices.Clone(s.Targets), idle)
	if want := "\n  tx2 was done last, at 16.201 s, xavier idle from 9.871 s, nano from 12.345 s\n"; !strings.Contains(targetsOf(t, &s), want) {
		t.Errorf("no %q in\n%s", want, targetsOf(t, &s))
	}
	for n := 5; n < 40; n++ {
		setup.Targets[2].Name = strings.Repeat("n", n)
		for line := range strings.Lines(targetsOf(t, &s)) {
			if strings.TrimSpace(line) == "s" {
				t.Fatalf("a unit stands alone:\n%s", targetsOf(t, &s))
			}
		}
	}
}

func TestLongestSpans(t *testing.T) {
	var all []ledger.Span
	for i := range time.Duration(20) {
		all = append(all, ledger.Span{From: i * time.Second, To: i*time.Second + (i*7%20+1)*ms})
	}
	all = append(all, ledger.Span{From: 30 * time.Second, To: ledger.Never})
	kept := slices.Clone(all)
	if got, want := spansText(longestSpans(all)), "8.000–8.017, 11.000–11.018, 14.000–14.019, 17.000–17.020, 30.000–"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if !slices.Equal(all, kept) {
		t.Error("the snapshot was written to")
	}
}

// Before a second has closed, nothing is known of idling.
func TestIdlingIsUnknownAtFirst(t *testing.T) {
	s := told(t, boards(lanesOf([]int{0, 1}, 10)), []request{{due: 100 * ms, sent: 101 * ms, done: 200 * ms}}, 500*ms, func(*ledger.Ledger, time.Duration) {}).Snapshot()
	if text := targetsOf(t, s); !strings.Contains(text, "\n  xavier    1  100.0   1       0     –    –    –    –     –\n") {
		t.Errorf("got\n%s", text)
	}
}

// A single target needs no table; a dead one looks idle, and is not.
func TestASingleTarget(t *testing.T) {
	s := *puzzle(t)
	s.Targets = slices.Clone(s.Targets)
	s.Targets[0].Gone, s.Targets[0].GoneAt = true, 3*time.Second
	text := End(lang.English, &s)
	if want := "\n  targets      xavier 500 ok, idle 0.007 s (0.1 %), xavier gone since 3.000 s\n"; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
	s.Targets[0] = ledger.TargetState{}
	if text = End(lang.English, &s); !strings.Contains(text, "\n  targets      xavier 500 ok\n") || strings.Contains(text, "\ntargets\n") {
		t.Errorf("got\n%s", text)
	}
}

// What stood idle often is not listed in all its length.
func TestMuchIdlingInJSON(t *testing.T) {
	s := *pooled(t)
	s.Targets = slices.Clone(s.Targets)
	s.Targets[0].Idles = 5000
	s.Targets[0].Idling = nil
	for i := range 1500 {
		from := time.Duration(i) * 10 * ms
		s.Targets[0].Idling = append(s.Targets[0].Idling, ledger.Span{From: from, To: from + 2*ms})
	}
	m := decoded(t, &s)
	if got := at(m, "targets", 0, "idling").([]any); len(got) != mostIdling || at(m, "targets", 0, "idling", mostIdling-1, 0) != 14.99 {
		t.Errorf("%d spans, the last %v", len(got), got[len(got)-1])
	}
	if got := at(m, "targets", 0, "idling_left_out"); got != 4900.0 {
		t.Errorf("%v are left out, want 4900", got)
	}
	if got := at(m, "targets", 1, "idling_left_out"); got != nil {
		t.Errorf("%v are left out of a few", got)
	}
}

// The file holds every span that was kept.
func TestIdlingInJSON(t *testing.T) {
	m := decoded(t, pooled(t))
	if got := len(at(m, "targets", 0, "idling").([]any)); got != 40 {
		t.Errorf("%d spans, want 40", got)
	}
	for _, tt := range []struct {
		want any
		path []any
	}{
		{"xavier", []any{"targets", 0, "name"}},
		{60.0, []any{"targets", 0, "due"}},
		{0.5, []any{"targets", 0, "share"}},
		{11.261, []any{"targets", 0, "idle"}},
		{40.0, []any{"targets", 0, "idles"}},
		{0.695081, []any{"targets", 0, "idle_share"}},
		{9.871, []any{"targets", 0, "last_done"}},
		{60.0, []any{"targets", 0, "response", "n"}},
		{0.096, []any{"targets", 0, "response", "mean"}},
		{0.211, []any{"targets", 0, "response", "p95"}},
		{16.201, []any{"targets", 1, "last_done"}},
		{3.266, []any{"targets", 1, "response", "mean"}},
		{9.871, []any{"targets", 0, "idling", 39, 0}},
		{16.201, []any{"targets", 0, "idling", 39, 1}},
		{0.0, []any{"targets", 1, "idling", 0, 0}},
		{nil, []any{"targets", 1, "gone"}},
		{50.0, []any{"lanes", 0, "targets", 1, "due"}},
		{0.5, []any{"lanes", 0, "targets", 1, "share"}},
		{0.1, []any{"lanes", 0, "targets", 1, "idle"}},
	} {
		if got := at(m, tt.path...); got != tt.want {
			t.Errorf("%v: got %v, want %v", tt.path, got, tt.want)
		}
	}
	gone := at(decoded(t, mixed(t)), "targets", 1).(map[string]any)
	if gone["gone"] != true || gone["gone_at"] != 4.051 || gone["back_at"] != nil {
		t.Errorf("got %v", gone)
	}
}
