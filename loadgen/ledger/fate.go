package ledger

import "time"

// fate is what became of the requests to one target.
type fate struct {
	response dist
	view     *Dist // at the last close
	lastDue  time.Duration
	lastDone time.Duration
	open     stamps // due
	censored stamps // the least they took
	over     time.Duration
	longest  time.Duration
	cut      int64
}

func newFate() fate { return fate{lastDue: Never, lastDone: Never, over: Never} }

func (f *fate) step(e *Event) {
	switch {
	case e.Kind == Due:
		f.lastDue = max(f.lastDue, e.Due)
		f.open.add(e.Due)
		return
	case e.Kind != Done:
		return
	case e.OK():
		f.response.add(e.Response())
	case e.Failure.Class.Censored():
		f.censored.add(e.Response())
		f.over, f.longest = smallest(f.over, e.Response()), max(f.longest, e.Response())
		if e.Failure.Class == CutOff {
			f.cut++
		}
	}
	f.open.remove(e.Due)
	f.lastDone = max(f.lastDone, e.Done)
}

// tell fills in the account.
func (f *fate) tell(s *TargetState) {
	s.Response, s.LastDue, s.LastDone = f.view, f.lastDue, f.lastDone
	s.Censored, s.Over, s.Cut = f.censored.n, f.over, f.cut
	s.Earlier = f.open.before(f.lastDue)
	s.Further, s.Longest = -f.censored.before(f.over), f.longest
}
