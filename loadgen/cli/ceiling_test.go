package cli

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

// found is a self-test that drove 2 kB 10,000 and 600 kB 1000 times a second by
// ourselves, and a tenth of it through net/http.
func found() *selfTest {
	open := func(rate float64) *openLoop { return &openLoop{PerSecond: rate} }
	return &selfTest{
		V: selfTestVersion, At: time.Date(2026, 12, 1, 10, 0, 0, 0, time.Local),
		Ways: []way{
			{Path: "raw", Body: 600_000, Open: open(1000)},
			{Path: "raw", Body: 2000, Open: open(10_000)},
			{Path: "net/http", Body: 2000, Open: open(1000)},
			{Path: "net/http", Body: 600_000},
		},
	}
}

func TestEach(t *testing.T) {
	for name, c := range map[string]struct {
		protocol string
		body     int64
		want     float64 // requests per second
	}{
		"as measured":            {"tfs+http", 2000, 10_000},
		"no faster when smaller": {"tfs+http", 10, 10_000},
		"large as measured":      {"tfs+http", 600_000, 1000},
		"half way":               {"tfs+http", 301_000, 1818.18}, // (0.1 ms + 1 ms) / 2
		"twice as large":         {"tfs+http", 1_200_000, 500},
		"by net/http":            {"tfs+https", 2000, 1000},
		"kserve, by the same":    {"kserve+http", 2000, 10_000},
	} {
		if got := 1 / found().each(c.protocol, c.body); math.Abs(got-c.want) > 0.01 {
			t.Errorf("%s: %v/s, want %v", name, got, c.want)
		}
	}
	only := func(i int) *selfTest { return &selfTest{Ways: found().Ways[i : i+1]} }
	for name, got := range map[string]float64{
		"a protocol that was not measured": found().each("kserve+grpc", 2000),
		"nothing measured":                 (&selfTest{}).each("tfs+http", 2000),
		"large, and only small measured":   only(1).each("tfs+http", 600_000),
		"small, and only large measured":   only(0).each("tfs+http", 2000),
	} {
		if got != 0 {
			t.Errorf("%s: %v, want not known", name, got)
		}
	}
}

func TestCeiling(t *testing.T) {
	lane := func(rate float64, body int64) ledger.LaneSetup {
		return ledger.LaneSetup{Targets: []int{0}, Setting: ledger.Setting{Rate: rate, BodyBytes: body}}
	}
	shaped := func(shape string) ledger.LaneSetup {
		s, err := pace.ParseShape(shape)
		if err != nil {
			t.Fatal(err)
		}
		return ledger.LaneSetup{Targets: []int{0}, Pattern: pace.Spec{Shape: s}, Setting: ledger.Setting{Scale: 1, BodyBytes: 2000}}
	}
	traced := func(csv string) ledger.LaneSetup {
		w, err := pace.ReadWorkload(strings.NewReader(csv), "w", pace.Even, 0)
		if err != nil {
			t.Fatal(err)
		}
		return ledger.LaneSetup{
			Targets: []int{0}, Pattern: pace.Spec{Trace: w.Traces[0]},
			Setting: ledger.Setting{Arrivals: pace.Traced, Scale: 1, BodyBytes: 2000},
		}
	}
	with := func(l ledger.LaneSetup, change func(*ledger.LaneSetup)) ledger.LaneSetup {
		change(&l)
		return l
	}
	for name, c := range map[string]struct {
		lanes    []ledger.LaneSetup
		protocol string
		length   time.Duration
		want     demand // the zero demand: nothing is said
	}{
		"half":                 {lanes: []ledger.LaneSetup{lane(5000, 2000)}},
		"above half":           {lanes: []ledger.LaneSetup{lane(5100, 2000)}, want: demand{Rate: 5100, Body: 2000, Share: 0.51}},
		"above all":            {lanes: []ledger.LaneSetup{lane(600, 1_200_000)}, want: demand{Rate: 600, Body: 1_200_000, Share: 1.2}},
		"together":             {lanes: []ledger.LaneSetup{lane(3000, 2000), lane(300, 600_000)}, want: demand{Rate: 3300, Body: 600_000, Share: 0.6}},
		"one large among many": {lanes: []ledger.LaneSetup{lane(1000, 2000), lane(1, 6_000_000)}},
		"paused": {lanes: []ledger.LaneSetup{with(lane(9000, 2000), func(l *ledger.LaneSetup) {
			l.Setting.Paused = true
		})}},
		"closed": {lanes: []ledger.LaneSetup{with(lane(0, 2000), func(l *ledger.LaneSetup) {
			l.Setting.Arrivals, l.Setting.Slots = pace.Closed, 64
		})}},
		"a window of a number": {
			lanes: []ledger.LaneSetup{with(lane(0, 2000), func(l *ledger.LaneSetup) {
				l.Setting.Arrivals, l.Pattern = pace.Uniform, pace.Spec{Count: 60_000, Once: true, Every: 10 * time.Second}
			})},
			want: demand{Rate: 6000, Body: 2000, Share: 0.6},
		},
		"a window of a number, as long as a window is": {
			lanes: []ledger.LaneSetup{with(lane(0, 2000), func(l *ledger.LaneSetup) {
				l.Setting.Arrivals, l.Pattern = pace.Uniform, pace.Spec{Count: 6000, Once: true}
			})},
			want: demand{Rate: 6000, Body: 2000, Share: 0.6},
		},
		"a window that is over before the peak": {lanes: []ledger.LaneSetup{
			shaped("step 10,4000 every 10s"),
			with(lane(0, 2000), func(l *ledger.LaneSetup) {
				l.Setting.Arrivals, l.Pattern = pace.Uniform, pace.Spec{Count: 4000, Once: true}
			}),
		}},
		"a burst": {lanes: []ledger.LaneSetup{with(lane(0, 2000), func(l *ledger.LaneSetup) {
			l.Setting.Arrivals, l.Pattern = pace.Burst, pace.Spec{Count: 60_000, Once: true}
		})}},
		"not measured": {protocol: "kserve+grpc", lanes: []ledger.LaneSetup{lane(1e6, 2000)}},
		"measured in part": {
			lanes: []ledger.LaneSetup{lane(6000, 2000), with(lane(9, 2000), func(l *ledger.LaneSetup) { l.Targets = []int{1} })},
			want:  demand{Rate: 6000, Body: 2000, Share: 0.6},
		},
		"a ramp":                 {lanes: []ledger.LaneSetup{shaped("ramp 10..6000 in 60s")}, want: demand{Rate: 6000, Body: 2000, Share: 0.6}},
		"a ramp that ends early": {length: 30 * time.Second, lanes: []ledger.LaneSetup{shaped("ramp 10..6000 in 60s")}},
		"a step between":         {lanes: []ledger.LaneSetup{shaped("step 10,7000,10 every 10s")}, want: demand{Rate: 7000, Body: 2000, Share: 0.7}},
		"peaks that never meet": {lanes: []ledger.LaneSetup{
			shaped("step 4000,10 every 10s"), shaped("step 10,4000,10 every 10s"),
		}},
		"a trace": {lanes: []ledger.LaneSetup{traced("1,m,10\n7,m,8000\n9,m,1\n")}, want: demand{Rate: 8000, Body: 2000, Share: 0.8}},
		"a trace, twice as fast": {
			lanes: []ledger.LaneSetup{with(traced("1,m,10\n7,m,4000\n9,m,1\n"), func(l *ledger.LaneSetup) { l.Setting.Scale = 2 })},
			want:  demand{Rate: 8000, Body: 2000, Share: 0.8},
		},
		"a trace that is cut": {length: 5 * time.Second, lanes: []ledger.LaneSetup{traced("1,m,10\n7,m,8000\n9,m,1\n")}},
	} {
		t.Run(name, func(t *testing.T) {
			protocol := "tfs+http"
			if c.protocol != "" {
				protocol = c.protocol
			}
			setup := &ledger.Setup{Targets: []ledger.Target{{Protocol: protocol}, {Protocol: "gradio+http2"}}, Lanes: c.lanes, Length: c.length}
			got := demand{}
			if d := found().ceiling(setup); d != nil {
				got = *d
				got.Found, got.Share = time.Time{}, math.Round(1e6*got.Share)/1e6
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDemandIsASentence(t *testing.T) {
	d := found().ceiling(&ledger.Setup{
		Targets: []ledger.Target{{Protocol: "tfs+http"}},
		Lanes:   []ledger.LaneSetup{{Targets: []int{0}, Setting: ledger.Setting{Rate: 300, BodyBytes: 3_151_655}}},
	})
	want := "300/s of up to 3.15 MB is 158 % of what this machine could drive in its self-test of 2026-12-01: what is measured may be the driver"
	if got := d.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	d.Others = 1.5
	if got := d.String(); !strings.Contains(got, "of 2026-12-01, when other programs kept 1.5 cores busy: ") {
		t.Error(got)
	}
}

// What was kept is found again, on the same machine only.
func TestKeptSelfTest(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CACHE_HOME", "")
	if got := keptSelfTest(t.Context()); got != nil {
		t.Fatalf("%+v from nowhere", got)
	}
	name, err := selfTestFile()
	if err != nil {
		t.Skip(err)
	}
	want := newSelfTest(t.Context(), 3*time.Second)
	want.Ways = found().Ways
	for range 2 { // the second replaces the first
		if err := want.keep(name); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(want, keptSelfTest(t.Context())); diff != "" {
		t.Error(diff)
	}
	if files, err := filepath.Glob(filepath.Join(filepath.Dir(name), "*")); err != nil || len(files) != 1 {
		t.Errorf("beside it there are %v, %v", files, err)
	}
	for what, spoil := range map[string]func(*selfTest){
		"of another machine": func(s *selfTest) { s.Machine.Cores++ },
		"of another version": func(s *selfTest) { s.V++ },
	} {
		other := *want
		spoil(&other)
		if err := other.keep(name); err != nil {
			t.Fatal(err)
		}
		if got := keptSelfTest(t.Context()); got != nil {
			t.Errorf("%s: %+v", what, got)
		}
	}
}

func TestUnfit(t *testing.T) {
	good := found()
	good.Step, good.Machine.Cores, good.Others = 3, 2, 0.5
	for name, c := range map[string]struct {
		spoil func(*selfTest)
		want  string
	}{
		"fit":       {func(*selfTest) {}, ""},
		"short":     {func(s *selfTest) { s.Step = 0.05 }, "steps of 0.05 s are too short to hold a run to: at least 1 s"},
		"disturbed": {func(s *selfTest) { s.Others = 0.51 }, "other programs kept 0.51 of 2 cores busy: repeat it when the machine is calm"},
		"empty":     {func(s *selfTest) { s.Ways = s.Ways[3:] }, "no open loop was sent in time"},
	} {
		s := *good
		c.spoil(&s)
		if got := s.unfit(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
