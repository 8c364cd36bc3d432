package tui

import (
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
	"dev.example/pileup/tui/layout"
)

// press sends keys as bubbletea spells them: one rune, or a name.
func press(m *Model, keys ...string) (last tea.Cmd) {
	named := map[string]tea.KeyType{
		"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown,
		"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "ctrl+c": tea.KeyCtrlC, "backspace": tea.KeyBackspace,
		"left": tea.KeyLeft,
	}
	for _, k := range keys {
		msg := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}
		if n, ok := named[k]; ok {
			msg = tea.KeyMsg{Type: n}
		}
		if k == " " {
			msg = tea.KeyMsg{Type: tea.KeySpace, Runes: []rune(" ")}
		}
		_, last = m.Update(msg)
	}
	return last
}

func quits(c tea.Cmd) bool {
	if c == nil {
		return false
	}
	_, ok := c().(tea.QuitMsg)
	return ok
}

func text(m *Model) string { return ansi.Strip(m.View()) }

func lastLine(m *Model) string {
	lines := strings.Split(text(m), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

func TestKeysAskForChanges(t *testing.T) {
	lane := func(c ledger.Command) ledger.Command { c.By = byKey; return c }
	all := func(d ledger.Do) ledger.Command { return ledger.Command{Do: d, Lane: ledger.All, By: byKey} }
	rate := func(h ledger.How, to float64) ledger.Command {
		return ledger.Command{Do: ledger.DoRate, How: h, To: to, By: byKey}
	}
	for _, c := range []struct {
		name  string
		story string
		keys  []string
		want  []ledger.Command
	}{
		{"one more", "overload", []string{"+"}, []ledger.Command{rate(ledger.Add, 1)}},
		{"three at once", "overload", []string{"+++"}, []ledger.Command{rate(ledger.Add, 1), rate(ledger.Add, 1), rate(ledger.Add, 1)}},
		{"equals", "overload", []string{"=", "-"}, []ledger.Command{rate(ledger.Add, 1), rate(ledger.Add, -1)}},
		{"ten", "overload", []string{"}", "{"}, []ledger.Command{rate(ledger.Add, 10), rate(ledger.Add, -10)}},
		{"double, halve", "overload", []string{")", "("}, []ledger.Command{rate(ledger.Mul, 2), rate(ledger.Mul, 0.5)}},
		{"typed", "overload", []string{"r", "1", "2", "5", "left", "backspace", "enter"}, []ledger.Command{rate(ledger.Set, 15)}},
		{"typed a minute", "overload", []string{"r", "300/m", "enter"}, []ledger.Command{rate(ledger.Set, 5)}},
		{"typed nonsense", "overload", []string{"r", "x", "enter", "esc"}, nil},
		{"typed very much", "overload", []string{"r", "900", "enter"}, nil},
		{"typed very much, really", "overload", []string{"r", "900", "enter", "y"}, []ledger.Command{rate(ledger.Set, 900)}},
		{"next model", "overload", []string{"m"}, []ledger.Command{lane(ledger.Command{Do: ledger.DoModel, Name: "mobilenet_v2"})}},
		{"pick a model", "overload", []string{"o", "down", "down", "enter"}, []ledger.Command{lane(ledger.Command{Do: ledger.DoModel, Name: "inception_v3"})}},
		{"pick by number", "overload", []string{"o", "4", "enter"}, []ledger.Command{lane(ledger.Command{Do: ledger.DoModel, Name: "yolo_v5"})}},
		{"a digit picks at once", "overload", []string{"o", "3", "esc"}, []ledger.Command{lane(ledger.Command{Do: ledger.DoModel, Name: "inception_v3"})}},
		{"the model in force", "overload", []string{"o", "enter", "o", "1"}, nil},
		{"pick nothing", "overload", []string{"o", "esc"}, nil},
		{"arrivals", "overload", []string{"a"}, []ledger.Command{lane(ledger.Command{Do: ledger.DoArrivals, Arrivals: pace.Poisson})}},
		{"pause", "overload", []string{" "}, []ledger.Command{lane(ledger.Command{Do: ledger.DoPause})}},
		{"stop", "overload", []string{"s"}, []ledger.Command{all(ledger.DoStop)}},
		{"cut too early", "overload", []string{"c", "y"}, nil},
		{"cut asks", "draining", []string{"c", "n"}, nil},
		{"cut", "draining", []string{"c", "y"}, []ledger.Command{all(ledger.DoCut)}},
		{"no rate while draining", "draining", []string{"+", " ", "m", "a", "s", "r"}, nil},
		{"restart asks", "overload", []string{"R", "esc"}, nil},
		{"restart", "overload", []string{"R", "y"}, []ledger.Command{all(ledger.DoRestart)}},
		{"restart when done", "done", []string{"R"}, []ledger.Command{all(ledger.DoRestart)}},
		{"mode", "overload", []string{"p", "down", "enter"}, []ledger.Command{{Do: ledger.DoMode, Lane: ledger.All, Board: "xavier", Mode: 3, Name: "30W", By: byKey}}},
		{"no modes", "noboard", []string{"p", "enter"}, nil},
		{"korean keyboard", "overload", []string{"ㄴ"}, []ledger.Command{all(ledger.DoStop)}},
		{"a late answer of the terminal", "overload", []string{"]11;rgb:1e1e/1e1e/1e1e"}, nil},
		{"a split arrow", "overload", []string{"esc", "[A"}, nil},
		{"lane of four", "lanes", []string{"tab", "tab", "+"}, []ledger.Command{lane(ledger.Command{Do: ledger.DoRate, Lane: 1, To: 1, How: ledger.Add})}},
		{"a burst of ten at first", "overload", []string{"b", "enter"}, []ledger.Command{lane(ledger.Command{Do: ledger.DoBurst, To: 10})}},
		{"a burst as the last one", "overload", []string{"b", "2", "5", "enter", "b", "enter"}, []ledger.Command{
			lane(ledger.Command{Do: ledger.DoBurst, To: 25}), lane(ledger.Command{Do: ledger.DoBurst, To: 25}),
		}},
		{"bursts that are none", "overload", []string{"b", "x", "enter", "esc", "b", "0", "enter", "esc", "b", "1.5", "enter", "esc", "b", "100001", "enter", "esc"}, nil},
		{"a burst written as a rate may be", "overload", []string{"b", "1e3", "enter"}, []ledger.Command{lane(ledger.Command{Do: ledger.DoBurst, To: 1000})}},
		{"rates written as on the command line", "overload", []string{"r", "1e2", "enter", "r", "3600/h", "enter", "r", "-1", "enter", "esc", "r", "0", "enter"}, []ledger.Command{rate(ledger.Set, 100), rate(ledger.Set, 1)}},
		{"bursts of all lanes", "lanes", []string{"b", "enter"}, []ledger.Command{{Do: ledger.DoBurst, Lane: ledger.All, To: 10, By: byKey}}},
		{"no burst while draining", "draining", []string{"b", "enter"}, nil},
		{"marks are numbered", "overload", []string{"x", "x"}, []ledger.Command{
			{Do: ledger.DoMark, Lane: ledger.All, Name: "1", By: byKey}, {Do: ledger.DoMark, Lane: ledger.All, Name: "2", By: byKey},
		}},
		{"a mark while draining", "draining", []string{"x"}, []ledger.Command{{Do: ledger.DoMark, Lane: ledger.All, Name: "1", By: byKey}}},
		{"no mark when done", "done", []string{"x"}, nil},
		{"a target of three", "pool", []string{"g", "down", "down", "enter"}, []ledger.Command{lane(ledger.Command{Do: ledger.DoTarget, Name: "tx2"})}},
		{"all targets, which it is sent to already", "pool", []string{"g", "1", "enter"}, nil},
		{"one target", "overload", []string{"g", "enter"}, nil},
		{"no target while draining", "pooldrain", []string{"g", "enter"}, nil},
		{"slots", "closed", []string{"+", "{", ")"}, []ledger.Command{rate(ledger.Add, 1), rate(ledger.Add, -10), rate(ledger.Mul, 2)}},
		{"typed slots", "closed", []string{"r", "3", "2", "enter"}, []ledger.Command{rate(ledger.Set, 32)}},
		{"half a slot", "closed", []string{"r", "1.5", "enter", "esc", "r", "0", "enter", "esc"}, nil},
		{"very many slots", "closed", []string{"r", "641", "enter"}, nil},
		{"very many slots, really", "closed", []string{"r", "641", "enter", "y"}, []ledger.Command{rate(ledger.Set, 641)}},
		{"a closed loop has no arrivals", "closed", []string{"a"}, nil},
		{"all lanes, whatever their dial", "dials", []string{"+"}, []ledger.Command{{Do: ledger.DoRate, Lane: ledger.All, How: ledger.Add, To: 1, By: byKey}}},
		{"typed for all of different dials", "dials", []string{"r", "5", "enter"}, nil},
		{"a shape is typed as its rate", "dials", []string{"tab", "tab", "tab", "r", "40", "enter"}, []ledger.Command{lane(ledger.Command{Do: ledger.DoRate, Lane: 2, To: 40})}},
		{"a shape scaled very far", "dials", []string{"tab", "tab", "tab", "r", "121", "enter"}, nil},
		{"all lanes", "lanes", []string{"0", "0", "-"}, []ledger.Command{lane(ledger.Command{Do: ledger.DoRate, Lane: ledger.All, To: -1, How: ledger.Add})}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, f := screen(stories[c.story].snapshot(t), 80, 24, Options{})
			press(m, c.keys...)
			for i := range f.did {
				f.did[i].ID = 0
			}
			if diff := cmp.Diff(c.want, f.did); diff != "" {
				t.Errorf("commands (-want +got):\n%s", diff)
			}
			checkSize(t, m.View(), 80, 24)
		})
	}
}

func TestPasteIsNoCommand(t *testing.T) {
	m, f := screen(stories["overload"].snapshot(t), 80, 24, Options{})
	paste := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("+s42"), Paste: true}
	m.Update(paste)
	if len(f.did) > 0 {
		t.Errorf("a paste did %v", f.did)
	}
	press(m, "r")
	m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("42"), Paste: true})
	press(m, "enter")
	if len(f.did) != 1 || f.did[0].To != 42 {
		t.Errorf("a rate pasted into its field did %v", f.did)
	}
}

func TestLeaving(t *testing.T) {
	for _, c := range []struct {
		name, story string
		keys        []string
		quits       bool
		end         End
		did         []ledger.Do
	}{
		{"quit asks", "overload", []string{"q"}, false, Open, nil},
		{"quit, no", "overload", []string{"q", "n"}, false, Open, nil},
		{"quit, yes", "overload", []string{"q", "y"}, true, Cut, []ledger.Do{ledger.DoCut}},
		{"quit when done", "done", []string{"q"}, true, Done, nil},
		{"quit by jamo", "done", []string{"ㅂ"}, true, Done, nil},
		{"ctrl+c drains", "overload", []string{"ctrl+c"}, false, Open, []ledger.Do{ledger.DoStop}},
		{"ctrl+c twice", "overload", []string{"ctrl+c", "ctrl+c"}, true, Asked, []ledger.Do{ledger.DoStop, ledger.DoCut}},
		{"ctrl+c closes a question first", "overload", []string{"q", "ctrl+c"}, false, Open, []ledger.Do{ledger.DoStop}},
		{"ctrl+c while draining", "draining", []string{"ctrl+c"}, false, Open, nil},
		{"ctrl+c when done", "done", []string{"ctrl+c"}, true, Done, nil},
		{"esc never quits", "done", []string{"esc", "esc", "esc"}, false, Open, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, f := screen(stories[c.story].snapshot(t), 80, 24, Options{})
			cmd := press(m, c.keys...)
			if quits(cmd) != c.quits || m.Ended() != c.end {
				t.Errorf("got quits=%v end=%d, want %v %d", quits(cmd), m.Ended(), c.quits, c.end)
			}
			var did []ledger.Do
			for _, d := range f.did {
				did = append(did, d.Do)
			}
			if diff := cmp.Diff(c.did, did); diff != "" {
				t.Errorf("did (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLeavingBeforeTheRun(t *testing.T) {
	m, _ := screen(nil, 80, 24, Options{})
	press(m, "+", "s", "m")
	if cmd := press(m, "q"); !quits(cmd) || m.Ended() != Asked {
		t.Error("q before the first snapshot does not leave")
	}
}

// with returns a changed copy of a snapshot.
func with(s *ledger.Snapshot, f func(*ledger.Snapshot)) *ledger.Snapshot {
	c := *s
	c.Seq++
	f(&c)
	return &c
}

func TestNothingIsShownBeforeItIsSo(t *testing.T) {
	snap := stories["overload"].snapshot(t)
	m, f := screen(snap, 120, 40, Options{})
	press(m, "}")
	if got := text(m); strings.Contains(got, "60/s") {
		t.Errorf("60/s is shown before the run knows of it:\n%s", got)
	}
	f.snap = with(snap, func(s *ledger.Snapshot) {
		s.Commands = []ledger.Ack{{Command: ledger.Command{ID: 1, Do: ledger.DoRate, How: ledger.Add, To: 10, By: byKey}, State: ledger.Pending}}
	})
	ticks(m)
	if got := text(m); !strings.Contains(got, "50/s → 60/s") {
		t.Errorf("the pending rate is not shown:\n%s", got)
	}
	f.snap = with(snap, func(s *ledger.Snapshot) {
		s.Commands = []ledger.Ack{{Command: ledger.Command{ID: 1, Do: ledger.DoRate, By: byKey}, State: ledger.Refused, Why: "no more than 55/s"}}
	})
	ticks(m)
	if got := lastLine(m); got != "◆ refused: no more than 55/s" {
		t.Errorf("the refusal is told as %q", got)
	}
	for range 60 {
		m.Update(tickMsg{})
	}
	if got := lastLine(m); strings.Contains(got, "refused") {
		t.Errorf("after six seconds the last line is still %q", got)
	}
}

// ticks is half a second.
func ticks(m *Model) {
	for range 5 {
		m.Update(tickMsg{})
	}
}

func TestFullQueueIsTold(t *testing.T) {
	m, f := screen(stories["overload"].snapshot(t), 80, 24, Options{})
	f.full = true
	press(m, "+")
	if got := lastLine(m); got != "◆ refused: too many commands wait" {
		t.Errorf("got %q", got)
	}
	press(m, "esc")
	if got := lastLine(m); !strings.HasPrefix(got, "+ - rate") {
		t.Errorf("after another key the last line is %q", got)
	}
}

func TestLooking(t *testing.T) {
	snap := stories["failing"].snapshot(t)
	m, f := screen(snap, 160, 45, Options{})
	press(m, "6")
	if m.view.Focus != layout.Ledger || m.zoom != 0 {
		t.Error("6 does not focus the ledger")
	}
	press(m, "6")
	if m.zoom != layout.Ledger || !strings.Contains(text(m), "  1    30    30") {
		t.Error("6 again does not zoom into the ledger")
	}
	press(m, "esc", "pgup", "up")
	if m.zoom != 0 || !strings.Contains(text(m), "newer lines below") {
		t.Error("esc and pgup do not lead to older rows")
	}
	press(m, "esc")
	if strings.Contains(text(m), "newer lines below") {
		t.Error("esc does not scroll back")
	}
	press(m, "f")
	f.snap = stories["overload"].snapshot(t)
	ticks(m)
	if got := text(m); !strings.Contains(got, "frozen") || !strings.Contains(got, "1240 due") {
		t.Errorf("f does not freeze:\n%s", got)
	}
	press(m, "f")
	if got := text(m); strings.Contains(got, "frozen") || !strings.Contains(got, "450 due") {
		t.Errorf("f again does not go on:\n%s", got)
	}
	for key, word := range map[string]string{"l": "linear", "y": "service"} {
		press(m, key)
		if !strings.Contains(text(m), word) {
			t.Errorf("%s does not show %q", key, word)
		}
	}
	press(m, "w", "t", "1", "z")
	if m.view.Window == 0 || m.theme != 1 || m.zoom != layout.Backlog {
		t.Error("w, t or z did nothing")
	}
}

// TestDigitsWithoutAPane are answered.
func TestDigitsWithoutAPane(t *testing.T) {
	for _, c := range []struct {
		w, h      int
		key, want string
	}{
		{80, 24, "3", "there is no pane 3"},
		{160, 45, "9", "there is no pane 9"},
		{80, 24, "7", "there is one lane"},
		{44, 12, "1", "60x16 or more for the panes"},
		{44, 12, "z", "60x16 or more for the panes"},
	} {
		m, _ := screen(stories["overload"].snapshot(t), c.w, c.h, Options{})
		press(m, c.key)
		if got := lastLine(m); !strings.Contains(got, c.want) || m.message.text == "" || m.zoom != 0 {
			t.Errorf("%s at %dx%d: %q", c.key, c.w, c.h, got)
		}
	}
}

// TestArrivalsAreWalked from one open pattern to the next, from any other to the
// first.
func TestArrivalsAreWalked(t *testing.T) {
	snap := stories["overload"].snapshot(t)
	for _, c := range [][2]pace.Arrivals{
		{pace.Constant, pace.Poisson},
		{pace.Poisson, pace.Uniform},
		{pace.Uniform, pace.Burst},
		{pace.Burst, pace.Constant},
		{pace.PoissonCounts, pace.Constant},
	} {
		m, f := screen(with(snap, func(s *ledger.Snapshot) {
			s.Lanes = slices.Clone(s.Lanes)
			s.Lanes[0].Setting.Arrivals = c[0]
		}), 80, 24, Options{})
		press(m, "a")
		if len(f.did) != 1 || f.did[0].Do != ledger.DoArrivals || f.did[0].Arrivals != c[1] {
			t.Errorf("from %v: asked for %+v, want %v", c[0], f.did, c[1])
		}
	}
}

// On a small screen a pane without a place of its own fills it.
func TestHiddenPanes(t *testing.T) {
	m, _ := screen(stories["overload"].snapshot(t), 80, 24, Options{})
	press(m, "5")
	if !strings.Contains(text(m), "5 board") {
		t.Errorf("5 shows:\n%s", text(m))
	}
	press(m, "8")
	if got := text(m); !strings.Contains(got, "8 events") || strings.Contains(got, "5 board") {
		t.Errorf("8 shows:\n%s", got)
	}
}

func TestHelpNamesEveryKey(t *testing.T) {
	m, _ := screen(stories["overload"].snapshot(t), 60, 16, Options{})
	press(m, "?")
	var seen strings.Builder
	seen.WriteString(text(m))
	for range 40 {
		press(m, "down")
		seen.WriteString(text(m))
	}
	for _, want := range []string{"pick model", "stop/leave", "log/linear"} {
		if !strings.Contains(seen.String(), want) {
			t.Errorf("the help does not say %q", want)
		}
	}
	press(m, "esc")
	if strings.Contains(text(m), "stop/leave") {
		t.Error("esc does not close the help")
	}
}

func TestRestartForgets(t *testing.T) {
	snap := stories["overload"].snapshot(t)
	m, f := screen(snap, 80, 24, Options{})
	press(m, "f", "up", "ctrl+c", "q")
	f.snap = with(stories["begun"].snapshot(t), func(s *ledger.Snapshot) { s.Run = 2 })
	m.Update(tickMsg{})
	if m.frozen != nil || m.ask != nil || m.interrupted {
		t.Error("the second run begins with what was asked of the first")
	}
	if quits(press(m, "ctrl+c")) {
		t.Error("the first ctrl+c of the second run leaves")
	}
}
