package panes

import (
	"math"
	"slices"

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
// is pending, as what is asked; where that is refused they stay, and why is said. Of
// all lanes the rates are one dial, their sum: each goes with it, and their mix stays.
func Turns(s *ledger.Snapshot, c *ledger.Command) (out []Turn, why error) {
	after := asked(s)
	why = apply(s, after, c)
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
	return out, why
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
			_ = apply(s, out, &a.Command) // what is refused changes nothing
		}
	}
	return out
}

// apply turns the dials at as c says: all that it is for, or, where it is refused,
// none.
func apply(s *ledger.Snapshot, at []float64, c *ledger.Command) error {
	if c.Do != ledger.DoRate {
		return nil
	}
	to := slices.Clone(at)
	var rated []int
	var rates []float64
	for _, i := range lanesOf(s, c.Lane) {
		var err error
		switch DialOf(&s.Lanes[i]) {
		case PerSecond:
			rated, rates = append(rated, i), append(rates, at[i])
		case Slots:
			var n int
			n, err = c.TurnSlots(int(at[i]), math.MaxInt32)
			to[i] = float64(n)
		case Factor:
			if one := worth(s, i); one > 0 || c.How == ledger.Mul {
				to[i], err = c.TurnScale(at[i], one)
			}
		}
		if err != nil {
			return err
		}
	}
	turned, err := c.TurnRates(rates)
	if err != nil {
		return err
	}
	for k, i := range rated {
		to[i] = turned[k]
	}
	copy(at, to)
	return nil
}

// worth is how many requests per second the factor 1 on the shape or trace of a lane
// is worth now, 0 if that is not known.
func worth(s *ledger.Snapshot, lane int) float64 {
	rate, ok := lately(s, lane)
	if at := s.Lanes[lane].Setting.Scale; ok && at > 0 {
		return rate / at
	}
	return 0
}
