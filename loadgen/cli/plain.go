package cli

import (
	"cmp"
	"context"
	"io"
	"slices"
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

	closed int           // last second that was printed
	notes  int           // notes that were looked at
	late   []ledger.Note // those of a second behind the one that is to be printed next
}

func (*plainShow) stays() bool { return false }

func (p *plainShow) run(hears *ear, loop runner) (int, error) {
	return through(&p.std, hears, func(finish func() error) (int, error) { return p.show(hears, loop, finish) })
}

func (p *plainShow) show(hears *ear, loop runner, finish func() error) (int, error) {
	if code := hears.begin(loop, p.std.err, suspends(loop)); code != exitOK {
		return code, nil
	}
	if err := p.watch(hears.ctx, loop); err != nil {
		return exitOK, err
	}
	s := loop.Snapshot()
	p.print(s)
	io.WriteString(p.std.out, report.End(p.lang, s, p.asked.verdicts(s)...))
	lost := finish()
	p.asked.tell(p.std.err, s)
	if lost != nil {
		return exitOK, lost
	}
	return p.asked.codeAfter(hears.ctx, s), nil
}

// watch runs the loop and prints what there is to print until it ends. The
// loop never waits for the output, and while that is not taken nothing more is
// printed.
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
			if out, ok := p.std.out.(*outlet); !ok || out.idle() {
				p.print(loop.Snapshot())
			}
		}
	}
}

// print prints what is new, in the order of time: a note before the second it is
// of, at once where that is the one to be printed next.
func (p *plainShow) print(s *ledger.Snapshot) {
	fresh := p.late
	for _, n := range s.Notes[max(0, len(s.Notes)-(s.Noted-p.notes)):] {
		if n.Level > ledger.Info || lang.ID(n.ID) == lang.NoteTargetBack {
			fresh = append(fresh, n)
		}
	}
	slices.SortStableFunc(fresh, func(a, b ledger.Note) int { return cmp.Compare(a.At, b.At) })
	p.notes = s.Noted
	now := len(fresh)
	if s.Phase != ledger.Ended {
		now, _ = slices.BinarySearchFunc(fresh, time.Duration(s.Closed+1)*time.Second,
			func(n ledger.Note, at time.Duration) int { return cmp.Compare(n.At, at) })
	}
	io.WriteString(p.std.out, report.Seconds(p.lang, s, p.closed, fresh[:now]...))
	p.late, p.closed = slices.Clone(fresh[now:]), s.Closed
}

// jsonShow prints one object at the end.
type jsonShow struct {
	std   streams
	asked asked
}

func (*jsonShow) stays() bool { return false }

func (j *jsonShow) run(hears *ear, loop runner) (int, error) {
	return through(&j.std, hears, func(finish func() error) (int, error) { return j.show(hears, loop, finish) })
}

func (j *jsonShow) show(hears *ear, loop runner, finish func() error) (int, error) {
	if code := hears.begin(loop, j.std.err, suspends(loop)); code != exitOK {
		return code, nil
	}
	if err := loop.Run(hears.ctx); err != nil {
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
	lost := finish()
	j.asked.tell(j.std.err, s)
	if lost != nil {
		return exitOK, lost
	}
	return j.asked.codeAfter(hears.ctx, s), nil
}
