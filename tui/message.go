package tui

import (
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/panes"
)

// message is one line to the person at the keys. It stands in the key line
// until the next key, or for a while.
type message struct {
	id    lang.ID
	level ledger.Level
	text  string
	left  int // polls
}

// messageStays is for how long a message stands.
const messageStays = 5 * time.Second

func (m *Model) tell(l ledger.Level, id lang.ID, args ...ledger.Arg) {
	m.message = message{id: id, level: l, text: m.say(id, args...), left: max(1, int(messageStays/m.tick))}
}

func (g *message) age() {
	if g.left--; g.left <= 0 {
		*g = message{}
	}
}

func (m *Model) say(id lang.ID, args ...ledger.Arg) string { return m.view.Lang.T(id, args...) }

// line draws the last line: the open question, else the message, else the keys.
// What is answered is what is seen.
func (m *Model) line() {
	m.buf.Fill(m.plan.Keys, 0, cells.Style{})
	switch {
	case m.ask != nil:
		m.ask.draw(m)
	case m.message.text != "":
		panes.Message(m.buf, m.plan.Keys, &m.view, m.message.level, m.message.text)
	default:
		panes.Keys(m.buf, m.plan.Keys, &m.view, m.snap)
	}
}
