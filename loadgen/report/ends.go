package report

import (
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
)

// lastDone is when the last request of a lane was done: Never before that,
// and a lower bound where some were cut, or were open for so long that when
// they were done is no longer known.
func lastDone(l *ledger.Lane, s *ledger.Snapshot) (at time.Duration, atLeast bool) {
	at, atLeast = ledger.Never, l.Fail[ledger.CutOff] > 0
	if l.Due == 0 || l.Backlog() > 0 || !l.Ended {
		return ledger.Never, false
	}
	for _, c := range l.Cohorts {
		switch {
		case c == nil || c.Due == 0:
		case !c.Settled:
			return ledger.Never, false
		default:
			at = max(at, c.SettledAt)
		}
	}
	switch {
	case l == &s.Total && ended(s) && s.At > s.SendingEnded: // this is what it ended with
		at = s.At
	case l.Older != nil:
		atLeast = true
	}
	return at, atLeast
}

// ends prints the mean and the end of each lane and of all: what is left of a
// run that is compared with others.
func (p *printer) ends() {
	lanes := lanesAndTotal(p.s, p.c.T(lang.TableAll))
	var seen []ledger.Times
	for _, l := range lanes {
		seen = append(seen, latenciesOf(l.lane, p.s).response)
	}
	unit, legend := scaleOfMeans(seen), []lang.ID{lang.LegendEnds}
	t := table{left: true}
	t.add("", p.c.T(lang.HeadDue), p.c.T(lang.HeadOK), p.c.T(lang.HeadFailed), p.c.T(lang.HeadMean), p.c.T(lang.HeadEnd))
	t.add("", "", "", "", unit.name, clock.name)
	for _, l := range lanes {
		if l.name != "" {
			l.name = "  " + l.name
		}
		at := latenciesOf(l.lane, p.s)
		last, atLeast := lastDone(l.lane, p.s)
		t.add(l.name, count(l.lane.Due), count(l.lane.OK), count(l.lane.Failed),
			unit.bound(at.response.Mean()), clock.bound(last, atLeast))
	}
	p.title(lang.TableEnds)
	t.write(p.Builder)
	if !ended(p.s) {
		legend = append(legend, lang.LegendNotOver)
	}
	p.legend(append(legend, marks(&t)...)...)
}

// scaleOfMeans is seconds, as of the ends beside them, unless one of the means
// is too short for that: of two it would show fewer than two digits.
func scaleOfMeans(seen []ledger.Times) scale {
	var shortest, longest time.Duration
	for _, t := range seen {
		if mean, _ := t.Mean(); mean != ledger.Never {
			longest = max(longest, mean)
			if shortest == 0 || mean < shortest {
				shortest = mean
			}
		}
	}
	switch {
	case shortest >= 100*time.Millisecond, shortest >= 10*time.Millisecond && longest >= time.Second:
		return clock
	case longest >= time.Millisecond:
		return scale{"ms", time.Millisecond, 3}
	}
	return scaleFor(longest)
}
