package panes

import (
	"testing"
	"time"

	"dev.example/pileup/loadgen/ledger"
)

func TestDrainIsCountedDown(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		after, limit time.Duration
		open         int64
		want         string
	}{
		{0, 0, 221, "draining: 221 open after 0 s"},
		{2900 * time.Millisecond, 0, 221, "draining: 221 open after 2 s"},
		{3 * time.Minute, 0, 7, "draining:   7 open after 3m"},
		{0, 30 * s, 221, "draining: 221 open, 30 s left"},
		{100 * time.Millisecond, 30 * s, 221, "draining: 221 open, 30 s left"},
		{18 * s, 30 * s, 221, "draining: 221 open, 12 s left"},
		{25200 * time.Millisecond, 30 * s, 21, "draining:  21 open,  5 s left"},
		{31 * s, 30 * s, 3, "draining:   3 open,  0 s left"},
		{10 * s, 5 * time.Minute, 221, "draining: 221 open, 4m50s left"},
	} {
		snap := &ledger.Snapshot{At: 10*s + c.after, SendingEnded: 10 * s, Setup: &ledger.Setup{Drain: c.limit}}
		snap.Total.InFlight, snap.Total.AtEnd.Open = c.open, 221
		if got := draining(view(t), snap)[0]; got != c.want {
			t.Errorf("%v of %v: got %q, want %q", c.after, c.limit, got, c.want)
		}
	}
}
