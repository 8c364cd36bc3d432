package tui

import (
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/panes"
)

// An asker is an open question. It takes all keys until it is answered; esc
// takes the question back.
type asker interface {
	key(m *Model, k string, msg tea.KeyMsg) tea.Cmd
	draw(m *Model)
}

// confirm is a question with yes and no.
type confirm struct {
	text string
	yes  func(*Model) tea.Cmd
}

func (c *confirm) key(m *Model, k string, _ tea.KeyMsg) tea.Cmd {
	switch k {
	case "y", "enter":
		m.ask = nil
		return c.yes(m)
	case "n", "esc", "q":
		m.ask = nil
	}
	return nil
}

func (c *confirm) draw(m *Model) {
	panes.Ask(m.buf, m.plan.Keys, &m.view, c.text, m.say(lang.AskYesNo))
}

// field is a question whose answer is typed, in at most fieldMost characters.
type field struct {
	label   string
	hint    string
	text    []rune
	at      int    // the cursor
	offered string // what enter alone answers
	taken   func(m *Model, answer string)
}

const fieldMost = 12

func (f *field) key(m *Model, k string, msg tea.KeyMsg) tea.Cmd {
	switch msg.Type {
	case tea.KeyEsc:
		m.ask = nil
	case tea.KeyEnter:
		f.taken(m, f.answer())
	case tea.KeyLeft:
		f.at = max(0, f.at-1)
	case tea.KeyRight:
		f.at = min(len(f.text), f.at+1)
	case tea.KeyHome, tea.KeyCtrlA:
		f.at = 0
	case tea.KeyEnd, tea.KeyCtrlE:
		f.at = len(f.text)
	case tea.KeyCtrlU:
		f.text, f.at = nil, 0
	case tea.KeyBackspace:
		if f.at > 0 {
			f.at--
			f.text = slices.Delete(f.text, f.at, f.at+1)
		}
	case tea.KeyRunes:
		f.typed(msg.Runes)
	}
	return nil
}

func (f *field) answer() string {
	if len(f.text) == 0 {
		return f.offered
	}
	return strings.TrimSpace(string(f.text))
}

func (f *field) typed(runes []rune) {
	for _, r := range runes {
		if len(f.text) < fieldMost && r > ' ' && r < 0x7f {
			f.text = slices.Insert(f.text, f.at, r)
			f.at++
		}
	}
}

func (f *field) draw(m *Model) {
	panes.Field(m.buf, m.plan.Keys, &m.view, f.label, string(f.text), f.offered, f.at, f.hint)
}

// pick is a question answered from a list: with a digit at once, or with the
// cursor.
type pick struct {
	title string
	items []panes.Item
	at    int
	taken func(m *Model, i int)
	fresh func(m *Model) []panes.Item // the items as they are now; nil if they stay
}

func (p *pick) key(m *Model, k string, _ tea.KeyMsg) tea.Cmd {
	switch k {
	case "up", "k":
		p.at = max(0, p.at-1)
	case "down", "j", "tab":
		p.at = min(len(p.items)-1, p.at+1)
	case "enter":
		p.take(m)
	case "esc", "q":
		m.ask = nil
	default:
		if n, err := strconv.Atoi(k); err == nil && n >= 1 && n <= len(p.items) {
			p.at = n - 1
			p.take(m)
		}
	}
	return nil
}

// take answers with the line at the cursor. What is in force already is not
// asked for again.
func (p *pick) take(m *Model) {
	m.ask = nil
	if it := &p.items[p.at]; it.Now {
		m.tell(ledger.Info, lang.SayAlready, lang.With("what", it.Text))
		return
	}
	p.taken(m, p.at)
}

// list draws the list over the body.
func (p *pick) list(m *Model) {
	if p.fresh != nil {
		p.items = p.fresh(m)
	}
	panes.Pick(m.buf, m.plan.Body, &m.view, p.title, p.items, p.at)
}

func (p *pick) draw(m *Model) {
	panes.Ask(m.buf, m.plan.Keys, &m.view, "", m.say(lang.AskPick))
}

// open shows a list: in the place of the help, should that be open.
func (m *Model) open(p *pick) { m.ask, m.help = p, false }
