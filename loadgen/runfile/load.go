package runfile

import (
	"cmp"
	"io"
	"iter"
	"slices"
	"time"

	"dev.example/pileup/loadgen/ledger"
)

// A Run is a whole recording in memory, each kind in the order of the file.
type Run struct {
	Setup    *ledger.Setup
	Requests []ledger.Event // the last step of each; see [Events]
	Seconds  []Second
	Cohorts  []Cohort
	Probes   []Probe
	Commands []Command
	Notes    []Note
	Gaps     []Gap
	// Ended tells whether the run's end was recorded, as End.
	Ended bool
	End   End
	// Truncated is the number of the last line if it breaks off, else 0.
	Truncated int
}

// Load reads a whole recording. With an error it returns what came before it;
// without even a first line, nil.
func Load(in io.Reader) (*Run, error) {
	r := NewReader(in)
	var run *Run
	for rec, err := range r.All() {
		if err != nil {
			return run, err
		}
		if h, ok := rec.(Header); ok {
			run = &Run{Setup: h.Setup}
			continue
		}
		run.add(rec)
	}
	run.Truncated = r.Truncated()
	return run, nil
}

func (r *Run) add(rec Record) {
	switch rec := rec.(type) {
	case Request:
		r.Requests = append(r.Requests, rec.Event)
	case Second:
		r.Seconds = append(r.Seconds, rec)
	case Cohort:
		r.Cohorts = append(r.Cohorts, rec)
	case Probe:
		r.Probes = append(r.Probes, rec)
	case Command:
		r.Commands = append(r.Commands, rec)
	case Note:
		r.Notes = append(r.Notes, rec)
	case Gap:
		r.Gaps = append(r.Gaps, rec)
	case End:
		r.Ended, r.End = true, rec
	}
}

// Unknown is how many requests the recorded seconds counted as due of which
// no req line tells what became: the recording breaks off, or has gaps.
func (r *Run) Unknown() int64 {
	last := make(map[int]int) // second by lane
	var n int64
	for _, s := range r.Seconds {
		if s.Lane != ledger.All {
			last[s.Lane] = max(last[s.Lane], s.K)
			n += s.Due
		}
	}
	for i := range r.Requests {
		e := &r.Requests[i]
		if bookedIn(e, ledger.Due, e.Due) <= last[e.Lane] {
			n--
		}
	}
	return max(0, n)
}

// bookedIn is the second in which a step of e with that stamp was booked.
func bookedIn(e *ledger.Event, k ledger.Kind, at time.Duration) int {
	return max(e.Booked[k], ledger.SecondOf(at))
}

// Events turns requests, given by their last step, into the events that a
// ledger was told of them, in an order in which it comes to the same account:
// by the second in which each was booked, then by stamp, kind, lane and
// number. Nothing but an index is copied.
func Events(done []ledger.Event) iter.Seq[ledger.Event] {
	steps := make([]step, 0, 3*len(done)) // few are late
	for i := range done {
		e := &done[i]
		second := 0 // a step is never booked before the one it follows
		add := func(k ledger.Kind, at time.Duration) {
			if at != ledger.Never {
				second = max(second, bookedIn(e, k, at))
				steps = append(steps, step{second, at, k, i})
			}
		}
		add(ledger.Due, e.Due)
		if e.Late() {
			add(ledger.Started, e.Started)
		}
		add(ledger.Sent, e.Sent)
		add(ledger.Done, e.Done)
	}
	slices.SortFunc(steps, func(a, b step) int {
		x, y := &done[a.i], &done[b.i]
		return cmp.Or(
			cmp.Compare(a.second, b.second), cmp.Compare(a.at, b.at), cmp.Compare(a.kind, b.kind),
			cmp.Compare(x.Lane, y.Lane), cmp.Compare(x.I, y.I), cmp.Compare(a.i, b.i),
		)
	})
	return func(yield func(ledger.Event) bool) {
		for _, s := range steps {
			if !yield(s.of(&done[s.i])) {
				return
			}
		}
	}
}

// step is one step of request i of a list.
type step struct {
	second int
	at     time.Duration
	kind   ledger.Kind
	i      int
}

// of returns the event of the step: what was known of the request by then.
func (s step) of(e *ledger.Event) ledger.Event {
	out := *e
	out.Kind = s.kind
	if s.kind == ledger.Done {
		return out
	}
	out.First, out.Done = ledger.Never, ledger.Never
	out.Up, out.Down, out.Failure, out.Peer = 0, 0, ledger.Failure{}, ""
	if s.kind < ledger.Sent {
		out.Sent = ledger.Never
	}
	if s.kind == ledger.Due && e.Late() {
		out.Started = ledger.Never
	}
	return out
}
