package ledger

import (
	"cmp"
	"slices"
	"time"
)

// goneAfter is how many failures in a row of connect, reset, timeout or dns
// mean that a target is gone. A timeout does not count if the target answered
// another request since that one was sent, and less than awake ago: it is a queue
// that lets some wait for too long.
const goneAfter = 3

// awake is for how long an answer says that a target is there.
const awake = time.Second

// health is whether one target answers.
type health struct {
	inARow         int
	first          time.Duration // done of the first of those failures
	lastOK         time.Duration // done of the last that was ok
	seen           [classes]bool // classes that were noted
	gone           bool
	goneAt, backAt time.Duration // or Never
}

// judge follows whether the targets answer, once a second has closed, in the
// order in which its requests were done. The order does not matter when all
// targets did answer.
func (l *Ledger) judge() {
	byEnd := func(a, b ending) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.lane, b.lane), cmp.Compare(a.i, b.i))
	}
	v := &l.endings
	if (len(v.failures) > 0 || l.anyGone()) && !slices.IsSortedFunc(v.list, byEnd) {
		slices.SortFunc(v.list, byEnd)
	}
	for i := range v.list {
		one := &v.list[i]
		f := v.of(one)
		l.judgeOne(one, f)
		if f.Class != OK {
			l.group(one, f)
		}
	}
	v.clear()
}

// group counts a failure among those of its kind, of its lane and of all.
func (l *Ledger) group(v *ending, f *Failure) {
	sample := FailureSample{At: v.at, Lane: int(v.lane), I: v.i, Target: int(v.target), Text: f.Text}
	b := l.lanes[v.lane]
	b.groups.add(f, sample)
	if l.total != b {
		l.total.groups.add(f, sample)
	}
}

func (l *Ledger) anyGone() bool {
	return slices.ContainsFunc(l.targets, func(t *target) bool { return t.gone })
}

// judgeOne applies the rule: gone after three failures in a row, dated at the
// first; back with the next ok.
func (l *Ledger) judgeOne(v *ending, f *Failure) {
	t := l.target(int(v.target))
	l.noteFirst(t, v, f)
	switch f.Class {
	case OK:
		t.inARow, t.lastOK = 0, max(t.lastOK, v.at)
		if t.gone {
			t.gone, t.backAt = false, v.at
			l.Note(Note{At: v.at, Level: Info, ID: "target-back", Args: []Arg{
				{"target", t.name}, {"after", v.at - t.goneAt},
			}})
		}
	case Connect, Reset, Timeout, DNS:
		if max(v.waits, v.at-awake) < t.lastOK {
			return
		}
		if t.inARow++; t.inARow == 1 {
			t.first = v.at
		}
		if !t.gone && t.inARow == goneAfter {
			t.gone, t.goneAt = true, t.first
			l.Note(Note{At: t.goneAt, Level: Bad, ID: "target-gone", Args: []Arg{
				{"target", t.name}, {"class", f.Name()}, {"text", f.Text},
			}})
		}
	case CutOff, ClientLimit, StaleKeepalive: // says nothing about the target
	default:
		t.inARow = 0 // it answered, if only with an error
	}
}

// noteFirst notes the first failure of each class.
func (l *Ledger) noteFirst(t *target, v *ending, f *Failure) {
	if f.Class == OK || f.Class == CutOff || t.seen[f.Class] {
		return
	}
	t.seen[f.Class] = true
	l.Note(Note{At: v.at, Level: Attention, ID: "first-failure", Args: []Arg{
		{"class", f.Name()}, {"target", t.name}, {"text", f.Text},
	}})
}
