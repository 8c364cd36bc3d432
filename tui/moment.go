package tui

import (
	"strconv"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
)

// firstBurst is how many requests a burst is offered to have at first; later
// ones are offered what the last one had.
const firstBurst = 10

// askBurst asks how many requests are to be due at once.
func (m *Model) askBurst() {
	if m.over() {
		return
	}
	lane := m.view.Lane
	m.ask = &field{
		label: m.labelOf(lang.AskBurst), hint: m.say(lang.AskEnterEsc),
		offered: strconv.Itoa(m.burst),
		taken: func(m *Model, s string) {
			n, ok := parseCount(s, m.mostBurst)
			if !ok {
				m.ask.(*field).hint = m.say(lang.AskNoCount, lang.With("text", s), lang.With("most", m.mostBurst))
				return
			}
			m.ask, m.burst = nil, int(n)
			m.do(ledger.Command{Do: ledger.DoBurst, Lane: lane, To: n})
		},
	}
}

// mark asks the run to remember this moment, under a number of its own.
func (m *Model) mark() {
	if m.snap.Phase == ledger.Ended {
		m.tell(ledger.Attention, lang.SayRunOver)
		return
	}
	name := strconv.Itoa(m.marks + 1)
	if m.do(ledger.Command{Do: ledger.DoMark, Lane: ledger.All, Name: name}) {
		m.marks++
	}
}
