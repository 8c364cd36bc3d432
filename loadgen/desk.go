package loadgen

import (
	"context"
	"sync/atomic"
	"time"

	"dev.example/pileup/loadgen/guard"
	"dev.example/pileup/loadgen/ledger"
)

// desk is what lanes and requests share: the clock, the bounds, the way out
// for events and the gate to the endpoint.
type desk struct {
	opt     Options
	ctx     context.Context // of the run, for what needs one of its own
	events  buffers
	gate    gate
	flight  flight
	loads   []load        // by target
	sending guard.Group   // requests that need a goroutine
	behind  atomic.Int64  // requests that lanes have noted as due and not started
	changed chan struct{} // capacity 1; a lane ended

	halted atomic.Bool // nothing more is taken up by what follows a schedule
	full   atomic.Bool // and this is why: too much is open
}

// admit hands r to the gate.
func (d *desk) admit(r *request) { d.bound(d.gate.admit(r)) }

// bound ends sending when too many requests are open, of which the gate knows so
// many.
func (d *desk) bound(open int) {
	if open+int(d.behind.Load()) > d.opt.Open {
		d.full.Store(true)
		d.halted.Store(true)
	}
}

// now is the present instant of the run's clock.
func (d *desk) now() time.Duration { return ledger.Cut(time.Since(d.opt.Zero)) }

func (d *desk) signal() {
	select {
	case d.changed <- struct{}{}:
	default:
	}
}

func cutByUs() ledger.Failure {
	return ledger.Failure{Class: ledger.CutOff, Text: ErrCut.Error()}
}
