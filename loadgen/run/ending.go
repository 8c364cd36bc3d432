package run

import (
	"context"
	"errors"
	"slices"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/probes"
)

// limitDrain sets the time after which what is open is given up, once sending
// has ended.
func (l *Loop) limitDrain(at time.Duration) {
	if l.setup.Drain == 0 || l.patience != nil {
		return
	}
	ended := time.Duration(0)
	for i := range l.setup.Lanes {
		end, over := l.engine.Ended(i)
		if !over {
			return
		}
		ended = max(ended, end)
	}
	l.ended = ended
	l.patience = time.NewTimer(ended + l.setup.Drain - at)
}

// drainOver has something when what is open has been waited for long enough.
func (l *Loop) drainOver() <-chan time.Time {
	if l.patience == nil {
		return nil
	}
	return l.patience.C
}

func (l *Loop) giveUp() {
	at := l.now()
	l.note(at, ledger.Attention, "drain-over", ledger.Arg{Name: "after", Value: at - l.ended})
	l.engine.Cut()
}

// judge stops a run that cannot work: something is wrong with what is sent, or
// with how much of it.
func (l *Loop) judge(at time.Duration) {
	if l.engine.Full() && !l.full {
		l.full = true
		l.note(at, ledger.Bad, "too-many-open", ledger.Arg{Name: "n", Value: int64(l.opt.Open)})
		stop := ledger.Command{Do: ledger.DoStop, Lane: ledger.All}
		if lanes, err := l.lanesOf(stop); err == nil {
			_ = l.stopLanes(stop, lanes) // fails if all have ended by now
		}
	}
	if l.opt.KeepGoing || l.hopeless {
		return
	}
	if f, bad := l.ledger.Hopeless(); bad {
		l.hopeless = true
		l.note(at, ledger.Bad, "hopeless", ledger.Arg{Name: "class", Value: f.Name()}, ledger.Arg{Name: "text", Value: f.Text})
		l.engine.Cut()
	}
}

// stops tells the ledger which lanes have stopped sending.
func (l *Loop) stops() {
	for i := range l.setup.Lanes {
		if end, ended := l.engine.Ended(i); ended && !l.ledger.Stopped(i) {
			l.rec.stop(end, i, l.stoppedBy[i], l.ledger.OpenSecond())
			l.ledger.Stop(end, i)
		}
	}
}

// tellEnd notes that sending has ended, once all that happened before it has
// been booked.
func (l *Loop) tellEnd() {
	p := l.ledger.Phase()
	if l.toldEnd || p != ledger.Draining && p != ledger.Ended {
		return
	}
	s := l.ledger.Snapshot()
	if ledger.SecondOf(s.SendingEnded) > s.Closed+1 {
		return // the second in which it ended is not open yet
	}
	l.toldEnd = true
	end := s.Total.AtEnd
	l.note(end.At, ledger.Info, "sending-ended",
		ledger.Arg{Name: "due", Value: end.OK + end.Failed + end.Open}, ledger.Arg{Name: "open", Value: end.Open})
}

// An ender is a cause of a context that has a name for what ended the run.
type ender interface {
	error
	EndedBy() string
}

// finish books the rest and closes the run.
func (l *Loop) finish(ctx context.Context) error {
	if err := errors.Join(l.step(), l.ledger.Finish()); err != nil {
		l.rec.end(l.now(), "error")
		return err
	}
	l.tellEnd()
	s := l.ledger.Snapshot()
	if n := s.Total.Fail[ledger.CutOff]; n > 0 {
		l.note(s.At, ledger.Attention, "cut", ledger.Arg{Name: "n", Value: n})
	} else {
		l.note(s.At, ledger.Info, "drained", ledger.Arg{Name: "after", Value: s.At - s.SendingEnded})
	}
	l.rec.put(s.At, l.ledger.Take())
	switch {
	case l.hopeless, l.full:
		l.why = "failed"
	case l.cut:
		l.why = "cut"
	case ctx.Err() != nil:
		l.why = "quit"
		if by, named := errors.AsType[ender](context.Cause(ctx)); named {
			l.why = by.EndedBy()
		}
	default:
		l.why = "done"
	}
	l.rec.end(s.At, l.why)
	l.publish()
	return nil
}

// linger keeps probes and commands alive after a run is done.
func (l *Loop) linger(ctx context.Context) {
	for l.opt.Stay && l.restart == nil && ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case c := <-l.commands:
			l.command(ctx, c)
			l.publish()
		case r := <-l.readings:
			l.reading(r)
			l.keepDriver(r.Probe)
			l.publish()
		case r := <-l.ready:
			l.readied(r)
			l.publish()
		}
	}
}

// keepDriver keeps what the driver said of a run that is over: up to its next
// sample, of which a part is of the run.
func (l *Loop) keepDriver(probe string) {
	i := slices.IndexFunc(l.series, func(s probes.Series) bool { return s.Name == ledger.DriverProbe })
	if l.driver == nil && i >= 0 && probe == ledger.DriverProbe {
		said := l.series[i]
		l.driver = &said
	}
}
