package run

import (
	"context"
	"fmt"
	"slices"
	"time"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/probes"
)

// readied is what was prepared off the loop: what lanes are to send next, or a
// board's next power mode.
type readied struct {
	c     ledger.Command
	run   int
	pools map[int]pool // by lane
	mode  probes.Mode
	err   error
}

// setModel prepares the next model off the loop; the lanes go on with theirs.
func (l *Loop) setModel(ctx context.Context, c ledger.Command, lanes []int) error {
	if err := l.free(lanes); err != nil {
		return err
	}
	wishes := map[int]wish{}
	for _, i := range lanes {
		wishes[i] = wish{c.Name, l.ledger.Setting(i).Target}
		l.ledger.Loading(i, c.Name)
		l.note(l.now(), ledger.Info, "model-loading", l.laneArg(i), ledger.Arg{Name: "model", Value: c.Name})
	}
	return l.inBackground(ctx, c, wishes)
}

// setTarget sends a lane's requests to one target, or to its whole pool again.
// What was never prepared is prepared off the loop.
func (l *Loop) setTarget(ctx context.Context, c ledger.Command, lanes []int) error {
	if c.Name != "" && l.targetID(c.Name) < 0 {
		return noTarget(c.Name)
	}
	if err := l.free(lanes); err != nil {
		return err
	}
	wishes, ready := map[int]wish{}, map[int]pool{}
	for _, i := range lanes {
		wishes[i] = wish{l.ledger.Setting(i).Model, c.Name}
		if p := l.pools[i]; p.has(c.Name) {
			ready[i] = p
		}
	}
	if len(ready) < len(lanes) {
		return l.inBackground(ctx, c, wishes)
	}
	_, err := l.take(c, ready)
	return err
}

// free reports which preparation is under way for one of the lanes.
func (l *Loop) free(lanes []int) error {
	for _, i := range lanes {
		if c, ok := l.busy[i]; ok {
			return fmt.Errorf("%s is still being prepared", c.Name)
		}
	}
	return nil
}

// inBackground prepares what lanes are to send, off the loop.
func (l *Loop) inBackground(ctx context.Context, c ledger.Command, wishes map[int]wish) error {
	run, setups := l.run, slices.Clone(l.setup.Lanes)
	for i := range wishes {
		l.busy[i] = c
	}
	l.group.Go("prepare "+c.Name, func() {
		r := readied{c: c, run: run, pools: map[int]pool{}}
		for i, w := range wishes {
			p, err := l.prepare(ctx, setups[i], w)
			if err != nil {
				r.err = err
				break
			}
			r.pools[i] = p
		}
		if ctx.Err() != nil {
			return // the run is over, and that is all that would be said
		}
		select {
		case l.ready <- r:
		case <-ctx.Done():
		}
	})
	return errLater
}

// readied takes what was prepared off the loop into use.
func (l *Loop) readied(r readied) {
	if r.c.Do == ledger.DoMode {
		l.switchedMode(r)
		return
	}
	for i, c := range l.busy {
		if c.ID == r.c.ID {
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
		l.notReady(r)
		return
	}
	at, err := l.take(r.c, r.pools)
	if err != nil {
		l.refuse(r.c, err)
		return
	}
	l.ack(r.c.ID, ledger.Applied, at, "")
}

// notReady says why a model or a target cannot be sent.
func (l *Loop) notReady(r readied) {
	id, what := "model-failed", "model"
	if r.c.Do == ledger.DoTarget {
		id, what = "target-failed", "target"
	}
	l.note(l.now(), ledger.Attention, id,
		ledger.Arg{Name: what, Value: r.c.Name}, ledger.Arg{Name: "why", Value: r.err.Error()})
	l.ack(r.c.ID, ledger.Refused, l.now(), r.err.Error())
}

// take puts prepared pools in force.
func (l *Loop) take(c ledger.Command, pools map[int]pool) (at time.Duration, err error) {
	set, how := map[int]ledger.Setting{}, map[int]loadgen.Change{}
	for i, p := range pools {
		s := l.ledger.Setting(i)
		if c.Do == ledger.DoTarget {
			s.Target = c.Name
		}
		out := p.of(s.Target)
		s.Model, s.BodyBytes = p.model, out[0].Sender.BodyBytes()
		set[i], how[i] = s, loadgen.Change{Outlets: out}
	}
	at, changed, err := l.change(c, set, how)
	if err != nil {
		return at, err
	}
	for i, p := range pools {
		if l.ledger.Setting(i) == set[i] { // a lane that has ended keeps what it had
			l.pools[i] = p
		}
	}
	for _, i := range changed {
		l.noteTaken(at, c, i)
	}
	return at, nil
}

func (l *Loop) noteTaken(at time.Duration, c ledger.Command, lane int) {
	switch {
	case c.Do == ledger.DoTarget && c.Name == "":
		l.note(at, ledger.Info, "target-all", l.laneArg(lane))
		return
	case c.Do == ledger.DoTarget:
		l.note(at, ledger.Info, "target", l.laneArg(lane), ledger.Arg{Name: "target", Value: c.Name})
		return
	}
	l.note(at, ledger.Info, "model", l.laneArg(lane), ledger.Arg{Name: "model", Value: c.Name})
	l.noteWithout(at, lane)
}
