package tui

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dev.example/pileup/loadgen/ledger"
)

// shell is one to go back to.
type shell struct {
	able    bool
	resumed int
	err     error
}

func (s *shell) Able() bool     { return s.able }
func (s *shell) Suspend() error { return nil }
func (s *shell) Resume() error  { s.resumed++; return s.err }

var ctrlZ = tea.KeyMsg{Type: tea.KeyCtrlZ}

// TestSuspendNeedsAShell, whatever is open on the screen and before there is
// anything on it.
func TestSuspendNeedsAShell(t *testing.T) {
	for _, c := range []struct {
		name  string
		story string
		keys  []string
		s     Suspender
		goes  bool
	}{
		{"none", "overload", nil, nil, false},
		{"not able", "overload", nil, &shell{}, false},
		{"sending", "overload", nil, &shell{able: true}, true},
		{"a question is open", "overload", []string{"q"}, &shell{able: true}, true},
		{"a field is open", "overload", []string{"r"}, &shell{able: true}, true},
		{"draining", "draining", nil, &shell{able: true}, true},
		{"done", "done", nil, &shell{able: true}, true},
		{"before the run", "", nil, &shell{able: true}, true},
	} {
		m, _ := screen(told()[c.story], 80, 24, Options{Suspend: c.s})
		press(m, c.keys...)
		_, cmd := m.Update(ctrlZ)
		if (cmd != nil) != c.goes {
			t.Errorf("%s: goes %v, want %v", c.name, cmd != nil, c.goes)
		}
		if said := strings.Contains(lastLine(m), "no shell to go back to"); said == c.goes {
			t.Errorf("%s: the last line is %q", c.name, lastLine(m))
		}
	}
}

// TestBackFromTheShell: what was paused goes on, and what went wrong is said.
func TestBackFromTheShell(t *testing.T) {
	for _, c := range []struct {
		name       string
		gone, back error
		want       string
	}{
		{"well", nil, nil, "+ - rate"},
		{"never stopped", errors.New("not stopped"), nil, "◆ no shell to go back to"},
		{"a full queue", nil, errors.New("too many commands wait"), "◆ refused: too many commands wait"},
	} {
		s := &shell{able: true, err: c.back}
		m, _ := screen(told()["overload"], 80, 24, Options{Suspend: s})
		m.Update(ctrlZ)
		if s.resumed != 0 {
			t.Errorf("%s: goes on before it is back", c.name)
		}
		m.Update(backMsg{c.gone})
		if s.resumed != 1 || !strings.HasPrefix(lastLine(m), c.want) {
			t.Errorf("%s: went on %d times, says %q, want %q", c.name, s.resumed, lastLine(m), c.want)
		}
	}
}

// TestSuspensionsAreGaps: what happened while the program was stopped was not seen,
// and the line where it stopped says so, also when its commands are listed no more.
func TestSuspensionsAreGaps(t *testing.T) {
	s := stories["idle"]
	s.pause = [2]time.Duration{3 * time.Second, 8 * time.Second}
	s.at = 12*time.Second + 200*time.Millisecond
	snap := s.snapshot(t)
	m, f := screen(snap, 80, 24, Options{})
	if got := text(m); !strings.Contains(got, "┊pause") || strings.Contains(got, "suspended") {
		t.Fatalf("the story is another one:\n%s", got)
	}
	by := func(id uint64, do ledger.Do, at time.Duration) ledger.Ack {
		return ledger.Ack{Command: ledger.Command{ID: id, Do: do, By: bySuspend, Lane: ledger.All}, State: ledger.Applied, At: at}
	}
	for _, acks := range [][]ledger.Ack{
		{by(3, ledger.DoPause, 3*time.Second+time.Millisecond), by(4, ledger.DoResume, 8*time.Second+time.Millisecond)},
		{by(40, ledger.DoRate, 9*time.Second)},
	} {
		f.snap = with(snap, func(s *ledger.Snapshot) { s.Commands = acks })
		ticks(m)
		press(m, "f", "f")
		got := text(m)
		if !strings.Contains(got, "┊suspended") || strings.Contains(got, "┊pause") || !strings.Contains(got, "┊resume") {
			t.Errorf("the gap is not named:\n%s", got)
		}
		if len(m.view.Away) != 1 {
			t.Errorf("suspended in %v", m.view.Away)
		}
	}
}
