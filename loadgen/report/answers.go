package report

import (
	"time"

	"dev.example/pileup/loadgen/ledger"
)

// answersOf returns the responses of each target: of a run that is over as it
// ended, of one that goes on as of the last closed second. Those of a single
// target are those of the run.
func answersOf(s *ledger.Snapshot) []ledger.Times {
	list := make([]ledger.Times, len(s.Targets))
	if len(list) == 1 {
		list[0] = latenciesOf(&s.Total, s).response
		return list
	}
	from, at := s.Targets, s.At
	if !ended(s) {
		if from = nil; s.AtClose != nil {
			from, at = s.AtClose.Targets, s.AtClose.At
		}
	}
	for i := range min(len(list), len(from)) { // a target that joins is the last
		list[i] = from[i].Responses(at)
	}
	return list
}

// lastDoneAt is when a target was done with the last of its requests: Never
// while one may still come, and a lower bound where some were cut.
func lastDoneAt(t *ledger.TargetState, s *ledger.Snapshot) (at time.Duration, atLeast bool) {
	if s.SendingEnded == ledger.Never || t.Open > 0 || t.OK+t.Failed == 0 {
		return ledger.Never, false
	}
	return t.LastDone, t.Cut > 0
}
