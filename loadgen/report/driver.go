package report

import (
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
)

// lateness reports whether the driver was late over the whole run, as
// [ledger.Lateness] does over its last seconds: more than one request, and
// more than one in a hundred, was taken up later than the limit, so that lag
// p99 is above it.
func lateness(lag, service *ledger.Dist) (limit time.Duration, late bool) {
	limit = ledger.LagLimit(service)
	n := lag.N()
	over := n - lag.Below(limit+time.Microsecond) // stamps are whole microseconds
	return limit, over > 1 && over*100 > n
}

// driver prints how late pileup itself was, and says so if that is too late.
func (p *printer) driver() {
	at := latenciesOf(&p.s.Total, p.s)
	if at.lag.N() == 0 {
		return
	}
	unit := scaleFor(at.lag.Max())
	p50, p99 := ledger.Of(at.lag, 0.50), ledger.Of(at.lag, 0.99)
	cpu := any(nil)
	if s, known := driverCPU(p.s).Get(); known {
		cpu = clock.format(time.Duration(s*float64(time.Second))) + " " + clock.name
	}
	p.WriteString("\n" + p.c.T(lang.DriverLag, lang.With("p50", unit.quantile(p50)), lang.With("p99", unit.quantile(p99)),
		lang.With("max", unit.format(at.lag.Max())), lang.With("unit", unit.name), lang.With("cpu", cpu)) + "\n")
	if limit, late := lateness(at.lag, at.service); late {
		of := scaleFor(limit)
		p.say(p.c.T(lang.DriverLate, lang.With("lag", unit.format(p99.Value)+" "+unit.name),
			lang.With("limit", of.format(limit)+" "+of.name)))
	}
	if p99.Thin {
		p.legend(lang.LegendThin)
	}
}

// driverCPU is the processor time that the process that sends used during the
// run, from the last sample before it, or the first in it, to the last one in
// it: the only probe that knows its own use is the driver's. Of a run that is
// too short for two samples it is absent.
func driverCPU(s *ledger.Snapshot) (used Number) {
	for _, series := range s.Series {
		var first, last Number
		for _, p := range series.Points {
			if p.Sample == nil || ended(s) && p.At > s.At {
				continue
			}
			switch cpu, known := p.Sample.Own.CPU.Get(); {
			case !known:
			case p.At <= 0 || !first.known:
				first = number(cpu)
			default:
				last = number(cpu)
			}
		}
		if first.known && last.known {
			used = number(last.x - first.x)
		}
	}
	return used
}
