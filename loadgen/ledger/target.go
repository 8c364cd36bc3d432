package ledger

import (
	"slices"
	"time"
)

// A TargetState is the account with one target of all lanes together.
type TargetState struct {
	Tally

	Response *Dist         // of ok requests, to the last closed second
	LastDue  time.Duration // when the last became due, or Never
	LastDone time.Duration // when the last was done, ok or not, or Never
	Censored int64         // failed with only a lower bound of their response
	Over     time.Duration // the smallest of those bounds; Never without any
	Earlier  time.Duration // how much earlier than LastDue the open ones were due, on average
	Further  time.Duration // how far the bounds of those censored are above Over, on average
	Longest  time.Duration // the largest of those bounds, 0 without any
	Cut      int64         // of the censored: we gave them up, and LastDone is when

	// Idle is how long none of its requests was open, in all, from zero to
	// the last closed second, and in the end to the end of the run, draining
	// included; IdleShare is Idle as a part of that time, 0 to 1, and 0
	// before the first close; Idles says how many times it was.
	Idle      time.Duration
	IdleShare float64
	Idles     int64
	// Idling is when, oldest first, to the last closed second: at least the
	// last 1000 spans that lasted for [Brief] or longer. To of the present
	// one is Never.
	Idling []Span
}

// target is what is known of one endpoint.
type target struct {
	tally Tally  // of all lanes
	name  string // "" if the setup does not know it
	health
	idling
	fate fate
}

func newTarget(id int, name string) *target {
	return &target{tally: Tally{Target: id}, name: name, health: health{goneAt: Never, backAt: Never}, fate: newFate()}
}

// target returns what is known of the target of that id. One that the setup
// does not know joins the others.
func (l *Ledger) target(id int) *target {
	if id >= 0 && id < len(l.targets) && l.targets[id].tally.Target == id {
		return l.targets[id]
	}
	for _, t := range l.targets {
		if t.tally.Target == id {
			return t
		}
	}
	t := newTarget(id, "")
	l.targets = append(l.targets, t)
	return t
}

// step books one step of a request of the target.
func (t *target) step(e *Event) {
	t.tally.step(e)
	t.fate.step(e)
	switch e.Kind {
	case Due:
		t.due = append(t.due, int64(e.Due))
	case Done:
		t.done = append(t.done, int64(e.Done))
	}
}

// state returns the account as of now.
func (t *target) state() TargetState {
	s := TargetState{Tally: t.tally}
	s.Gone, s.GoneAt, s.BackAt = t.gone, t.goneAt, t.backAt
	t.fate.tell(&s)
	t.tell(&s)
	return s
}

// tallies returns the lane's account with each of its targets.
func (l *Ledger) tallies(b *book) []Tally {
	out := slices.Clone(b.tallies)
	for i := range out {
		t := l.target(out[i].Target)
		out[i].Gone, out[i].GoneAt, out[i].BackAt = t.gone, t.goneAt, t.backAt
	}
	return out
}
