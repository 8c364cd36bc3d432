package ledger

import "time"

const (
	// Latest is how late a request may always be taken up.
	Latest = time.Millisecond
	// lateOver is over how many closed seconds the driver is judged: those in
	// which something was taken up.
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
	// Share of the requests taken up in the last ten closed seconds that were
	// late, of seconds in which any was.
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
	judged    int // seconds so far
	is        bool
	lastShare float64
}

// late counts the requests taken up in one second, or in several.
type late struct {
	all, late int64
	most      time.Duration // lag
	limit     time.Duration // above which they were late; 0 if none was
}

func (l *lateness) add(lag time.Duration) {
	l.now.all++
	l.now.most = max(l.now.most, lag)
	if lag > l.limit {
		l.now.late++
		l.now.limit = l.limit
	}
}

// close judges at the close of a second, if something was taken up in it: else
// there is nothing to go by. changed says that the verdict did.
func (l *lateness) close(service *Dist) (changed bool) {
	defer func() { l.limit = LagLimit(service) }()
	if l.now.all == 0 {
		return false
	}
	l.past[l.judged%lateOver], l.now = l.now, late{}
	l.judged++
	sum := l.window()
	l.lastShare = float64(sum.late) / float64(sum.all)
	was := l.is
	l.is = sum.late > 1 && l.lastShare > lateShare
	return l.is != was
}

// window adds up the seconds that are judged.
func (l *lateness) window() (sum late) {
	for _, p := range l.past {
		sum.all += p.all
		sum.late += p.late
		sum.most = max(sum.most, p.most)
		if p.late > 0 && (sum.limit == 0 || p.limit < sum.limit) {
			sum.limit = p.limit
		}
	}
	return sum
}

// LagLimit is the lag above which a request was taken up late, given the
// service of those that were answered, nil if none was.
func LagLimit(service *Dist) time.Duration {
	if service == nil || service.N() == 0 {
		return Latest
	}
	return max(Latest, service.Rank(rankOf(0.5, service.N()))/100)
}

func (l *lateness) state() Lateness { return Lateness{l.limit, l.lastShare, l.is} }

// judgeDriver says when the driver begins to be late, and when no longer.
func (l *Ledger) judgeDriver(k int) {
	if !l.lateness.close(l.total.views[1]) {
		return
	}
	at := time.Duration(k) * time.Second
	if l.lateness.is {
		sum := l.lateness.window()
		l.Note(Note{At: at, Level: Bad, ID: "driver-late", Args: []Arg{{"lag", sum.most}, {"limit", sum.limit}}})
		return
	}
	l.Note(Note{At: at, Level: Info, ID: "driver-on-time"})
}
