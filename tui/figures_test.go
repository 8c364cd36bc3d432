package tui

import (
	"strings"
	"testing"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

// figuresOf are the lines of the key figures.
func figuresOf(m *Model) string {
	lines := strings.Split(text(m), "\n")
	return strings.Join(lines[1:3], "\n")
}

// TestFiguresSayWhatTheyAreOf: over how long while the run goes on, of all once
// it is over, also where nothing was open as sending ended.
func TestFiguresSayWhatTheyAreOf(t *testing.T) {
	quick := story{rates: []change{{0, 5}}, length: 3 * time.Second, capacity: 500, at: 5 * time.Second}
	over := quick.snapshot(t)
	if over.Phase != ledger.Ended {
		t.Fatal("the story is another one")
	}
	failing := stories["failing"].snapshot(t)
	changed, ended := stories["failing"], stories["draining"]
	changed.at, ended.at = 13*time.Second+200*time.Millisecond, 10*time.Second+400*time.Millisecond
	changed.rates = []change{{0, 30}, {12700 * time.Millisecond, 40}}
	stuck := story{rates: []change{{0, 50}}, capacity: 1e-3, at: 6*time.Second + 200*time.Millisecond}.snapshot(t)
	early := stories["failing"]
	early.at = 22*time.Second + 200*time.Millisecond
	for _, c := range []struct {
		name string
		snap *ledger.Snapshot
		keys string
		w    int
		want []string
	}{
		{"running", told()["overload"], "", 160, []string{"offered over 5 s", "throughput over 5 s", "p50 of second 4", "p95 @4", "lag p99 over 1 s"}},
		{"running, small", told()["overload"], "", 80, []string{"offered 5s", "throughput 5s", "p50 @4", "p95 @4"}},
		{"begun", told()["begun"], "", 160, []string{"offered over 2 s"}},
		{"over", over, "", 160, []string{"offered of all", "throughput of all", "p50 of all", "p95 of all", "lag p99 of all"}},
		{"over, middle", over, "", 120, []string{"offered all", "throughput all", "p50 of all", "p95 of all", "lag p99 all"}},
		{"over, small", over, "", 80, []string{"offered of all", "throughput all", "p50 of all", "p95 of all", "lag p99 "}},
		{"service", told()["overload"], "y", 160, []string{"service p50 of second 4", "service p95 @4"}},
		{"service, middle", told()["overload"], "y", 120, []string{"service p50 @4", "service p95 @4"}},
		{"service, small", told()["overload"], "y", 80, []string{"svc p50 @4", "svc p95 @4"}},
		{"service, over", over, "y", 160, []string{"service p50 of all", "service p95 of all"}},
		{"service, over, small", over, "y", 80, []string{"svc p50 all", "svc p95 all"}},
		{"closed", told()["closed"], "", 120, []string{"lag ", "– closed     37.2/s", " – closed"}},
		{"closed, wide", told()["closed"], "", 160, []string{"– closed loop "}},
		{"closed, small", told()["closed"], "", 80, []string{"offered      – closed ", "lag    – closed"}},
		{"stuck", stuck, "", 160, []string{"p50 of second 1", "≥5.02 s", "p95 @1"}},
		{"stuck, small", stuck, "", 80, []string{"p50 @1 ≥5.02 s", "p95 @1 ≥5.02 s"}},
		{"paused", told()["idle"], "", 120, []string{"– paused "}},
		{"changed", changed.snapshot(t), "", 120, []string{"throughput ", "– just changed", "– changed "}},
		{"changed, small", changed.snapshot(t), "", 80, []string{"offered    – changed", "throughput – changed"}},
		{"ended", ended.snapshot(t), "", 120, []string{"– sending ended"}},
		{"failed, past", failing, "", 160, []string{"failed in all"}},
		{"failed, now", early.snapshot(t), "", 160, []string{"failed over 5 s"}},
		{"failed, now, small", early.snapshot(t), "", 80, []string{"fail 5s"}},
	} {
		m, _ := screen(c.snap, c.w, map[bool]int{true: 24, false: 45}[c.w == 80], Options{})
		typed(m, c.keys)
		for _, want := range c.want {
			if got := figuresOf(m); !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, got)
			}
		}
	}
}

// TestTrendsAreNoChance: a backlog moves where it does, and not where a loop
// begins or where requests come and go by themselves.
func TestTrendsAreNoChance(t *testing.T) {
	trend := func(s *ledger.Snapshot) bool {
		m, _ := screen(s, 160, 45, Options{})
		return strings.ContainsAny(figuresOf(m), "▲▼")
	}
	if !trend(told()["overload"]) || !trend(told()["draining"]) {
		t.Error("what grows or shrinks has no trend")
	}
	loop, noise := stories["closed"], story{rates: []change{{0, 30}}, pattern: pace.Spec{Arrivals: pace.Poisson}, capacity: 45}
	for k := 1; k <= 40; k++ {
		loop.at = time.Duration(k)*time.Second + 200*time.Millisecond
		if k <= 5 && trend(loop.snapshot(t)) {
			t.Errorf("at second %d a closed loop has a trend", k)
		}
	}
	seen := 0
	for k := 1; k <= 40; k++ {
		noise.at = time.Duration(k)*time.Second + 200*time.Millisecond
		if trend(noise.snapshot(t)) {
			seen++
		}
	}
	if seen > 4 {
		t.Errorf("in %d of 40 seconds a run that keeps up has a trend", seen)
	}
}

// TestLabelsOfFiguresAreWhole at any width: what one is of loses no letter.
func TestLabelsOfFiguresAreWhole(t *testing.T) {
	for _, story := range []string{"overload", "done"} {
		for w := 110; w <= 200; w++ {
			m, _ := screen(told()[story], w, 45, Options{})
			for word := range strings.FieldsSeq(strings.Split(text(m), "\n")[1]) {
				if word == "al" || word == "a" || word == "ove" || word == "o" || word == "ov" {
					t.Errorf("%s at %d: %q in\n%s", story, w, word, figuresOf(m))
				}
			}
		}
	}
}
