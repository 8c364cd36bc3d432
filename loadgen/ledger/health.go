package ledger

import (
	"cmp"
	"slices"
	"time"
)

// goneAfter is how many failures in a row of connect, reset, timeout or dns
// mean that a target is gone.
const goneAfter = 3

// health is whether one target answers.
type health struct {
	inARow         int
	first          time.Duration // done of the first of those failures
	seen           [classes]bool // classes that were noted
	gone           bool
	goneAt, backAt time.Duration
}

// verdict is what the end of one request says about its target.
type verdict struct {
	at      time.Duration
	lane    int
	i       int64
	target  int
	failure Failure
}

// judge follows whether the targets answer, once a second has closed, in the
// order in which its requests were done.
func (l *Ledger) judge() {
	slices.SortFunc(l.verdicts, func(a, b verdict) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.lane, b.lane), cmp.Compare(a.i, b.i))
	})
	for i := range l.verdicts {
		l.judgeOne(&l.verdicts[i])
	}
	clear(l.verdicts)
	l.verdicts = l.verdicts[:0]
}

// judgeOne applies the rule: gone after three failures in a row, dated at the
// first; back with the next ok.
func (l *Ledger) judgeOne(v *verdict) {
	h := l.health[v.target]
	if h == nil {
		h = &health{goneAt: Never, backAt: Never}
		l.health[v.target] = h
	}
	l.noteFirst(h, v)
	switch v.failure.Class {
	case OK:
		h.inARow = 0
		if h.gone {
			h.gone, h.backAt = false, v.at
			l.Note(Note{At: v.at, Level: Info, ID: "target-back", Args: []Arg{
				{"target", l.targetName(v.target)}, {"after", v.at - h.goneAt},
			}})
		}
	case Connect, Reset, Timeout, DNS:
		if h.inARow++; h.inARow == 1 {
			h.first = v.at
		}
		if !h.gone && h.inARow == goneAfter {
			h.gone, h.goneAt = true, h.first
			l.Note(Note{At: h.goneAt, Level: Bad, ID: "target-gone", Args: []Arg{
				{"target", l.targetName(v.target)}, {"class", v.failure.Name()}, {"text", v.failure.Text},
			}})
		}
	case CutOff, ClientLimit, StaleKeepalive: // says nothing about the target
	default:
		h.inARow = 0 // it answered, if only with an error
	}
}

// noteFirst notes the first failure of each class.
func (l *Ledger) noteFirst(h *health, v *verdict) {
	c := v.failure.Class
	if c == OK || c == CutOff || h.seen[c] {
		return
	}
	h.seen[c] = true
	l.Note(Note{At: v.at, Level: Attention, ID: "first-failure", Args: []Arg{
		{"class", v.failure.Name()}, {"target", l.targetName(v.target)}, {"text", v.failure.Text},
	}})
}

func (l *Ledger) targetName(id int) string {
	for _, t := range l.setup.Targets {
		if t.ID == id {
			return t.Name
		}
	}
	return ""
}
