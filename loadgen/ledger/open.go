package ledger

import "time"

// request is an open request of one lane.
type request struct {
	due, sent time.Duration // sent is Never while it is held
	booked    [kinds]int32  // see Event.Booked
	target    int32         // to which it was dealt
	started   bool
	open      bool
}

// openSet holds the open requests of a lane by their numbers. Numbers come
// mostly one after another and are done in any order, so that most requests
// stand in a ring of slots that is a window over the numbers:
//
//	 old (a map)              base          head
//	··3·······90·········|····o·oo·ooo·oooo|        o is open
//	                          └── slots ───┘
//
// The window grows while a quarter of it is open; else what is oldest in it
// goes into the map, as does a number far ahead. So memory follows the number of
// open requests, however long one of them stays open.
type openSet struct {
	base, head int64 // numbers in the window: from base to before head
	slots      []request
	n          int // open ones in the window
	old        map[int64]*request
}

const (
	minSlots  = 1024
	idleSlots = 1 << 16 // more are given back when the window is empty
)

// get returns the open request of that number, or nil. It may be written to
// until the next put.
func (s *openSet) get(i int64) *request {
	if i >= s.base && i < s.head {
		if r := s.slot(i); r.open {
			return r
		}
	}
	return s.old[i] // also one that the window has come to since
}

func (s *openSet) slot(i int64) *request { return &s.slots[i&int64(len(s.slots)-1)] }

// len is the number of open requests.
func (s *openSet) len() int { return s.n + len(s.old) }

// put opens the request of that number, which is not open, and returns it as
// get does.
func (s *openSet) put(i int64, r request) *request {
	r.open = true
	if s.n == 0 {
		s.base, s.head = i, i
	}
	if i < s.base || i-s.head > int64(max(minSlots, len(s.slots))) {
		s.putOld(i, r)
		return s.old[i]
	}
	s.makeRoom(i)
	for s.head <= i {
		s.slot(s.head).open = false
		s.head++
	}
	s.n++
	slot := s.slot(i)
	*slot = r
	return slot
}

// makeRoom moves or widens the window so that number i fits in.
func (s *openSet) makeRoom(i int64) {
	for i-s.base >= int64(len(s.slots)) {
		switch {
		case s.base < s.head && !s.slot(s.base).open:
			s.base++
		case s.base == s.head && len(s.slots) > 0:
			s.base, s.head = i, i
		case 4*s.n >= len(s.slots):
			s.widen()
		default:
			s.retire()
		}
	}
}

func (s *openSet) widen() {
	wider := openSet{base: s.base, head: s.head, slots: make([]request, max(minSlots, 2*len(s.slots)))}
	for i := s.base; i < s.head; i++ {
		*wider.slot(i) = *s.slot(i)
	}
	s.slots = wider.slots
}

// retire puts the oldest of the window into the map.
func (s *openSet) retire() {
	s.putOld(s.base, *s.slot(s.base))
	s.base++
	s.n--
}

func (s *openSet) putOld(i int64, r request) {
	if s.old == nil {
		s.old = map[int64]*request{}
	}
	s.old[i] = &r
}

// remove closes an open request.
func (s *openSet) remove(i int64) {
	if i < s.base || i >= s.head || !s.slot(i).open {
		delete(s.old, i)
		return
	}
	s.slot(i).open = false
	if s.n--; s.n == 0 && len(s.slots) > idleSlots {
		s.slots, s.head = nil, s.base
	}
}
