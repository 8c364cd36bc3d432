package ledger

import (
	"slices"
	"time"
)

// Snapshot returns the state as an immutable value. Closed seconds and settled
// cohorts are shared with earlier snapshots; only what is open is copied.
func (l *Ledger) Snapshot() *Snapshot {
	s := &Snapshot{
		At:           l.at,
		Phase:        l.Phase(),
		Setup:        l.setup,
		Closed:       l.open() - 1,
		AtClose:      l.atClose,
		SendingEnded: l.ended,
		Noted:        l.noted,
		Lateness:     l.lateness.state(),
		Segments:     slices.Clone(l.segments),
		Notes:        l.notes[:len(l.notes):len(l.notes)],
	}
	for _, b := range l.lanes {
		s.Lanes = append(s.Lanes, l.view(b))
	}
	s.Total = s.Lanes[0]
	if l.total != l.lanes[0] {
		s.Total = l.view(l.total)
	}
	s.Total.Info, s.Total.Setting, s.Total.Loading = LaneSetup{ID: All}, Setting{}, ""
	s.Total.Targets = make([]Tally, len(l.targets))
	s.Targets = make([]TargetState, len(l.targets))
	for i, t := range l.targets {
		s.Targets[i] = t.state()
		s.Total.Targets[i] = s.Targets[i].Tally
	}
	last := &s.Segments[len(s.Segments)-1]
	last.Due = slices.Clone(last.Due)
	return s
}

func (l *Ledger) view(b *book) Lane {
	v := Lane{
		Info: b.info, Setting: b.setting, Ended: b.ended != Never, AtEnd: b.atEnd, Loading: b.loading,
		Totals: b.totals,
		Oldest: b.oldest(), PeakBacklog: b.peak,
		Seconds:  b.seconds[:len(b.seconds):len(b.seconds)],
		Cohorts:  b.cohorts(),
		Targets:  l.tallies(b),
		Failures: b.groups.snapshot(), OtherFailures: b.groups.others,
		Peers:    slices.Clone(b.peers.list),
		Response: b.views[0], Service: b.views[1], LagDist: b.views[2],
	}
	if b.info.ID == All {
		v.Ended = l.ended != Never
	}
	v.Totals.Sending += b.sending(time.Duration(b.cur.K-1)*time.Second, l.at)
	if b.older != nil {
		v.Older = b.snapshot(b.older)
	}
	return v
}

// oldest returns when the oldest open request was due, or Never. Requests of
// the older cohorts are all older.
func (b *book) oldest() time.Duration {
	for i := -1; i < len(b.recent); i++ {
		c := b.older
		if i >= 0 {
			c = b.recent[i]
		}
		if c != nil && c.c.Open > 0 {
			c.refs.tidy(b.isOpen, c.c.Open)
			return c.refs.oldest()
		}
	}
	return Never
}

// cohorts lists all that hold or may still get requests.
func (b *book) cohorts() []*Cohort {
	out := make([]*Cohort, 0, len(b.joined)+len(b.recent))
	out = append(out, b.joined...)
	for _, c := range b.recent {
		out = append(out, b.snapshot(c))
	}
	return out
}

// closing is the state at the end of the second that has just been closed:
// changes, stops and notes that came after it are left out.
func (l *Ledger) closing() *Snapshot {
	end := time.Duration(l.open()-1) * time.Second
	i, _ := slices.BinarySearch(l.edges, end+1)
	for _, b := range l.books() {
		b.countAtChange(l.edges[:i])
	}
	now := l.at
	l.at = min(l.at, end)
	s := l.Snapshot()
	l.at = now
	s.AtClose = nil
	found := len(s.Notes)
	s.Notes = slices.DeleteFunc(slices.Clone(s.Notes), func(n Note) bool { return n.At >= end && !l.over })
	s.Noted -= found - len(s.Notes)
	for n := len(s.Segments); n > 1 && s.Segments[n-1].From > end; n-- {
		s.Segments = s.Segments[:n-1]
		s.Segments[n-2].To = Never
	}
	s.rewind(l, end)
	return s
}

// rewind puts back what a change or a stop after the instant end has set.
func (s *Snapshot) rewind(l *Ledger, end time.Duration) {
	settings := s.Segments[len(s.Segments)-1].Settings
	paused, ended := true, true
	for i := range s.Lanes {
		v := &s.Lanes[i]
		v.Setting, v.Loading = settings[i], ""
		v.Ended = l.lanes[i].ended != Never && l.lanes[i].ended <= end
		if !v.Ended {
			v.AtEnd = AtEnd{}
		}
		ended = ended && v.Ended
		paused = paused && (v.Ended || v.Setting.Paused)
	}
	s.Total.Ended = ended
	if !ended {
		s.Total.AtEnd = AtEnd{}
	}
	switch {
	case l.over:
	case ended:
		s.Phase = Draining
	case paused:
		s.Phase = Paused
	default:
		s.Phase = Sending
	}
	if !ended {
		s.SendingEnded = Never
	}
}
