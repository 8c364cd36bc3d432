package report

import (
	"strings"
	"testing"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

func shape(t testing.TB, text string) *pace.Shape {
	t.Helper()
	s, err := pace.ParseShape(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func workload(t testing.TB, text string) *pace.Workload {
	t.Helper()
	w, err := pace.ReadWorkload(strings.NewReader(text), "mix.csv", pace.Even, 7)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// How requests become due is said in every pattern there is.
func TestHowRequestsBecomeDue(t *testing.T) {
	trace := workload(t, "second,model,count\n1,yolo_v5,3\n2,yolo_v5,1\n").Traces[0]
	for _, tt := range []struct {
		arrivals pace.Arrivals
		set      ledger.Setting
		pattern  pace.Spec
		want     string
	}{
		{pace.Constant, ledger.Setting{Rate: 50}, pace.Spec{}, "constant 50/s"},
		{pace.Constant, ledger.Setting{Rate: 100.0 / 60}, pace.Spec{}, "constant 1.66667/s"},
		{pace.Constant, ledger.Setting{Rate: 1234.5}, pace.Spec{}, "constant 1234.5/s"},
		{pace.Constant, ledger.Setting{Rate: 1e6}, pace.Spec{}, "constant 1000000/s"},
		{pace.Constant, ledger.Setting{}, pace.Spec{}, "constant, waits for a rate"},
		{pace.Poisson, ledger.Setting{Rate: 0.25}, pace.Spec{}, "Poisson 0.25/s"},
		{pace.PoissonCounts, ledger.Setting{Rate: 50}, pace.Spec{}, "Poisson counts 50/s, even within the second"},
		{pace.PoissonCounts, ledger.Setting{Rate: 50}, pace.Spec{Within: pace.AtOnce}, "Poisson counts 50/s, all at the second's start"},
		{pace.PoissonCounts, ledger.Setting{Rate: 50}, pace.Spec{Within: pace.Random}, "Poisson counts 50/s, random within the second"},
		{pace.Uniform, ledger.Setting{Rate: 50}, pace.Spec{}, "uniform 50/s, at random in each 1 s"},
		{pace.Uniform, ledger.Setting{Rate: 50}, pace.Spec{Every: 2 * time.Second}, "uniform 50/s, at random in each 2 s"},
		{pace.Uniform, ledger.Setting{Rate: 5}, pace.Spec{Every: 20 * time.Second, Count: 100}, "uniform: 100 in each 20 s"},
		{pace.Uniform, ledger.Setting{}, pace.Spec{Every: 20 * time.Second, Count: 100, Once: true}, "uniform: 100 in 20 s, once"},
		{pace.Burst, ledger.Setting{Rate: 50}, pace.Spec{Every: 500 * ms}, "bursts each 0.5 s, 50/s"},
		{pace.Burst, ledger.Setting{Rate: 100}, pace.Spec{Count: 100}, "bursts of 100, each 1 s"},
		{pace.Burst, ledger.Setting{}, pace.Spec{Count: 100, Once: true}, "one burst of 100, at 0 s"},
		{pace.Burst, ledger.Setting{Rate: 50}, pace.Spec{Every: 2 * time.Second, Once: true}, "one burst of 100, at 0 s"},
		{pace.Burst, ledger.Setting{}, pace.Spec{}, "bursts, waits for a rate"},
		{pace.Closed, ledger.Setting{Slots: 64}, pace.Spec{}, "closed loop, 64 open at once: latency hides stalls"},
		{pace.Constant, ledger.Setting{Scale: 1}, pace.Spec{Shape: shape(t, "ramp 10..100 in 60s")}, "constant, shape ramp 10..100 in 60s"},
		{pace.Poisson, ledger.Setting{Scale: 2.5}, pace.Spec{Shape: shape(t, "step 10,50 every 10s")}, "Poisson, shape step 10,50 every 10s, ×2.5"},
		{pace.Traced, ledger.Setting{Scale: 1}, pace.Spec{Trace: trace}, "trace of 4 requests"},
		{pace.Traced, ledger.Setting{Scale: 2}, pace.Spec{}, "trace, ×2"}, // of a recording
	} {
		tt.set.Arrivals, tt.pattern.Arrivals = tt.arrivals, tt.arrivals
		if got := howDue(lang.English, &ledger.LaneSetup{Setting: tt.set, Pattern: tt.pattern}); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// lanesOf makes a lane of each rate, all on the same targets.
func lanesOf(targets []int, rates ...float64) (lanes []ledger.LaneSetup) {
	for i, r := range rates {
		lanes = append(lanes, ledger.LaneSetup{
			ID: i, Name: string(rune('A' + i)), Targets: targets, Balance: "round-robin",
			Setting: ledger.Setting{Model: []string{"mobilenet_v1", "mobilenet_v2", "inception_v3", "yolo_v5"}[i], Rate: r},
		})
	}
	return lanes
}

func TestTheMix(t *testing.T) {
	lab := func() []ledger.LaneSetup { return lanesOf([]int{0, 1}, 10, 10, 20, 1) }
	for name, tt := range map[string]struct {
		lanes []ledger.LaneSetup
		want  string
		sum   float64
	}{
		"the lab's":        {lab(), "(10,10,20,1)", 41},
		"one that waits":   {lanesOf([]int{0}, 50, 0, 0, 0), "(50,0,0,0)", 50},
		"fractions":        {lanesOf([]int{0}, 0.5, 2.25), "(0.5,2.25)", 2.75},
		"one lane":         {lanesOf([]int{0}, 50), "", 0},
		"none":             {nil, "", 0},
		"other targets":    {append(lab()[:3], lanesOf([]int{1}, 1)...), "", 0},
		"a lane elsewhere": {append(lab()[:3], ledger.LaneSetup{Targets: []int{0, 1}, Setting: ledger.Setting{Target: "tx2"}}), "", 0},
		"other arrivals":   {append(lab()[:3], ledger.LaneSetup{Targets: []int{0, 1}, Setting: ledger.Setting{Arrivals: pace.Poisson}}), "", 0},
		"closed loops":     {[]ledger.LaneSetup{{Setting: ledger.Setting{Arrivals: pace.Closed}}, {Setting: ledger.Setting{Arrivals: pace.Closed}}}, "", 0},
		"counts":           {[]ledger.LaneSetup{{Pattern: pace.Spec{Count: 9}}, {Pattern: pace.Spec{Count: 9}}}, "", 0},
		"shapes":           {[]ledger.LaneSetup{{Pattern: pace.Spec{Shape: shape(t, "ramp 1..2 in 1s")}}, {}}, "", 0},
	} {
		if got, sum := mixOf(tt.lanes); got != tt.want || sum != tt.sum {
			t.Errorf("%s: got %q, %g; want %q, %g", name, got, sum, tt.want, tt.sum)
		}
	}
}

// boards is a setup of two boards.
func boards(lanes []ledger.LaneSetup) *ledger.Setup {
	s := oneLane()
	s.Targets = append(s.Targets, ledger.Target{ID: 1, Name: "tx2", URL: "http://tx2:8501", Protocol: "tfs+http"})
	s.Lanes, s.Payload = lanes, nil
	return s
}

func TestStart(t *testing.T) {
	mix := boards(lanesOf([]int{0, 1}, 10, 10, 20, 1))
	mix.Connections, mix.Drain = 8, 30*time.Second

	worth := boards(lanesOf([]int{0, 1}, 30, 20, 10))
	for i := range worth.Lanes {
		worth.Lanes[i].Balance, worth.Lanes[i].Weights = "weighted", []float64{38, 12.5}
	}
	worth.Lanes[1].Balance, worth.Lanes[1].Weights = "least-wait", []float64{38.1234, 12.4567}
	worth.Lanes[2].Targets, worth.Lanes[2].Balance = []int{1}, ""
	worth.Length, worth.Drain = 0, time.Microsecond

	trace := boards(lanesOf([]int{0, 1}, 0, 0))
	w := workload(t, "second,model,count\n1,mobilenet_v1,30\n10,mobilenet_v2,1\n")
	for i := range trace.Lanes {
		l := &trace.Lanes[i]
		l.Setting.Arrivals, l.Setting.Scale, l.Pattern.Trace = pace.Traced, 1, w.Traces[i]
	}
	trace.Lanes[1].Setting.Target = "tx2"
	trace.Workload, trace.Hash, trace.Length = "mix.csv", w.Hash, 0

	once := oneLane()
	once.Length, once.Lanes[0].Setting.Rate = 0, 0
	once.Lanes[0].Setting.Arrivals, once.Lanes[0].Pattern = pace.Burst, pace.Spec{Arrivals: pace.Burst, Count: 100, Once: true}

	var got strings.Builder
	for _, s := range []*ledger.Setup{mix, worth, trace, once} {
		got.WriteString(Start(lang.English, s) + "\n")
	}
	golden(t, "start.txt", got.String())
	narrow(t, "start", got.String())
}
