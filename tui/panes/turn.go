package panes

import (
	"math"

	"dev.example/pileup/loadgen/ledger"
)

// A Turn is where a dial stands, and where it was: that of a lane, or the sum
// of the rates of all lanes.
type Turn struct {
	Dial
	Lane       int // or ledger.All
	Start, Now float64
	Asked      float64 // once all that is pending is done
	Pending    bool    // something is, of the dial or else
}

// TurnOf returns where the dial of a lane stands.
func TurnOf(s *ledger.Snapshot, lane int) Turn {
	l := &s.Lanes[lane]
	d := DialOf(l)
	t := Turn{Dial: d, Lane: lane, Start: d.At(&l.Info.Setting), Now: d.At(&l.Setting), Asked: asked(s)[lane]}
	for i := range s.Commands {
		a := &s.Commands[i]
		t.Pending = t.Pending || a.State == ledger.Pending && (a.Lane == lane || a.Lane == ledger.All)
	}
	return t
}

// Turns lists the dials that c turns, with where it leaves them, behind all that
// is pending, as what is asked. Of all lanes the rates are one dial, their sum:
// each goes with it, and their mix stays.
func Turns(s *ledger.Snapshot, c *ledger.Command) (out []Turn) {
	after := asked(s)
	apply(s, after, c)
	sum := Turn{Dial: PerSecond, Lane: ledger.All}
	jointly := joint(s, c.Lane)
	for _, i := range lanesOf(s, c.Lane) {
		t := TurnOf(s, i)
		t.Asked = after[i]
		if !jointly || t.Dial != PerSecond {
			out = append(out, t)
			continue
		}
		sum.Start, sum.Now, sum.Asked = sum.Start+t.Start, sum.Now+t.Now, sum.Asked+t.Asked
		sum.Pending = sum.Pending || t.Pending
	}
	if jointly {
		out = append([]Turn{sum}, out...)
	}
	return out
}

// joint reports whether a command for a lane, or for all, turns a sum of rates.
func joint(s *ledger.Snapshot, lane int) bool {
	rated := 0
	for _, i := range lanesOf(s, lane) {
		if DialOf(&s.Lanes[i]) == PerSecond {
			rated++
		}
	}
	return lane == ledger.All && rated > 1
}

// lanesOf lists the lanes that a command is for: of all, those that still send.
func lanesOf(s *ledger.Snapshot, lane int) (out []int) {
	for i := range s.Lanes {
		if lane == i || lane == ledger.All && !s.Lanes[i].Ended {
			out = append(out, i)
		}
	}
	return out
}

// asked is where the dials of all lanes stand once all that is pending is done.
func asked(s *ledger.Snapshot) []float64 {
	out := make([]float64, len(s.Lanes))
	for i := range s.Lanes {
		out[i] = DialOf(&s.Lanes[i]).At(&s.Lanes[i].Setting)
	}
	for i := range s.Commands {
		if a := &s.Commands[i]; a.State == ledger.Pending {
			apply(s, out, &a.Command)
		}
	}
	return out
}

// apply turns the dials at as c says.
func apply(s *ledger.Snapshot, at []float64, c *ledger.Command) {
	if c.Do != ledger.DoRate {
		return
	}
	lanes, factor := lanesOf(s, c.Lane), -1.0 // on the rates
	if joint(s, c.Lane) && c.How != ledger.Mul {
		sum := 0.0
		for _, i := range lanes {
			if DialOf(&s.Lanes[i]) == PerSecond {
				sum += at[i]
			}
		}
		if sum == 0 {
			return // each waits for a rate of its own
		}
		factor = PerSecond.turned(sum, 0, c) / sum
	}
	for _, i := range lanes {
		l := &s.Lanes[i]
		d := DialOf(l)
		if d == PerSecond && factor >= 0 {
			at[i] = math.Round(at[i]*factor*1e6) / 1e6
			continue
		}
		one := 0.0 // requests per second that the factor 1 is worth now, 0 if not known
		if rate, ok := lately(s, i); ok && d.At(&l.Setting) > 0 {
			one = rate / d.At(&l.Setting)
		}
		at[i] = d.turned(at[i], one, c)
	}
}

// turned is where a command leaves the dial. What it says of a shape it says of
// the rate that the shape has now: one is how much of it the factor 1 is worth.
func (d Dial) turned(at, one float64, c *ledger.Command) float64 {
	to := c.To
	if d == Counted {
		return at
	}
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
