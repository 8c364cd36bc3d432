package runfile

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"dev.example/pileup/loadgen/ledger"
)

// Feed tells a new ledger everything that the recording says, in the order in
// which the live one was told, and yields the state at the end of each second:
// what the live run's Snapshot.AtClose was, but for the probes. The last is
// the state at the end of the run. An error ends it.
func (r *Run) Feed() iter.Seq2[*ledger.Snapshot, error] {
	return func(yield func(*ledger.Snapshot, error) bool) {
		f := newFeed(r)
		for k := 1; k <= f.last(); k++ {
			if err := f.second(k); err != nil {
				yield(nil, fmt.Errorf("second %d of the recording: %w", k, err))
				return
			}
			if s := f.ledger.Snapshot(); !yield(s.AtClose, nil) {
				return
			}
		}
		if err := f.finish(); err != nil {
			yield(nil, fmt.Errorf("the end of the recording: %w", err))
			return
		}
		s := f.ledger.Snapshot()
		s.Why = f.run.End.Why
		yield(s, nil)
	}
}

// feed is a recording on its way into a ledger.
type feed struct {
	run      *Run
	ledger   *ledger.Ledger
	events   []ledger.Event
	changes  []Command
	notes    []Note
	ending   bool          // the last notes are told, whenever they are of
	closing  []ledger.Note // told after the last close
	probes   []Probe
	frontier []time.Duration
}

func newFeed(r *Run) *feed {
	f := &feed{run: r, ledger: ledger.New(r.Setup), events: slices.Collect(Events(r.Requests))}
	f.changes = slices.Clone(r.Commands)
	slices.SortStableFunc(f.changes, func(a, b Command) int { return int(told(&a) - told(&b)) })
	f.notes = slices.Clone(r.Notes)
	slices.SortStableFunc(f.notes, func(a, b Note) int { return int(a.At - b.At) })
	f.probes = slices.Clone(r.Probes)
	slices.SortStableFunc(f.probes, func(a, b Probe) int { return int(a.At - b.At) })
	f.frontier = make([]time.Duration, len(r.Setup.Lanes))
	return f
}

// last is the number of the last whole second of the recording.
func (f *feed) last() (k int) {
	for _, s := range f.run.Seconds {
		k = max(k, s.K)
	}
	if f.run.Ended {
		k = min(k, int(f.run.End.At/time.Second))
	}
	return k
}

// second tells the ledger of everything booked in second k, and closes it.
func (f *feed) second(k int) error {
	end := time.Duration(k) * time.Second
	f.change(end)
	if err := f.apply(k); err != nil {
		return err
	}
	for i := range f.frontier {
		f.frontier[i] = end + ledger.Grace
	}
	for i := range f.events { // what is still to come had not been reported
		if e := &f.events[i]; e.Kind == ledger.Due {
			f.frontier[e.Lane] = min(f.frontier[e.Lane], e.Due)
		}
		if ledger.SecondOf(f.events[i].At()) > k+1 {
			break
		}
	}
	return f.ledger.Advance(end+ledger.Grace, f.frontier)
}

func (f *feed) apply(k int) error {
	for len(f.events) > 0 && bookedIn(&f.events[0], f.events[0].Kind, f.events[0].At()) <= k {
		if err := f.ledger.Apply(f.events[0]); err != nil {
			return err
		}
		f.events = f.events[1:]
	}
	return nil
}

// change tells the ledger of every change and note up to the instant at.
func (f *feed) change(at time.Duration) {
	for len(f.changes) > 0 && told(&f.changes[0]) <= at {
		f.one(f.changes[0])
		f.changes = f.changes[1:]
	}
	for len(f.probes) > 0 && f.probes[0].At <= at {
		f.foundMode(f.probes[0])
		f.probes = f.probes[1:]
	}
	for len(f.notes) > 0 && (f.notes[0].At < at || f.ending) {
		switch n := f.notes[0].Note; n.ID {
		case "target-gone", "target-back", "first-failure", "driver-late", "driver-on-time": // the ledger finds these itself
		case "drained", "cut": // told when the account was closed
			f.closing = append(f.closing, n)
		default:
			f.ledger.Note(n)
		}
		f.notes = f.notes[1:]
	}
}

// told is when the live ledger was told of a change.
func told(c *Command) time.Duration {
	if c.Booked == 0 {
		return c.At
	}
	return time.Duration(c.Booked-1)*time.Second + time.Microsecond // after the close
}

// foundMode tells the ledger in which power mode a board was found at first.
func (f *feed) foundMode(p Probe) {
	if p.Sample == nil || p.Sample.Mode == nil {
		return
	}
	for i, b := range f.run.Setup.Boards {
		if b.Probe == p.Name && f.ledger.BoardMode(i) == "" {
			f.ledger.StartMode(i, p.Sample.Mode.Name)
		}
	}
}

func (f *feed) one(c Command) {
	switch {
	case c.Do == ledger.DoMode:
		for i, b := range f.run.Setup.Boards {
			if b.Probe == c.Board {
				f.ledger.Mode(c.At, i, c.Name)
			}
		}
	case c.Lane < 0 || c.Lane >= f.ledger.Lanes(), c.Do == ledger.DoBurst, c.Do == ledger.DoMark:
		// changes no setting
	case c.Do == ledger.DoStop:
		f.ledger.Stop(c.At, c.Lane)
	default:
		f.ledger.Change(c.At, string(c.Do), c.Lane, c.Apply(f.ledger.Setting(c.Lane)))
	}
}

// finish tells the ledger of the rest. A recording without an end is left as
// it was at its last whole second.
func (f *feed) finish() error {
	if !f.run.Ended {
		return nil
	}
	f.ending = true
	f.change(f.run.End.At)
	for _, e := range f.events {
		if err := f.ledger.Apply(e); err != nil {
			return err
		}
	}
	if err := f.ledger.Finish(); err != nil {
		return err
	}
	for _, n := range f.closing {
		f.ledger.Note(n)
	}
	return nil
}
