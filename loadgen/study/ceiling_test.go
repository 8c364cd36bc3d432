package study

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

// found is a self-test that drove 2 kB 10,000 and 600 kB 1000 times a second by
// ourselves, and a tenth of it through net/http.
func found() *SelfTest {
	open := func(rate float64) *OpenLoop { return &OpenLoop{PerSecond: rate} }
	return &SelfTest{
		V: version, At: time.Date(2026, 12, 1, 10, 0, 0, 0, time.Local),
		Ways: []Way{
			{Path: "raw", Body: 600_000, Open: open(1000)},
			{Path: "raw", Body: 2000, Open: open(10_000)},
			{Path: "net/http", Body: 2000, Open: open(1000)},
			{Path: "net/http", Body: 600_000},
		},
	}
}

func TestEach(t *testing.T) {
	for name, c := range map[string]struct {
		path string
		body int64
		want float64 // requests per second
	}{
		"as measured":            {"raw", 2000, 10_000},
		"no faster when smaller": {"raw", 10, 10_000},
		"large as measured":      {"raw", 600_000, 1000},
		"half way":               {"raw", 301_000, 1818.18}, // (0.1 ms + 1 ms) / 2
		"twice as large":         {"raw", 1_200_000, 500},
		"by net/http":            {"net/http", 2000, 1000},
	} {
		if got := 1 / found().each(c.path, c.body); math.Abs(got-c.want) > 0.01 {
			t.Errorf("%s: %v/s, want %v", name, got, c.want)
		}
	}
	only := func(i int) *SelfTest { return &SelfTest{Ways: found().Ways[i : i+1]} }
	for name, got := range map[string]float64{
		"a path that was not measured":   found().each("", 2000),
		"nothing measured":               (&SelfTest{}).each("raw", 2000),
		"large, and only small measured": only(1).each("raw", 600_000),
		"small, and only large measured": only(0).each("raw", 2000),
	} {
		if got != 0 {
			t.Errorf("%s: %v, want not known", name, got)
		}
	}
}

// sentBy is the path of two protocols; no other is measured.
func sentBy(protocol string) string {
	return map[string]string{"tfs+http": "raw", "tfs+https": "net/http"}[protocol]
}

func TestDemand(t *testing.T) {
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
		want     Demand // the zero Demand: nothing is said
	}{
		"half":                 {lanes: []ledger.LaneSetup{lane(5000, 2000)}},
		"above half":           {lanes: []ledger.LaneSetup{lane(5100, 2000)}, want: Demand{Rate: 5100, Body: 2000, Share: 0.51}},
		"above all":            {lanes: []ledger.LaneSetup{lane(600, 1_200_000)}, want: Demand{Rate: 600, Body: 1_200_000, Share: 1.2}},
		"together":             {lanes: []ledger.LaneSetup{lane(3000, 2000), lane(300, 600_000)}, want: Demand{Rate: 3300, Body: 600_000, Share: 0.6}},
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
			want: Demand{Rate: 6000, Body: 2000, Share: 0.6},
		},
		"a window of a number, as long as a window is": {
			lanes: []ledger.LaneSetup{with(lane(0, 2000), func(l *ledger.LaneSetup) {
				l.Setting.Arrivals, l.Pattern = pace.Uniform, pace.Spec{Count: 6000, Once: true}
			})},
			want: Demand{Rate: 6000, Body: 2000, Share: 0.6},
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
			want:  Demand{Rate: 6000, Body: 2000, Share: 0.6},
		},
		"a ramp":                 {lanes: []ledger.LaneSetup{shaped("ramp 10..6000 in 60s")}, want: Demand{Rate: 6000, Body: 2000, Share: 0.6}},
		"a ramp that ends early": {length: 30 * time.Second, lanes: []ledger.LaneSetup{shaped("ramp 10..6000 in 60s")}},
		"a step between":         {lanes: []ledger.LaneSetup{shaped("step 10,7000,10 every 10s")}, want: Demand{Rate: 7000, Body: 2000, Share: 0.7}},
		"peaks that never meet": {lanes: []ledger.LaneSetup{
			shaped("step 4000,10 every 10s"), shaped("step 10,4000,10 every 10s"),
		}},
		"a trace": {lanes: []ledger.LaneSetup{traced("1,m,10\n7,m,8000\n9,m,1\n")}, want: Demand{Rate: 8000, Body: 2000, Share: 0.8}},
		"a trace, twice as fast": {
			lanes: []ledger.LaneSetup{with(traced("1,m,10\n7,m,4000\n9,m,1\n"), func(l *ledger.LaneSetup) { l.Setting.Scale = 2 })},
			want:  Demand{Rate: 8000, Body: 2000, Share: 0.8},
		},
		"a trace that is cut": {length: 5 * time.Second, lanes: []ledger.LaneSetup{traced("1,m,10\n7,m,8000\n9,m,1\n")}},
	} {
		t.Run(name, func(t *testing.T) {
			protocol := "tfs+http"
			if c.protocol != "" {
				protocol = c.protocol
			}
			setup := &ledger.Setup{Targets: []ledger.Target{{Protocol: protocol}, {Protocol: "gradio+http2"}}, Lanes: c.lanes, Length: c.length}
			got := Demand{}
			if d := found().Demand(setup, sentBy); d != nil {
				got = *d
				got.Found, got.Share = time.Time{}, math.Round(1e6*got.Share)/1e6
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
