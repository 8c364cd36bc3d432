package tui

import (
	"slices"
	"strings"
	"testing"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

// TestCountsAreSaid: a lane with a set number of requests in each window has no
// rate, and the keys that turn one say so.
func TestCountsAreSaid(t *testing.T) {
	for _, c := range []struct {
		story string
		size  [2]int
		keys  []string
		want  string
	}{
		{"counted", [2]int{160, 45}, nil, "uniform  60 in 6 s, once"},
		{"counted", [2]int{80, 24}, nil, "60 in 6 s"},
		{"counted", [2]int{80, 24}, []string{"+"}, "60 requests are due, once, whatever the rate"},
		{"counted", [2]int{80, 24}, []string{"r"}, "60 requests are due, once, whatever the rate"},
		{"counts", [2]int{160, 45}, nil, "all lanes  24/s  10 in windows"},
		{"counts", [2]int{160, 45}, []string{"tab"}, "bursts  10 at once, each 2 s"},
		{"counts", [2]int{160, 45}, []string{"tab", ")"}, "A: 10 requests are due in each window, whatever the rate"},
		{"counts", [2]int{160, 45}, []string{"}"}, "A: 10 requests are due in each window, whatever the rate"},
		{"counts", [2]int{160, 45}, []string{"tab", "tab", "+"}, "B: 12/s → 13/s asked"},
	} {
		m, f := screen(told()[c.story], c.size[0], c.size[1], Options{})
		press(m, c.keys...)
		if got := text(m); !strings.Contains(got, c.want) || strings.Contains(got, " 0/s") {
			t.Errorf("%s %v: no %q, or a rate of 0, in\n%s", c.story, c.keys, c.want, got)
		}
		if refused := strings.Contains(c.want, "whatever"); refused && len(f.did) > 0 {
			t.Errorf("%s %v: did %v", c.story, c.keys, f.did)
		}
		if c.story == "counted" && c.keys == nil && strings.Contains(lastLine(m), "rate") {
			t.Errorf("a rate is offered: %q", lastLine(m))
		}
	}
}

// TestCountsInEveryForm of windows and bursts, long and short.
func TestCountsInEveryForm(t *testing.T) {
	for _, c := range []struct {
		spec        pace.Spec
		long, short string
	}{
		{pace.Spec{Arrivals: pace.Uniform, Count: 10}, "uniform  10 in each 1 s", "10/1 s"},
		{pace.Spec{Arrivals: pace.Uniform, Count: 10, Once: true}, "uniform  10 in 1 s, once", "10 in 1 s"},
		{pace.Spec{Arrivals: pace.Burst, Count: 100, Once: true}, "bursts  100 at once", "100 at once"},
		{pace.Spec{Arrivals: pace.Burst, Count: 10, Every: 2e9}, "bursts  10 at once, each 2 s", "10/2 s"},
	} {
		snap := with(stories["counted"].snapshot(t), func(s *ledger.Snapshot) {
			s.Lanes = []ledger.Lane{s.Lanes[0]}
			s.Lanes[0].Info.Pattern, s.Lanes[0].Setting.Arrivals = c.spec, c.spec.Arrivals
		})
		m, _ := screen(snap, 160, 45, Options{})
		if got := text(m); !strings.Contains(got, c.long) {
			t.Errorf("no %q in\n%s", c.long, got)
		}
		m, _ = screen(snap, 64, 24, Options{})
		if got := text(m); !strings.Contains(got, c.short) {
			t.Errorf("no %q in\n%s", c.short, got)
		}
	}
}

// TestAllLanesAreOneDial: the sum of their rates, also of what is asked already,
// and each that has no rate beside it.
func TestAllLanesAreOneDial(t *testing.T) {
	all := ledger.Command{ID: 1, Do: ledger.DoRate, Lane: ledger.All, How: ledger.Add, To: 12, By: byKey}
	for _, c := range []struct {
		name, story string
		keys        []string
		want        string
	}{
		{"doubled", "lanes", []string{")"}, "all lanes: 48/s → 96/s asked"},
		{"typed", "lanes", []string{"r", "60", "enter"}, "all lanes: 48/s → 60/s asked"},
		{"within the guard", "lanes", []string{"r", "480", "enter"}, "all lanes: 48/s → 480/s asked"},
		{"beyond it", "lanes", []string{"r", "481", "enter"}, "all lanes: 481/s is more than 480/s: really?"},
		{"one of them", "lanes", []string{"tab", "r", "121", "enter"}, "A: 121/s is more than 120/s: really?"},
		{"several dials", "dials", []string{"+"}, "each lane: rate asked"},
		{"a burst", "lanes", []string{"b"}, "each lane: burst"},
		{"a pause", "lanes", []string{" "}, "each lane: pause asked"},
	} {
		m, _ := screen(told()[c.story], 120, 40, Options{})
		press(m, c.keys...)
		if got := lastLine(m); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	snap := told()["lanes"]
	m, f := screen(snap, 120, 40, Options{})
	f.snap = refused(snap, ledger.Ack{Command: all})
	ticks(m)
	if got := text(m); !strings.Contains(got, "all lanes  48/s → 60/s asked…") {
		t.Errorf("the sum that is pending is not shown:\n%s", got)
	}
	press(m, "+")
	if got := lastLine(m); !strings.Contains(got, "all lanes: 48/s → 61/s asked") {
		t.Errorf("behind what is pending: got %q", got)
	}
	press(m, "tab")
	if got := text(m); !strings.Contains(got, "12/s → 15/s asked…") {
		t.Errorf("of a quarter of the sum is not said:\n%s", got)
	}
}

// TestTheSumOfAChangeIsNamed beside its line.
func TestTheSumOfAChangeIsNamed(t *testing.T) {
	snap := with(stories["lanes"].snapshot(t), func(s *ledger.Snapshot) {
		set := append([]ledger.Setting(nil), s.Segments[0].Settings...)
		for i := range set {
			set[i].Rate = []float64{15, 15, 15, 3.5}[i]
		}
		s.Segments = append(s.Segments[:1:1], ledger.Segment{ID: 1, From: 5e9, To: ledger.Never, By: "rate", Lane: ledger.All, Settings: set})
	})
	m, _ := screen(snap, 160, 45, Options{})
	if got := text(m); !strings.Contains(got, "┊all lanes 48.5/s") {
		t.Errorf("got\n%s", got)
	}
}

// TestTheRateIsNotLeftOut of the header for a long name of a model, nor for what
// stands at the other end.
func TestTheRateIsNotLeftOut(t *testing.T) {
	for story, forms := range map[string][]string{
		"lanes": {" 12/s "}, "overload": {" 50/s "}, "counts": {" 10/2 s ", " 10 at once, each 2 s "},
		"closed": {" 64 slots ", " closed, 64 "},
	} {
		snap := with(stories[story].snapshot(t), func(s *ledger.Snapshot) {
			s.Lanes = append([]ledger.Lane(nil), s.Lanes...)
			s.Lanes[0].Setting.Model = "ssd_mobilenet_v2_coco_quantized"
		})
		for w := 60; w <= 160; w++ {
			m, _ := screen(snap, w, 24, Options{})
			press(m, "tab")
			got, _, _ := strings.Cut(text(m), "\n")
			if !slices.ContainsFunc(forms, func(form string) bool { return strings.Contains(got, form) }) {
				t.Errorf("%s at %d: none of %q in %q", story, w, forms, got)
			}
		}
	}
}
