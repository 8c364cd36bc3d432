package report

import (
	"time"

	"dev.example/pileup/loadgen/ledger"
)

// answers are the responses of a target, all as of one instant, as [latencies]
// are those of a lane.
type answers struct {
	response *ledger.Dist
	target   *ledger.TargetState // nil before the first close
	at       time.Duration
}

// answersOf returns those of each target: of a run that is over as it ended, of
// one that goes on as of the last closed second.
func answersOf(s *ledger.Snapshot) []answers {
	list := make([]answers, len(s.Targets))
	from, at := s.Targets, s.At
	if !ended(s) {
		if from = nil; s.AtClose != nil {
			from, at = s.AtClose.Targets, s.AtClose.At
		}
	}
	for i := range min(len(list), len(from)) { // a target that joins is the last
		list[i] = answers{from[i].Response, &from[i], at}
	}
	return list
}

// quantile returns the q-quantile of the responses.
func (a *answers) quantile(q float64) ledger.Quantile {
	if a.target == nil {
		return ledger.Quantile{}
	}
	return a.target.ResponseQuantileAt(q, a.at)
}

// bound reports whether the mean is only a lower bound.
func (a *answers) bound() bool { return a.target != nil && a.target.Censored+a.target.Open > 0 }

// lastDoneAt is when a target was done with the last of its requests: Never
// while one may still come, and a lower bound where some were cut.
func lastDoneAt(t *ledger.TargetState, s *ledger.Snapshot) (at time.Duration, atLeast bool) {
	if s.SendingEnded == ledger.Never || t.Open > 0 || t.OK+t.Failed == 0 {
		return ledger.Never, false
	}
	return t.LastDone, t.Cut > 0
}
