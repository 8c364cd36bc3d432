package runfile

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
	"dev.example/pileup/probes"
)

const (
	ms = time.Millisecond
	us = time.Microsecond
)

func setup() *ledger.Setup {
	return &ledger.Setup{
		Tool: "pileup 0.1.0", Start: time.Date(2026, 12, 1, 10, 0, 0, 123456789, time.UTC), Seed: math.MaxUint64,
		Targets: []ledger.Target{
			{ID: 0, Name: "xavier", URL: "http://xavier:8501/<v1>&", Protocol: "tfs+http", Models: []string{"a", "b"}},
			{ID: 1, Name: "tx2", URL: "http://tx2:8501", Protocol: "tfs+http"},
		},
		Lanes: []ledger.LaneSetup{
			{
				ID: 0, Name: "A", Targets: []int{0, 1}, Balance: "round-robin",
				Setting: ledger.Setting{Model: "a", Arrivals: pace.Constant, Rate: 50, BodyBytes: 3160000},
			},
			{ID: 1, Name: "나", Targets: []int{1}, Setting: ledger.Setting{Model: "b", Arrivals: pace.Poisson, Rate: 0.1, Paused: true}},
		},
		Driver:  ledger.Driver{Host: "driver", CPUs: 8},
		Boards:  []ledger.Board{{Probe: "xavier", Modes: []probes.Mode{{ID: 0, Name: "MAXN", Note: "all"}, {ID: 3, Name: "30W"}}}},
		Payload: []string{"a: 150,528 floats"},
		Limit:   1000, Timeout: 5 * time.Minute, Length: 10 * time.Second, Requests: 500,
	}
}

// requests are done requests with everything that can be absent, absent.
func requests() []ledger.Event {
	text := "a\x00b\x1b[31m\"\\\t\u2028 안녕 <&>\x7f"
	return []ledger.Event{
		{
			Kind: ledger.Done, Lane: 1, Target: 1, I: 17, Due: 340 * ms, Started: 340012 * us, Sent: 340041 * us,
			First: 1200 * ms, Done: 1201 * ms, Up: 3160000, Down: 812, Peer: "10.0.0.7:8501",
		},
		{
			Kind: ledger.Done, I: math.MaxInt64, Due: 0, Started: 0, Sent: ledger.Never, First: ledger.Never, Done: 10 * time.Second,
			Failure: ledger.Failure{Class: ledger.Connect, Text: text},
		},
		{
			Kind: ledger.Done, Due: 999999 * us, Started: ledger.Never, Sent: 2 * time.Second, First: ledger.Never, Done: 3 * time.Second,
			Failure: ledger.Failure{Class: ledger.HTTP5xx, Code: 503}, Booked: [...]int{ledger.Due: 3, ledger.Sent: 4, ledger.Done: 5},
		},
		{Kind: ledger.Done, Due: 1500 * us, Started: 1500*us + 1, Sent: ledger.Never, First: ledger.Never, Done: 40 * time.Hour, Failure: ledger.Failure{Class: ledger.CutOff}},
	}
}

// written is what a Writer makes of what write hands it, after the header.
func written(t *testing.T, write func(*Writer)) string {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b, nil)
	w.Header(setup())
	write(w)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if !json.Valid([]byte(line)) {
			t.Errorf("not JSON: %s", line)
		}
	}
	return b.String()
}

func load(t *testing.T, file string) *Run {
	t.Helper()
	r, err := Load(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func same(t *testing.T, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("want -, got +:\n%s", d)
	}
}

func TestHeaderComesBack(t *testing.T) {
	same(t, load(t, written(t, func(*Writer) {})).Setup, setup())
	bare := &ledger.Setup{Lanes: []ledger.LaneSetup{{Name: "A"}}}
	line, err := Describe(bare)
	if err != nil {
		t.Fatal(err)
	}
	same(t, load(t, string(line)).Setup, bare)
	for _, key := range []string{"timeout", "length", "limit", "requests", "boards"} {
		if strings.Contains(string(line), key) {
			t.Errorf("%s is not set and still written: %s", key, line)
		}
	}
}

// A rate stands where one decides, be it 0.
func TestARateStandsWhereOneDecides(t *testing.T) {
	for want, setting := range map[string]ledger.Setting{
		`"arrivals":"constant","rate":0}`: {},
		`"arrivals":"constant","rate":5}`: {Rate: 5},
		`"arrivals":"closed","slots":8}`:  {Arrivals: pace.Closed, Slots: 8},
		`"arrivals":"trace","scale":2}`:   {Arrivals: pace.Traced, Scale: 2},
	} {
		var b bytes.Buffer
		w := NewWriter(&b, nil)
		w.Header(&ledger.Setup{Lanes: []ledger.LaneSetup{{Setting: setting}}})
		if err := w.Flush(); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%s not in %s, %v", want, b.String(), err)
		}
	}
}

func TestRequestsComeBack(t *testing.T) {
	var want []ledger.Event
	for class := ledger.Connect; class <= ledger.CutOff; class++ {
		want = append(want, ledger.Event{Kind: ledger.Done, Failure: ledger.Failure{Class: class, Code: int(class)}})
	}
	want = append(want, requests()...)
	file := written(t, func(w *Writer) {
		for i := range want {
			w.Request(&want[i])
		}
	})
	// What is finer than a microsecond was never stamped; what was not stamped
	// is read as started when due.
	want[len(want)-1].Started = 1500 * us
	want[len(want)-2].Started = want[len(want)-2].Due
	same(t, load(t, file).Requests, want)
}

func TestRequestLine(t *testing.T) {
	r := requests()
	got := string(appendRequest(nil, &r[0])) + string(appendRequest(nil, &r[2]))
	want := `{"t":"req","l":1,"i":17,"g":1,"due":0.340000,"start":0.340012,"sent":0.340041,"first":1.200000,"done":1.201000,"up":3160000,"down":812,"peer":"10.0.0.7:8501"}
{"t":"req","l":0,"i":0,"g":0,"due":0.999999,"sent":2.000000,"done":3.000000,"fail":"http-5xx","code":503,"bk":5,"bk_due":3,"bk_sent":4}
`
	same(t, got, want)
}

func TestInvalidTextIsStillUTF8(t *testing.T) {
	e := ledger.Event{Failure: ledger.Failure{Class: ledger.BadBody, Text: "a\xffb"}}
	file := written(t, func(w *Writer) { w.Request(&e) })
	same(t, load(t, file).Requests[0].Failure.Text, "a\ufffdb")
}

func TestSecondsComeBack(t *testing.T) {
	busy := ledger.Second{
		K: 7, Span: 1, Due: 50, Sent: 49, OK: 29, Failed: 3, Up: 5, Down: 6, Sending: time.Second,
		LagP99: 300 * us, LagMax: 2 * ms, Held: 1, InFlight: 21, OldLeft: 2, ThisLeft: 20, Peak: 35,
	}
	busy.Fail[ledger.Timeout], busy.Fail[ledger.HTTP5xx] = 2, 1
	idle := ledger.Second{K: 60, Span: 60, LagP99: ledger.Never, LagMax: ledger.Never}
	file := written(t, func(w *Writer) {
		w.Second(1, &busy)
		w.Second(ledger.All, &idle)
	})
	same(t, load(t, file).Seconds, []Second{{1, busy}, {ledger.All, idle}})
	if strings.Contains(file, `"l":-1`) {
		t.Error("all lanes have a number")
	}
	old := strings.Replace(file, `,"backlog_max":35`, "", 1)
	same(t, load(t, old).Seconds[0].Peak, busy.Backlog())
}

func TestCohortsComeBack(t *testing.T) {
	c := ledger.Cohort{
		K: 7, Span: 1, Due: 50, Failed: 50, Censored: 4, Over: 30 * time.Second, CensoredSent: 4,
		LastSent: 6990 * ms, Settled: true, SettledAt: 12 * time.Second, OpenAtChange: 9,
	}
	none := Dist{Mean: ledger.Never, Min: ledger.Never, Max: ledger.Never}
	file := written(t, func(w *Writer) { w.Cohort(0, &c) })
	same(t, load(t, file).Cohorts, []Cohort{{
		Lane: 0, At: c.SettledAt, K: 7, Span: 1, Due: 50, Failed: 50, Censored: 4, Over: c.Over,
		LastSent: c.LastSent, OpenAtChange: 9, Response: none, Service: none,
	}})

	c.Older = true
	if got := load(t, written(t, func(w *Writer) { w.Cohort(0, &c) })).Cohorts[0]; !got.Older {
		t.Errorf("it is not older: %+v", got)
	}

	line := `{"t":"coh","at":4.31,"k":1,"l":0,"n":3,"ok":3,"failed":0,"mean":0.002,"min":0.001,"max":0.003,"hist":[[1000,2],[3000,1]],"service":{"mean":0.001,"min":0.001,"max":0.001,"hist":[[1000,3]]}}`
	got := load(t, written(t, func(*Writer) {})+line+"\n").Cohorts[0]
	same(t, got.Response, Dist{2 * ms, ms, 3 * ms, []ledger.Bucket{{Low: 1000, Count: 2}, {Low: 3000, Count: 1}}})
	same(t, got.Service, Dist{ms, ms, ms, []ledger.Bucket{{Low: 1000, Count: 3}}})
	same(t, got.Over, ledger.Never)
}

func TestCommandsComeBack(t *testing.T) {
	cmds := []Command{
		{At: 4200 * ms, Command: ledger.Command{Do: ledger.DoRate, Lane: 0, To: 0, By: "key"}},
		{At: 4201 * ms, Command: ledger.Command{Do: ledger.DoRate, Lane: ledger.All, To: -1.5, How: ledger.Add}},
		{At: 4202 * ms, Command: ledger.Command{Do: ledger.DoRate, Lane: 1, To: 0.1, How: ledger.Mul}},
		{At: 5 * time.Second, BodyBytes: 99, Command: ledger.Command{Do: ledger.DoModel, Lane: 1, Name: "b", By: "plan"}},
		{At: 6 * time.Second, Command: ledger.Command{Do: ledger.DoArrivals, Lane: 0, Arrivals: pace.Poisson}},
		{At: 7 * time.Second, Command: ledger.Command{Do: ledger.DoPause, Lane: 0}},
		{At: 8 * time.Second, Command: ledger.Command{Do: ledger.DoResume, Lane: 0}},
		{At: 9 * time.Second, Command: ledger.Command{Do: ledger.DoMode, Lane: ledger.All, Board: "xavier", Mode: 0, Name: "MAXN"}},
		{At: 10 * time.Second, Command: ledger.Command{Do: ledger.DoStop, Lane: 1, By: "duration"}},
		{At: 11 * time.Second, Command: ledger.Command{Do: ledger.DoCut, Lane: ledger.All}},
		{At: 12 * time.Second, Command: ledger.Command{Do: ledger.DoRestart, Lane: ledger.All}},
	}
	file := written(t, func(w *Writer) {
		for _, c := range cmds {
			w.Command(c)
		}
	})
	same(t, load(t, file).Commands, cmds)
}

func TestApply(t *testing.T) {
	s := ledger.Setting{Model: "a", Rate: 50, BodyBytes: 7}
	with := func(change func(*ledger.Setting)) ledger.Setting {
		out := s
		change(&out)
		return out
	}
	tests := []struct {
		c    Command
		want ledger.Setting
	}{
		{Command{Command: ledger.Command{Do: ledger.DoRate, To: 9}}, with(func(s *ledger.Setting) { s.Rate = 9 })},
		{Command{Command: ledger.Command{Do: ledger.DoRate, To: -60, How: ledger.Add}}, with(func(s *ledger.Setting) { s.Rate = 0 })},
		{Command{Command: ledger.Command{Do: ledger.DoRate, To: 2, How: ledger.Mul}}, with(func(s *ledger.Setting) { s.Rate = 100 })},
		{Command{BodyBytes: 8, Command: ledger.Command{Do: ledger.DoModel, Name: "b"}}, with(func(s *ledger.Setting) { s.Model, s.BodyBytes = "b", 8 })},
		{Command{Command: ledger.Command{Do: ledger.DoArrivals, Arrivals: pace.Poisson}}, with(func(s *ledger.Setting) { s.Arrivals = pace.Poisson })},
		{Command{Command: ledger.Command{Do: ledger.DoPause}}, with(func(s *ledger.Setting) { s.Paused = true })},
		{Command{Command: ledger.Command{Do: ledger.DoResume}}, s},
		{Command{Command: ledger.Command{Do: ledger.DoStop}}, s},
	}
	for _, tt := range tests {
		same(t, tt.c.Apply(s), tt.want)
	}
}

func TestNotesComeBack(t *testing.T) {
	n := ledger.Note{At: 3 * time.Second, Level: ledger.Bad, ID: "target-gone", Args: []ledger.Arg{
		{Name: "target", Value: "자비에\x01"},
		{Name: "n", Value: int64(3)},
		{Name: "rate", Value: 50.0},
		{Name: "share", Value: 1e-9},
		{Name: "after", Value: 3400 * ms},
		{Name: "a", Value: ""},
	}}
	bare := ledger.Note{ID: "paused"}
	var b bytes.Buffer
	w := NewWriter(&b, func(n ledger.Note) string { return "<" + n.ID + ">" })
	w.Header(setup())
	w.Note(n)
	w.Note(bare)
	w.Note(ledger.Note{ID: "odd", Args: []ledger.Arg{
		{Name: "nan", Value: math.NaN()}, {Name: "never", Value: ledger.Never}, {Name: "what", Value: struct{}{}}, {Name: "k", Value: 7},
	}})
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	same(t, load(t, b.String()).Notes, []Note{
		{n, "<target-gone>"},
		{bare, "<paused>"},
		{ledger.Note{ID: "odd", Args: []ledger.Arg{{Name: "k", Value: int64(7)}}}, "<odd>"},
	})
}

func TestProbesComeBack(t *testing.T) {
	full := probes.Sample{
		Simulated: true,
		Cores: []probes.Core{
			{ID: 0, Online: true, Busy: probes.Of(3), Freq: probes.Of(1234567890), FreqMax: probes.Of(2265600000)},
			{ID: 2, Online: true, Freq: probes.Of(1190400000)},
			{ID: 5},
		},
		Load1: probes.Of(0.52), Threads: probes.Of(1240), MemUsed: probes.Of(1 << 40), MemTotal: probes.Of(0), SwapUsed: probes.Of(7),
		Net: []probes.Net{{Name: "eth0", Rx: probes.Of(12.5), Tx: probes.Of(117e6), Link: probes.Of(1e9)}, {Name: "a"}},
		GPU: probes.Of(99.123456), GPUHz: probes.Of(1377e6), Mode: &probes.Mode{ID: 0, Name: "MAXN", Note: "모두"},
		Rails:  []probes.Rail{{Name: "VDD_IN", Watts: 12.345, Total: true}, {Name: "CPU", Watts: 0}},
		Temps:  []probes.Temp{{Name: "thermal", Celsius: -3.5}, {Name: "ao", Celsius: 41}},
		Steal:  probes.Of(12.5),
		Own:    everyValue(),
		Absent: []probes.Absent{{What: "fan", Why: "not on this machine"}, {What: "emc", Why: "needs root"}},
	}
	points := []probes.Point{
		{At: 3 * time.Second, Sample: &full},
		{At: 4 * time.Second, Sample: &probes.Sample{Cores: []probes.Core{{ID: 0, Online: true}, {ID: 1, Online: false}}}},
		{At: 5 * time.Second, Why: "connection lost"},
		{At: 6 * time.Second, Sample: &probes.Sample{}},
	}
	file := written(t, func(w *Writer) {
		for _, p := range points {
			w.Probe("xavier", p)
		}
	})
	var want []Probe
	for _, p := range points {
		if p.Sample != nil {
			p.Sample.At = setup().Start.Add(p.At)
		}
		want = append(want, Probe{"xavier", p})
	}
	same(t, load(t, file).Probes, want)
}

// everyValue sets every field of a Process to another number, so that one that
// is forgotten or swapped shows.
func everyValue() (p probes.Process) {
	v := reflect.ValueOf(&p).Elem()
	for i := range v.NumField() {
		v.Field(i).Set(reflect.ValueOf(probes.Of(float64(i) + 0.000125)))
	}
	return p
}

func TestOwnLine(t *testing.T) {
	own := probes.Process{
		CPU: probes.Of(1.25), Cores: probes.Of(1.6), CoresMax: probes.Of(2), RSS: probes.Of(5e7), FDs: probes.Of(12), FDMax: probes.Of(1024),
		CoreWait: probes.Of(0.3), Throttled: probes.Of(40), ThrottledTime: probes.Of(0.25), SchedWait: probes.Of(49e-6),
		GC: probes.Of(11), GCs: probes.Of(3), GCPause: probes.Of(0), HeapLive: probes.Of(1 << 20), Goroutines: probes.Of(7),
		Ports: probes.Of(16067), PortsWaiting: probes.Of(15000), PortMax: probes.Of(28232),
	}
	file := written(t, func(w *Writer) {
		w.Probe("driver", probes.Point{Sample: &probes.Sample{Own: own}})
		w.Probe("driver", probes.Point{Sample: &probes.Sample{}})
	})
	_, lines, _ := strings.Cut(file, "\n")
	same(t, lines, `{"t":"probe","at":0.000000,"host":"driver","own_cpu_s":1.25,"own_cores":1.6,"own_cores_max":2,`+
		`"own_rss_bytes":50000000,"own_fds":12,"own_fds_max":1024,"own_core_wait_s_per_s":0.3,"own_throttled_percent":40,`+
		`"own_throttled_s_per_s":0.25,"own_sched_wait_p99_s":0.000049,"own_gc_percent":11,"own_gc_cycles":3,"own_gc_pause_max_s":0,`+
		`"own_heap_live_bytes":1048576,"own_goroutines":7,"own_ports":16067,"own_ports_waiting":15000,"own_ports_max":28232}
{"t":"probe","at":0.000000,"host":"driver"}
`)
}

func TestUnreadableNumbersAreAbsent(t *testing.T) {
	s := probes.Sample{
		Rails: []probes.Rail{{Name: "A", Watts: math.NaN()}, {Name: "B", Watts: 1}},
		Temps: []probes.Temp{{Name: "C", Celsius: math.Inf(1)}},
	}
	file := written(t, func(w *Writer) { w.Probe("x", probes.Point{Sample: &s}) })
	got := load(t, file).Probes[0].Sample
	same(t, got.Rails, []probes.Rail{{Name: "B", Watts: 1}})
	same(t, len(got.Temps), 0)
}

func TestGapAndEndComeBack(t *testing.T) {
	r := load(t, written(t, func(w *Writer) {
		w.Gap(Gap{8 * time.Second, map[string]int64{"req": 120}})
		w.End(13740*ms, "done")
	}))
	same(t, r.Gaps, []Gap{{8 * time.Second, map[string]int64{"req": 120}}})
	same(t, r.Ended, true)
	same(t, r.End, End{13740 * ms, "done"})
}
