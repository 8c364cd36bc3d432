package run

import (
	"context"
	"fmt"
	"slices"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/probes"
)

// reading adds what a probe said, or why it said nothing, to its series.
func (l *Loop) reading(r probes.Reading) {
	for i := range l.series {
		if l.series[i].Name != r.Probe {
			continue
		}
		p := probes.Point{At: ledger.Cut(r.At.Sub(l.setup.Start)), Sample: r.Sample}
		if r.Err != nil {
			p.Sample, p.Why = nil, r.Err.Error()
		}
		_, _, was := l.series[i].Gap()
		l.series[i] = l.series[i].With(p)
		l.tellGap(r.Probe, p, was)
		l.rec.sample(r.Probe, p)
		if p.Sample != nil {
			l.seenMode(r.Probe, p)
		}
	}
}

// tellGap notes when a source falls silent and when it is back.
func (l *Loop) tellGap(probe string, p probes.Point, was bool) {
	switch name := (ledger.Arg{Name: "probe", Value: probe}); {
	case p.Sample == nil && !was:
		l.note(p.At, ledger.Attention, "probe-lost", name, ledger.Arg{Name: "why", Value: p.Why})
	case p.Sample != nil && was:
		l.note(p.At, ledger.Info, "probe-back", name)
	}
}

// seenMode follows the power mode that a board reports, whoever changed it.
func (l *Loop) seenMode(probe string, p probes.Point) {
	board := l.board(probe)
	if board < 0 || p.Sample.Mode == nil || l.ledger.Phase() == ledger.Ended || p.At <= l.switched[board] {
		return // or it was read before the last switch
	}
	switch now := l.ledger.BoardMode(board); {
	case now == "":
		l.ledger.StartMode(board, p.Sample.Mode.Name)
	case now != p.Sample.Mode.Name:
		l.changeMode(p.At, board, *p.Sample.Mode)
	}
}

// modes fills in what the boards said before the run began.
func (l *Loop) modes(boards []ledger.Board) []ledger.Board {
	out := slices.Clone(boards)
	for _, s := range l.series {
		if b := l.board(s.Name); b >= 0 {
			if p, ok := s.Last(); ok && p.Sample.Mode != nil {
				out[b].Mode = p.Sample.Mode.Name
			}
		}
	}
	return out
}

func (l *Loop) changeMode(at time.Duration, board int, to probes.Mode) {
	from := l.ledger.BoardMode(board)
	at = l.ledger.Mode(at, board, to.Name)
	l.switched[board] = at
	probe := l.setup.Boards[board].Probe
	l.rec.mode(at, probe, to.Name, to.ID)
	l.note(at, ledger.Info, "mode", ledger.Arg{Name: "board", Value: probe},
		ledger.Arg{Name: "from", Value: from}, ledger.Arg{Name: "to", Value: to.Name})
}

func (l *Loop) board(probe string) int {
	for i, b := range l.setup.Boards {
		if b.Probe == probe {
			return i
		}
	}
	return -1
}

// switchMode asks the board for another power mode, off the loop, one at a time.
func (l *Loop) switchMode(ctx context.Context, c ledger.Command) error {
	for _, p := range l.opt.Probes {
		s, ok := p.(probes.Switcher)
		if !ok || c.Board != "" && p.Name() != c.Board {
			continue
		}
		c.Board = p.Name()
		if l.switching[c.Board] {
			return fmt.Errorf("%s is still being switched", c.Board)
		}
		l.switching[c.Board] = true
		run := l.run
		l.group.Go("power mode", func() {
			m, err := s.SetMode(ctx, c.Mode)
			select {
			case l.ready <- readied{c: c, run: run, mode: m, err: err}:
			case <-ctx.Done():
			}
		})
		return errLater
	}
	if c.Board == "" {
		return fmt.Errorf("no board here has a power mode to switch")
	}
	return fmt.Errorf("%s has no power mode to switch", c.Board)
}

func (l *Loop) switchedMode(r readied) {
	delete(l.switching, r.c.Board)
	if r.err != nil {
		l.note(l.now(), ledger.Attention, "mode-failed",
			ledger.Arg{Name: "board", Value: r.c.Board}, ledger.Arg{Name: "why", Value: r.err.Error()})
		l.ack(r.c.ID, ledger.Refused, l.now(), r.err.Error())
		return
	}
	if b := l.board(r.c.Board); b >= 0 && l.ledger.Phase() != ledger.Ended && l.ledger.BoardMode(b) != r.mode.Name {
		l.changeMode(l.now(), b, r.mode)
	}
	l.ack(r.c.ID, ledger.Applied, l.now(), "")
}

// shiftSeries moves the points of the series to a run that begins at zero.
func (l *Loop) shiftSeries(zero time.Time) {
	for i, s := range l.series {
		points := make([]probes.Point, len(s.Points))
		copy(points, s.Points)
		for j := range points {
			points[j].At += ledger.Cut(l.zero.Sub(zero))
		}
		l.series[i].Points = points
	}
	l.zero = zero
}
