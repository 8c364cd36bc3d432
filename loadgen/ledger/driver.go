package ledger

import (
	"time"

	"dev.example/pileup/probes"
)

// DriverProbe is the name of the probe that reads the machine that sends.
const DriverProbe = "driver"

// DriverUse is what the process that sends used over a run, and what kept it
// from using more. What no sample told is absent; maxima are of the interval
// between two samples.
type DriverUse struct {
	// Since is 0, or in a run longer than samples are kept the instant of the
	// oldest one: all below is of the time from there on.
	Since time.Duration

	CPU                             probes.Value // seconds of processor time
	CoresMean, CoresMax, CoresOf    probes.Value // cores kept busy, of how many
	CoreWait                        probes.Value // most seconds per second that its threads waited for a core
	GC                              probes.Value // most % of its processor time that went to collecting
	GCPause                         probes.Value // longest stop by a collection, seconds
	FDs, FDLimit, Ports, PortsLimit probes.Value // most descriptors and ports, of how many
	Steal                           probes.Value // most % a hypervisor took; 0 too if it does not tell
	Throttled                       probes.Value // most % of the periods in which a CPU quota ran out
}

// DriverSeries is what the machine that sends said of the run, empty if nothing.
func DriverSeries(s *Snapshot) probes.Series {
	if s.Driver != nil {
		return *s.Driver
	}
	for i := range s.Series {
		if s.Series[i].Name == DriverProbe {
			return s.Series[i]
		}
	}
	return probes.Series{Name: DriverProbe}
}

// JudgeDriver judges a whole run as [Snapshot.Lateness] does its last seconds,
// by the lag of all its requests: the driver was late if more than 1 % of them,
// and not just one, were taken up later than the limit, so that lag p99 is above
// it.
func JudgeDriver(lag, service *Dist) Lateness {
	l := Lateness{Limit: LagLimit(service)}
	n := lag.N()
	if n == 0 {
		return l
	}
	over := n - lag.Below(l.Limit+time.Microsecond) // stamps are whole microseconds
	l.Share = float64(over) / float64(n)
	l.Late = over > 1 && l.Share > lateShare
	return l
}

// UseOfDriver sums up what the driver's samples say of the time from 0 to end.
func UseOfDriver(driver probes.Series, end time.Duration) (u DriverUse) {
	if p := driver.Points; len(p) >= probes.Keep && p[0].At > 0 && p[0].At <= end {
		u.Since = p[0].At
	}
	u.CPU = cpuOf(driver, end)
	sum, n := 0.0, 0
	for _, p := range sampled(driver, 0, end) {
		own := &p.Sample.Own
		if cores, known := own.Cores.Get(); known {
			sum, n = sum+cores, n+1
		}
		last(&u.CoresOf, own.CoresMax)
		last(&u.FDLimit, own.FDMax)
		last(&u.PortsLimit, own.PortMax)
		most(&u.CoresMax, own.Cores)
		most(&u.CoreWait, own.CoreWait)
		most(&u.GC, own.GC)
		most(&u.GCPause, own.GCPause)
		most(&u.FDs, own.FDs)
		most(&u.Ports, own.Ports)
		most(&u.Throttled, own.Throttled)
		most(&u.Steal, p.Sample.Steal)
	}
	if n > 0 {
		u.CoresMean = probes.Of(sum / float64(n))
	}
	return u
}

// cpuOf is the processor time from the last sample before 0, or the first after
// it, to the last one before end. Between fewer than two it is absent.
func cpuOf(driver probes.Series, end time.Duration) probes.Value {
	var first, last probes.Value
	for _, p := range driver.Points {
		if p.Sample == nil || p.At > end {
			continue
		}
		switch cpu := p.Sample.Own.CPU; {
		case !cpu.Known():
		case p.At <= 0 || !first.Known():
			first = cpu
		default:
			last = cpu
		}
	}
	if !first.Known() || !last.Known() {
		return probes.Value{}
	}
	return probes.Of(last.Or(0) - first.Or(0))
}

// sampled lists the points with a sample that speak of [from, to]: those whose
// interval since the sample before has its middle there. What the driver did
// while it prepared a run says nothing about the run.
func sampled(driver probes.Series, from, to time.Duration) (out []probes.Point) {
	begin := Never
	for _, p := range driver.Points {
		if p.Sample == nil {
			continue
		}
		middle := p.At
		if begin != Never {
			middle = begin + (p.At-begin)/2
		}
		if middle >= from && middle <= to {
			out = append(out, p)
		}
		begin = p.At
	}
	return out
}

// most keeps the largest reading in of.
func most(of *probes.Value, x probes.Value) {
	if v, known := x.Get(); known && (!of.Known() || v > of.Or(0)) {
		*of = x
	}
}

// last keeps the newest reading in of.
func last(of *probes.Value, x probes.Value) {
	if x.Known() {
		*of = x
	}
}
