package report

import (
	"time"

	"dev.example/pileup/loadgen/ledger"
)

// latencies are the distributions of a lane, all as of one instant.
type latencies struct {
	response, service, lag *ledger.Dist

	lane *ledger.Lane // nil before the first close
	at   time.Duration
}

// latenciesOf returns the latencies of a lane: of a run that is over as it
// ended, of one that goes on as of the last closed second, because that is how
// far the distributions of a lane reach. Before the first close there are none.
func latenciesOf(l *ledger.Lane, s *ledger.Snapshot) *latencies {
	at := s.At
	if !ended(s) {
		if l = atClose(s, l); l == nil {
			return &latencies{}
		}
		at = s.AtClose.At
	}
	return &latencies{l.Response, l.Service, l.LagDist, l, at}
}

// quantile returns the q-quantile of the responses.
func (l *latencies) quantile(q float64) ledger.Quantile {
	if l.lane == nil {
		return ledger.Quantile{}
	}
	return l.lane.ResponseQuantileAt(q, l.at)
}

// serviceQuantile returns the q-quantile of the services.
func (l *latencies) serviceQuantile(q float64) ledger.Quantile {
	if l.lane == nil {
		return ledger.Quantile{}
	}
	return l.lane.ServiceQuantile(q)
}

// bound reports whether the mean of the responses is only a lower bound.
func (l *latencies) bound() bool { return l.lane != nil && l.lane.Censored+l.lane.Backlog() > 0 }

// serviceBound reports whether the mean of the services is only a lower bound.
func (l *latencies) serviceBound() bool {
	return l.lane != nil && l.lane.CensoredSent+l.lane.InFlight > 0
}
