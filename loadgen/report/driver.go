package report

import (
	"slices"
	"strings"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/probes"
)

// driven is how the driver did over a run.
type driven struct {
	lag    *ledger.Dist
	judged ledger.Lateness
	use    ledger.DriverUse
	causes []ledger.Cause // of its being late
}

func drivenBy(s *ledger.Snapshot) driven {
	at := latenciesOf(&s.Total, s)
	d := driven{lag: at.lag.OK(), judged: ledger.JudgeDriver(at.lag.OK(), at.service.OK())}
	d.use = ledger.UseOfDriver(ledger.DriverSeries(s), s.At)
	if d.judged.Late {
		d.causes = ledger.Causes(d.judged, ledger.LateSeries(s, d.judged.Limit))
	}
	return d
}

// driver prints how late pileup itself was and what it used; if it was too
// late it says so, and what happened meanwhile.
func (p *printer) driver() {
	d := drivenBy(p.s)
	cpu := lang.With("cpu", nil)
	if s, known := d.use.CPU.Get(); known {
		cpu = lang.With("cpu", clock.format(spanOf(s))+" "+clock.name)
	}
	p99 := ledger.Of(d.lag, 0.99)
	switch unit := scaleFor(d.lag.Max()); {
	case onlyClosed(&p.s.Total, p.s):
		p.WriteString("\n" + p.c.T(lang.DriverNoLag, lang.With("why", p.closed()), cpu) + "\n")
	case d.lag.N() == 0:
		return
	default:
		p.WriteString("\n" + p.c.T(lang.DriverLag, lang.With("p50", unit.quantile(ledger.Of(d.lag, 0.50))), lang.With("p99", unit.quantile(p99)),
			lang.With("max", unit.format(d.lag.Max())), lang.With("unit", unit.name), cpu) + "\n")
	}
	p.used(&d.use)
	p.late(&d)
	if p99.Thin {
		p.legend(lang.LegendThin)
	}
}

// late says that pileup itself was, and what happened meanwhile; or that it was
// for a while, which of the run as a whole is not true, if only because its limit
// has grown with the service.
func (p *printer) late(d *driven) {
	if !d.judged.Late {
		isLate := func(n ledger.Note) bool { return lang.ID(n.ID) == lang.NoteDriverLate }
		if i := slices.IndexFunc(p.s.Notes, isLate); i >= 0 {
			p.say(p.c.T(lang.DriverLateOnce, lang.With("at", p.s.Notes[i].At)))
		}
		return
	}
	lag := ledger.Of(d.lag, 0.99).Value
	unit, of := scaleFor(d.lag.Max()), scaleFor(d.judged.Limit)
	p.say(p.c.T(lang.DriverLate, lang.With("lag", unit.format(lag)+" "+unit.name),
		lang.With("limit", of.format(d.judged.Limit)+" "+of.name)))
	for _, c := range d.causes {
		p.say(p.c.T(lang.DriverMeanwhile, lang.With("what", p.c.T(lang.ID(c.ID), c.Args...))))
	}
}

// used prints what the driver used, as far as that is known.
func (p *printer) used(u *ledger.DriverUse) {
	if u.CoresMax.Known() {
		p.say(p.c.T(lang.DriverCores,
			readings(lang.With("mean", u.CoresMean), lang.With("max", u.CoresMax), lang.With("of", u.CoresOf))...))
	}
	var most []string
	for _, m := range []struct {
		id   lang.ID
		x    probes.Value
		args []ledger.Arg
	}{
		{lang.DriverWait, u.CoreWait, nil},
		{lang.DriverFiles, u.FDs, readings(lang.With("of", u.FDLimit))},
		{lang.DriverPorts, u.Ports, readings(lang.With("of", u.PortsLimit))},
		{lang.DriverGC, u.GC, nil},
		{lang.DriverPause, u.GCPause, []ledger.Arg{lang.With("span", spanOf(u.GCPause.Or(0)))}},
		{lang.DriverThrottled, u.Throttled, nil},
		{lang.DriverStolen, u.Steal, nil},
	} {
		x, known := m.x.Get()
		if !known || m.id == lang.DriverStolen && x == 0 { // 0 is also what is not told
			continue
		}
		most = append(most, p.c.T(m.id, append(m.args, lang.With("x", x))...))
	}
	if most != nil {
		p.say(p.c.T(lang.DriverMost, lang.With("list", strings.Join(most, ", "))))
	}
	if u.Since > 0 {
		p.say(p.c.T(lang.DriverSince, lang.With("since", measured(u.Since))))
	}
}

// readings are the fields of a sentence of those values that are known.
func readings(args ...ledger.Arg) (out []ledger.Arg) {
	for _, a := range args {
		if x, known := a.Value.(probes.Value).Get(); known {
			out = append(out, lang.With(a.Name, x))
		}
	}
	return out
}

// spanOf is a number of seconds as a span.
func spanOf(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }
