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
	goneAt, backAt time.Duration // or Never
}

// verdict is what the end of one request says about its target.
type verdict struct {
	at      time.Duration
	i       int64
	lane    int32
	target  int32
	failure int32 // its number among those of the second, or -1
}

// verdicts are those of one second, in the order in which they were told.
type verdicts struct {
	list     []verdict
	failures []Failure
}

func (v *verdicts) add(e *Event) {
	one := verdict{e.Done, e.I, int32(e.Lane), int32(e.Target), -1}
	if !e.OK() {
		one.failure = int32(len(v.failures))
		v.failures = append(v.failures, e.Failure)
	}
	v.list = append(v.list, one)
}

func (v *verdicts) of(one *verdict) *Failure {
	if one.failure < 0 {
		return &Failure{}
	}
	return &v.failures[one.failure]
}

func (v *verdicts) clear() {
	clear(v.failures) // let go of the strings
	v.list, v.failures = v.list[:0], v.failures[:0]
}

// judge follows whether the targets answer, once a second has closed, in the
// order in which its requests were done. The order does not matter when all
// targets did answer.
func (l *Ledger) judge() {
	byEnd := func(a, b verdict) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.lane, b.lane), cmp.Compare(a.i, b.i))
	}
	v := &l.verdicts
	if (len(v.failures) > 0 || l.anyGone()) && !slices.IsSortedFunc(v.list, byEnd) {
		slices.SortFunc(v.list, byEnd)
	}
	for i := range v.list {
		l.judgeOne(&v.list[i], v.of(&v.list[i]))
	}
	v.clear()
}

func (l *Ledger) anyGone() bool {
	return slices.ContainsFunc(l.targets, func(t *target) bool { return t.gone })
}

// judgeOne applies the rule: gone after three failures in a row, dated at the
// first; back with the next ok.
func (l *Ledger) judgeOne(v *verdict, f *Failure) {
	t := l.target(int(v.target))
	l.noteFirst(t, v, f)
	switch f.Class {
	case OK:
		t.inARow = 0
		if t.gone {
			t.gone, t.backAt = false, v.at
			l.Note(Note{At: v.at, Level: Info, ID: "target-back", Args: []Arg{
				{"target", t.name}, {"after", v.at - t.goneAt},
			}})
		}
	case Connect, Reset, Timeout, DNS:
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
func (l *Ledger) noteFirst(t *target, v *verdict, f *Failure) {
	if f.Class == OK || f.Class == CutOff || t.seen[f.Class] {
		return
	}
	t.seen[f.Class] = true
	l.Note(Note{At: v.at, Level: Attention, ID: "first-failure", Args: []Arg{
		{"class", f.Name()}, {"target", t.name}, {"text", f.Text},
	}})
}
