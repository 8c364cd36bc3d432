package run

import (
	"context"
	"fmt"
	"slices"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/ledger"
)

// Prepare asks every target for every lane's model and encodes what will be
// sent. The error, often a [loadgen.Refusal], says what stands in the way.
func (l *Loop) Prepare(ctx context.Context) error {
	setup := &l.opt.Setup
	setup.Lanes = slices.Clone(setup.Lanes) // the old ones are in a snapshot
	for i := range setup.Lanes {
		lane := &setup.Lanes[i]
		out, err := l.prepare(ctx, *lane, lane.Setting.Model)
		if err != nil {
			return err
		}
		l.outlets[lane.ID] = out
		lane.Setting.BodyBytes = out[0].Sender.BodyBytes()
	}
	setup.Payload = l.payloads()
	l.current = l.fresh(1, *setup)
	l.snap.Store(l.readySnapshot())
	return nil
}

// payloads says what the lanes send, each once.
func (l *Loop) payloads() (all []string) {
	for _, lane := range l.setup.Lanes {
		for _, o := range l.outlets[lane.ID] {
			if p := o.Sender.Payload(); !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

func (l *Loop) prepare(ctx context.Context, lane ledger.LaneSetup, model string) ([]loadgen.Outlet, error) {
	var out []loadgen.Outlet
	for _, id := range lane.Targets {
		t := l.opt.Targets[id]
		if t == nil {
			return nil, fmt.Errorf("lane %q has no target %d", lane.Name, id)
		}
		s, err := t.Prepare(ctx, model)
		if err != nil {
			return nil, err
		}
		out = append(out, loadgen.Outlet{Target: id, Sender: s})
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("lane %q has no target", lane.Name)
	}
	return out, nil
}
