package ledger

import (
	"errors"
	"fmt"
	"math"

	"dev.example/pileup/loadgen/pace"
)

// Turned is where a rate command leaves a dial that stands at now.
func (c *Command) Turned(now float64) float64 {
	switch c.How {
	case Add:
		return max(0, now+c.To)
	case Mul:
		return now * c.To
	}
	return c.To
}

// TurnRates is where a rate command leaves the rates, in requests per second, of the
// lanes it is for. Those of several are one dial, their sum: each goes with it, and
// their mix stays. What is no rate is refused, and so is what would lose the mix.
func (c *Command) TurnRates(rates []float64) ([]float64, error) {
	one, sum := *c, 0.0
	for _, r := range rates {
		sum += r
	}
	sum = micro(sum)
	if len(rates) > 1 && c.How != Mul {
		if sum == 0 {
			return nil, errors.New("every lane waits for a rate; tab picks one")
		}
		one.How, one.To = Mul, c.Turned(sum)/sum
	}
	out := make([]float64, len(rates))
	for i, r := range rates {
		switch out[i] = micro(one.Turned(r)); {
		case !(out[i] >= 0 && out[i] <= pace.MaxRate):
			return nil, fmt.Errorf("a rate of %g/s is out of range", out[i])
		case len(rates) > 1 && r > 0 && out[i] == 0:
			return nil, errors.New("the mix of the lanes would be lost; space pauses them")
		}
	}
	return out, nil
}

// micro rounds a rate to millionths.
func micro(rate float64) float64 { return math.Round(rate*1e6) / 1e6 }

// TurnSlots is where a rate command leaves a closed loop of so many slots, of which
// there are 1 to most.
func (c *Command) TurnSlots(now, most int) (int, error) {
	to := math.Round(c.Turned(float64(now)))
	if !(to >= 1 && to <= float64(most)) {
		return 0, fmt.Errorf("a closed loop of %.0f is out of range; space pauses it", to)
	}
	return int(to), nil
}

// TurnScale is the factor with which a shape or a trace has the rate that a rate
// command asks for, where 1 is worth so many requests per second. What multiplies
// needs not know that: then it is 0.
func (c *Command) TurnScale(now, one float64) (float64, error) {
	to := c.Turned(one*now) / one
	if c.How == Mul {
		to = now * c.To
	}
	if !(to > 0 && to <= 1e6) || one*to > pace.MaxRate {
		return 0, errors.New("a shape or a trace is scaled from the rate it has now, and not to 0; space pauses it")
	}
	return to, nil
}
