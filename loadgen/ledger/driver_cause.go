package ledger

import (
	"slices"
	"time"

	"dev.example/pileup/probes"
)

// What counts as evidence that something kept the driver from being on time.
// All of it is of one interval between two samples, a second as a rule, in
// which requests were taken up late.
const (
	// OwnCPUFull is the share of its cores from which on a process has none to
	// spare: what becomes due then waits for one of its own threads.
	OwnCPUFull = 0.9
	// LongCoreWait is how many seconds per second threads must have waited for
	// a core. A driver alone on its machine stays below a twentieth; with a
	// tenth every tenth request that becomes due finds no core.
	LongCoreWait = 0.1
	// takenCores is how many cores others must have kept busy before the wait
	// is laid at their door: less is within the error of the two readings.
	takenCores = 0.2
	// quotaOut is in how many % of its periods, of 100 ms, a CPU quota must
	// have run out. The process stands still for the rest of such a period,
	// which makes far more than 1 % of its requests late.
	quotaOut = 5
	// stolen is how many % of the time of all cores a hypervisor must have
	// taken. It takes them for milliseconds at a time, each of which makes late
	// what becomes due in it.
	stolen = 5
)

// A Cause is something that happened while the driver was late and that makes a
// driver late. ID names its sentence in the catalogue of each language, Args
// are the evidence.
type Cause struct {
	ID   string
	Args []Arg
}

// LateSeries is what the driver's machine said of the seconds in which lag p99
// was above the limit.
func LateSeries(s *Snapshot, limit time.Duration) probes.Series {
	all := DriverSeries(s)
	out := probes.Series{Name: all.Name, Simulated: all.Simulated}
	begin := Never
	for _, p := range all.Points {
		if p.Sample == nil {
			continue
		}
		from := begin
		if from == Never {
			from = p.At
		}
		if slices.ContainsFunc(s.Total.Seconds, func(c Second) bool {
			k := time.Duration(c.K) * time.Second
			return c.LagP99 > limit && from < k && p.At >= k-time.Duration(c.Span)*time.Second
		}) {
			out.Points = append(out.Points, p)
		}
		begin = p.At
	}
	return out
}

// Causes lists what made the driver late, as far as its samples of that time
// tell, what is nearest to the process first; none if it was not late. It does
// not say that there was no other cause.
func Causes(l Lateness, driver probes.Series) (out []Cause) {
	if !l.Late {
		return nil
	}
	var e evidence
	for _, p := range driver.Points {
		if p.Sample != nil {
			e.add(p.Sample)
		}
	}
	add := func(id string, args ...Arg) { out = append(out, Cause{id, args}) }
	if e.full.Known() {
		add("driver-own-cpu", Arg{"cores", e.full.Or(0)}, Arg{"of", e.of.Or(0)})
	}
	if pause := time.Duration(e.pause.Or(0) * float64(time.Second)); pause > l.Limit {
		add("driver-gc-pause", Arg{"pause", pause})
	}
	if x := e.throttled.Or(0); x >= quotaOut {
		add("driver-cpu-quota", Arg{"percent", x})
	}
	switch taken, wait := e.taken.Or(0), e.wait.Or(0); {
	case wait >= LongCoreWait && taken >= takenCores:
		add("driver-cores-taken", Arg{"wait", wait}, Arg{"cores", taken})
	case wait >= LongCoreWait:
		add("driver-core-wait", Arg{"wait", wait})
	}
	if x := e.steal.Or(0); x >= stolen {
		add("driver-steal", Arg{"percent", x})
	}
	return out
}

// evidence is the worst of what several samples say.
type evidence struct {
	full, of         probes.Value // cores it kept busy where that was all of them
	wait, taken      probes.Value // longest wait that was not its own doing; cores that others had meanwhile
	pause            probes.Value
	throttled, steal probes.Value
}

func (e *evidence) add(p *probes.Sample) {
	own := &p.Own
	most(&e.pause, own.GCPause)
	most(&e.throttled, own.Throttled)
	most(&e.steal, p.Steal)
	cores, of := own.Cores.Or(0), own.CoresMax.Or(0)
	if own.Cores.Known() && of > 0 && cores >= OwnCPUFull*of {
		if !e.full.Known() || cores > e.full.Or(0) {
			e.full, e.of = own.Cores, own.CoresMax
		}
		return // then its threads waited for each other
	}
	wait, known := own.CoreWait.Get()
	if wait -= own.ThrottledTime.Or(0); known && (!e.wait.Known() || wait > e.wait.Or(0)) {
		e.wait, e.taken = probes.Of(wait), others(p)
	}
}

// others is how many cores other programs kept busy: all that were, without
// this process.
func others(p *probes.Sample) probes.Value {
	busy, known := BusyCores(p).Get()
	if !known || !p.Own.Cores.Known() {
		return probes.Value{}
	}
	return probes.Of(max(0, busy-p.Own.Cores.Or(0)))
}

// BusyCores is how many cores of its machine programs kept busy by a sample,
// this process among them, without what a hypervisor took. Where one core was
// not read it is absent.
func BusyCores(p *probes.Sample) probes.Value {
	if len(p.Cores) == 0 {
		return probes.Value{}
	}
	busy := 0.0
	for i := range p.Cores {
		c := &p.Cores[i]
		if !c.Online {
			continue
		}
		percent, known := c.Busy.Get()
		if !known {
			return probes.Value{}
		}
		busy += (percent - p.Steal.Or(0)) / 100
	}
	return probes.Of(max(0, busy))
}
