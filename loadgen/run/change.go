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
	from, set, how := map[int]float64{}, map[int]ledger.Setting{}, map[int]loadgen.Change{}
	var rated []int
	var rates []float64
	for _, i := range lanes {
		s := l.ledger.Setting(i)
		from[i] = dialOf(s)
		if !isRate(s) {
			change, err := l.dial(i, &s, c)
			if err != nil {
				return err
			}
			set[i], how[i] = s, change
			continue
		}
		if n := l.setup.Lanes[i].Pattern.Count; n > 0 && (s.Arrivals == pace.Uniform || s.Arrivals == pace.Burst) {
			return fmt.Errorf("%d requests are due in each window, whatever the rate", n)
		}
		rated, rates = append(rated, i), append(rates, s.Rate)
	}
	to, err := c.TurnRates(rates)
	if err != nil {
		return err
	}
	for k, i := range rated {
		s := l.ledger.Setting(i)
		s.Rate = to[k]
		set[i], how[i] = s, loadgen.Change{Rate: &to[k]}
	}
	sum := l.sum(rated)
	at, changed, err := l.change(c, set, how)
	if err != nil {
		return err
	}
	jointly := len(rated) > 1
	if to := l.sum(rated); jointly && to != sum {
		l.note(at, ledger.Info, "rate", ledger.Arg{Name: "from", Value: sum}, ledger.Arg{Name: "to", Value: to})
	}
	for _, i := range changed {
		if jointly && isRate(set[i]) {
			continue // said for all
		}
		l.note(at, ledger.Info, dialName(set[i]), l.laneArg(i),
			ledger.Arg{Name: "from", Value: from[i]}, ledger.Arg{Name: "to", Value: dialOf(set[i])})
	}
	return nil
}

// sum adds up the rates of lanes.
func (l *Loop) sum(lanes []int) (rate float64) {
	for _, i := range lanes {
		rate += l.ledger.Setting(i).Rate
	}
	return math.Round(rate*1e6) / 1e6
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

// dial turns the slots of a lane, or the factor on its shape or trace, as c says.
func (l *Loop) dial(lane int, s *ledger.Setting, c ledger.Command) (how loadgen.Change, err error) {
	if s.Slots > 0 {
		s.Slots, err = c.TurnSlots(s.Slots, loadgen.MaxSlots)
		return loadgen.Change{Slots: &s.Slots}, err
	}
	s.Scale, err = c.TurnScale(s.Scale, l.engine.Rate(lane))
	return loadgen.Change{Rate: &s.Scale}, err
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
