package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
)

// fewSpans is how many spans of idling are listed of a target.
const fewSpans = 5

// targetStates prints the account with each of several targets: its part of the
// requests, and when it had nothing to do.
func (p *printer) targetStates() {
	states := p.s.Targets
	if len(states) < 2 {
		return
	}
	t := table{left: true}
	t.add("", p.c.T(lang.HeadDue), p.c.T(lang.HeadShare), p.c.T(lang.HeadOK), p.c.T(lang.HeadFailed),
		p.c.T(lang.HeadIdle), p.c.T(lang.HeadIdle), p.c.T(lang.HeadTimes))
	t.add("", "", "%", "", "", clock.name, "%", "")
	for i := range states {
		one := &states[i]
		idle, share, times := lang.Nothing, lang.Nothing, lang.Nothing
		if idleKnown(p.s) {
			idle, share, times = clock.format(one.Idle), percent(one.IdleShare), count(one.Idles)
		}
		part := lang.Nothing
		if p.s.Total.Due > 0 {
			part = percent(float64(one.Due) / float64(p.s.Total.Due))
		}
		t.add("  "+targetName(p.s.Setup, one.Target), count(one.Due), part, count(one.OK), count(one.Failed), idle, share, times)
	}
	p.title(lang.TableTargets)
	t.write(p.Builder)
	p.say(p.c.T(lang.LegendIdle, lang.With("at", measured(idleTo(p.s)))))
	p.lastTarget()
	for i := range states {
		one := &states[i]
		if spans := longestSpans(one.Idling); len(spans) > 0 {
			p.say(p.c.T(lang.TargetIdling, lang.With("target", targetName(p.s.Setup, one.Target)), lang.With("spans", spansText(spans))))
		}
		if one.Gone {
			p.say(p.c.T(lang.TargetGone, lang.With("target", targetName(p.s.Setup, one.Target)), lang.With("at", measured(one.GoneAt))))
		}
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
			parts = append(parts, p.c.T(lang.TargetIdleFrom, lang.With("target", targetName(p.s.Setup, one.Target)), lang.With("from", measured(from))))
		}
	}
	p.say(strings.Join(parts, ", "))
}

// lastOf is the index of the target that was idle at the end for the shortest
// time, or not at all; -1 if it is not the only one.
func lastOf(s *ledger.Snapshot) int {
	last, latest, tie := -1, ledger.Never, false
	for i := range s.Targets {
		from := idleFrom(&s.Targets[i], s)
		if from == ledger.Never {
			from = s.At
		}
		if last >= 0 && from == latest {
			tie = true
		}
		if last < 0 || from > latest {
			last, latest, tie = i, from, false
		}
	}
	if tie {
		return -1
	}
	return last
}

// idleFrom is since when a target had nothing to do at the end of the run;
// Never if it had, or for less than what is listed.
func idleFrom(t *ledger.TargetState, s *ledger.Snapshot) time.Duration {
	if n := len(t.Idling); n > 0 && (t.Idling[n-1].To == s.At || t.Idling[n-1].To == ledger.Never) {
		return t.Idling[n-1].From
	}
	return ledger.Never
}

// idleTo is up to when idling is counted.
func idleTo(s *ledger.Snapshot) time.Duration {
	if ended(s) {
		return s.At
	}
	return time.Duration(s.Closed) * time.Second
}

// idleKnown reports whether it is known when targets had nothing to do.
func idleKnown(s *ledger.Snapshot) bool { return idleTo(s) > 0 }

// longestSpans are the longest of them, in order of time.
func longestSpans(all []ledger.Span) []ledger.Span {
	length := func(s ledger.Span) time.Duration {
		if s.To == ledger.Never {
			return 1<<63 - 1
		}
		return s.To - s.From
	}
	few := slices.Clone(all)
	slices.SortStableFunc(few, func(a, b ledger.Span) int { return cmp.Compare(length(b), length(a)) })
	few = few[:min(len(few), fewSpans)]
	slices.SortFunc(few, func(a, b ledger.Span) int { return cmp.Compare(a.From, b.From) })
	return few
}

// spansText writes spans in seconds.
func spansText(spans []ledger.Span) string {
	var list []string
	for _, s := range spans {
		text := clock.format(s.From) + "–"
		if s.To != ledger.Never {
			text += clock.format(s.To)
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

// percent writes a share of one.
func percent(share float64) string { return strconv.FormatFloat(share*100, 'f', 1, 64) }
