package report

import (
	"strings"
	"testing"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
	"dev.example/pileup/probes"
)

// late is a run of n requests, of which some are taken up late.
func late(t testing.TB, n, some int, by, service time.Duration) *ledger.Snapshot {
	var all []request
	for i := range n {
		r := request{due: time.Duration(i) * time.Second / time.Duration(n)}
		if i < some {
			r.late = by
		}
		r.due = r.due.Truncate(time.Microsecond)
		r.sent = r.due + r.late + 12*time.Microsecond
		r.done = r.sent + service
		all = append(all, r)
	}
	return served(t, oneLane(), all, time.Second)
}

func TestTheDriverIsJudged(t *testing.T) {
	for _, tt := range []struct {
		name        string
		n, some     int
		by, service time.Duration
		limit       time.Duration
		want        bool
	}{
		{"on time", 100, 0, 0, ms, ms, false},
		{"one in a hundred is allowed", 200, 2, 9 * ms, ms, ms, false},
		{"more is not", 200, 3, 9 * ms, ms, ms, true},
		{"a single one proves nothing", 10, 1, 90 * ms, ms, ms, false},
		{"two of a few do", 10, 2, 90 * ms, ms, ms, true},
		{"up to the limit", 100, 50, ms - 12*time.Microsecond, ms, ms, false},
		{"1 % of a long service is allowed", 100, 30, 8 * ms, 900 * ms, 9 * ms, false},
		{"but not more", 100, 30, 8 * ms, 500 * ms, 5 * ms, true},
		{"in a histogram", 3000, 31, 9 * ms, ms, ms, true},
	} {
		s := late(t, tt.n, tt.some, tt.by, tt.service)
		at := latenciesOf(&s.Total, s)
		limit, got := lateness(at.lag, at.service)
		if got != tt.want || limit != tt.limit {
			t.Errorf("%s: got %s, %v", tt.name, limit, got)
		}
		if above := ledger.Of(at.lag, 0.99).Value > limit; tt.want && !above {
			t.Errorf("%s: lag p99 is not above %s", tt.name, limit)
		}
	}
}

func TestTheDriverSpeaksOfItself(t *testing.T) {
	text := End(lang.English, late(t, 200, 10, 12*ms, 40*ms))
	want := "\n\ndriver: lag p50 0.012, p99 12.012, max 12.012 ms\n" +
		"  pileup itself was late: lag p99 12.012 ms is above 1.000 ms: the numbers are\n" +
		"  not the server's alone\n"
	if !strings.HasSuffix(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
	m := decoded(t, late(t, 200, 10, 12*ms, 40*ms))
	for key, want := range map[string]any{"lag_p50": 0.000012, "lag_p99": 0.012012, "lag_max": 0.012012, "lag_limit": 0.001, "late": true} {
		if got := at(m, "driver", key); got != want {
			t.Errorf("%s: got %v, want %v", key, got, want)
		}
	}
	early := told(t, oneLane(), []request{{sent: ms, done: 2 * ms}}, 500*ms, func(*ledger.Ledger, time.Duration) {}).Snapshot()
	if d := at(decoded(t, early), "driver").(map[string]any); len(d) > 0 {
		t.Errorf("before a second has closed: %v", d)
	}
}

// What was not read twice is not known.
func TestTheDriversProcessorTime(t *testing.T) {
	cpu := func(at time.Duration, x float64) probes.Point {
		return probes.Point{At: at, Sample: &probes.Sample{Own: probes.Process{CPU: probes.Of(x)}}}
	}
	const s = time.Second
	for name, tt := range map[string]struct {
		points []probes.Point
		want   Number
	}{
		"before and in it":      {[]probes.Point{cpu(-2*s, 1), cpu(-s, 2), cpu(s, 2.5), cpu(9*s, 5), cpu(11*s, 9)}, number(3)},
		"only in it":            {[]probes.Point{cpu(s, 2.5), cpu(9*s, 5)}, number(2.5)},
		"idle":                  {[]probes.Point{cpu(0, 2), cpu(9*s, 2)}, number(0)},
		"only before it":        {[]probes.Point{cpu(-2*s, 1), cpu(-s, 2)}, Number{}},
		"once in it":            {[]probes.Point{cpu(s, 2)}, Number{}},
		"only before and after": {[]probes.Point{cpu(-s, 2), cpu(11*s, 9)}, Number{}},
		"gaps":                  {[]probes.Point{{At: 0}, cpu(s, 2), {At: 2 * s}}, Number{}},
	} {
		snap := &ledger.Snapshot{Phase: ledger.Ended, At: 10 * s, Series: []probes.Series{{Points: tt.points}, {}}}
		if got := driverCPU(snap); got != tt.want {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
}

// A setting says what was in force, and no rate where it is not the rate that
// decides.
func TestSettingsInJSON(t *testing.T) {
	setup := boards(lanesOf([]int{0, 1}, 0, 0, 0, 0))
	l := setup.Lanes
	l[0].Setting.Arrivals, l[0].Setting.Slots, l[0].Setting.Target = pace.Closed, 8, "tx2"
	l[1].Setting.Scale, l[1].Pattern.Shape = 2, shape(t, "ramp 1..2 in 1s")
	l[2].Setting.Arrivals, l[2].Pattern.Count, l[2].Pattern.Once = pace.Burst, 100, true
	lanes := at(decoded(t, ledger.New(setup).Snapshot()), "segments", 0, "lanes")
	for i, want := range []map[string]any{
		{"arrivals": "closed", "slots": 8.0, "target": "tx2", "rate": nil, "scale": nil},
		{"arrivals": "constant", "scale": 2.0, "rate": nil, "slots": nil, "target": nil},
		{"arrivals": "burst", "rate": nil},
		{"arrivals": "constant", "rate": 0.0}, // it waits for its key
	} {
		for key, want := range want {
			if got := at(lanes, i, key); got != want {
				t.Errorf("lane %d, %s: got %v, want %v", i, key, got, want)
			}
		}
	}
}
