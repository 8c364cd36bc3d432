package ledger

import "time"

const (
	// latest is how late a request may always be taken up.
	latest = time.Millisecond
	// lateOver is over how many closed seconds the driver is judged.
	lateOver = 10
	// lateShare is the share of late requests above which lag p99 is too high.
	lateShare = 0.01
)

// Lateness says whether the driver kept its schedule. It is judged by lag
// alone: what waited for a limit or a connection was not late.
type Lateness struct {
	// Limit is the lag above which a request was taken up late: 1 ms, or 1 %
	// of the median service where that is more.
	Limit time.Duration
	// Share of the requests due in the last ten closed seconds that were late.
	Share float64
	// Late says that more than 1 % of those were, and not just one: lag p99
	// is above the limit, and the numbers are not the endpoint's alone.
	Late bool
}

// lateness follows it over the run.
type lateness struct {
	limit     time.Duration
	now       late // in the open second
	past      [lateOver]late
	is        bool
	lastShare float64
}

// late counts the requests due in one second.
type late struct{ due, late int64 }

func (l *lateness) due(lag time.Duration) {
	l.now.due++
	if lag > l.limit {
		l.now.late++
	}
}

// close judges at the close of second k. changed says that the verdict did.
func (l *lateness) close(k int, service *Dist) (changed bool) {
	l.past[k%lateOver], l.now = l.now, late{}
	var sum late
	for _, p := range l.past {
		sum.due += p.due
		sum.late += p.late
	}
	l.lastShare = 0
	if sum.due > 0 {
		l.lastShare = float64(sum.late) / float64(sum.due)
	}
	was := l.is
	l.is = sum.late > 1 && l.lastShare > lateShare
	l.limit = LagLimit(service)
	return l.is != was
}

// LagLimit is the lag above which a request was taken up late, given the
// service of those that were answered, nil if none was.
func LagLimit(service *Dist) time.Duration {
	if service == nil || service.N() == 0 {
		return latest
	}
	return max(latest, service.Rank(rankOf(0.5, service.N()))/100)
}

func (l *lateness) state() Lateness { return Lateness{l.limit, l.lastShare, l.is} }

// judgeDriver says when the driver begins to be late, and when no longer.
func (l *Ledger) judgeDriver(closed Second) {
	if !l.lateness.close(closed.K, l.total.views[1]) {
		return
	}
	at := time.Duration(closed.K) * time.Second
	if l.lateness.is {
		l.Note(Note{At: at, Level: Bad, ID: "driver-late", Args: []Arg{
			{"lag", closed.LagMax}, {"limit", l.lateness.limit},
		}})
		return
	}
	l.Note(Note{At: at, Level: Info, ID: "driver-on-time"})
}
