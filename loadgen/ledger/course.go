package ledger

import (
	"slices"
	"time"
)

// tenth is the grain of what is kept of the course of a second.
const tenth = time.Second / 10

// A Tenth is the backlog in one tenth of a second.
type Tenth struct {
	Peak int32 // the highest
	Held int32 // of what was open at its end: held
}

// course is how the backlog went within the open second. The stamps are
// collected as they are told, and put in order when the second closes, so that
// the order in which they were told does not matter. What is told late counts
// from the beginning of the second in which it is booked.
//
//	due     · ··   ·
//	done       ·     ··  ·
//	backlog 112 1  2 10  −
type course struct {
	from  time.Duration               // when the second begins
	steps []uint32                    // µs from there, doubled; odd where one became due
	held  [len(Second{}.Tenths)]int32 // by how many more were held, by tenth
}

// begin begins second k.
func (c *course) begin(k int) {
	c.from = time.Duration(k-1) * time.Second
	c.steps = c.steps[:0]
	clear(c.held[:])
}

// step takes one step of a request, of which is told whether it had been sent
// before.
func (c *course) step(e *Event, sent bool) {
	at := min(max(0, e.At()-c.from), time.Second-1)
	held := &c.held[at/tenth]
	stamp := uint32(at/time.Microsecond) << 1
	switch {
	case e.Kind == Due:
		c.steps = append(c.steps, stamp|1)
		*held++
		return
	case e.Kind == Started:
		return
	case e.Kind == Done:
		c.steps = append(c.steps, stamp)
	}
	if !sent {
		*held--
	}
}

// tell fills in the peaks of s, the second that is closed, given how things
// stood when it began. At one instant what is done comes before what becomes
// due: a loop of 64 slots has 64 requests open, not 65.
func (c *course) tell(s *Second, backlog, held int64) {
	slices.Sort(c.steps)
	steps, open := c.steps, int32(backlog)
	level := int32(held)
	for i := range s.Tenths {
		begin, end := tenthAt(i), tenthAt(i+1)
		for ; len(steps) > 0 && steps[0] == begin; steps = steps[1:] {
			open--
		}
		peak := open
		for ; len(steps) > 0 && steps[0] < end; steps = steps[1:] {
			if steps[0]&1 == 0 {
				open--
				continue
			}
			open++
			peak = max(peak, open)
		}
		level += c.held[i]
		s.Tenths[i] = Tenth{peak, level}
		s.Peak = max(s.Peak, int64(peak))
	}
}

// tenthAt is where tenth i begins, as a step of which nothing becomes due.
func tenthAt(i int) uint32 { return uint32(time.Duration(i)*tenth/time.Microsecond) << 1 }
