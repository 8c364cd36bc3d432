package run

import (
	"errors"
	"fmt"
	"math"
	"time"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

// change puts a lane's new setting in force, in the ledger and in the engine.
//
// All lanes that one command changes change at the same instant. A lane whose
// setting stays as it is is left alone.
func (l *Loop) change(c ledger.Command, to map[int]ledger.Setting, how map[int]loadgen.Change) (at time.Duration, changed []int, err error) {
	for i := range l.setup.Lanes {
		if s, ok := to[i]; !ok || s == l.ledger.Setting(i) {
			delete(how, i)
		}
	}
	if len(how) == 0 {
		return l.now(), nil, nil
	}
	at, changed = l.engine.Apply(l.now(), how)
	for _, i := range changed {
		at = l.ledger.Change(at, string(c.Do), i, to[i])
		l.rec.command(at, c, i, to[i])
	}
	if len(changed) == 0 {
		return at, nil, errSendingEnded
	}
	return at, changed, nil
}

// errSendingEnded refuses a command that needs a lane that sends.
var errSendingEnded = errors.New("sending has ended")

// setRate changes what a lane's dial is: its rate, the factor on its shape or
// trace, or its slots.
//
// For all lanes it is the sum of their rates that is changed: each goes with
// it, and the mix stays.
func (l *Loop) setRate(c ledger.Command, lanes []int) error {
	sum, rated := l.sum(lanes)
	joint := c
	if c.Lane == ledger.All && rated > 1 && c.How != ledger.Mul {
		if sum == 0 {
			return errors.New("every lane waits for a rate; tab picks one")
		}
		joint.How, joint.To = ledger.Mul, turn(sum, c)/sum
	}
	from, set, how := map[int]float64{}, map[int]ledger.Setting{}, map[int]loadgen.Change{}
	for _, i := range lanes {
		s, turned := l.ledger.Setting(i), c
		if isRate(s) {
			turned = joint
		}
		var err error
		if from[i], how[i], err = l.dial(i, &s, turned); err != nil {
			return err
		}
		if c.Lane == ledger.All && rated > 1 && isRate(s) && from[i] > 0 && s.Rate == 0 {
			return errors.New("the mix of the lanes would be lost; space pauses them")
		}
		set[i] = s
	}
	at, changed, err := l.change(c, set, how)
	if err != nil {
		return err
	}
	if c.Lane == ledger.All && rated > 1 {
		if to, _ := l.sum(lanes); to != sum {
			l.note(at, ledger.Info, "rate", ledger.Arg{Name: "from", Value: sum}, ledger.Arg{Name: "to", Value: to})
		}
	} else {
		rated = 0
	}
	for _, i := range changed {
		if rated > 0 && isRate(set[i]) {
			continue // said for all
		}
		l.note(at, ledger.Info, dialName(set[i]), l.laneArg(i),
			ledger.Arg{Name: "from", Value: from[i]}, ledger.Arg{Name: "to", Value: dialOf(set[i])})
	}
	return nil
}

// sum adds up the rates of the lanes whose dial is a rate, and counts them.
func (l *Loop) sum(lanes []int) (rate float64, n int) {
	for _, i := range lanes {
		if s := l.ledger.Setting(i); isRate(s) {
			rate += s.Rate
			n++
		}
	}
	return math.Round(rate*1e6) / 1e6, n
}

// isRate reports whether the dial of a lane is its rate.
func isRate(s ledger.Setting) bool { return s.Slots == 0 && s.Scale == 0 }

// dialName is the note that says how a dial was turned.
func dialName(s ledger.Setting) string {
	switch {
	case s.Slots > 0:
		return "slots"
	case s.Scale > 0:
		return "scale"
	}
	return "rate"
}

// dialOf is what the rate keys of a lane change.
func dialOf(s ledger.Setting) float64 {
	switch {
	case s.Slots > 0:
		return float64(s.Slots)
	case s.Scale > 0:
		return s.Scale
	}
	return s.Rate
}

// dial turns one lane's dial as c says. from is where it stood.
func (l *Loop) dial(lane int, s *ledger.Setting, c ledger.Command) (from float64, how loadgen.Change, err error) {
	switch {
	case s.Slots > 0:
		from = float64(s.Slots)
		slots := int(math.Round(turn(from, c)))
		if slots < 1 || slots > loadgen.MaxSlots {
			return 0, how, fmt.Errorf("a closed loop of %d is out of range; space pauses it", slots)
		}
		s.Slots, how.Slots = slots, &slots
		return from, how, nil
	case s.Scale > 0:
		from = s.Scale
		scale, err := l.scale(lane, *s, c)
		s.Scale, how.Rate = scale, &scale
		return from, how, err
	}
	if n := l.setup.Lanes[lane].Pattern.Count; n > 0 && (s.Arrivals == pace.Uniform || s.Arrivals == pace.Burst) {
		return 0, how, fmt.Errorf("%d requests are due in each window, whatever the rate", n)
	}
	from = s.Rate
	rate := math.Round(turn(from, c)*1e6) / 1e6
	if !(rate >= 0 && rate <= pace.MaxRate) {
		return 0, how, fmt.Errorf("a rate of %g/s is out of range", rate)
	}
	s.Rate, how.Rate = rate, &rate
	return from, how, nil
}

// turn is where a dial that stands at now is to stand.
func turn(now float64, c ledger.Command) float64 {
	switch c.How {
	case ledger.Add:
		return max(0, now+c.To)
	case ledger.Mul:
		return now * c.To
	}
	return c.To
}

// scale is the factor with which a shape or a trace has, at this instant, the
// rate that c asks for.
func (l *Loop) scale(lane int, s ledger.Setting, c ledger.Command) (float64, error) {
	one := l.engine.Rate(lane)
	scale := turn(one*s.Scale, c) / one
	if c.How == ledger.Mul {
		scale = s.Scale * c.To // whatever the rate is
	}
	if !(scale > 0 && scale <= 1e6) || one*scale > pace.MaxRate {
		return 0, errors.New("a shape or a trace is scaled from the rate it has now, and not to 0; space pauses it")
	}
	return scale, nil
}

func (l *Loop) setArrivals(c ledger.Command, lanes []int) error {
	set, how := map[int]ledger.Setting{}, map[int]loadgen.Change{}
	for _, i := range lanes {
		s := l.ledger.Setting(i)
		for _, a := range []pace.Arrivals{s.Arrivals, c.Arrivals} {
			if a == pace.Closed || a == pace.Traced {
				return fmt.Errorf("%s arrivals are chosen at the start", a)
			}
		}
		s.Arrivals = c.Arrivals
		seed := pace.Seed(l.setup.Seed, "arrivals", i, l.ledger.LastSegment()+1)
		set[i], how[i] = s, loadgen.Change{Arrivals: &c.Arrivals, Seed: seed}
	}
	at, changed, err := l.change(c, set, how)
	if err != nil {
		return err
	}
	for _, i := range changed {
		l.note(at, ledger.Info, "arrivals", l.laneArg(i), ledger.Arg{Name: "to", Value: c.Arrivals.String()})
	}
	return nil
}

func (l *Loop) pause(c ledger.Command, lanes []int) error {
	paused, id := c.Do == ledger.DoPause, "paused"
	if !paused {
		id = "resumed"
	}
	set, how := map[int]ledger.Setting{}, map[int]loadgen.Change{}
	for _, i := range lanes {
		s := l.ledger.Setting(i)
		s.Paused = paused
		set[i], how[i] = s, loadgen.Change{Paused: &paused}
	}
	at, changed, err := l.change(c, set, how)
	if err != nil {
		return err
	}
	for _, i := range changed {
		l.note(at, ledger.Info, id, l.laneArg(i))
	}
	return nil
}

func (l *Loop) stopLanes(c ledger.Command, lanes []int) error {
	how := map[int]loadgen.Change{}
	for _, i := range lanes {
		how[i] = loadgen.Change{Stop: true}
	}
	_, taken := l.engine.Apply(l.now(), how)
	if len(taken) == 0 {
		return errSendingEnded
	}
	for _, i := range taken {
		l.stoppedBy[i] = c.By
	}
	return nil
}

// burst makes requests due at once, on top of the schedule.
func (l *Loop) burst(c ledger.Command, lanes []int) error {
	n := int(c.To)
	if n < 1 || n > loadgen.MaxBurst || float64(n) != c.To {
		return fmt.Errorf("a burst of %g requests: want 1 to %d", c.To, loadgen.MaxBurst)
	}
	if open := l.engine.Open() + l.coming(); open+n*len(lanes) > l.opt.Open {
		return fmt.Errorf("%d requests are open; with the burst it would be more than %d", open, l.opt.Open)
	}
	how := map[int]loadgen.Change{}
	for _, i := range lanes {
		how[i] = loadgen.Change{Burst: n}
	}
	at, taken := l.engine.Apply(l.now(), how)
	if len(taken) == 0 {
		return errSendingEnded
	}
	for _, i := range taken {
		l.bursts[i] = burst{l.bursts[i].n + n, at}
		l.rec.event(at, c, i)
		l.note(at, ledger.Info, "burst", l.laneArg(i), ledger.Arg{Name: "n", Value: int64(n)})
	}
	return nil
}

// burst is how many requests were asked for on top of a lane's schedule, the
// last of them at the instant at.
type burst struct {
	n  int
	at time.Duration
}

// coming counts the requests of bursts that were asked for of late: those that
// are not open yet, and perhaps some that are.
func (l *Loop) coming() (n int) {
	l.engine.Frontier(l.frontier)
	for i, b := range l.bursts {
		if b.at < l.frontier[i] {
			delete(l.bursts, i)
			continue
		}
		n += b.n
	}
	return n
}
