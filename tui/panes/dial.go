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
)

// DialOf returns the one dial a lane has, from its start to its end.
func DialOf(l *ledger.Lane) Dial {
	switch from, now := &l.Info.Setting, &l.Setting; {
	case from.Slots > 0 || now.Slots > 0:
		return Slots
	case from.Scale > 0 || now.Scale > 0:
		return Factor
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

// turned is where a command leaves the dial. What it says of a shape it says of
// the rate that the shape has now: one is how much of it the factor 1 is worth.
func (d Dial) turned(at, one float64, c *ledger.Command) float64 {
	to := c.To
	if d == Factor && c.How != ledger.Mul {
		if one <= 0 {
			return at
		}
		to /= one
	}
	switch c.How {
	case ledger.Add:
		to += at
	case ledger.Mul:
		to *= at
	}
	if d == Slots {
		to = math.Round(to)
	}
	return max(0, to)
}

// A Turn is where the dial of a lane stands, and where it was.
type Turn struct {
	Dial
	Start, Now float64
	Asked      float64 // once all that is pending is done
	Pending    bool    // something is, of the dial or else
	one        float64 // requests per second that the factor 1 is worth now, 0 if not known
}

// TurnOf returns where the dial of a lane stands.
func TurnOf(s *ledger.Snapshot, lane int) Turn {
	l := &s.Lanes[lane]
	d := DialOf(l)
	t := Turn{Dial: d, Start: d.At(&l.Info.Setting), Now: d.At(&l.Setting)}
	if rate, ok := lately(s, lane); ok && t.Now > 0 {
		t.one = rate / t.Now
	}
	t.Asked = t.Now
	for i := range s.Commands {
		a := &s.Commands[i]
		if a.State == ledger.Pending && (a.Lane == lane || a.Lane == ledger.All) {
			t.Pending = true
			t.Asked = t.After(&a.Command)
		}
	}
	return t
}

// After is where c leaves the dial, behind all that is pending.
func (t *Turn) After(c *ledger.Command) float64 {
	if c.Do != ledger.DoRate {
		return t.Asked
	}
	return t.turned(t.Asked, t.one, c)
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
