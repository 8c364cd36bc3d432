// Package tui is the live screen: it draws snapshots of a run and turns keys
// into commands. It is the only tea.Model; panes are plain structs below it.
//
// The one idea: the screen polls. It never touches the run, never waits for it
// and never asks the time; everything it shows, the instant included, is in the
// snapshot. A value changes on screen when a snapshot says that it changed.
//
// Charts and tables are drawn when a second has closed, header and key figures
// four times a second, anything at once after a key or a resize. What is drawn
// is kept as the string that View returns.
package tui

import (
	"maps"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/layout"
	"dev.example/pileup/tui/panes"
)

// A Source is the run as the screen sees it. Neither method may block.
type Source interface {
	// Snapshot returns the newest state, nil before there is one.
	Snapshot() *ledger.Snapshot
	// Do asks for a change and returns the number under which its answer
	// will stand in Snapshot.Commands.
	Do(ledger.Command) (uint64, error)
}

// Options are what a screen is made of. Only Source is needed.
type Options struct {
	Source  Source
	Theme   string          // name of the first theme; the theme key walks them all. Default: dark
	Lang    *lang.Catalogue // default: English
	Profile cells.Profile   // which colours the terminal has
	Tick    time.Duration   // how often the source is asked; default 100 ms
	Suspend Suspender       // what ctrl+z does; nil is nothing
	SLOs    []ledger.SLO    // what is asked of the run
	Slots   int             // most slots a closed loop may have; default 100,000
	Burst   int             // most requests of a burst; default 100,000
}

// An End says how the screen was left.
type End uint8

// The ends.
const (
	Open  End = iota // it was not left by a key
	Done             // the run was over
	Cut              // the run was given up: quit, confirmed
	Asked            // a second interrupt while the run was draining
)

// Model is the screen. Use [New].
type Model struct {
	source    Source
	suspender Suspender
	tick      time.Duration
	profile   cells.Profile

	slos   []ledger.SLO
	judged sloBasis         // what the verdicts are of
	snap   *ledger.Snapshot // newest
	frozen *ledger.Snapshot // what is drawn instead, nil if not frozen
	ticks  int

	w, h    int
	buf     *cells.Buf
	plan    layout.Plan
	view    panes.View
	pane    panes.Set
	themes  []panes.Theme
	theme   int
	drawn   basis  // what the body shows
	out     string // what View returns
	zoom    layout.Pane
	help    bool
	ask     asker // the open question, nil if none
	message message

	pending     map[uint64]bool // commands from here that have no answer yet
	seen        uint64          // the last command that was looked at for a suspension
	burst       int             // requests of the last burst
	mostSlots   int
	mostBurst   int
	marks       int // moments of this run that were marked
	run         int
	interrupted bool
	end         End
}

// New returns a screen over a source.
func New(o Options) *Model {
	m := &Model{
		source: o.Source, slos: o.SLOs, suspender: o.Suspend, profile: o.Profile, tick: o.Tick,
		buf: cells.NewBuf(0, 0), run: -1, burst: firstBurst, pending: map[uint64]bool{},
	}
	m.init(o)
	m.poll()
	m.redraw()
	return m
}

// Ended says how the screen was left; it is final once the program has ended.
func (m *Model) Ended() End { return m.end }

// View returns the screen as drawn last.
func (m *Model) View() string { return m.out }

type tickMsg struct{}

// Init starts the ticks.
func (m *Model) Init() tea.Cmd { return m.next() }

func (m *Model) next() tea.Cmd {
	return tea.Tick(m.tick, func(time.Time) tea.Msg { return tickMsg{} })
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tickMsg:
		return m, m.ticked()
	case tea.WindowSizeMsg:
		return m, m.resized(msg)
	case tea.KeyMsg:
		return m, m.keyed(msg)
	case backMsg:
		return m, m.returned(msg)
	}
	return m, nil
}

func (m *Model) ticked() tea.Cmd {
	m.ticks++
	m.poll()
	m.refresh()
	return m.next()
}

func (m *Model) resized(msg tea.WindowSizeMsg) tea.Cmd {
	m.w, m.h = msg.Width, msg.Height
	m.redraw()
	return nil
}

// poll takes the newest snapshot and what it says to the person at the keys.
func (m *Model) poll() {
	s := m.source.Snapshot()
	if s == nil {
		return
	}
	if s.Run != m.run {
		m.begin(s)
	} else if v := &m.view; v.Scroll.Events > 0 && m.frozen == nil { // what is scrolled to stays
		v.ScrollEvents(s, max(0, len(s.Notes)-len(m.snap.Notes)))
	}
	m.snap = s
	m.suspensions(s)
	if s.Phase == ledger.Ended && m.message.id == lang.SayInterrupted {
		m.message = message{} // it drains no more
	}
	m.answers(s)
	if m.ask == nil { // a message waits until the question is closed
		m.message.age()
	}
}

// answers tells which of the commands from here were refused. Answers need not
// come in the order of the commands.
func (m *Model) answers(s *ledger.Snapshot) {
	for _, a := range s.Commands {
		if a.State == ledger.Pending || !m.pending[a.ID] {
			continue
		}
		delete(m.pending, a.ID)
		if a.State == ledger.Refused {
			m.tell(ledger.Attention, lang.SayRefused, lang.With("why", a.Why))
		}
	}
	if len(s.Commands) > 0 { // an answer that is no longer listed is not awaited
		maps.DeleteFunc(m.pending, func(id uint64, _ bool) bool { return id < s.Commands[0].ID })
	}
}

// begin forgets what belonged to the run before.
func (m *Model) begin(s *ledger.Snapshot) {
	m.run, m.marks = s.Run, 0
	m.frozen, m.interrupted, m.ask = nil, false, nil
	m.view.Scroll, m.view.Away = panes.Scroll{}, nil
	if m.view.Lane >= len(s.Lanes) {
		m.view.Lane = ledger.All
	}
	if len(s.Lanes) == 1 {
		m.view.Lane = 0
	}
}

// shown is the snapshot that the panes draw.
func (m *Model) shown() *ledger.Snapshot {
	if m.frozen != nil {
		return m.frozen
	}
	return m.snap
}
