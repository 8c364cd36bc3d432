package ledger

import (
	"slices"
	"sort"
	"time"
)

// Change puts a lane's new setting in force and opens a segment. It returns
// the instant at which it took effect: at, or just after the youngest request
// that has been reported as due, so that each request belongs to the segment
// that holds its due.
func (l *Ledger) Change(at time.Duration, by string, lane int, to Setting) time.Duration {
	at = max(at, l.lastDue+time.Microsecond, l.segments[len(l.segments)-1].From)
	b := l.lanes[lane]
	b.setting = to
	if b.ended == Never {
		b.send(at, !to.Paused)
	}
	if l.total != b {
		l.total.send(at, l.anySending())
	}
	s := l.segment(at, by, lane)
	s.Settings[lane] = to
	return at
}

func (l *Ledger) anySending() bool {
	return slices.ContainsFunc(l.lanes, func(b *book) bool { return b.ended == Never && !b.setting.Paused })
}

// Mode notes that a board, by its number in Setup.Boards, is in another power
// mode since at, and opens a segment. It returns the instant as Change does.
func (l *Ledger) Mode(at time.Duration, board int, name string) time.Duration {
	at = max(at, l.lastDue+time.Microsecond, l.segments[len(l.segments)-1].From)
	s := l.segment(at, "mode", All)
	s.Modes[board] = name
	return at
}

// StartMode notes the power mode in which a board was found at the start. It
// opens no segment.
func (l *Ledger) StartMode(board int, name string) {
	for i := range l.segments {
		s := &l.segments[i]
		if s.Modes[board] == "" {
			s.Modes = slices.Clone(s.Modes)
			s.Modes[board] = name
		}
	}
}

// segment opens one and returns it. Two changes at one instant share it.
func (l *Ledger) segment(at time.Duration, by string, lane int) *Segment {
	last := &l.segments[len(l.segments)-1]
	if last.From == at && last.ID > 0 {
		last.Settings, last.Modes = slices.Clone(last.Settings), slices.Clone(last.Modes)
		last.By = by
		if last.Lane != lane {
			last.Lane = All
		}
		return last
	}
	last.To = at
	l.edge(at)
	s := Segment{
		ID: last.ID + 1, From: at, To: Never, By: by, Lane: lane,
		Settings: slices.Clone(last.Settings), Modes: slices.Clone(last.Modes),
		Due: make([]int64, len(l.lanes)),
	}
	l.segments = keepLast(append(l.segments, s), keepSegments)
	return &l.segments[len(l.segments)-1]
}

// segmentAt returns the index of the segment that holds due. What is older
// than all that are kept counts in the oldest.
func (l *Ledger) segmentAt(due time.Duration) int {
	i := sort.Search(len(l.segments), func(i int) bool { return l.segments[i].From > due })
	return max(0, i-1)
}

// countInSegment counts a due request in its segment. Only the last segment is
// copied for every snapshot; an older one is copied when it is written.
func (l *Ledger) countInSegment(e *Event) {
	i := l.segmentAt(e.Due)
	s := &l.segments[i]
	if i < len(l.segments)-1 {
		s.Due = slices.Clone(s.Due)
	}
	s.Due[e.Lane]++
}

// edge notes an instant that shapes everything open at it.
func (l *Ledger) edge(at time.Duration) {
	i, _ := slices.BinarySearch(l.edges, at)
	l.edges = slices.Insert(slices.Clone(l.edges), i, at) // closing may hold the old list
	if len(l.edges) >= 2*keepSegments {
		l.edges = slices.Clone(l.edges[keepSegments:])
	}
}

// Stop notes that a lane sends no more from at on.
func (l *Ledger) Stop(at time.Duration, lane int) {
	b := l.lanes[lane]
	if b.ended != Never {
		return
	}
	b.stop(at)
	b.stopSending(at)
	if l.total != b && !l.anySending() {
		l.total.stopSending(l.lastSending())
	}
	for _, b := range l.lanes {
		if b.ended == Never {
			return
		}
	}
	l.ended = l.lastEnd()
	if l.total != b {
		l.total.stop(l.ended)
	}
	l.edge(l.ended)
	for _, b := range l.books() {
		b.edge(l.ended)
		b.late = nil
	}
}

// lastEnd is when the last of the lanes that have stopped did, or Never.
func (l *Ledger) lastEnd() time.Duration {
	end := Never
	for _, b := range l.lanes {
		end = max(end, b.ended)
	}
	return end
}

// lastSending is until when any of the lanes sent that send no more.
func (l *Ledger) lastSending() (at time.Duration) {
	for _, b := range l.lanes {
		at = max(at, b.until)
	}
	return at
}

// Loading notes that a lane's next model is being prepared; "" that none is.
func (l *Ledger) Loading(lane int, model string) { l.lanes[lane].loading = model }

// Phase tells where the run is.
func (l *Ledger) Phase() Phase {
	switch {
	case l.over:
		return Ended
	case l.ended != Never:
		return Draining
	case !l.anySending():
		return Paused
	}
	return Sending
}

// Setting returns what is in force for a lane.
func (l *Ledger) Setting(lane int) Setting { return l.lanes[lane].setting }

// Lanes returns how many lanes there are.
func (l *Ledger) Lanes() int { return len(l.lanes) }

// Stopped reports whether a lane sends no more.
func (l *Ledger) Stopped(lane int) bool { return l.lanes[lane].ended != Never }

// LastSegment returns the number of the segment in force.
func (l *Ledger) LastSegment() int { return l.segments[len(l.segments)-1].ID }

// BoardMode returns the power mode in force of a board, "" if it is not known.
func (l *Ledger) BoardMode(board int) string {
	return l.segments[len(l.segments)-1].Modes[board]
}
