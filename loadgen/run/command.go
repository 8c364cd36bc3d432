package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
	"dev.example/pileup/probes"
)

// maxRate bounds what a lane can be asked for, in requests per second.
const maxRate = 1e6

// readied is what was prepared off the loop: a lane's next model or a board's
// next power mode.
type readied struct {
	c       ledger.Command
	run     int
	outlets map[int][]loadgen.Outlet // by lane
	mode    probes.Mode
	err     error
}

// command applies c or refuses it. Each command gets exactly one answer.
func (l *Loop) command(ctx context.Context, c ledger.Command) {
	l.acks = append(l.acks, ledger.Ack{Command: c, State: ledger.Pending})
	if n := len(l.acks); n > keepAcks {
		l.acks = slices.Clone(l.acks[n-keepAcks:])
	}
	err := l.try(ctx, c)
	switch {
	case errors.Is(err, errLater):
	case err != nil:
		l.refuse(c, err)
	default:
		l.ack(c.ID, ledger.Applied, l.now(), "")
	}
}

// errLater means that the answer comes when something has been prepared.
var errLater = errors.New("later")

func (l *Loop) try(ctx context.Context, c ledger.Command) error {
	lanes, err := l.lanesOf(c)
	if err != nil {
		return err
	}
	done := l.ledger.Phase() == ledger.Ended
	switch c.Do {
	case ledger.DoMode:
		return l.switchMode(ctx, c)
	case ledger.DoRestart:
		return l.again(c, done)
	}
	if done {
		return errors.New("the run is done; restart it first")
	}
	switch c.Do {
	case ledger.DoRate:
		return l.setRate(c, lanes)
	case ledger.DoArrivals:
		return l.setArrivals(c, lanes)
	case ledger.DoPause, ledger.DoResume:
		return l.pause(c, lanes)
	case ledger.DoModel:
		return l.setModel(ctx, c, lanes)
	case ledger.DoStop:
		return l.stopLanes(c, lanes)
	case ledger.DoCut:
		l.cut = true
		l.engine.Cut()
		return nil
	}
	return fmt.Errorf("unknown command %q", c.Do)
}

// lanesOf lists the lanes that c speaks of and that still send, for the
// commands that need one.
func (l *Loop) lanesOf(c ledger.Command) ([]int, error) {
	if c.Lane != ledger.All && (c.Lane < 0 || c.Lane >= l.ledger.Lanes()) {
		return nil, fmt.Errorf("there is no lane %d", c.Lane)
	}
	var lanes []int
	for i := range l.ledger.Lanes() {
		if (c.Lane == ledger.All || c.Lane == i) && !l.ledger.Stopped(i) {
			lanes = append(lanes, i)
		}
	}
	switch c.Do {
	case ledger.DoMode, ledger.DoRestart, ledger.DoCut:
		return lanes, nil
	}
	if len(lanes) == 0 {
		return nil, errors.New("sending has ended")
	}
	return lanes, nil
}

// change puts a lane's new setting in force, in the ledger and in the engine.
//
// All lanes that one command changes change at the same instant. A lane whose
// setting stays as it is is left alone.
func (l *Loop) change(c ledger.Command, to map[int]ledger.Setting, how map[int]loadgen.Change) (at time.Duration, changed []int) {
	for i := range l.setup.Lanes {
		if s, ok := to[i]; ok && s != l.ledger.Setting(i) {
			changed = append(changed, i)
			continue
		}
		delete(how, i)
	}
	if len(changed) == 0 {
		return l.now(), nil
	}
	at = l.engine.Apply(l.now(), how)
	for _, i := range changed {
		at = l.ledger.Change(at, string(c.Do), i, to[i])
		l.rec.command(at, c, i, to[i])
	}
	return at, changed
}

func (l *Loop) setRate(c ledger.Command, lanes []int) error {
	var to []float64
	for _, i := range lanes {
		r := c.To
		switch now := l.ledger.Setting(i).Rate; c.How {
		case ledger.Add:
			r = max(0, now+c.To)
		case ledger.Mul:
			r = now * c.To
		}
		if !(r >= 0 && r <= maxRate) {
			return fmt.Errorf("a rate of %g/s is out of range", r)
		}
		to = append(to, math.Round(r*1e6)/1e6)
	}
	from, set, how := map[int]float64{}, map[int]ledger.Setting{}, map[int]loadgen.Change{}
	for n, i := range lanes {
		s := l.ledger.Setting(i)
		from[i], s.Rate = s.Rate, to[n]
		set[i], how[i] = s, loadgen.Change{Rate: &to[n]}
	}
	at, changed := l.change(c, set, how)
	for _, i := range changed {
		l.note(at, ledger.Info, "rate", l.laneArg(i),
			ledger.Arg{Name: "from", Value: from[i]}, ledger.Arg{Name: "to", Value: set[i].Rate})
	}
	return nil
}

func (l *Loop) setArrivals(c ledger.Command, lanes []int) error {
	set, how := map[int]ledger.Setting{}, map[int]loadgen.Change{}
	for _, i := range lanes {
		s := l.ledger.Setting(i)
		s.Arrivals = c.Arrivals
		seed := pace.Seed(l.setup.Seed, "arrivals", i, l.ledger.LastSegment()+1)
		set[i], how[i] = s, loadgen.Change{Arrivals: &c.Arrivals, Seed: seed}
	}
	at, changed := l.change(c, set, how)
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
	at, changed := l.change(c, set, how)
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
	l.stoppedBy = c.By
	l.engine.Apply(l.now(), how)
	return nil
}

// setModel prepares the next model off the loop; the lanes go on with theirs.
func (l *Loop) setModel(ctx context.Context, c ledger.Command, lanes []int) error {
	for _, i := range lanes {
		if l.busy[i] != 0 {
			return fmt.Errorf("%s is still being prepared", l.nameOfBusy(i))
		}
	}
	for _, i := range lanes {
		l.busy[i] = c.ID
		l.ledger.Loading(i, c.Name)
		l.note(l.now(), ledger.Info, "model-loading", l.laneArg(i), ledger.Arg{Name: "model", Value: c.Name})
	}
	run, setups := l.run, slices.Clone(l.setup.Lanes)
	l.group.Go("prepare "+c.Name, func() {
		r := readied{c: c, run: run, outlets: map[int][]loadgen.Outlet{}}
		for _, i := range lanes {
			out, err := l.prepare(ctx, setups[i], c.Name)
			if err != nil {
				r.err = err
				break
			}
			r.outlets[i] = out
		}
		select {
		case l.ready <- r:
		case <-ctx.Done():
		}
	})
	return errLater
}

func (l *Loop) nameOfBusy(lane int) string {
	for _, a := range l.acks {
		if a.ID == l.busy[lane] {
			return a.Name
		}
	}
	return "a model"
}

// readied takes what was prepared off the loop into use.
func (l *Loop) readied(r readied) {
	if r.c.Do == ledger.DoMode {
		l.switchedMode(r)
		return
	}
	for i, id := range l.busy {
		if id == r.c.ID {
			delete(l.busy, i)
			if r.run == l.run {
				l.ledger.Loading(i, "")
			}
		}
	}
	if r.run != l.run || l.ledger.Phase() == ledger.Ended {
		l.ack(r.c.ID, ledger.Refused, l.now(), "the run ended before it was ready")
		return
	}
	if r.err != nil {
		l.note(l.now(), ledger.Attention, "model-failed",
			ledger.Arg{Name: "model", Value: r.c.Name}, ledger.Arg{Name: "why", Value: r.err.Error()})
		l.ack(r.c.ID, ledger.Refused, l.now(), r.err.Error())
		return
	}
	set, how := map[int]ledger.Setting{}, map[int]loadgen.Change{}
	for i, out := range r.outlets {
		if l.ledger.Stopped(i) {
			continue
		}
		l.outlets[i] = out
		s := l.ledger.Setting(i)
		s.Model, s.BodyBytes = r.c.Name, out[0].Sender.BodyBytes()
		set[i], how[i] = s, loadgen.Change{Outlets: out}
	}
	if len(set) == 0 {
		l.refuse(r.c, errors.New("sending has ended"))
		return
	}
	at, changed := l.change(r.c, set, how)
	for _, i := range changed {
		l.note(at, ledger.Info, "model", l.laneArg(i), ledger.Arg{Name: "model", Value: r.c.Name})
	}
	l.ack(r.c.ID, ledger.Applied, at, "")
}

// again ends this run, if it has not ended, and begins another.
func (l *Loop) again(c ledger.Command, done bool) error {
	if l.restart != nil {
		return errors.New("the run is being restarted already")
	}
	if l.opt.Record != nil {
		if err := l.reserve(l.run + 1); err != nil {
			return err
		}
	}
	l.restart = &c
	if !done {
		l.note(l.now(), ledger.Info, "restart")
		l.cut = true
		l.engine.Cut()
	}
	return errLater
}

func (l *Loop) laneArg(i int) ledger.Arg {
	return ledger.Arg{Name: "lane", Value: l.setup.Lanes[i].Name}
}

// ack answers a command, if its question is still kept.
func (l *Loop) ack(id uint64, s ledger.State, at time.Duration, why string) {
	for i := range l.acks {
		if l.acks[i].ID == id {
			l.acks[i].State, l.acks[i].At, l.acks[i].Why = s, at, why
		}
	}
}

func (l *Loop) refuse(c ledger.Command, err error) {
	l.ack(c.ID, ledger.Refused, l.now(), err.Error())
	l.note(l.now(), ledger.Attention, "command-refused",
		ledger.Arg{Name: "do", Value: string(c.Do)}, ledger.Arg{Name: "why", Value: err.Error()})
}
