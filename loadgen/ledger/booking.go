package ledger

import "fmt"

// Apply books one step of a request. It keeps e's strings, not e.
func (l *Ledger) Apply(e Event) error { return l.apply(&e) }

// ApplyAll books steps one after another, as Apply does, without copying them.
// It stops at the first that contradicts the account. It neither keeps nor
// writes to events.
func (l *Ledger) ApplyAll(events []Event) error {
	for i := range events {
		if err := l.apply(&events[i]); err != nil {
			return err
		}
	}
	return nil
}

func (l *Ledger) apply(e *Event) error {
	if e.Lane < 0 || e.Lane >= len(l.lanes) {
		return fmt.Errorf("event of lane %d: the run has %d lanes", e.Lane, len(l.lanes))
	}
	if e.Kind == Due {
		l.lastDue = max(l.lastDue, e.Due)
	}
	if SecondOf(e.At()) > l.open() {
		l.next = append(l.next, *e)
		return nil
	}
	return l.book(e)
}

// open is the number of the open second.
func (l *Ledger) open() int { return l.total.cur.K }

// book books a step in the open second.
func (l *Ledger) book(e *Event) error {
	b := l.lanes[e.Lane]
	r := b.open.get(e.I)
	if err := contradiction(e, r); err != nil {
		return err
	}
	if e.Kind == Due {
		r = b.open.put(e.I, request{due: e.Due, sent: Never, target: int32(e.Target)})
		l.countInSegment(e)
	}
	if e.starts() {
		r.started = true
		l.lateness.add(e.Lag())
	}
	if SecondOf(e.At()) < l.open() {
		r.booked[e.Kind] = int32(l.open())
	}
	l.target(e.Target).step(e)
	b.step(e, r, l.edges)
	if l.total != b {
		l.total.step(e, r, l.edges)
	}
	switch e.Kind {
	case Sent:
		r.sent = e.Sent
	case Done:
		l.finished(e, r)
		b.open.remove(e.I)
	}
	return nil
}

// finished notes the end of a request beside the books.
func (l *Ledger) finished(e *Event, r *request) {
	l.lastDone = max(l.lastDone, e.Done)
	l.endings.add(e)
	l.lanes[e.Lane].trial.add(e)
	if l.drop {
		return
	}
	l.out.Done = append(l.out.Done, *e)
	out := &l.out.Done[len(l.out.Done)-1]
	for k, second := range r.booked {
		out.Booked[k] = int(second)
	}
}

// contradiction returns what is wrong with a step of a request of which r is
// known, nil if nothing is.
func contradiction(e *Event, r *request) error {
	switch {
	case e.Kind == Due && r != nil:
		return fmt.Errorf("lane %d request %d became due twice", e.Lane, e.I)
	case e.Kind != Due && r == nil:
		return fmt.Errorf("lane %d request %d was %s without being open", e.Lane, e.I, kindName(e.Kind))
	case e.Kind == Started && r.started:
		return fmt.Errorf("lane %d request %d was started twice", e.Lane, e.I)
	case e.Kind > Started && !r.started:
		return fmt.Errorf("lane %d request %d was %s without being started", e.Lane, e.I, kindName(e.Kind))
	case e.Kind == Sent && r.sent != Never:
		return fmt.Errorf("lane %d request %d was sent twice", e.Lane, e.I)
	case e.Kind != Due && r.target != int32(e.Target):
		return fmt.Errorf("lane %d request %d was dealt to target %d and %s at target %d", e.Lane, e.I, r.target, kindName(e.Kind), e.Target)
	}
	return nil
}

func kindName(k Kind) string { return [...]string{"due", "started", "sent", "done"}[k] }
