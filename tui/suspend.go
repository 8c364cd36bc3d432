package tui

import (
	"io"

	tea "github.com/charmbracelet/bubbletea"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
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
