package tui

import (
	"math"
	"strconv"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
	"dev.example/pileup/tui/panes"
)

// askRate asks for where the dial of the lanes in view is to stand.
func (m *Model) askRate() {
	if m.over() {
		return
	}
	if m.counted() {
		return
	}
	dial, one := m.view.DialIn(m.snap)
	if !one {
		m.tell(ledger.Attention, lang.SayPickLane)
		return
	}
	label, parse, wrong, most := lang.AskRate, parseRate, lang.AskNoNumber, pace.MaxRate
	switch dial {
	case panes.Slots:
		label, wrong, most = lang.AskSlots, lang.AskNoCount, float64(m.mostSlots)
		parse = func(s string) (float64, bool) { return parseCount(s, m.mostSlots) }
	case panes.Factor:
		label = lang.AskRateNow
	}
	text := m.labelOf(label)
	if turns, _ := panes.Turns(m.snap, &ledger.Command{Do: ledger.DoRate, Lane: m.view.Lane}); len(turns) == 1 && turns[0].Lane == ledger.All {
		text = m.say(lang.AskRateSum)
	}
	m.ask = &field{label: text, hint: m.say(lang.AskEnterEsc), taken: func(m *Model, s string) {
		to, ok := parse(s)
		if !ok {
			m.ask.(*field).hint = m.say(wrong, lang.With("text", s), lang.With("most", int64(most)))
			return
		}
		m.ask = nil
		m.rate(ledger.Set, to)
	}}
}

// labelOf is the label of a field, with the lane it is for if there are several.
func (m *Model) labelOf(id lang.ID) string {
	return m.say(id, lang.With("lane", m.view.LaneName(m.snap, m.view.Lane)))
}

// parseCount reads a whole number from 1 to most, written as a rate may be: 50
// or 1e5.
func parseCount(s string, most int) (float64, bool) {
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil && n >= 1 && n <= float64(most) && n == math.Trunc(n)
}

// parseRate reads a rate as the command line does; more than 0.
func parseRate(s string) (float64, bool) {
	r, err := pace.ParseRate(s)
	return r, err == nil && r > 0
}

func (m *Model) askModel() {
	if m.over() || m.noLane() {
		return
	}
	names := panes.ModelsFor(m.snap, m.oneLane())
	if len(names) < 2 {
		m.tellOneModel(names)
		return
	}
	lane := m.oneLane()
	p := &pick{title: m.say(lang.PaneModels), taken: func(m *Model, i int) {
		m.do(ledger.Command{Do: ledger.DoModel, Lane: lane, Name: names[i]})
	}}
	for i, n := range names {
		now := n == m.setting().Model
		p.items = append(p.items, panes.Item{Text: n, Now: now})
		if now {
			p.at = i
		}
	}
	m.open(p)
}

func (m *Model) askMode() {
	if m.snap.Phase == ledger.Ended {
		m.tell(ledger.Attention, lang.SayRunOver)
		return
	}
	var commands []ledger.Command
	p := &pick{title: m.say(lang.PaneModes)}
	for _, b := range m.snap.Setup.Boards {
		now, known := panes.ModeOf(m.snap, b.Probe)
		for _, mode := range b.Modes {
			text := mode.Name
			if len(m.snap.Setup.Boards) > 1 {
				text = b.Probe + " " + text
			}
			if known && now.ID == mode.ID {
				p.at = len(p.items)
			}
			p.items = append(p.items, panes.Item{Text: text, Note: mode.Note, Now: known && now.ID == mode.ID})
			commands = append(commands, ledger.Command{
				Do: ledger.DoMode, Lane: ledger.All, Board: b.Probe, Mode: mode.ID, Name: mode.Name,
			})
		}
	}
	if len(commands) == 0 {
		m.tell(ledger.Info, lang.AskNoModes)
		return
	}
	p.taken = func(m *Model, i int) { m.do(commands[i]) }
	m.open(p)
}
