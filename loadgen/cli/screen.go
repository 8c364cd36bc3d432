package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"syscall"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sys/unix"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/guard"
	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/report"
	"dev.example/pileup/tui"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/term"
)

// screenShow is the live screen.
type screenShow struct {
	std     streams
	in, out *os.File
	colors  int
	theme   string
	fps     int
	lang    *lang.Catalogue
	asked   asked
}

func (*screenShow) stays() bool { return true }

// run shows the run until somebody leaves. The load never waits for the
// screen: it only looks at snapshots, and a terminal that takes no output
// loses frames.
func (s *screenShow) run(hears *ear, loop runner) (int, error) {
	saved, err := term.Save(s.in.Fd())
	if errors.Is(err, syscall.EIO) { // the terminal is gone, and the signal that says so on its way
		return exitHangup, nil
	}
	if err != nil {
		return exitOK, err
	}
	onCrash(s.out, saved)
	repaints := make(chan struct{}, 1) // full: one is to come
	suspend := &suspender{loop: loop}
	wake := func(context.Context) {
		if !suspend.away.Load() { // somebody stopped us unasked, and a shell has had the terminal
			_ = term.Raw(s.in.Fd())
			ask(repaints)
		}
	}
	if code := hears.begin(loop, io.Discard, map[syscall.Signal]func(context.Context){unix.SIGCONT: wake}); code != exitOK {
		onCrash(nil, saved)
		return code, nil
	}

	var loopErr error
	var group, terminal guard.Group
	ctx, cancel := context.WithCancelCause(hears.ctx)
	defer cancel(nil)
	writer := term.NewWriter(s.out,
		func() { ask(repaints) },
		func(error) { cancel(killed{syscall.SIGHUP}) }, // the terminal is gone, whoever noticed
	)
	suspend.stop = func() error {
		writer.Release(patience)
		return stopGroup()
	}
	model := tui.New(tui.Options{Source: loop, Theme: s.theme, Lang: s.lang, Profile: cells.ProfileOf(s.colors), Suspend: suspend, SLOs: s.asked, Slots: loadgen.MaxSlots, Burst: loadgen.MaxBurst})
	program := tea.NewProgram(guarded{model}, tea.WithInput(s.in), tea.WithOutput(writer),
		tea.WithAltScreen(), tea.WithFPS(s.fps), tea.WithoutSignalHandler())
	group.Go("repaint", func() { repaint(ctx, program, s.out, repaints) })
	group.Go("run", func() {
		if loopErr = loop.Run(ctx); loopErr != nil {
			program.Quit()
		}
	})
	unhook := context.AfterFunc(ctx, program.Quit)
	terminal.Go("terminal", writer.Run)
	_, err = program.Run()
	unhook()
	if errors.Is(err, syscall.EIO) {
		cancel(killed{syscall.SIGHUP})
	}
	if signalCode(ctx) != exitOK {
		err = nil // it ended the program, whatever that says of it
	}
	cancel(nil)
	group.Wait()
	if err = errors.Join(err, loopErr); err == nil {
		last := loop.Snapshot()
		io.WriteString(writer, report.Start(s.lang, last.Setup)+report.End(s.lang, last, s.asked.verdicts(last)...)) // not to a terminal that may take nothing
	}
	if !errors.Is(writer.Close(), term.ErrStalled) { // else the write that hangs is left behind
		terminal.Wait()
	}
	onCrash(nil, saved)
	if err != nil {
		return exitOK, err
	}
	errs := newOutlet(s.std.err)
	s.asked.tell(errs, loop.Snapshot())
	_ = errs.finish(ctx) // which is over: the terminal may take nothing
	return s.code(ctx, model, loop.Snapshot()), nil
}

// code is the exit code of a run whose screen was left.
func (s *screenShow) code(ctx context.Context, m *tui.Model, last *ledger.Snapshot) int {
	switch code := signalCode(ctx); {
	case code == exitCut && last.Why == "done": // interrupted when there was nothing left to cut
		return s.asked.code(last)
	case code != exitOK:
		return code
	case last.Why == "cut" || m.Ended() == tui.Cut || m.Ended() == tui.Asked:
		return exitCut
	}
	return s.asked.code(last)
}

// ask asks for what somebody waits for at c, unless that has been done already.
func ask(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// repaint makes the program draw the whole screen again whenever asked to,
// until ctx is done. While the program is suspended that waits; nobody who
// asks does.
func repaint(ctx context.Context, p *tea.Program, out *os.File, asked <-chan struct{}) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-asked:
			if w, h, err := term.Size(out); err == nil {
				p.Send(tea.WindowSizeMsg{Width: w, Height: h})
			}
		}
	}
}

// guarded hands a panic of the screen to the crash hook, which knows how to
// give the terminal back before it says anything.
type guarded struct{ *tui.Model }

func (g guarded) Update(m tea.Msg) (tea.Model, tea.Cmd) {
	defer guard.Recover("the screen")
	_, c := g.Model.Update(m)
	return g, c
}
