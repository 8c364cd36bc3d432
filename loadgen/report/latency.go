package report

import "dev.example/pileup/loadgen/ledger"

// latencies are the times of a lane, all as of one instant.
type latencies struct {
	response, service, lag ledger.Times
}

// latenciesOf returns the latencies of a lane: of a run that is over as it
// ended, of one that goes on as of the last closed second, because that is how
// far the distributions of a lane reach. Before the first close there are none,
// and of a closed loop there is no lag.
func latenciesOf(l *ledger.Lane, s *ledger.Snapshot) latencies {
	then, at := s.Reached(l)
	if then == nil {
		return latencies{}
	}
	out := latencies{response: then.Responses(at), service: then.Services(at)}
	if !onlyClosed(l, s) {
		out.lag = ledger.Known(then.LagDist)
	}
	return out
}
