package cli

import (
	"context"
	"fmt"
	"io"
	"time"

	"dev.example/pileup/loadgen/guard"
	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/report"
	"dev.example/pileup/loadgen/run"
	"dev.example/pileup/loadgen/runfile"
)

// plainShow prints a line a second and tables at the end.
type plainShow struct {
	std   streams
	lang  *lang.Catalogue
	asked asked

	closed int // last second that was printed
	notes  int // notes that were printed
}

func (*plainShow) stays() bool { return false }

func (p *plainShow) run(ctx context.Context, loop runner) (int, error) {
	ctx, stop := onSecondSignal(ctx, loop, p.std.err, suspends(loop))
	defer stop()
	if err := p.watch(ctx, loop); err != nil {
		return exitOK, err
	}
	s := loop.Snapshot()
	p.print(s)
	io.WriteString(p.std.out, report.End(p.lang, s, p.asked.verdicts(s)...))
	p.asked.tell(p.std.err, s)
	return p.asked.codeAfter(ctx, s), nil
}

// watch runs the loop and prints what there is to print until it ends. The
// loop never waits for the output.
func (p *plainShow) watch(ctx context.Context, loop runner) error {
	var err error
	ended := make(chan struct{})
	var group guard.Group
	defer group.Wait()
	group.Go("run", func() {
		defer close(ended)
		err = loop.Run(ctx)
	})
	io.WriteString(p.std.out, report.Start(p.lang, loop.Snapshot().Setup))
	tick := time.NewTicker(run.Period)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			return err
		case <-tick.C:
			p.print(loop.Snapshot())
		}
	}
}

func (p *plainShow) print(s *ledger.Snapshot) {
	for _, n := range s.Notes[max(0, len(s.Notes)-(s.Noted-p.notes)):] {
		if n.Level > ledger.Info || lang.ID(n.ID) == lang.NoteTargetBack {
			fmt.Fprintf(p.std.out, "%s\n", p.lang.T(lang.PlainNote, lang.With("at", n.At), lang.With("text", p.lang.Note(n))))
		}
	}
	p.notes = s.Noted
	if s.Closed > p.closed {
		io.WriteString(p.std.out, report.Seconds(p.lang, s, p.closed))
		p.closed = s.Closed
	}
}

// jsonShow prints one object at the end.
type jsonShow struct {
	std   streams
	asked asked
}

func (*jsonShow) stays() bool { return false }

func (j *jsonShow) run(ctx context.Context, loop runner) (int, error) {
	ctx, stop := onSecondSignal(ctx, loop, j.std.err, suspends(loop))
	defer stop()
	if err := loop.Run(ctx); err != nil {
		return exitOK, err
	}
	s := loop.Snapshot()
	header, err := runfile.Describe(s.Setup)
	if err != nil {
		return exitOK, err
	}
	if err := report.WriteJSON(j.std.out, s, header, j.asked.verdicts(s)...); err != nil {
		return exitOK, err
	}
	j.asked.tell(j.std.err, s)
	return j.asked.codeAfter(ctx, s), nil
}
