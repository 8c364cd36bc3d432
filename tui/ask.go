package tui

import (
	"slices"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
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
	label string
	hint  string
	text  []rune
	at    int // the cursor
	taken func(m *Model, answer string)
}

const fieldMost = 12

func (f *field) key(m *Model, k string, msg tea.KeyMsg) tea.Cmd {
	switch msg.Type {
	case tea.KeyEsc:
		m.ask = nil
	case tea.KeyEnter:
		f.taken(m, strings.TrimSpace(string(f.text)))
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

func (f *field) typed(runes []rune) {
	for _, r := range runes {
		if len(f.text) < fieldMost && r > ' ' && r < 0x7f {
			f.text = slices.Insert(f.text, f.at, r)
			f.at++
		}
	}
}

func (f *field) draw(m *Model) {
	panes.Field(m.buf, m.plan.Keys, &m.view, f.label, string(f.text), f.at, f.hint)
}

func (m *Model) askRate() {
	if m.over() {
		return
	}
	m.ask = &field{label: m.rateLabel(), hint: m.say(lang.AskEnterEsc), taken: func(m *Model, s string) {
		to, ok := parseRate(s)
		if !ok {
			m.ask.(*field).hint = m.say(lang.AskNoNumber, lang.With("text", s))
			return
		}
		m.ask = nil
		m.rate(ledger.Set, to)
	}}
}

// rateLabel names the lane whose rate is asked for, if there are several.
func (m *Model) rateLabel() string {
	return m.say(lang.AskRate, lang.With("lane", m.view.LaneName(m.snap, m.view.Lane)))
}

// parseRate reads 50, 50/s or 300/m: more than 0, per second or minute.
func parseRate(s string) (float64, bool) {
	per := 1.0
	if cut, ok := strings.CutSuffix(s, "/m"); ok {
		s, per = cut, 60
	}
	x, err := strconv.ParseFloat(strings.TrimSuffix(s, "/s"), 64)
	if err != nil || !(x > 0) || x > 1e6 {
		return 0, false
	}
	return x / per, true
}

// pick is a question answered from a list.
type pick struct {
	title string
	items []panes.Item
	at    int
	taken func(m *Model, i int)
}

func (p *pick) key(m *Model, k string, _ tea.KeyMsg) tea.Cmd {
	switch k {
	case "up", "k":
		p.at = max(0, p.at-1)
	case "down", "j", "tab":
		p.at = min(len(p.items)-1, p.at+1)
	case "enter":
		m.ask = nil
		p.taken(m, p.at)
	case "esc", "q":
		m.ask = nil
	default:
		if n, err := strconv.Atoi(k); err == nil && n >= 1 && n <= len(p.items) {
			p.at = n - 1
		}
	}
	return nil
}

// list draws the list over the body.
func (p *pick) list(m *Model) {
	panes.Pick(m.buf, m.plan.Body, &m.view, p.title, p.items, p.at)
}

func (p *pick) draw(m *Model) {
	panes.Ask(m.buf, m.plan.Keys, &m.view, "", m.say(lang.AskPick))
}

func (m *Model) askModel() {
	if m.over() || m.noLane() {
		return
	}
	names := m.models()
	if len(names) == 0 {
		m.tell(ledger.Info, lang.AskNoModels)
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

// open shows a list: in the place of the help, should that be open.
func (m *Model) open(p *pick) { m.ask, m.help = p, false }

// message is one line to the person at the keys. It stands in the key line
// until the next key, or for a while.
type message struct {
	level ledger.Level
	text  string
	left  int // polls
}

// messageStays is for how long a message stands.
const messageStays = 5 * time.Second

func (m *Model) tell(l ledger.Level, id lang.ID, args ...ledger.Arg) {
	m.message = message{level: l, text: m.say(id, args...), left: max(1, int(messageStays/m.tick))}
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
