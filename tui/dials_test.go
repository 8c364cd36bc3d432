package tui

import (
	"slices"
	"strings"
	"testing"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

// TestDialsAreNamed: what a key turns and where it stands is said in the words
// of the lane that it is done to.
func TestDialsAreNamed(t *testing.T) {
	for _, c := range []struct {
		story, name string
		keys        []string
		want        string
	}{
		{"closed", "header", nil, "closed, 64 open at once"},
		{"closed", "said once", nil, "closed loop: latency hides stalls"},
		{"closed", "label", []string{"r"}, "slots, open at once 1"},
		{"closed", "half a slot", []string{"r", "1.5", "enter"}, "1.5 is no number from 1 to 100000"},
		{"closed", "guard", []string{"r", "641", "enter"}, "641 slots is more than 640 slots: really?"},
		{"closed", "arrivals", []string{"a"}, "a closed loop and a trace have no arrivals"},
		{"dials", "all", nil, "all lanes  12/s  64 slots  shapes 24.0/s"},
		{"dials", "lanes", nil, "64 slots"},
		{"dials", "shape", []string{"tab", "tab", "tab"}, "shape ×1.5 12.0/s"},
		{"dials", "label of a shape", []string{"tab", "tab", "tab", "r"}, "C: rate it has now, requests/s"},
		{"dials", "guard of a shape", []string{"tab", "tab", "tab", "r", "121", "enter"}, "C: ×15.13 is more than ×15: really?"},
		{"dials", "all of different dials", []string{"r"}, "tab picks a lane first"},
		{"overload", "guard of a rate", []string{"r", "501", "enter"}, "501/s is more than 500/s: really?"},
		{"overload", "one target", []string{"g"}, "there is one target: xavier"},
		{"overload", "burst", []string{"b"}, "burst, requests at once 10"},
		{"overload", "no burst", []string{"b", "x", "enter"}, "x is no number from 1 to 100000"},
		{"lanes", "burst of all", []string{"b"}, "each lane: burst, requests at once 10"},
		{"pool", "targets", []string{"g"}, "nano-in-the-corner     69 open"},
		{"pool", "joined", nil, "3 targets"},
	} {
		m, _ := screen(told()[c.story], 160, 45, Options{})
		press(m, c.keys...)
		if c.story == "closed" && c.name == "label" {
			press(m, "1")
		}
		if !strings.Contains(text(m), c.want) {
			t.Errorf("%s of %s: no %q in\n%s", c.name, c.story, c.want, text(m))
		}
	}
}

// TestSlotsAreShownWhenTheyAreSo, and until then as asked.
func TestSlotsAreShownWhenTheyAreSo(t *testing.T) {
	snap := told()["closed"]
	m, f := screen(snap, 120, 40, Options{})
	f.snap = refused(snap, ledger.Ack{Command: ledger.Command{ID: 1, Do: ledger.DoRate, How: ledger.Mul, To: 2, By: byKey}})
	ticks(m)
	if got := text(m); !strings.Contains(got, "closed, 64 open at once → 128 slots asked…") {
		t.Errorf("what is pending is not shown:\n%s", got)
	}
}

// TestTheKeyLineOffersWhatThereIs to choose.
func TestTheKeyLineOffersWhatThereIs(t *testing.T) {
	for story, want := range map[string][2]bool{"overload": {true, false}, "closed": {false, false}, "pool": {true, true}} {
		m, _ := screen(told()[story], 200, 60, Options{})
		got := [2]bool{strings.Contains(lastLine(m), "a arrivals"), strings.Contains(lastLine(m), "g target")}
		if got != want {
			t.Errorf("%s: arrivals and targets are offered %v, want %v: %q", story, got, want, lastLine(m))
		}
	}
}

// TestTheOnlyTargetIsNamed, and of which it is; one that is gone says so.
func TestTheOnlyTargetIsNamed(t *testing.T) {
	snap := with(told()["pool"], func(s *ledger.Snapshot) {
		s.Lanes = []ledger.Lane{s.Lanes[0]}
		s.Lanes[0].Setting.Target = "tx2"
		s.Lanes[0].Targets = []ledger.Tally{s.Lanes[0].Targets[0], s.Lanes[0].Targets[1], {Target: 2, Gone: true}}
	})
	m, _ := screen(snap, 160, 45, Options{})
	if got := text(m); !strings.Contains(got, "tx2 of 3 10.0.0.8:8501") {
		t.Errorf("the header says:\n%s", got)
	}
	press(m, "g")
	for _, want := range []string{"3 ● tx2 ", "69 open  ▲ gone"} {
		if !strings.Contains(text(m), want) {
			t.Errorf("the list does not say %q:\n%s", want, text(m))
		}
	}
}

// TestASpareTarget can be sent to alone by a lane whose pool has it not.
func TestASpareTarget(t *testing.T) {
	lane := func(s *ledger.Snapshot, only string) *ledger.Snapshot {
		return with(s, func(s *ledger.Snapshot) {
			s.Lanes = []ledger.Lane{s.Lanes[0]}
			s.Lanes[0].Info.Targets, s.Lanes[0].Setting.Target = []int{0}, only
		})
	}
	m, f := screen(lane(told()["pool"], ""), 160, 45, Options{})
	press(m, "g")
	for _, want := range []string{"1 ● xavier ", "2   tx2 ", "69 open  not in the pool"} {
		if !strings.Contains(text(m), want) {
			t.Errorf("the list does not say %q:\n%s", want, text(m))
		}
	}
	press(m, "2", "enter")
	if len(f.did) != 1 || f.did[0].Name != "tx2" {
		t.Errorf("did %v", f.did)
	}
	f.snap = lane(told()["pool"], "tx2")
	ticks(m)
	if got := text(m); !strings.Contains(got, "tx2 not in the pool 10.0.0.8:8501") {
		t.Errorf("the header says:\n%s", got)
	}
}

// TestMomentsAreDrawn where they were.
func TestMomentsAreDrawn(t *testing.T) {
	m, _ := screen(told()["pool"], 160, 45, Options{})
	for _, want := range []string{"┊mark 1", "┊burst 40"} {
		if !strings.Contains(text(m), want) {
			t.Errorf("no %q in\n%s", want, text(m))
		}
	}
}

// TestWhatIsTypedIsBounded by what the run can have.
func TestWhatIsTypedIsBounded(t *testing.T) {
	for story, keys := range map[string][]string{"closed": {"r", "71", "enter"}, "overload": {"b", "71", "enter"}} {
		m, f := screen(told()[story], 160, 45, Options{Slots: 70, Burst: 70})
		press(m, keys...)
		if want := "71 is no number from 1 to 70"; !strings.Contains(text(m), want) || len(f.did) > 0 {
			t.Errorf("%s: %v asked for, no %q in\n%s", story, f.did, want, text(m))
		}
	}
}

// TestTracesAreNoShapes in the header of all lanes.
func TestTracesAreNoShapes(t *testing.T) {
	s := *told()["dials"]
	s.Lanes = slices.Clone(s.Lanes)
	for i := range s.Lanes {
		s.Lanes[i].Setting.Arrivals, s.Lanes[i].Setting.Slots, s.Lanes[i].Setting.Scale = pace.Traced, 0, 1
	}
	m, _ := screen(&s, 160, 45, Options{})
	if head, _, _ := strings.Cut(text(m), "\n"); !strings.Contains(head, "  trace 36.0/s") {
		t.Errorf("the header is %q", head)
	}
}

// TestLanesOnAScreenOfTheirOwn have all that is known of each, as far as it has
// room, and a line for all of them.
func TestLanesOnAScreenOfTheirOwn(t *testing.T) {
	for w, want := range map[int][]string{
		80:  {"lane", "rate", "throughput", "backlog", "failed", "p50"},
		120: {"lane", "rate", "offered", "throughput", "backlog", "failed", "p50", "p95", "p99"},
		160: {"lane", "rate", "offered", "throughput", "backlog", "failed", "p50", "p95", "p99", "due", "and", "not", "done"},
	} {
		m, _ := screen(told()["lanes"], w, 40, Options{})
		press(m, "7")
		if m.zoom == 0 {
			press(m, "z")
		}
		lines := strings.Split(text(m), "\n")
		if got := strings.Fields(strings.Trim(lines[4], "│ ")); !slices.Equal(got, want) {
			t.Errorf("%d cells: got %q, want %q", w, got, want)
		}
		if got := lines[9]; !strings.Contains(got, "all lanes") || !strings.Contains(got, "27.8/s") || !strings.Contains(got, " 273 ") {
			t.Errorf("%d cells: all lanes are %q", w, got)
		}
	}
	m, _ := screen(told()["dials"], 160, 40, Options{})
	press(m, "7")
	if m.zoom == 0 {
		press(m, "z")
	}
	lines := strings.Split(text(m), "\n")
	for lane, want := range map[int]bool{5: true, 6: false, 7: true, 9: false} {
		offered := len([]rune(lines[4][:strings.Index(lines[4], "offered")])) + len("offered")
		if got := []rune(lines[lane])[offered-2] != ' ' && []rune(lines[lane])[offered-1] != '–'; got != want {
			t.Errorf("lane line %d: offered is said %v, want %v: %q", lane, got, want, lines[lane])
		}
	}
}
