package panes

import (
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

// windowed reports whether a set number of requests is due in each window of a
// lane, whatever its rate.
func windowed(l *ledger.Lane) bool {
	a := l.Setting.Arrivals
	return l.Info.Pattern.Count > 0 && (a == pace.Uniform || a == pace.Burst)
}

// counts says how many are due in which window, in full or in short: "60 in 6 s,
// once", "10 in each 2 s", "100 at once".
func (v *View) counts(l *ledger.Lane, short bool) string {
	p := &l.Info.Pattern
	every := p.Every
	if every == 0 {
		every = time.Second
	}
	burst := l.Setting.Arrivals == pace.Burst
	var id lang.ID
	switch {
	case burst && p.Once:
		id = lang.SayBurstOnce
	case burst && !short:
		id = lang.SayBurstEach
	case p.Once && short:
		id = lang.SayCountOnceShort
	case p.Once:
		id = lang.SayCountOnce
	case short:
		id = lang.SayCountEachShort
	default:
		id = lang.SayCountEach
	}
	return v.say(id, lang.With("n", p.Count), lang.With("every", every))
}

// CountedIn returns the first lane in view of which the rate keys can change
// nothing, and whether there is one.
func (v *View) CountedIn(s *ledger.Snapshot) (lane int, any bool) {
	for _, i := range lanesOf(s, v.Lane) {
		if windowed(&s.Lanes[i]) {
			return i, true
		}
	}
	return 0, false
}

// unrated reports whether the rate keys change nothing of what is in view.
func (v *View) unrated(s *ledger.Snapshot) bool {
	_, any := v.CountedIn(s)
	return any
}
