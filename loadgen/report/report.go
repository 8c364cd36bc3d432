// Package report says what a run came to: lines while it goes on, tables at
// its end, and one JSON object for programs.
//
// The one idea: a report is a pure function of a [ledger.Snapshot]. It counts
// nothing itself, asks no clock and reads no file, so that a live run, its
// recording and a replay are reported alike. It concludes nothing either: that
// is for findings.
//
// What is only a bound is marked as one: "≥" where a number depends on
// requests that are still open or were given up, ">" where a quantile falls
// among those. A number too few requests stand behind is in parentheses.
package report

import (
	"slices"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

// rates are requests per second of one lane; each may be absent.
type rates struct {
	offered, all, sending, draining Number
}

// ratesOf computes offered from the unpaused time of sending, but for closed
// loops, where the answers decide it; and throughput as ok per second of the
// clock: from 0 to the end of the lane, and apart for before and after the instant
// at which it stopped sending. A drain under a second has no rate of its own, and no
// stretch under a millisecond has one.
func ratesOf(l *ledger.Lane, s *ledger.Snapshot) rates {
	var r rates
	if l.Sending >= time.Millisecond && !closedLoop(l, s) {
		r.offered = number(float64(l.Due) / l.Sending.Seconds())
	}
	end := s.EndOf(l)
	if end >= time.Millisecond {
		r.all = number(float64(l.OK) / end.Seconds())
	}
	if !l.Ended {
		return r
	}
	stop := l.AtEnd
	if stop.At >= time.Millisecond {
		r.sending = number(float64(stop.OK) / stop.At.Seconds())
	}
	if drain := end - stop.At; drain >= time.Second {
		r.draining = number(float64(l.OK-stop.OK) / drain.Seconds())
	}
	return r
}

// closedLoop reports whether the lane, or of all together any, ever was a
// closed loop.
func closedLoop(l *ledger.Lane, s *ledger.Snapshot) bool {
	return slices.Contains(arrivalsOf(l, s), pace.Closed)
}

// onlyClosed reports whether the lane, or all together, never was anything else:
// there an answer makes the next request due as it is taken up, so that no lag
// was measured.
func onlyClosed(l *ledger.Lane, s *ledger.Snapshot) bool {
	other := func(a pace.Arrivals) bool { return a != pace.Closed }
	return closedLoop(l, s) && !slices.ContainsFunc(arrivalsOf(l, s), other)
}

// arrivalsOf are all that a lane, or any of all together, ever had.
func arrivalsOf(l *ledger.Lane, s *ledger.Snapshot) (all []pace.Arrivals) {
	if l == &s.Total {
		for i := range s.Lanes {
			all = append(all, arrivalsOf(&s.Lanes[i], s)...)
		}
		return all
	}
	all = append(all, l.Info.Setting.Arrivals, l.Setting.Arrivals)
	for i := range s.Segments {
		if set := s.Segments[i].Settings; l.Info.ID >= 0 && l.Info.ID < len(set) {
			all = append(all, set[l.Info.ID].Arrivals)
		}
	}
	return all
}

// cohortByK indexes a lane's cohorts by their number.
func cohortByK(l *ledger.Lane) map[int]*ledger.Cohort {
	m := make(map[int]*ledger.Cohort, len(l.Cohorts))
	for _, c := range l.Cohorts {
		if c != nil {
			m[c.K] = c
		}
	}
	return m
}

// allSentAt is the stamp of the last request due in the second to be sent. It
// is Never if none was, if some still wait for it or were cut, and of seconds
// that were joined, whose cohort lacks the requests that were open for long.
func allSentAt(sec *ledger.Second, cohorts map[int]*ledger.Cohort) time.Duration {
	c := cohorts[sec.K]
	if c == nil || sec.Span > 1 || c.Span > 1 {
		return ledger.Never
	}
	return c.AllSent()
}

// ended reports whether the run is over.
func ended(s *ledger.Snapshot) bool { return s.Phase == ledger.Ended }

// lanesAndTotal are the lanes, each with the name it goes by, and all
// together; of a single lane only that, without a name.
func lanesAndTotal(s *ledger.Snapshot, all string) []named {
	if len(s.Lanes) < 2 {
		return []named{{"", &s.Total}}
	}
	var list []named
	for i := range s.Lanes {
		list = append(list, named{cleanLine(s.Lanes[i].Info.Name), &s.Lanes[i]})
	}
	return append(list, named{all, &s.Total})
}

type named struct {
	name string
	lane *ledger.Lane
}

// dueBefore is how many requests became due before the oldest second that is
// kept.
func dueBefore(s *ledger.Snapshot, l *ledger.Lane) int64 {
	closed, _ := s.Reached(l)
	if closed == nil {
		return 0
	}
	n := closed.Due
	for i := range l.Seconds {
		n -= l.Seconds[i].Due
	}
	return max(0, n)
}

// targetName is the name of a target, "" if the setup does not know it.
func targetName(s *ledger.Setup, id int) string {
	if s != nil {
		for _, t := range s.Targets {
			if t.ID == id {
				return t.Name
			}
		}
	}
	return ""
}
