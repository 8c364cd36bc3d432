package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/keys"
	"dev.example/pileup/tui/layout"
	"dev.example/pileup/tui/panes"
)

// keyed takes one message of the keyboard, which may hold several keys: runes
// read at once come as one message.
func (m *Model) keyed(msg tea.KeyMsg) tea.Cmd {
	if msg.Paste {
		return m.pasted(msg)
	}
	if msg.Type != tea.KeyRunes || msg.Alt {
		return m.pressed(msg.String(), msg)
	}
	var last tea.Cmd
	for _, k := range keys.Split(msg.Runes) {
		one := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}
		if cmd := m.pressed(k, one); cmd != nil {
			last = cmd
		}
	}
	return last
}

// pasted text is meant for an open field and for nothing else.
func (m *Model) pasted(msg tea.KeyMsg) tea.Cmd {
	if m.ask == nil {
		return nil
	}
	cmd := m.ask.key(m, "", msg)
	m.redraw()
	return cmd
}

// pressed takes one key: an open question first, then the table.
func (m *Model) pressed(k string, msg tea.KeyMsg) tea.Cmd {
	if m.ask == nil {
		m.message = message{}
	}
	action := keys.Find(k)
	var cmd tea.Cmd
	switch {
	case action == keys.Interrupt:
		cmd = m.interrupt()
	case action == keys.Suspend:
		cmd = m.suspend()
	case m.ask != nil:
		cmd = m.ask.key(m, k, msg)
	case action == keys.Quit:
		cmd = m.quit()
	case m.snap == nil || len(m.snap.Lanes) == 0: // there is nothing to change or to look at
	case action < keys.LaneNext:
		m.load(action)
	case action == keys.Focus:
		m.focus(layout.Pane(k[0] - '0'))
	default:
		m.look(action)
	}
	m.redraw()
	return cmd
}

// load does what changes the run.
func (m *Model) load(a keys.Action) {
	switch a {
	case keys.RateUp:
		m.rate(ledger.Add, 1)
	case keys.RateDown:
		m.rate(ledger.Add, -1)
	case keys.RateUp10:
		m.rate(ledger.Add, 10)
	case keys.RateDown10:
		m.rate(ledger.Add, -10)
	case keys.RateDouble:
		m.rate(ledger.Mul, 2)
	case keys.RateHalve:
		m.rate(ledger.Mul, 0.5)
	case keys.RateType:
		m.askRate()
	case keys.ModelNext:
		m.nextModel()
	case keys.ModelPick:
		m.askModel()
	case keys.Arrivals:
		m.otherArrivals()
	case keys.TargetPick:
		m.askTarget()
	case keys.Burst:
		m.askBurst()
	case keys.Pause:
		m.pause()
	case keys.Stop:
		m.stop()
	case keys.Cut:
		m.askCut()
	case keys.Restart:
		m.askRestart()
	case keys.Mode:
		m.askMode()
	case keys.Mark:
		m.mark()
	}
}

// look does what changes only the screen.
func (m *Model) look(a keys.Action) {
	v := &m.view
	switch a {
	case keys.LaneNext:
		m.nextLane()
	case keys.LaneAll:
		m.allLanes()
	case keys.Zoom:
		if m.plan.Plain {
			m.tell(ledger.Info, lang.SayPanesNeed)
			return
		}
		m.zoomed(v.Focus)
	case keys.Up:
		m.scroll(1)
	case keys.Down:
		m.scroll(-1)
	case keys.PageUp:
		m.scroll(m.page())
	case keys.PageDown:
		m.scroll(-m.page())
	case keys.Freeze:
		m.freeze()
	case keys.Window:
		v.NextWindow()
	case keys.Scale:
		v.Linear = !v.Linear
	case keys.Service:
		v.Service = !v.Service
	case keys.Theme:
		m.theme = (m.theme + 1) % len(m.themes)
		v.Theme = &m.themes[m.theme]
	case keys.Help:
		m.help, m.view.Scroll.Help = !m.help, 0
	case keys.Back:
		m.back()
	}
}

// focus turns to a pane; again, or if it has no place, it fills the screen.
func (m *Model) focus(p layout.Pane) {
	m.help = false
	switch {
	case !slices.Contains(layout.All, p):
		m.tell(ledger.Info, lang.SayNoPane, lang.With("n", int(p)))
		return
	case m.plan.Plain:
		m.tell(ledger.Info, lang.SayPanesNeed)
		return
	}
	if p == layout.Lanes && len(m.snap.Lanes) < 2 {
		m.tell(ledger.Info, lang.SayOneLane)
		return
	}
	if m.view.Focus == p || !m.pane.Shown(p, &m.plan, &m.view, m.shown()) {
		m.zoomed(p)
		return
	}
	m.view.Focus, m.zoom = p, 0
}

func (m *Model) zoomed(p layout.Pane) {
	m.view.Focus = p
	if m.zoom == p {
		m.zoom = 0
		return
	}
	m.zoom = p
}

// back leaves one thing at a time, and never the program.
func (m *Model) back() {
	switch {
	case m.help:
		m.help = false
	case m.zoom != 0:
		m.zoom = 0
	case m.frozen != nil:
		m.frozen = nil
	default:
		m.view.Scroll = panes.Scroll{}
	}
}

func (m *Model) freeze() {
	if m.frozen != nil {
		m.frozen = nil
		return
	}
	m.frozen = m.snap
}

// scroll moves the table that is in focus, the ledger if none is. Lines count
// from the newest back.
func (m *Model) scroll(lines int) {
	if m.help {
		m.view.Scroll.Help = min(max(0, m.view.Scroll.Help-lines), 2*m.h)
		return
	}
	if m.view.Focus == layout.Events {
		m.view.ScrollEvents(m.shown(), lines)
		return
	}
	m.view.ScrollLedger(m.shown(), m.plan.Pane(layout.Ledger).H, lines)
}

// page is how many lines a page of the scrolled table has.
func (m *Model) page() int {
	p := layout.Ledger
	if m.view.Focus == layout.Events {
		p = layout.Events
	}
	return max(1, m.plan.Pane(p).H-4)
}

func (m *Model) nextLane() {
	n := len(m.snap.Lanes)
	if n < 2 {
		m.tell(ledger.Info, lang.SayOneLane)
		return
	}
	m.view.Lane = (m.view.Lane + 1) % n
}

func (m *Model) allLanes() {
	switch {
	case len(m.snap.Lanes) < 2:
		m.tell(ledger.Info, lang.SayOneLane)
	case m.view.Lane == ledger.All:
		m.view.Lane = 0
	default:
		m.view.Lane = ledger.All
	}
}
