package tui

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dev.example/pileup/loadgen/ledger"
)

// refused is a snapshot in which commands have these answers.
func refused(s *ledger.Snapshot, acks ...ledger.Ack) *ledger.Snapshot {
	return with(s, func(s *ledger.Snapshot) { s.Commands = acks })
}

func ack(id uint64, st ledger.State, why string) ledger.Ack {
	return ledger.Ack{Command: ledger.Command{ID: id, Do: ledger.DoRate, By: byKey}, State: st, Why: why}
}

// TestWhatIsAnsweredIsSeen: a message that comes while a question is open waits
// until it is closed.
func TestWhatIsAnsweredIsSeen(t *testing.T) {
	snap := stories["overload"].snapshot(t)
	for _, size := range [][2]int{{80, 24}, {44, 12}} {
		m, f := screen(snap, size[0], size[1], Options{})
		press(m, "+", "q")
		f.snap = refused(snap, ack(1, ledger.Refused, "no more than 50/s"))
		for range 80 {
			m.Update(tickMsg{})
		}
		if got := lastLine(m); !strings.HasPrefix(got, "◆ quit and cut") || !strings.Contains(got, "y yes") {
			t.Errorf("%v: the open question is %q", size, got)
		}
		press(m, "n")
		if got := lastLine(m); got != "◆ refused: no more than 50/s" {
			t.Errorf("%v: after it comes %q", size, got)
		}
	}
}

func TestNonsenseIsToldInTheField(t *testing.T) {
	for text, want := range map[string]string{
		"x": "x is no rate: above 0, up to 1000000/s", "0": "0 is no rate: above 0", "2000000": "2000000 is no rate: above 0, up to 1000000/s",
	} {
		m, _ := screen(stories["overload"].snapshot(t), 80, 24, Options{})
		press(m, "r")
		typed(m, text)
		press(m, "enter")
		if got := lastLine(m); !strings.Contains(got, "rate, requests/s "+text) || !strings.Contains(got, want) {
			t.Errorf("got %q", got)
		}
	}
}

// TestTypingIsSeenWhole on a screen that has no room for the label.
func TestTypingIsSeenWhole(t *testing.T) {
	m, _ := screen(stories["overload"].snapshot(t), 18, 8, Options{})
	press(m, "r", "1234.5")
	if got := lastLine(m); got != "rate, re… 1234.5" {
		t.Errorf("got %q", got)
	}
}

// TestRefusalsInAnyOrder: the answer to an earlier command may come later.
func TestRefusalsInAnyOrder(t *testing.T) {
	snap := stories["overload"].snapshot(t)
	m, f := screen(snap, 80, 24, Options{})
	press(m, "m", "+", "+")
	f.snap = refused(snap, ack(1, ledger.Pending, ""), ack(2, ledger.Applied, ""), ack(3, ledger.Refused, "too fast"))
	ticks(m)
	if got := lastLine(m); got != "◆ refused: too fast" {
		t.Errorf("the third is told as %q", got)
	}
	f.snap = refused(snap, ack(1, ledger.Refused, "no such model"), ack(2, ledger.Applied, ""), ack(3, ledger.Refused, "too fast"))
	ticks(m)
	if got := lastLine(m); got != "◆ refused: no such model" {
		t.Errorf("the first is told as %q", got)
	}
	press(m, "esc")
	ticks(m)
	if got := lastLine(m); strings.Contains(got, "refused") || len(m.pending) > 0 {
		t.Errorf("told twice: %q, awaited are %v", got, m.pending)
	}
}

// TestInterruptIsTakenBeforeItIsTold: with a full queue nothing drains, and the
// second ctrl+c is the first that counts.
func TestInterruptIsTakenBeforeItIsTold(t *testing.T) {
	m, f := screen(stories["overload"].snapshot(t), 80, 24, Options{})
	f.full = true
	press(m, "ctrl+c")
	if got := lastLine(m); got != "◆ refused: too many commands wait" || m.interrupted {
		t.Errorf("got %q", got)
	}
	f.full = false
	if quits(press(m, "ctrl+c")) || len(f.did) != 1 || f.did[0].Do != ledger.DoStop {
		t.Errorf("the next one did %v", f.did)
	}
	if got := lastLine(m); !strings.HasPrefix(got, "◆ draining") {
		t.Errorf("got %q", got)
	}
}

// TestPlainScreensAnswerToo: what has no panes has a last row.
func TestPlainScreensAnswerToo(t *testing.T) {
	m, _ := screen(stories["overload"].snapshot(t), 44, 12, Options{})
	for _, c := range []struct{ key, want, line string }{
		{"q", "quit and cut 209 open …", "y yes   n no"},
		{"esc", "60x16 or more", ""},
		{"r", "rate, requests/s", "enter set"},
		{"esc", "backlog", ""},
		{"R", "end this run", "y yes"},
		{"esc", "backlog", ""},
		{"p", "2   30W", "choose"},
		{"esc", "backlog", ""},
		{"?", "rate", ""},
		{"esc", "backlog", ""},
		{"f", "◆ frozen at 00:09", ""},
		{"c", "s stops sending first", ""},
	} {
		press(m, c.key)
		checkSize(t, m.View(), 44, 12)
		if !strings.Contains(text(m), c.want) || !strings.Contains(lastLine(m), c.line) {
			t.Errorf("%s does not show %q:\n%s", c.key, c.want, text(m))
		}
	}
}

// TestAListHidesTheHelp, or nobody sees what enter picks.
func TestAListHidesTheHelp(t *testing.T) {
	m, _ := screen(stories["overload"].snapshot(t), 80, 24, Options{})
	for key, want := range map[string]string{"p": "power modes", "o": "inception_v3"} {
		press(m, "?", key)
		if !strings.Contains(text(m), want) {
			t.Errorf("%s over the help shows:\n%s", key, text(m))
		}
		press(m, "esc")
	}
}

// TestMessagesStayFiveSeconds, however often the source is asked.
func TestMessagesStayFiveSeconds(t *testing.T) {
	for _, tick := range []time.Duration{50 * time.Millisecond, 100 * time.Millisecond, 2 * time.Second} {
		m, f := screen(stories["overload"].snapshot(t), 80, 24, Options{Tick: tick})
		f.full = true
		press(m, "+")
		at := time.Duration(0)
		for ; strings.Contains(lastLine(m), "refused") && at < time.Minute; at += tick {
			m.Update(tickMsg{})
		}
		if at < 4*time.Second || at > 6*time.Second {
			t.Errorf("with a tick of %v a message stands for %v", tick, at)
		}
	}
}

// TestEscapedRestsDoNothing after a lone esc.
func TestEscapedRestsDoNothing(t *testing.T) {
	m, f := screen(stories["overload"].snapshot(t), 80, 24, Options{})
	before := text(m)
	for _, rest := range []string{"[200~s", "[24;80R", "[5~", "OP", "]11;r"} {
		m.Update(tea.KeyMsg{Type: tea.KeyEsc})
		m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(rest)})
	}
	if len(f.did) > 0 || text(m) != before {
		t.Errorf("did %v, shows\n%s", f.did, text(m))
	}
}

// TestNothingOpenIsNotAsked about.
func TestNothingOpenIsNotAsked(t *testing.T) {
	none := func(s *ledger.Snapshot) { s.Total.InFlight, s.Total.Held = 0, 0 }
	m, _ := screen(with(stories["overload"].snapshot(t), none), 80, 24, Options{})
	press(m, "q")
	if got := lastLine(m); !strings.HasPrefix(got, "◆ quit?") {
		t.Errorf("got %q", got)
	}
	m, _ = screen(with(stories["draining"].snapshot(t), none), 80, 24, Options{})
	press(m, "c")
	if got := lastLine(m); !strings.HasPrefix(got, "◆ give up?") {
		t.Errorf("got %q", got)
	}
}

// TestNoDrainIsToldOfARunThatIsOver, only its end.
func TestNoDrainIsToldOfARunThatIsOver(t *testing.T) {
	m, f := screen(stories["overload"].snapshot(t), 80, 24, Options{})
	press(m, "ctrl+c")
	if got := lastLine(m); !strings.HasPrefix(got, "◆ draining") {
		t.Fatalf("got %q", got)
	}
	f.snap = stories["done"].snapshot(t)
	ticks(m)
	if got := lastLine(m); strings.Contains(got, "draining") {
		t.Errorf("got %q", got)
	}
}

// TestNothingToChooseIsSaid: what is in force, and what gives a choice.
func TestNothingToChooseIsSaid(t *testing.T) {
	snap := stories["overload"].snapshot(t)
	m, _ := screen(snap, 80, 24, Options{})
	press(m, "o", "1")
	if got := lastLine(m); got != "· mobilenet_v1: already so" {
		t.Errorf("got %q", got)
	}
	one := *snap.Setup
	one.Targets = append(one.Targets[:0:0], one.Targets...)
	one.Targets[0].Models = one.Targets[0].Models[:1]
	for _, key := range []string{"m", "o"} {
		m, _ := screen(with(snap, func(s *ledger.Snapshot) { s.Setup = &one }), 80, 24, Options{})
		press(m, key)
		if got, want := lastLine(m), "· there is one model: mobilenet_v1; more -m at the start give a choice"; got != want {
			t.Errorf("%s: got %q, want %q", key, got, want)
		}
	}
}
