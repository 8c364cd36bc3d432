package report

import "dev.example/pileup/loadgen/ledger"

// latencies are the times of a lane, all as of one instant.
type latencies struct {
	response, service, lag ledger.Times
}

// latenciesOf returns the latencies of a lane: of a run that is over as it
// ended, of one that goes on as of the last closed second, because that is how
// far the distributions of a lane reach. Before the first close there are none.
func latenciesOf(l *ledger.Lane, s *ledger.Snapshot) latencies {
	l, at := s.Reached(l)
	if l == nil {
		return latencies{}
	}
	return latencies{l.Responses(at), l.Services(at), ledger.Known(l.LagDist)}
}
