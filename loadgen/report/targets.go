package report

import (
	"strings"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
)

// targetStates prints the account with each of several targets: its part of the
// requests, how fast it answered them, and when it had nothing to do.
func (p *printer) targetStates() {
	if len(p.s.Targets) < 2 {
		return
	}
	t := p.targetTable()
	p.title(lang.TableTargets)
	t.write(p.Builder)
	p.legend(lang.LegendTargets)
	p.legend(marks(t)...)
	p.say(p.c.T(lang.LegendIdle, lang.With("at", measured(idleTo(p.s)))))
	p.lastTarget()
	for i := range p.s.Targets {
		p.idling(&p.s.Targets[i])
	}
}

// targetTable leaves out the shares where there is no room: they can be told
// from what was due.
func (p *printer) targetTable() *table {
	all := answersOf(p.s)
	unit := scaleOfMeans(all)
	t := &table{left: true}
	t.add("", p.c.T(lang.HeadDue), p.c.T(lang.HeadShare), p.c.T(lang.HeadOK), p.c.T(lang.HeadFailed),
		p.c.T(lang.HeadMean), p.c.T(lang.HeadP50), p.c.T(lang.HeadP95), p.c.T(lang.HeadEnd), p.c.T(lang.HeadIdle))
	t.add("", "", "%", "", "", unit.name, unit.name, unit.name, clock.name, clock.name)
	for i := range p.s.Targets {
		one, at := &p.s.Targets[i], all[i]
		share, idle := lang.Nothing, lang.Nothing
		if p.s.Total.Due > 0 {
			share = percent(float64(one.Due) / float64(p.s.Total.Due))
		}
		if idleKnown(p.s) {
			idle = clock.format(one.Idle)
		}
		last, atLeast := lastDoneAt(one, p.s)
		t.add("  "+cleanLine(targetName(p.s.Setup, one.Target)), count(one.Due), share, count(one.OK), count(one.Failed),
			unit.bound(at.Mean()), unit.quantile(at.Quantile(0.50)), unit.quantile(at.Quantile(0.95)),
			clock.bound(last, atLeast), idle)
	}
	if t.width() > columns {
		t.drop(2)
	}
	return t
}

// idling says when a target had nothing to do, and whether it is gone.
func (p *printer) idling(one *ledger.TargetState) {
	name := lang.With("target", targetName(p.s.Setup, one.Target))
	if idleKnown(p.s) && one.Idles > 0 {
		spans := any(nil)
		if longest := longestSpans(one.Idling); len(longest) > 0 {
			spans = spansText(longest)
		}
		p.say(p.c.T(lang.TargetIdling, name, lang.With("share", percent(one.IdleShare)),
			lang.With("n", one.Idles), lang.With("spans", spans)))
	}
	if one.Gone {
		p.say(p.c.T(lang.TargetGone, name, lang.With("at", measured(one.GoneAt))))
	}
}

// lastTarget says which target was done last, and since when the others had
// nothing to do. One that is gone was not: it only failed last.
func (p *printer) lastTarget() {
	at, atLeast := lastDone(&p.s.Total, p.s)
	last := lastOf(p.s)
	if !ended(p.s) || atLeast || last < 0 || at == ledger.Never || p.s.Targets[last].Gone {
		return
	}
	parts := []string{p.c.T(lang.TargetLast, lang.With("target", targetName(p.s.Setup, p.s.Targets[last].Target)), lang.With("at", measured(at)))}
	for i := range p.s.Targets {
		one := &p.s.Targets[i]
		if from := idleFrom(one, p.s); i != last && from != ledger.Never {
			id := lang.TargetIdleFrom
			if len(parts) > 1 {
				id = lang.TargetFrom
			}
			parts = append(parts, p.c.T(id, lang.With("target", targetName(p.s.Setup, one.Target)), lang.With("from", measured(from))))
		}
	}
	p.say(strings.Join(parts, ", "))
}
