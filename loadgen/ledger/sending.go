package ledger

import (
	"slices"
	"time"
)

// doneLate is a request that was done after the instant up to which its lane
// has reported: sending may turn out to have ended before.
type doneLate struct {
	due, done time.Duration
	ok        bool
}

// reached forgets what was done before the instant at: no end can be earlier.
func (b *book) reached(at time.Duration) {
	b.late = slices.DeleteFunc(b.late, func(d doneLate) bool { return d.done <= at })
}

// stop notes that sending ended at the instant at, and how things stood then.
// What was done after it is taken back; steps of before that come later are
// booked into it by doneByEnd and by due.
func (b *book) stop(at time.Duration) {
	b.ended = at
	b.atEnd = AtEnd{at, b.totals.OK, b.totals.Failed, b.totals.Backlog()}
	for _, d := range b.late {
		switch {
		case d.done <= at:
			continue
		case d.ok:
			b.atEnd.OK--
		default:
			b.atEnd.Failed--
		}
		b.atEnd.Open++
	}
}

// edge counts the requests that are done by now but were open at an edge of
// which the ledger is told only now.
func (b *book) edge(at time.Duration) {
	for _, d := range b.late {
		if d.due < at && d.done > at {
			b.cohort(d.due).spanned(at)
		}
	}
}

// doneByEnd counts what was done before sending ended and told after.
func (b *book) doneByEnd(e *Event) {
	switch {
	case b.ended == Never || e.Done > b.ended:
		return
	case e.OK():
		b.atEnd.OK++
	default:
		b.atEnd.Failed++
	}
	b.atEnd.Open--
}

// send says that the lane sends from at on, or no longer.
func (b *book) send(at time.Duration, on bool) {
	n := len(b.spans)
	sending := n > 0 && b.spans[n-1].To == Never
	switch {
	case on && !sending:
		b.spans = append(b.spans, Span{at, Never})
	case !on && sending:
		b.spans[n-1].To, b.until = at, at
	}
}

// stopSending says that the lane sends no longer from at on. What closed
// seconds counted after it, because the ledger was told late, is taken back.
func (b *book) stopSending(at time.Duration) {
	if n := len(b.spans); n > 0 && b.spans[n-1].To == Never {
		at = max(at, b.spans[n-1].From)
		closed := time.Duration(b.cur.K-1) * time.Second
		b.totals.Sending -= max(0, closed-at)
	}
	b.send(at, false)
}

// sending is the unpaused time of sending in [from, to).
func (b *book) sending(from, to time.Duration) (d time.Duration) {
	for _, s := range b.spans {
		end := to
		if s.To != Never {
			end = min(end, s.To)
		}
		d += max(0, end-max(from, s.From))
	}
	return d
}
