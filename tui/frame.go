package tui

import (
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/themes"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/layout"
	"dev.example/pileup/tui/panes"
)

// mark says what the body was drawn from: while it is equal, so is the body.
type mark struct {
	run, closed, notes int
	note               time.Duration
	phase              ledger.Phase
	ended              time.Duration
}

func markOf(s *ledger.Snapshot) (m mark) {
	if s == nil {
		return m
	}
	m = mark{run: s.Run, closed: s.Closed, notes: len(s.Notes), phase: s.Phase, ended: s.SendingEnded}
	if m.notes > 0 {
		m.note = s.Notes[m.notes-1].At
	}
	return m
}

// init takes the options; what is not given has a default.
func (m *Model) init(o Options) {
	if m.tick <= 0 {
		m.tick = 100 * time.Millisecond
	}
	names := themes.Names()
	for _, name := range names {
		t, err := themes.Load(name)
		if err != nil {
			continue
		}
		if name == o.Theme {
			m.theme = len(m.themes)
		}
		m.themes = append(m.themes, panes.Resolve(t))
	}
	if len(m.themes) == 0 {
		m.themes = []panes.Theme{{}}
	}
	m.view = panes.View{Theme: &m.themes[m.theme], Lang: o.Lang, Lane: ledger.All, Focus: layout.Backlog}
	if m.view.Lang == nil {
		m.view.Lang = lang.English
	}
}

// refresh draws what a tick may have changed: the body when a second has
// closed or something was noted, the head four times a second.
func (m *Model) refresh() {
	switch s := m.shown(); {
	case markOf(s) != m.drawn:
		m.redraw()
	case m.ticks*4/10 != (m.ticks-1)*4/10:
		m.head()
		m.out = m.buf.View(m.profile)
	}
}

// redraw draws everything.
func (m *Model) redraw() {
	s := m.shown()
	m.drawn = markOf(s)
	m.plan = layout.Of(m.w, m.h, m.zoom)
	m.view.Small, m.view.Zoomed, m.view.Frozen = m.plan.Small, m.zoom != 0, m.frozen != nil
	m.buf.Resize(m.w, m.h)
	m.head()
	if !m.plan.Plain {
		m.body(s)
	}
	m.out = m.buf.View(m.profile)
}

func (m *Model) body(s *ledger.Snapshot) {
	if m.help {
		panes.Help(m.buf, m.plan.Body, &m.view)
		return
	}
	m.pane.Draw(m.buf, &m.plan, &m.view, s)
	if p, ok := m.ask.(*pick); ok {
		p.draw(m)
	}
}

// head draws the lines that change more often than once a second.
func (m *Model) head() {
	if m.plan.Plain {
		m.buf.Fill(m.plan.Figures, 0, cells.Style{})
		panes.Plain(m.buf, m.plan.Figures, &m.view, m.shown())
		return
	}
	m.buf.Fill(m.plan.Header, 0, cells.Style{})
	m.buf.Fill(m.plan.Figures, 0, cells.Style{})
	panes.Header(m.buf, m.plan.Header, &m.view, m.snap)
	panes.Figures(m.buf, m.plan.Figures, &m.view, m.shown())
	m.line()
}
