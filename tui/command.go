package tui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
	"dev.example/pileup/tui/panes"
)

// byKey marks the commands that came from here.
const byKey = "key"

// do asks for a change and reports whether the run took the question. Whether
// it came about, a later snapshot says. With several lanes it says for which of
// them it asked.
func (m *Model) do(c ledger.Command) bool {
	c.By = byKey
	id, err := m.source.Do(c)
	if err != nil {
		m.tell(ledger.Attention, lang.SayRefused, lang.With("why", err.Error()))
		return false
	}
	m.pending[id] = true
	switch name := m.view.LaneName(m.snap, c.Lane); c.Do {
	case ledger.DoRate:
		m.tellTurn(&c)
	case ledger.DoModel, ledger.DoTarget, ledger.DoArrivals, ledger.DoPause, ledger.DoResume, ledger.DoBurst:
		if name != "" {
			m.tell(ledger.Info, lang.SayAsked, lang.With("lane", name), lang.With("do", string(c.Do)))
		}
	}
	return true
}

// noLane asks for a lane first, where a change is of one and all are in view.
func (m *Model) noLane() bool {
	if len(m.snap.Lanes) < 2 || m.view.Lane != ledger.All {
		return false
	}
	m.tell(ledger.Attention, lang.SayPickLane)
	return true
}

// setting is what is in force for the lane in focus: the first one's for all.
func (m *Model) setting() ledger.Setting {
	if len(m.snap.Lanes) == 0 {
		return ledger.Setting{}
	}
	return m.snap.Lanes[m.oneLane()].Setting
}

func (m *Model) oneLane() int {
	return min(max(m.view.Lane, 0), len(m.snap.Lanes)-1)
}

// over refuses what needs a run that sends.
func (m *Model) over() bool {
	switch m.snap.Phase {
	case ledger.Draining:
		m.tell(ledger.Attention, lang.SayRunDraining)
	case ledger.Ended:
		m.tell(ledger.Attention, lang.SayRunOver)
	default:
		return false
	}
	return true
}

func (m *Model) pause() {
	if m.over() {
		return
	}
	do := ledger.DoPause
	if panes.Paused(&m.view, m.snap) {
		do = ledger.DoResume
	}
	m.do(ledger.Command{Do: do, Lane: m.view.Lane})
}

// openArrivals are what the arrivals key walks; of any others it leads to the first.
var openArrivals = []pace.Arrivals{pace.Constant, pace.Poisson, pace.Uniform, pace.Burst}

func (m *Model) otherArrivals() {
	if m.over() {
		return
	}
	if m.view.Fixed(m.snap) {
		m.tell(ledger.Info, lang.SayNoArrivals)
		return
	}
	at := slices.Index(openArrivals, m.setting().Arrivals)
	to := openArrivals[(at+1)%len(openArrivals)]
	m.do(ledger.Command{Do: ledger.DoArrivals, Lane: m.view.Lane, Arrivals: to})
}

func (m *Model) stop() {
	if m.over() {
		return
	}
	m.do(ledger.Command{Do: ledger.DoStop, Lane: ledger.All})
}

func (m *Model) nextModel() {
	if m.over() || m.noLane() {
		return
	}
	all := panes.ModelsFor(m.snap, m.oneLane())
	if len(all) < 2 {
		m.tellOneModel(all)
		return
	}
	next := all[(slices.Index(all, m.setting().Model)+1)%len(all)]
	m.do(ledger.Command{Do: ledger.DoModel, Lane: m.oneLane(), Name: next})
}

// tellOneModel says that there is nothing to choose, and what gives a choice.
func (m *Model) tellOneModel(all []string) {
	m.tell(ledger.Info, lang.AskNoModels, lang.With("model", strings.Join(all, "")))
}

// interrupt drains at the first ctrl+c and leaves at the second.
func (m *Model) interrupt() tea.Cmd {
	switch {
	case m.snap == nil || m.snap.Phase == ledger.Ready:
		return m.leave(Asked)
	case m.snap.Phase == ledger.Ended:
		return m.leave(Done)
	case m.interrupted:
		m.do(ledger.Command{Do: ledger.DoCut, Lane: ledger.All})
		return m.leave(Asked)
	}
	m.ask = nil
	if m.snap.Phase == ledger.Draining || m.do(ledger.Command{Do: ledger.DoStop, Lane: ledger.All}) {
		m.interrupted = true
		m.tell(ledger.Attention, lang.SayInterrupted)
	}
	return nil
}

// quit leaves a run that is over; of one that is not it asks.
func (m *Model) quit() tea.Cmd {
	if m.snap == nil || m.snap.Phase == ledger.Ready {
		return m.leave(Asked)
	}
	if m.snap.Phase == ledger.Ended {
		return m.leave(Done)
	}
	m.ask = &confirm{
		text: m.say(lang.AskQuit, m.stillOpen()),
		yes: func(m *Model) tea.Cmd {
			if m.snap.Phase == ledger.Ended {
				return m.leave(Done)
			}
			m.do(ledger.Command{Do: ledger.DoCut, Lane: ledger.All})
			return m.leave(Cut)
		},
	}
	return nil
}

// stillOpen is how many requests are open, nothing where none is.
func (m *Model) stillOpen() ledger.Arg {
	if n := m.snap.Total.Backlog(); n > 0 {
		return lang.With("open", n)
	}
	return lang.With("open", nil)
}

func (m *Model) leave(how End) tea.Cmd {
	m.end = how
	return tea.Quit
}

func (m *Model) askCut() {
	switch m.snap.Phase {
	case ledger.Draining:
	case ledger.Ended:
		m.tell(ledger.Attention, lang.SayRunOver)
		return
	default:
		m.tell(ledger.Attention, lang.SayStopFirst)
		return
	}
	m.ask = &confirm{
		text: m.say(lang.AskCut, m.stillOpen()),
		yes: func(m *Model) tea.Cmd {
			m.do(ledger.Command{Do: ledger.DoCut, Lane: ledger.All})
			return nil
		},
	}
}

func (m *Model) askRestart() {
	restart := func(m *Model) tea.Cmd {
		m.do(ledger.Command{Do: ledger.DoRestart, Lane: ledger.All})
		return nil
	}
	if m.snap.Phase == ledger.Ended {
		restart(m)
		return
	}
	m.ask = &confirm{text: m.say(lang.AskRestart), yes: restart}
}
