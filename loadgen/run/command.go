package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"dev.example/pileup/loadgen/ledger"
)

// command applies c or refuses it. Each command gets exactly one answer.
func (l *Loop) command(ctx context.Context, c ledger.Command) {
	l.await(c)
	err := l.try(ctx, c)
	switch {
	case errors.Is(err, errLater):
	case err != nil:
		l.refuse(c, err)
	default:
		l.ack(c.ID, ledger.Applied, l.now(), "")
	}
}

// await notes that c is to be answered.
func (l *Loop) await(c ledger.Command) {
	l.acks = append(l.acks, ledger.Ack{Command: c, State: ledger.Pending})
	if n := len(l.acks); n > keepAcks {
		l.acks = slices.Clone(l.acks[n-keepAcks:])
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
	case ledger.DoTarget:
		return l.setTarget(ctx, c, lanes)
	case ledger.DoBurst:
		return l.burst(c, lanes)
	case ledger.DoMark:
		l.note(l.now(), ledger.Info, "mark", ledger.Arg{Name: "name", Value: c.Name})
		return nil
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
	case ledger.DoMode, ledger.DoRestart, ledger.DoCut, ledger.DoMark:
		return lanes, nil
	}
	if len(lanes) == 0 {
		return nil, errSendingEnded
	}
	return lanes, nil
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

// close lets nothing be asked for any more, and refuses what still waits for an
// answer.
func (l *Loop) close() {
	l.mu.Lock()
	l.over = true
	l.mu.Unlock()
	for len(l.commands) > 0 {
		l.await(<-l.commands)
	}
	l.amend(func(s *ledger.Snapshot) {
		for _, a := range l.acks {
			if a.State == ledger.Pending {
				l.ack(a.ID, ledger.Refused, s.At, ErrOver.Error())
			}
		}
		s.Commands = slices.Clone(l.acks)
	})
}

// amend publishes the last snapshot again, changed.
func (l *Loop) amend(change func(*ledger.Snapshot)) {
	s := *l.snap.Load()
	l.seq++
	s.Seq = l.seq
	change(&s)
	l.snap.Store(&s)
}
