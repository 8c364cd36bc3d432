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
		d := drivenBy(late(t, tt.n, tt.some, tt.by, tt.service))
		if got := d.judged; got.Late != tt.want || got.Limit != tt.limit {
			t.Errorf("%s: got %s, %v", tt.name, got.Limit, got.Late)
		}
		if above := ledger.Of(d.lag, 0.99).Value > d.judged.Limit; tt.want && !above {
			t.Errorf("%s: lag p99 is not above %s", tt.name, tt.limit)
		}
	}
}

func TestTheDriverSpeaksOfItself(t *testing.T) {
	text := End(lang.English, late(t, 200, 10, 12*ms, 40*ms))
	want := "\n\ndriver: lag p50 0.012, p99 12.012, max 12.012 ms\n" +
		"  pileup itself was late: lag p99 12.012 ms is above 1.000 ms, the larger of\n" +
		"  1 ms and 1 % of the median service: the numbers are not the server's alone\n"
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
	if d := at(decoded(t, early), "driver").(map[string]any); len(d) != 1 || len(d["causes"].([]any)) > 0 {
		t.Errorf("before a second has closed: %v", d)
	}
}

// A driver that was late for a while, and not in all, says so once.
func TestTheDriverOwnsUpToAWhile(t *testing.T) {
	note := ledger.Note{At: 3 * time.Second, ID: string(lang.NoteDriverLate)}
	again := ledger.Note{At: 9 * time.Second, ID: string(lang.NoteDriverLate)}
	const says = "  pileup itself was late for a while: see the event at 3 s\n"
	for name, tt := range map[string]struct {
		some  int
		notes []ledger.Note
		want  int
	}{
		"never":       {0, nil, 0},
		"once":        {0, []ledger.Note{{ID: string(lang.NoteDriverOnTime)}, note}, 1},
		"twice":       {0, []ledger.Note{note, again}, 1},
		"in all, too": {10, []ledger.Note{note}, 0},
		"only in all": {10, nil, 0},
	} {
		s := late(t, 200, tt.some, 12*ms, 40*ms)
		s.Notes = tt.notes
		if text := End(lang.English, s); strings.Count(text, says) != tt.want || strings.Count(text, "pileup itself was late") != max(tt.want, min(tt.some, 1)) {
			t.Errorf("%s: not %d × %q in\n%s", name, tt.want, says, text)
		}
	}
}

// busy is a run that was late in its only second, with samples of a driver that
// says why.
func busy(t testing.TB) *ledger.Snapshot {
	s := late(t, 200, 10, 12*ms, 40*ms)
	own := probes.Process{
		CPU: probes.Of(3), Cores: probes.Of(1.25), CoresMax: probes.Of(2), CoreWait: probes.Of(2.3),
		GC: probes.Of(3.2), GCPause: probes.Of(0.004), FDs: probes.Of(812), FDMax: probes.Of(1024),
		Ports: probes.Of(3214), PortMax: probes.Of(28232), Throttled: probes.Of(40), ThrottledTime: probes.Of(0.3),
	}
	before, in := own, own
	before.CPU, before.Cores, before.FDs = probes.Of(1), probes.Of(1.9), probes.Of(1000)
	cores := []probes.Core{{ID: 0, Online: true, Busy: probes.Of(100)}, {ID: 1, Online: true, Busy: probes.Of(100)}}
	s.Series = []probes.Series{{Name: "xavier"}, {Name: ledger.DriverProbe, Points: []probes.Point{
		{At: -1100 * ms, Sample: &probes.Sample{Own: before, Cores: cores}},
		{At: -100 * ms, Sample: &probes.Sample{Own: before, Cores: cores}},
		{At: 900 * ms, Sample: &probes.Sample{Own: in, Cores: cores, Steal: probes.Of(12)}},
	}}}
	return s
}

func TestTheDriverSaysWhatItUsed(t *testing.T) {
	text := End(lang.English, busy(t))
	want := "\n\ndriver: lag p50 0.012, p99 12.012, max 12.012 ms; 2.000 s of CPU\n" +
		"  kept 1.25 of 2 cores busy on average, 1.25 at most\n" +
		"  at most 2.3 s/s of waiting for a core, 812 of 1024 descriptors, 3214 of 28232\n" +
		"  ports of the whole machine, 3.2 % of a core for GC, 4 ms of GC pause, 40 % of\n" +
		"  the periods of its CPU quota used up, 12 % taken by the hypervisor\n" +
		"  pileup itself was late: lag p99 12.012 ms is above 1.000 ms, the larger of\n" +
		"  1 ms and 1 % of the median service: the numbers are not the server's alone\n" +
		"  meanwhile collecting garbage stopped it for up to 4 ms\n" +
		"  meanwhile its CPU quota ran out in 40 % of the periods\n" +
		"  meanwhile other programs kept 0.51 cores busy: its threads waited 2 s/s for\n" +
		"  one\n" +
		"  meanwhile the hypervisor took 12 % of the time of all cores\n"
	if !strings.HasSuffix(text, want) {
		t.Errorf("got\n%s\nwant\n%s", text[strings.Index(text, "driver:"):], want)
	}
	m := decoded(t, busy(t))
	for key, want := range map[string]any{
		"cpu_s": 2.0, "cores_mean": 1.25, "cores_max": 1.25, "cores_of": 2.0, "core_wait_max_s_per_s": 2.3,
		"gc_percent_max": 3.2, "gc_pause_max_s": 0.004, "fds_max": 812.0, "fds_limit": 1024.0,
		"ports_max": 3214.0, "ports_limit": 28232.0, "steal_percent_max": 12.0, "throttled_percent_max": 40.0,
		"samples_from": nil,
	} {
		if got := at(m, "driver", key); got != want {
			t.Errorf("%s: got %v, want %v", key, got, want)
		}
	}
	if got := at(m, "driver", "causes", 2); at(got, "id") != "driver-cores-taken" || at(got, "wait") != 2.0 || at(got, "cores") != 0.51 {
		t.Errorf("got %v", got)
	}
	if got := at(m, "driver", "causes", 0, "pause"); got != 0.004 {
		t.Errorf("a pause of %v", got)
	}
}

// Of what is not known, nothing is said; and in a long run since when it is.
func TestTheDriverSaysWhatItKnows(t *testing.T) {
	s := busy(t)
	for i, p := range s.Series[1].Points {
		s.Series[1].Points[i].Sample = &probes.Sample{Own: probes.Process{FDs: p.Sample.Own.FDs}}
	}
	if text := End(lang.English, s); !strings.Contains(text, "ms\n  at most 812 descriptors\n  pileup itself") || strings.Contains(text, "meanwhile") {
		t.Errorf("got\n%s", text)
	}
	s = busy(t)
	for k := range probes.Keep {
		s.Series[1].Points[2].At = 30 * ms
		s.Series[1] = s.Series[1].With(probes.Point{At: time.Duration(k) * time.Second, Sample: &probes.Sample{}})
	}
	s.Series[1].Points = s.Series[1].Points[2:]
	if text := End(lang.English, s); !strings.Contains(text, "\n  these from 0.030 s on: older samples are not kept\n") {
		t.Errorf("got\n%s", text)
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
