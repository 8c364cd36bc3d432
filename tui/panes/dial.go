package panes

import (
	"math"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
	"dev.example/pileup/tui/format"
)

// A Dial is what the rate keys turn.
type Dial uint8

// The dials.
const (
	PerSecond Dial = iota // requests per second
	Slots                 // closed loop: how many requests are open at once
	Factor                // on the rate that a shape or a trace says
	Counted               // none: so many are due in each window, whatever the rate
)

// DialOf returns the dial a lane has: one from its start to its end, but for
// [Counted], which ends with its pattern of arrivals.
func DialOf(l *ledger.Lane) Dial {
	switch from, now := &l.Info.Setting, &l.Setting; {
	case from.Slots > 0 || now.Slots > 0:
		return Slots
	case from.Scale > 0 || now.Scale > 0:
		return Factor
	case windowed(l):
		return Counted
	}
	return PerSecond
}

// DialIn returns the dial that the lanes in view share, and false if they have
// different ones.
func (v *View) DialIn(s *ledger.Snapshot) (d Dial, one bool) {
	for i := range s.Lanes {
		switch now := DialOf(&s.Lanes[i]); {
		case v.Lane != ledger.All && v.Lane != i:
		case !one:
			d, one = now, true
		case now != d:
			return PerSecond, false
		}
	}
	return d, one
}

// At is how far the dial is turned in a setting.
func (d Dial) At(s *ledger.Setting) float64 {
	switch d {
	case Slots:
		return float64(s.Slots)
	case Factor:
		return s.Scale
	case Counted:
		return 0
	}
	return s.Rate
}

// Say returns where the dial stands, with its unit: "50/s", "64 slots", "×1.5".
func (d Dial) Say(v *View, at float64) string {
	switch d {
	case Slots:
		return v.say(lang.SaySlots, lang.With("n", format.Setting(at)))
	case Factor:
		return "×" + format.Setting(math.Round(at*100)/100)
	}
	return format.Setting(at) + "/s"
}

// lately is the rate that a lane offered in the last second, if it sent in it.
func lately(s *ledger.Snapshot, lane int) (rate float64, ok bool) {
	c := closed(s)
	if lane >= len(c.Lanes) || len(c.Lanes[lane].Seconds) == 0 {
		return 0, false
	}
	last := &c.Lanes[lane].Seconds[len(c.Lanes[lane].Seconds)-1]
	if last.Sending <= 0 {
		return 0, false
	}
	return float64(last.Due) / last.Sending.Seconds(), true
}

// ClosedIn reports whether a lane in view is a closed loop: what it asks for is
// not a rate then, and nothing was offered to speak of.
func (v *View) ClosedIn(s *ledger.Snapshot) bool {
	for i := range s.Lanes {
		if (v.Lane == ledger.All || v.Lane == i) && DialOf(&s.Lanes[i]) == Slots {
			return true
		}
	}
	return false
}

// Fixed reports whether a lane in view has no pattern of arrivals to change:
// in a closed loop answers say when a request is due, in a trace the trace.
func (v *View) Fixed(s *ledger.Snapshot) bool {
	for i := range s.Lanes {
		l := &s.Lanes[i]
		if (v.Lane == ledger.All || v.Lane == i) && (DialOf(l) == Slots || traced(l)) {
			return true
		}
	}
	return false
}

// traced reports whether a trace says when requests are due.
func traced(l *ledger.Lane) bool { return l.Setting.Arrivals == pace.Traced }
