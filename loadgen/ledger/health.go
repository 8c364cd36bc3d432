package ledger

import "time"

// goneAfter is how many failures in a row of connect, reset, timeout or dns
// mean that a target is gone.
const goneAfter = 3

// health is whether one target answers.
type health struct {
	inARow         int
	first          time.Duration // done of the first of those failures
	gone           bool
	goneAt, backAt time.Duration
}

// judge follows whether a target answers: gone after three failures in a row,
// dated at the first; back with the next ok.
func (l *Ledger) judge(e *Event) {
	h := l.health[e.Target]
	if h == nil {
		h = &health{goneAt: Never, backAt: Never}
		l.health[e.Target] = h
	}
	switch e.Failure.Class {
	case OK:
		h.inARow = 0
		if h.gone {
			h.gone, h.backAt = false, e.Done
			l.Note(Note{At: e.Done, Level: Info, ID: "target-back", Args: []Arg{
				{"target", l.targetName(e.Target)}, {"after", e.Done - h.goneAt},
			}})
		}
	case Connect, Reset, Timeout, DNS, StaleKeepalive:
		if h.inARow++; h.inARow == 1 {
			h.first = e.Done
		}
		if !h.gone && h.inARow == goneAfter {
			h.gone, h.goneAt = true, h.first
			l.Note(Note{At: h.goneAt, Level: Bad, ID: "target-gone", Args: []Arg{
				{"target", l.targetName(e.Target)}, {"class", e.Failure.Name()}, {"text", e.Failure.Text},
			}})
		}
	case CutOff, ClientLimit: // says nothing about the target
	default:
		h.inARow = 0 // it answered, if only with an error
	}
}

func (l *Ledger) targetName(id int) string {
	for _, t := range l.setup.Targets {
		if t.ID == id {
			return t.Name
		}
	}
	return ""
}
