package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/panes"
)

// warnAt is how many times what a lane began with may be reached without a
// question.
const warnAt = 10

// rate turns the dial of the lanes in view.
func (m *Model) rate(how ledger.How, to float64) {
	if m.over() {
		return
	}
	if m.counted() {
		return
	}
	c := ledger.Command{Do: ledger.DoRate, Lane: m.view.Lane, How: how, To: to}
	lane, after, limit, high := m.after(c)
	if how == ledger.Add || !high {
		m.do(c)
		return
	}
	m.ask = &confirm{
		text: m.say(lang.AskHighRate, lang.With("lane", lane), lang.With("to", after), lang.With("limit", limit)),
		yes:  func(m *Model) tea.Cmd { m.do(c); return nil },
	}
}

// after reports whether c, once all before it is done, takes a dial beyond what
// is done without a question: whose, where to, and what that is, of several
// dials those of the one that goes furthest beyond.
func (m *Model) after(c ledger.Command) (lane, to, limit string, high bool) {
	most := float64(warnAt)
	turns, _ := panes.Turns(m.snap, &c) // of what is refused nothing goes beyond
	for i := range turns {
		t := &turns[i]
		if t.Start <= 0 || t.Asked/t.Start <= most {
			continue
		}
		most, high = t.Asked/t.Start, true
		lane, to, limit = m.turned(t), t.Say(&m.view, t.Asked), t.Say(&m.view, warnAt*t.Start)
	}
	return lane, to, limit, high
}

// turned names what a dial is of: a lane, or all of them; "" if there is one.
func (m *Model) turned(t *panes.Turn) string {
	if t.Lane == ledger.All && len(m.snap.Lanes) > 1 {
		return m.say(lang.SayAllLanes)
	}
	return m.view.LaneName(m.snap, t.Lane)
}

// tellTurn says, where there are several lanes, what was asked for of which, and
// of all: the sum of their rates is one dial, the others are turned each.
func (m *Model) tellTurn(c *ledger.Command) {
	turns, why := panes.Turns(m.snap, c)
	if len(m.snap.Lanes) < 2 || len(turns) == 0 || why != nil { // the refusal will be told
		return
	}
	t := &turns[0]
	switch {
	case len(turns) == 1:
		m.tell(ledger.Info, lang.SayTurned, lang.With("lane", m.turned(t)), lang.With("from", t.Say(&m.view, t.Now)), lang.With("to", t.Say(&m.view, t.Asked)))
	case t.Lane == ledger.All:
		m.tell(ledger.Info, lang.SayTurnedToo, lang.With("lane", m.turned(t)), lang.With("from", t.Say(&m.view, t.Now)), lang.With("to", t.Say(&m.view, t.Asked)))
	default:
		m.tell(ledger.Info, lang.SayAsked, lang.With("lane", m.view.LaneName(m.snap, c.Lane)), lang.With("do", string(c.Do)))
	}
}

// counted refuses to change the rate where it changes nothing: so many are due
// in each window. What is asked of all lanes is asked of none then.
func (m *Model) counted() bool {
	i, any := m.view.CountedIn(m.snap)
	if !any {
		return false
	}
	id, p := lang.SayCounted, &m.snap.Lanes[i].Info.Pattern
	if p.Once {
		id = lang.SayCountedOnce
	}
	m.tell(ledger.Attention, id, lang.With("lane", m.view.LaneName(m.snap, i)), lang.With("n", p.Count))
	return true
}
