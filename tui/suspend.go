package tui

import (
	"io"

	tea "github.com/charmbracelet/bubbletea"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/panes"
)

// A Suspender gives the terminal back to a shell for a while.
type Suspender interface {
	// Able reports whether there is a shell that would continue us.
	Able() bool
	// Suspend pauses what is sent and stops the process until it is
	// continued. The terminal is as the shell knows it meanwhile.
	Suspend() error
	// Resume goes on with what Suspend paused: the screen is back. It does
	// not block.
	Resume() error
}

// away is what the program does while the shell has the terminal.
type away struct{ Suspender }

func (a away) Run() error        { return a.Suspend() }
func (away) SetStdin(io.Reader)  {}
func (away) SetStdout(io.Writer) {}
func (away) SetStderr(io.Writer) {}

// bySuspend marks the commands of a suspension, whoever suspends.
const bySuspend = "suspend"

// suspensions notes when the program was suspended in this run, from the commands
// that pause for it and go on. They are no longer listed once others follow.
func (m *Model) suspensions(s *ledger.Snapshot) {
	for i := range s.Commands {
		a := &s.Commands[i]
		if a.State == ledger.Pending && a.By == bySuspend {
			return // those behind it wait too
		}
		if a.ID <= m.seen {
			continue
		}
		m.seen = a.ID
		last := len(m.view.Away) - 1
		lasts := last >= 0 && m.view.Away[last].To == ledger.Never
		switch {
		case a.State != ledger.Applied || a.By != bySuspend:
		case a.Do == ledger.DoPause && !lasts:
			m.view.Away = append(m.view.Away, panes.Stretch{From: a.At, To: ledger.Never})
		case a.Do == ledger.DoResume && lasts:
			m.view.Away[last].To = a.At
		}
	}
}

// backMsg says that the screen is there again; err why it never went.
type backMsg struct{ err error }

// suspend goes away, whatever is open on the screen.
func (m *Model) suspend() tea.Cmd {
	if m.suspender == nil || !m.suspender.Able() {
		m.tell(ledger.Info, lang.SayNoSuspend)
		return nil
	}
	return tea.Exec(away{m.suspender}, func(err error) tea.Msg { return backMsg{err} })
}

func (m *Model) returned(msg backMsg) tea.Cmd {
	if msg.err != nil {
		m.tell(ledger.Attention, lang.SayNoSuspend)
	}
	if err := m.suspender.Resume(); err != nil {
		m.tell(ledger.Attention, lang.SayRefused, lang.With("why", err.Error()))
	}
	m.poll()
	m.redraw()
	return nil
}
