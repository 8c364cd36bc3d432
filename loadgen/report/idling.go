package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"dev.example/pileup/loadgen/ledger"
)

// mostIdling is how many spans of idling of a target a JSON object lists.
const mostIdling = 100

// fewSpans is how many spans of idling are listed of a target.
const fewSpans = 5

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
