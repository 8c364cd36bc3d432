package ledger

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"dev.example/pileup/probes"
)

// toldOf is a series of the driver, a sample each half a second behind a whole one.
func toldOf(samples ...probes.Sample) probes.Series {
	s := probes.Series{Name: DriverProbe}
	for k := range samples {
		s = s.With(probes.Point{At: time.Duration(k)*time.Second + time.Second/2, Sample: &samples[k]})
	}
	return s
}

func own(p probes.Process) probes.Sample { return probes.Sample{Own: p} }

// on puts a process onto two cores that are so busy.
func on(p probes.Process, busy ...float64) probes.Sample {
	s := own(p)
	for i, x := range busy {
		s.Cores = append(s.Cores, probes.Core{ID: i, Online: true, Busy: probes.Of(x)})
	}
	return s
}

func TestCausesOfLateness(t *testing.T) {
	of := probes.Of
	const ms = time.Millisecond
	for _, tt := range []struct {
		name    string
		samples []probes.Sample
		limit   time.Duration
		want    string
	}{
		{"nothing is known", []probes.Sample{{}}, ms, ""},
		{"all is calm", []probes.Sample{on(probes.Process{Cores: of(0.3), CoresMax: of(2), CoreWait: of(0.04), GCPause: of(0.0002)}, 20, 20)}, ms, ""},
		{"its own CPU", []probes.Sample{on(probes.Process{Cores: of(1.9), CoresMax: of(2), CoreWait: of(3)}, 100, 100)}, ms, "driver-own-cpu cores=1.9 of=2"},
		{"nearly", []probes.Sample{on(probes.Process{Cores: of(1.79), CoresMax: of(2), CoreWait: of(0.05)}, 100, 80)}, ms, ""},
		{"the worst second counts", []probes.Sample{own(probes.Process{Cores: of(1.8), CoresMax: of(2)}), own(probes.Process{Cores: of(1.95), CoresMax: of(2)})}, ms, "driver-own-cpu cores=1.95 of=2"},
		{"other programs", []probes.Sample{on(probes.Process{Cores: of(0.5), CoresMax: of(2), CoreWait: of(2.25)}, 100, 100)}, ms, "driver-cores-taken wait=2.25 cores=1.5"},
		{"whose is not known", []probes.Sample{own(probes.Process{Cores: of(0.5), CoresMax: of(2), CoreWait: of(2.25)})}, ms, "driver-core-wait wait=2.25"},
		{"of a core it is not known", []probes.Sample{{Own: probes.Process{Cores: of(0.5), CoreWait: of(2.25)}, Cores: []probes.Core{{Online: true}}}}, ms, "driver-core-wait wait=2.25"},
		{"its threads wait for each other", []probes.Sample{on(probes.Process{Cores: of(1.5), CoresMax: of(2), CoreWait: of(0.25)}, 80, 80)}, ms, "driver-core-wait wait=0.25"},
		{"a quota", []probes.Sample{on(probes.Process{Cores: of(0.5), CoresMax: of(0.5), CoreWait: of(0.9), Throttled: of(40), ThrottledTime: of(0.9)}, 100, 100)}, ms, "driver-own-cpu cores=0.5 of=0.5; driver-cpu-quota percent=40"},
		{"a quota in bursts", []probes.Sample{on(probes.Process{Cores: of(0.25), CoresMax: of(0.5), CoreWait: of(0.9), Throttled: of(40), ThrottledTime: of(0.9)}, 30, 30)}, ms, "driver-cpu-quota percent=40"},
		{"collections", []probes.Sample{own(probes.Process{GCPause: of(0.004)})}, ms, "driver-gc-pause pause=4ms"},
		{"collections within the limit", []probes.Sample{own(probes.Process{GCPause: of(0.004)})}, 5 * ms, ""},
		{"a hypervisor", []probes.Sample{{Steal: of(12)}, {Steal: of(2)}}, ms, "driver-steal percent=12"},
		{"what it took is nobody else's", []probes.Sample{{
			Own: probes.Process{Cores: of(0.5), CoreWait: of(0.25)}, Steal: of(50), Cores: []probes.Core{{Online: true, Busy: of(100)}, {}},
		}}, ms, "driver-core-wait wait=0.25; driver-steal percent=50"},
	} {
		if got := named(Causes(Lateness{Limit: tt.limit, Late: true}, toldOf(tt.samples...))); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
		if got := Causes(Lateness{Limit: tt.limit}, toldOf(tt.samples...)); got != nil {
			t.Errorf("%s: on time because of %v", tt.name, got)
		}
	}
}

func named(causes []Cause) string {
	var all []string
	for _, c := range causes {
		var text strings.Builder
		text.WriteString(c.ID)
		for _, a := range c.Args {
			text.WriteString(fmt.Sprintf(" %s=%v", a.Name, a.Value))
		}
		all = append(all, text.String())
	}
	return strings.Join(all, "; ")
}

// What happened while it was on time is no cause.
func TestCausesAreOfTheLateSeconds(t *testing.T) {
	var samples []probes.Sample
	for range 6 {
		samples = append(samples, own(probes.Process{}))
	}
	s := &Snapshot{}
	for k := 1; k <= 5; k++ {
		s.Total.Seconds = append(s.Total.Seconds, Second{K: k, Span: 1, LagP99: time.Millisecond})
	}
	s.Total.Seconds[2].LagP99 = 2 * time.Millisecond // from 2 s to 3 s: samples at 2.5 s and 3.5 s
	s.Series = []probes.Series{{Name: "board"}, toldOf(samples...)}
	var at []time.Duration
	for _, p := range LateSeries(s, time.Millisecond).Points {
		at = append(at, p.At)
	}
	if got, want := fmt.Sprint(at), "[2.5s 3.5s]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestUseOfDriver(t *testing.T) {
	of := probes.Of
	s := toldOf(
		own(probes.Process{Cores: of(1), CoresMax: of(2), FDs: of(10), FDMax: of(64)}),
		own(probes.Process{Cores: of(2), CoresMax: of(2), GC: of(0), Ports: of(7)}),
		own(probes.Process{Cores: of(9), FDs: of(99)}),
	)
	s.Points = append([]probes.Point{{At: -time.Second, Sample: &probes.Sample{Own: probes.Process{Cores: of(8)}}}, {At: 0}}, s.Points...)
	// The first lies half before 0: its middle is at -0.25 s. The last ends behind it.
	got := UseOfDriver(s, 1900*time.Millisecond)
	want := DriverUse{CoresMean: of(2), CoresMax: of(2), CoresOf: of(2), GC: of(0), Ports: of(7)}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	want = DriverUse{CoresMean: of(5.5), CoresMax: of(9), CoresOf: of(2), GC: of(0), Ports: of(7), FDs: of(99)}
	if got := UseOfDriver(s, 2*time.Second); got != want {
		t.Errorf("got %+v, want %+v", got, want)
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
		want   probes.Value
	}{
		"before and in it":      {[]probes.Point{cpu(-2*s, 1), cpu(-s, 2), cpu(s, 2.5), cpu(9*s, 5), cpu(11*s, 9)}, probes.Of(3)},
		"only in it":            {[]probes.Point{cpu(s, 2.5), cpu(9*s, 5)}, probes.Of(2.5)},
		"idle":                  {[]probes.Point{cpu(0, 2), cpu(9*s, 2)}, probes.Of(0)},
		"only before it":        {[]probes.Point{cpu(-2*s, 1), cpu(-s, 2)}, probes.Value{}},
		"once in it":            {[]probes.Point{cpu(s, 2)}, probes.Value{}},
		"only before and after": {[]probes.Point{cpu(-s, 2), cpu(11*s, 9)}, probes.Value{}},
		"gaps":                  {[]probes.Point{{At: 0}, cpu(s, 2), {At: 2 * s}}, probes.Value{}},
	} {
		if got := UseOfDriver(probes.Series{Points: tt.points}, 10*s).CPU; got != tt.want {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
}
