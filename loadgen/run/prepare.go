package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/ledger"
)

// wish is what a lane is to send, and whereto: the name of a target, or "" for
// all of the lane's.
type wish struct{ model, target string }

// pool is a lane's prepared targets for one model.
type pool struct {
	model   string
	outlets []candidate
	without []string // names of the lane's targets that do not have the model
}

// candidate is a target that a lane can send to.
type candidate struct {
	loadgen.Outlet
	name string
	own  bool // of the lane's pool; others are only sent to when chosen
}

// of returns where requests go when the target is chosen, "" for the pool.
func (p *pool) of(target string) (out []loadgen.Outlet) {
	for _, o := range p.outlets {
		if o.name == target || target == "" && o.own {
			out = append(out, o.Outlet)
		}
	}
	return out
}

func (p *pool) has(target string) bool { return len(p.of(target)) > 0 }

// Prepare asks every target for every lane's model and encodes what will be
// sent. A target that does not have a lane's model is left out of the lane's
// pool. The error, often a [loadgen.Refusal], says what stands in the way.
func (l *Loop) Prepare(ctx context.Context) error {
	setup := &l.opt.Setup
	setup.Lanes = slices.Clone(setup.Lanes) // the old ones are in a snapshot
	for i := range setup.Lanes {
		lane := &setup.Lanes[i]
		p, err := l.prepare(ctx, *lane, wish{lane.Setting.Model, lane.Setting.Target})
		if err != nil {
			return err
		}
		l.pools[lane.ID] = p
		lane.Weights = p.weights(*lane)
		lane.Setting.BodyBytes = p.of(lane.Setting.Target)[0].Sender.BodyBytes()
	}
	setup.Payload = l.payloads()
	l.current = l.fresh(1, *setup)
	l.snap.Store(l.readySnapshot())
	return nil
}

// payloads says what the lanes send, each once.
func (l *Loop) payloads() (all []string) {
	for _, lane := range l.setup.Lanes {
		for _, o := range l.pools[lane.ID].outlets {
			if p := o.Sender.Payload(); !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

// prepare makes a lane's pool. Of several targets those that do not have the
// model are left out; the one that was chosen must have it.
func (l *Loop) prepare(ctx context.Context, lane ledger.LaneSetup, w wish) (pool, error) {
	p := pool{model: w.model}
	ids := slices.Clone(lane.Targets)
	if w.target != "" {
		id := l.targetID(w.target)
		if id < 0 {
			return p, noTarget(w.target)
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	var missing error
	for _, id := range ids {
		o, err := l.candidate(ctx, lane, id, w.model)
		var r *loadgen.Refusal
		if errors.As(err, &r) && r.NoModel {
			p.without = append(p.without, l.nameOf(id))
			missing = cmp.Or(missing, err)
			continue
		}
		if err != nil {
			return p, err
		}
		p.outlets = append(p.outlets, o)
	}
	switch {
	case len(ids) == 0:
		return p, fmt.Errorf("lane %q has no target", lane.Name)
	case !p.has(w.target):
		return p, missing
	}
	return p, nil
}

func (l *Loop) candidate(ctx context.Context, lane ledger.LaneSetup, id int, model string) (candidate, error) {
	t := l.opt.Targets[id]
	if t == nil {
		return candidate{}, fmt.Errorf("lane %q has no target %d", lane.Name, id)
	}
	s, err := t.Prepare(ctx, model)
	if err != nil {
		return candidate{}, err
	}
	o := candidate{Outlet: loadgen.Outlet{Target: id, Sender: s}, name: l.nameOf(id), own: slices.Contains(lane.Targets, id)}
	if l.opt.Weigh != nil {
		// One that is not dealt to needs no weight; with one its requests
		// count for the others.
		if o.Weight, err = l.opt.Weigh(id, model); err != nil && o.own && len(lane.Targets) > 1 {
			return candidate{}, err
		}
	}
	return o, nil
}

// weights are those of a pool, in the order of the lane's targets; 0 for one
// that is left out. nil without any.
func (p *pool) weights(lane ledger.LaneSetup) (out []float64) {
	for _, o := range p.outlets {
		if o.Weight > 0 && o.own && len(lane.Targets) > 1 {
			if out == nil {
				out = make([]float64, len(lane.Targets))
			}
			out[slices.Index(lane.Targets, o.Target)] = o.Weight
		}
	}
	return out
}

func noTarget(name string) error { return fmt.Errorf("there is no target %q", name) }

// targetID is the id of a target, −1 if there is none of that name.
func (l *Loop) targetID(name string) int {
	return slices.IndexFunc(l.opt.Setup.Targets, func(t ledger.Target) bool { return t.Name == name })
}

func (l *Loop) nameOf(id int) string {
	if id < 0 || id >= len(l.opt.Setup.Targets) {
		return ""
	}
	return l.opt.Setup.Targets[id].Name
}

// noteWithout says which of a lane's targets are left out.
func (l *Loop) noteWithout(at time.Duration, lane int) {
	if p := l.pools[lane]; len(p.without) > 0 {
		l.note(at, ledger.Attention, "pool-without", l.laneArg(lane),
			ledger.Arg{Name: "model", Value: p.model}, ledger.Arg{Name: "targets", Value: strings.Join(p.without, ", ")})
	}
}
