package ledger

// Output is what has become final since it was last taken, for a recorder.
type Output struct {
	Done    []Event // requests, with all their stamps and where they were booked
	Seconds []LaneSecond
	Cohorts []LaneCohort
	Notes   []Note
}

// A LaneSecond is a closed second of one lane.
type LaneSecond struct {
	Lane int
	Second
}

// A LaneCohort is a settled cohort of one lane.
type LaneCohort struct {
	Lane int
	*Cohort
}

// Take returns what has become final since the last call.
func (l *Ledger) Take() Output {
	out := l.out
	l.out = Output{}
	if n := len(out.Done); n > 0 {
		l.out.Done = make([]Event, 0, n+n/4)
	}
	return out
}

// Keep says whether Output is to hold the requests that are done, which costs
// memory until they are taken. It does unless told otherwise.
func (l *Ledger) Keep(done bool) { l.drop = !done }

// Note adds a line to the events.
func (l *Ledger) Note(n Note) {
	l.notes = keepLast(append(l.notes, n), keepNotes)
	l.noted++
	l.out.Notes = append(l.out.Notes, n)
}

const (
	keepNotes    = 1000
	keepSegments = 1000
)

// keepLast drops the oldest once there are twice as many as wanted, into a new
// list: the old one may be shared with snapshots.
func keepLast[T any](s []T, n int) []T {
	if len(s) < 2*n {
		return s
	}
	return append(make([]T, 0, 2*n), s[len(s)-n:]...)
}
