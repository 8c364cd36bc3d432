package panes

import (
	"time"

	"dev.example/pileup/loadgen/ledger"
)

// ofCohort are the responses of a cohort, or its services alone, as known at the
// instant at.
func (v *View) ofCohort(c *ledger.Cohort, at time.Duration) ledger.Times {
	if v.Service {
		return c.Services(at)
	}
	return c.Responses(at)
}

// ofLane are those of all requests of a lane, as known at the instant up to which
// that is known of all of them: at the last close, or at the end of the run.
func (v *View) ofLane(s *ledger.Snapshot, l *ledger.Lane) ledger.Times {
	l, at := s.Reached(l)
	switch {
	case l == nil:
		return ledger.Times{}
	case v.Service:
		return l.Services(at)
	}
	return l.Responses(at)
}
