package tui

import (
	"cmp"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/themes"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/layout"
	"dev.example/pileup/tui/panes"
)

// basis is what the body was drawn from: while it is equal, so is the body.
type basis struct {
	run, closed, notes int
	note               time.Duration
	phase              ledger.Phase
	ended              time.Duration
	sampled            time.Duration // newest point of all series: boards are read before and after the run too
	settings           int           // segments: a lane's setting changed
}

func basisOf(s *ledger.Snapshot) (m basis) {
	if s == nil {
		return m
	}
	m = basis{
		run: s.Run, closed: s.Closed, notes: len(s.Notes), phase: s.Phase, ended: s.SendingEnded,
		sampled: ledger.Never, settings: len(s.Segments),
	}
	if m.notes > 0 {
		m.note = s.Notes[m.notes-1].At
	}
	for i := range s.Series {
		if p := s.Series[i].Points; len(p) > 0 {
			m.sampled = max(m.sampled, p[len(p)-1].At)
		}
	}
	return m
}

// init takes the options; what is not given has a default.
func (m *Model) init(o Options) {
	const most = 100_000
	m.mostSlots, m.mostBurst = cmp.Or(o.Slots, most), cmp.Or(o.Burst, most)
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
	m.view = panes.View{Theme: &m.themes[m.theme], Lang: o.Lang, Lane: ledger.All, Focus: layout.Backlog, Mono: m.profile == cells.None}
	if m.view.Lang == nil {
		m.view.Lang = lang.English
	}
}

// refresh draws what a tick may have changed: the body when a second has
// closed or something was noted, the head four times a second.
func (m *Model) refresh() {
	switch s := m.shown(); {
	case basisOf(s) != m.drawn:
		m.redraw()
	case m.span(m.ticks)/headEvery != m.span(m.ticks-1)/headEvery:
		m.head()
		m.out = m.buf.View(m.profile)
	}
}

// headEvery is how often the head is drawn.
const headEvery = 250 * time.Millisecond

// span is how long that many ticks take.
func (m *Model) span(ticks int) time.Duration { return time.Duration(ticks) * m.tick }

// redraw draws everything.
func (m *Model) redraw() {
	s := m.shown()
	m.judge()
	m.drawn = basisOf(s)
	m.plan = layout.Of(m.w, m.h, m.zoom)
	m.view.Small, m.view.Zoomed, m.view.Frozen = m.plan.Small, m.zoom != 0, m.frozen != nil
	if m.view.Frozen {
		m.view.Since = m.frozen.At
	}
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
		p.list(m)
	}
}

// plain draws a screen too small for panes. A question or a message takes the
// last row, a list or the help the rows above it.
func (m *Model) plain() {
	m.buf.Fill(m.plan.Figures, 0, cells.Style{})
	p, picks := m.ask.(*pick)
	switch {
	case m.help:
		panes.Help(m.buf, m.plan.Body, &m.view)
	case picks:
		p.list(m)
	default:
		panes.Plain(m.buf, m.plan.Figures, &m.view, m.shown())
	}
	if m.ask != nil || m.message.text != "" {
		m.line()
	}
}

// head draws the lines that change more often than once a second.
func (m *Model) head() {
	if m.plan.Plain {
		m.plain()
		return
	}
	m.buf.Fill(m.plan.Header, 0, cells.Style{})
	m.buf.Fill(m.plan.Figures, 0, cells.Style{})
	panes.Header(m.buf, m.plan.Header, &m.view, m.snap)
	panes.Figures(m.buf, m.plan.Figures, &m.view, m.shown())
	m.line()
}
