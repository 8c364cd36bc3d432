// Package ledger holds the words every part of pileup speaks (Event, Failure,
// Lane, Second, Cohort, Segment, Snapshot, Command …) and the pure reducer that
// turns events into accounts.
//
// A [Ledger] is fed with the steps of requests in the order in which they
// arrive and with the instants at which seconds may close; it asks no clock and
// starts no goroutine. It refuses to guess: an event that contradicts the
// account (done twice, sent without having been due) is an error.
//
// The one idea is that each request has exactly one state and every step moves
// it, so that due = ok + failed + in flight + held holds at every instant:
//
//	due ──▶ held ──sent──▶ in flight ──done──▶ ok | failed
//	          └─────────────done─────────────▶ failed
//
// Being started is no change of state: it tells how late the driver was.
// A step counts in the second of its own stamp. Second k closes 100 ms after
// its end; until then steps stamped later wait aside, so that the state at the
// close of second k is exactly what had happened by then, live and from a file.
// A step that arrives after its second closed is booked in the open one and
// counted as late.
package ledger

import (
	"fmt"
	"slices"
	"time"
)

// Grace is how long after its end a second stays open for late events.
const Grace = 100 * time.Millisecond

// A Ledger is the account of one run. Not safe for concurrent use.
type Ledger struct {
	setup *Setup
	at    time.Duration
	over  bool // finished

	lanes []*book
	total *book   // the only lane's book if there is just one
	next  []Event // stamped after the open second
	spare []Event // keeps its memory for the second after
	drop  bool    // nobody takes Output.Done

	lastDue  time.Duration // youngest due that was reported
	lastDone time.Duration

	segments []Segment
	edges    []time.Duration // instants that shaped what was open: changes, end of sending
	notes    []Note
	noted    int
	targets  []*target // those of the setup, then others
	endings  endings   // of the open second
	lateness lateness
	ended    time.Duration // when the last lane stopped, or Never
	out      Output
	atClose  *Snapshot
	frontier []time.Duration // by lane, as of the last Advance
}

// New begins the account of a run at its zero, with every lane sending.
func New(setup *Setup) *Ledger {
	l := &Ledger{setup: setup, lateness: lateness{limit: Latest}, ended: Never, lastDue: Never, lastDone: Never, frontier: make([]time.Duration, len(setup.Lanes))}
	first := Segment{To: Never, By: "start", Lane: All, Due: make([]int64, len(setup.Lanes))}
	for _, s := range setup.Lanes {
		l.lanes = append(l.lanes, newBook(s))
		first.Settings = append(first.Settings, s.Setting)
	}
	for _, b := range setup.Boards {
		first.Modes = append(first.Modes, b.Mode)
	}
	l.segments = []Segment{first}
	for _, t := range setup.Targets {
		l.targets = append(l.targets, newTarget(t.ID, t.Name))
	}
	l.total = newTotal(l.lanes)
	for _, b := range l.books() {
		b.isOpen = l.isOpen
		b.send(0, !allPaused(l.lanes, b))
	}
	return l
}

func (l *Ledger) isOpen(r ref) bool { return l.lanes[r.lane].open.get(r.i) != nil }

func newTotal(lanes []*book) *book {
	if len(lanes) == 1 {
		return lanes[0]
	}
	return newBook(LaneSetup{ID: All})
}

// allPaused reports whether b, or for the total every lane, is paused.
func allPaused(lanes []*book, b *book) bool {
	if b.info.ID != All {
		return b.setting.Paused
	}
	for _, l := range lanes {
		if !l.setting.Paused {
			return false
		}
	}
	return true
}

// books returns every book once: the lanes and, if it is another, the total.
func (l *Ledger) books() []*book {
	if len(l.lanes) == 1 {
		return l.lanes
	}
	return append(l.lanes[:len(l.lanes):len(l.lanes)], l.total)
}

// Advance moves the account to the instant at: every second that ended at
// least Grace before closes. frontier says for each lane that all requests due
// before that instant have been reported.
func (l *Ledger) Advance(at time.Duration, frontier []time.Duration) error {
	l.at = max(l.at, at)
	l.frontier = append(l.frontier[:0], frontier...)
	l.reached()
	for l.at >= time.Duration(l.open())*time.Second+Grace {
		if err := l.close(); err != nil {
			return err
		}
	}
	for _, b := range l.lanes {
		b.trial.look(l.at - Grace)
	}
	return nil
}

// Over is when the run ended: it reports that every lane has stopped and all that
// is known of is done. Nothing happens from then on.
func (l *Ledger) Over() (end time.Duration, over bool) {
	if l.ended == Never {
		return 0, false
	}
	open, end := 0, l.end()
	for _, b := range l.lanes {
		open += b.open.len()
	}
	for i := range l.next {
		switch e := &l.next[i]; e.Kind {
		case Due:
			open++
		case Done:
			open--
			end = max(end, e.Done)
		}
	}
	return end, open == 0
}

// reached tells the books how far their lanes have reported.
func (l *Ledger) reached() {
	all := l.frontier[0]
	for i, b := range l.lanes {
		all = min(all, l.frontier[i])
		b.reached(l.frontier[i])
	}
	l.total.reached(all)
}

// OpenSecond is the number of the second in which what happens is booked now.
func (l *Ledger) OpenSecond() int { return l.open() }

// Finish closes everything at the end of the run: the instant at which the
// last request was done and the last lane had stopped. No event may follow.
func (l *Ledger) Finish() error {
	l.frontier = slices.Repeat([]time.Duration{1<<63 - 1}, len(l.lanes))
	for SecondOf(l.end()) > l.open() || len(l.next) > 0 {
		if err := l.close(); err != nil {
			return err
		}
	}
	l.at, l.over = l.end(), true
	for _, b := range l.books() {
		b.send(l.at, false)
	}
	if c := l.total.cur; c.Due+c.Sent+c.OK+c.Failed > 0 || l.at > time.Duration(c.K-1)*time.Second {
		if err := l.close(); err != nil {
			return err
		}
	}
	l.settle()
	for i, b := range l.lanes {
		if c := b.settleOlder(); c != nil {
			l.out.Cohorts = append(l.out.Cohorts, LaneCohort{i, c})
		}
	}
	if len(l.lanes) > 1 {
		l.total.settleOlder()
	}
	l.closeTargets()
	for _, b := range l.lanes {
		if n := b.open.len(); n > 0 {
			return fmt.Errorf("lane %d: %d requests are open at the end", b.info.ID, n)
		}
	}
	return nil
}

// end is when the last request was done and the last lane had stopped.
func (l *Ledger) end() time.Duration { return max(l.lastDone, l.ended, 0) }

// close ends the open second and books what waited for the next one.
func (l *Ledger) close() error {
	k := l.open()
	for _, b := range l.books() {
		second := b.close()
		if b.info.ID != All {
			l.out.Seconds = append(l.out.Seconds, LaneSecond{b.info.ID, second})
		}
	}
	l.settle()
	l.judgeDriver(k)
	l.judge()
	l.closeTargets()
	l.atClose = l.closing()
	waiting := l.next
	l.next, l.spare = l.spare, nil
	err := l.ApplyAll(waiting)
	clear(waiting) // let go of the strings
	l.spare = waiting[:0]
	return err
}

// closeTargets brings up to date, at a close, when the targets had nothing to do
// and what they answered.
func (l *Ledger) closeTargets() {
	to := time.Duration(l.open()-1) * time.Second
	if l.over {
		to = l.at
	}
	for _, t := range l.targets {
		t.idling.close(to)
		t.fate.view = t.fate.response.snapshot()
		if l.over {
			t.finish()
		}
	}
}

// settle marks the cohorts that are complete: once a second, at its close, so
// that it does not matter when within the second the last request was done.
func (l *Ledger) settle() {
	all := time.Duration(1<<63 - 1)
	for i, b := range l.lanes {
		all = min(all, l.frontier[i])
		for _, c := range b.settle(l.frontier[i], l.edges) {
			if c.Due > 0 {
				l.out.Cohorts = append(l.out.Cohorts, LaneCohort{i, c})
			}
		}
	}
	if len(l.lanes) > 1 {
		l.total.settle(all, l.edges)
	}
}
