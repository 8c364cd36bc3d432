package cells_test

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/creack/pty"
	"github.com/mattn/go-runewidth"

	"dev.example/pileup/tui/cells"
)

// This binary holds bubbletea as the program does.
var _ tea.Msg = cells.Cell{}

// TestInitOrder runs this binary again and reads in which order its packages
// were initialised.
func TestInitOrder(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^$")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ours := strings.Index(string(out), "init dev.example/pileup/tui/cells @")
	theirs := strings.Index(string(out), "init github.com/charmbracelet/bubbletea @")
	if ours < 0 || theirs < 0 || ours > theirs {
		t.Errorf("cells is initialised at %d, bubbletea at %d: want cells before it\n%s", ours, theirs, out)
	}
}

// TestStartAsksNothing starts this binary on a terminal that answers nothing:
// no question for its colours may reach it.
func TestStartAsksNothing(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^$")
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "CI=")
	tty, err := pty.Start(cmd)
	if err != nil {
		t.Skip("no pty here:", err)
	}
	defer tty.Close()
	out, _ := io.ReadAll(tty) // ends in EIO when the binary is done
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %q", err, out)
	}
	if strings.Contains(string(out), "\x1b]") {
		t.Errorf("asked the terminal: %q", out)
	}
}

func TestInitSettles(t *testing.T) {
	if !lipgloss.HasDarkBackground() {
		t.Error("lipgloss has not been told of the background")
	}
	if runewidth.DefaultCondition.EastAsianWidth || runewidth.StringWidth("●─▲") != 3 {
		t.Error("ambiguous characters are not one cell wide")
	}
}
