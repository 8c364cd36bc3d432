package cli

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"dev.example/pileup/loadgen/ledger"
)

// standing is a run that does at once what it is asked for.
type standing struct {
	snap ledger.Snapshot
	did  []ledger.Command
	full bool
	deaf bool // it answers nothing
}

func (*standing) Run(context.Context) error { return nil }

func (r *standing) Snapshot() *ledger.Snapshot { s := r.snap; return &s }

func (r *standing) Do(c ledger.Command) (uint64, error) {
	if r.full {
		return 0, errors.New("too many commands wait")
	}
	r.did = append(r.did, c)
	c.ID = uint64(len(r.did))
	if !r.deaf {
		r.snap.Commands = append(slices.Clone(r.snap.Commands), ledger.Ack{Command: c, State: ledger.Applied})
	}
	return c.ID, nil
}

// marked are lanes that send (+), are paused (-) or have ended (.).
func marked(marks string) (out []ledger.Lane) {
	for _, m := range marks {
		out = append(out, ledger.Lane{Ended: m == '.', Setting: ledger.Setting{Paused: m == '-'}})
	}
	return out
}

// TestJustWhatWasPausedGoesOn.
func TestJustWhatWasPausedGoesOn(t *testing.T) {
	for _, c := range []struct {
		name  string
		phase ledger.Phase
		lanes string
		want  []int
	}{
		{"one", ledger.Sending, "+", []int{ledger.All}},
		{"all", ledger.Sending, "+++", []int{ledger.All}},
		{"those that have ended stay", ledger.Sending, "+.+", []int{ledger.All}},
		{"those that were paused stay so", ledger.Sending, "+-.+", []int{0, 3}},
		{"all are paused", ledger.Paused, "--", nil},
		{"draining", ledger.Draining, "..", nil},
		{"done", ledger.Ended, "..", nil},
		{"ready", ledger.Ready, "+", nil},
	} {
		r := &standing{snap: ledger.Snapshot{Phase: c.phase, Lanes: marked(c.lanes)}}
		atStop := 0
		s := &suspender{loop: r, stop: func() error { atStop = len(r.did); return errNotStopped }}
		if err := s.Suspend(); err != errNotStopped {
			t.Errorf("%s: got %v", c.name, err)
		}
		r.full = true
		if err := s.Resume(); (err != nil) != (c.want != nil) {
			t.Errorf("%s: with a full queue got %v", c.name, err)
		}
		r.full = false
		for range 2 { // the second time there is nothing left
			if err := s.Resume(); err != nil {
				t.Error(err)
			}
		}
		var want []ledger.Command
		for _, do := range []ledger.Do{ledger.DoPause, ledger.DoResume} {
			for _, lane := range c.want {
				want = append(want, ledger.Command{Do: do, Lane: lane, By: bySuspend})
			}
		}
		if diff := cmp.Diff(want, r.did); diff != "" {
			t.Errorf("%s: commands (-want +got):\n%s", c.name, diff)
		}
		if atStop != len(c.want) {
			t.Errorf("%s: stopped after %d commands, want %d", c.name, atStop, len(c.want))
		}
	}
}

// TestASuspensionWaitsNotForEver for a run that is busy.
func TestASuspensionWaitsNotForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { waitNotForEver(t) })
}

func waitNotForEver(t *testing.T) {
	began := time.Now()
	r := &standing{snap: ledger.Snapshot{Phase: ledger.Sending, Lanes: marked("+")}, deaf: true}
	stopped := false
	s := &suspender{loop: r, stop: func() error { stopped = true; return nil }}
	if err := s.Suspend(); err != nil || !stopped || time.Since(began) != patience {
		t.Errorf("after %v: got %v, stopped %v", time.Since(began), err, stopped)
	}
	if err := s.Resume(); err != nil || len(r.did) != 2 {
		t.Errorf("got %v, did %v", err, r.did)
	}
}
