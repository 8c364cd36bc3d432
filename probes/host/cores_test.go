package host

import (
	"math"
	"testing"

	"dev.example/pileup/probes"
	"github.com/google/go-cmp/cmp"
	"github.com/shirou/gopsutil/v3/cpu"
)

func TestSpan(t *testing.T) {
	last := ticks{work: 100, idle: 200, iowait: 10, steal: 5}
	tests := []struct {
		name         string
		now          ticks
		busy, stolen float64
		why          string
	}{
		{"idle", ticks{100, 201, 10, 5}, 0, 0, ""},
		{"pegged", ticks{101, 200, 10, 5}, 100, 0, ""},
		{"a quarter, waiting is idle", ticks{101, 202, 11, 5}, 25, 0, ""},
		{"half of the work was stolen", ticks{102, 202, 10, 6}, 50, 25, ""},
		{"all of it was", ticks{104, 200, 10, 9}, 100, 100, ""},
		{"iowait backwards alone", ticks{101, 201, 5, 5}, 50, 0, ""},
		{"no tick", last, 0, 0, "no tick since the last sample"},
		{"only iowait, backwards", ticks{100, 200, 9, 5}, 0, 0, "no tick since the last sample"},
		{"idle backwards", ticks{101, 199, 10, 5}, 0, 0, "counters ran backwards"},
		{"work backwards", ticks{99, 201, 10, 5}, 0, 0, "counters ran backwards"},
		{"steal backwards", ticks{101, 201, 10, 4}, 0, 0, "counters ran backwards"},
		{"all from zero", ticks{}, 0, 0, "counters ran backwards"},
		{"not a number", ticks{math.NaN(), 201, 10, 5}, 0, 0, "no tick since the last sample"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			span, why := tt.now.since(last)
			if why != tt.why {
				t.Fatalf("since: %q, want %q", why, tt.why)
			}
			if why == "" && (span.busy() != tt.busy || span.stolen() != tt.stolen) {
				t.Errorf("busy %v, stolen %v, want %v and %v", span.busy(), span.stolen(), tt.busy, tt.stolen)
			}
		})
	}
}

func TestTicksOf(t *testing.T) {
	// Guest time is part of user and nice already.
	got := ticksOf(cpu.TimesStat{User: 1, Nice: 2, System: 4, Irq: 8, Softirq: 16, Steal: 32, Idle: 64, Iowait: 128, Guest: 256, GuestNice: 512})
	if want := (ticks{63, 64, 128, 32}); got != want {
		t.Errorf("ticksOf = %v, want %v", got, want)
	}
}

func TestByCore(t *testing.T) {
	got := byCore([]cpu.TimesStat{
		{CPU: "cpu10", Idle: 1},
		{CPU: "cpu2", Idle: 2},
		{CPU: "cpu-total", Idle: 3},
		{CPU: "cpu", Idle: 4},
		{CPU: "cpu2", Idle: 5},
		{CPU: "cpu16384", Idle: 6},
		{CPU: "2", Idle: 7},
		{CPU: "cpu+3", Idle: 8},
	})
	want := map[int]ticks{10: {idle: 1}, 2: {idle: 2}}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(ticks{})); d != "" {
		t.Error(d)
	}
}

func TestLackCores(t *testing.T) {
	s := sample{probes.Sample{Cores: []probes.Core{{ID: 0, Online: true}, {ID: 1, Online: true}, {ID: 2}, {ID: 3, Online: true}, {ID: 11, Online: true}}}}
	add := func(what string, whys map[int]string) {
		g := gaps{what: what}
		for _, c := range s.Cores {
			if why := whys[c.ID]; why != "" {
				g.add(c.ID, why)
			}
		}
		s.lackCores(g)
	}
	add("clock", map[int]string{0: "x", 1: "x", 3: "x", 11: "x"})
	add("busy", map[int]string{0: "x", 1: "x", 3: "y", 11: "x"})
	add("other", nil)
	want := []probes.Absent{
		{What: "core clock", Why: "x"},
		{What: "cores 0-1,11 busy", Why: "x"},
		{What: "core 3 busy", Why: "y"},
	}
	if d := cmp.Diff(want, s.Absent); d != "" {
		t.Error(d)
	}
}
