//go:build linux

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/run"
)

// startInShell starts the program as a job of a shell on a terminal.
func startInShell(t *testing.T, args string) (x *terminal, pid int) {
	t.Helper()
	t.Setenv("ENV", "")               // of the one who runs the tests
	t.Setenv("HISTFILE", "/dev/null") // of the shell
	x = startOnTerminalAs(t, "main", exec.Command("sh", "-i"))
	x.keys(fmt.Sprintf(`sh -c 'echo pid=$$; exec "$0" "$@"' %s %s`+"\n", os.Args[0], args))
	said := regexp.MustCompile(`pid=(\d+)`)
	x.eventually("the program's pid", func() bool { return said.MatchString(x.text()) })
	pid, err := strconv.Atoi(said.FindStringSubmatch(x.text())[1])
	if err != nil {
		t.Fatal(err)
	}
	return x, pid
}

// eventually waits until done.
func (x *terminal) eventually(what string, done func() bool) {
	x.t.Helper()
	for end := time.Now().Add(time.Minute); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			x.t.Fatalf("waited for %s in vain:\n%q", what, tail(x.text()))
		}
	}
}

// state is that of a process: R, S, T for stopped, …
func state(pid int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "gone"
	}
	return strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))[0]
}

// cooked checks that the terminal is as a shell wants it.
func (x *terminal) cooked() {
	x.t.Helper()
	now, err := unix.IoctlGetTermios(int(x.tty.Fd()), ioctlGetTermios)
	if err != nil {
		x.t.Fatal(err)
	}
	if now.Lflag&unix.ICANON == 0 || now.Lflag&unix.ECHO == 0 {
		x.t.Errorf("the terminal is left raw: lflag %#x", now.Lflag)
	}
}

// gap is what a recording says of a suspension.
type gap struct {
	From, To        float64 // when it paused and went on
	Before, Between int     // requests due
	After           int
	Due, OK         int
}

// readGap reads a recording in which one suspension paused all lanes.
func readGap(t *testing.T, file string) (g gap) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var dues []float64
	for line := range bytes.Lines(text) {
		var l struct {
			T, Do, By, Fail string
			At, Due         float64
		}
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		switch {
		case l.T == "cmd" && l.By == bySuspend && l.Do == "pause":
			g.From = l.At
		case l.T == "cmd" && l.By == bySuspend && l.Do == "resume":
			g.To = l.At
		case l.T == "req":
			dues = append(dues, l.Due)
			if g.Due++; l.Fail == "" {
				g.OK++
			}
		}
	}
	for _, due := range dues {
		switch {
		case due < g.From:
			g.Before++
		case due < g.To:
			g.Between++
		default:
			g.After++
		}
	}
	return g
}

// checkGap holds a recording to a suspension of at least d in which nothing was
// due, and to an account that balances.
func checkGap(t *testing.T, file string, d float64) {
	t.Helper()
	g := readGap(t, file)
	if g.From == 0 || g.To-g.From < d || g.Before == 0 || g.Between != 0 || g.After == 0 || g.Due != g.OK {
		t.Errorf("got %+v, want requests before and after a gap of %v s or more, none in it, and all ok", g, d)
	}
}

func TestCtrlZSuspendsTheScreen(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.jsonl")
	x, pid := startInShell(t, "-r 50 -o "+file)
	x.until("sending")
	x.until("00:01")
	x.keys("\x1a")
	x.eventually("the stop", func() bool { return state(pid) == "T" })
	x.cooked()
	left := x.text()
	if on, off := strings.LastIndex(left, "\x1b[?1049h"), strings.LastIndex(left, "\x1b[?1049l"); on > off {
		t.Error("the shell is on the alternate screen")
	}
	if hide, show := strings.LastIndex(left, "\x1b[?25l"), strings.LastIndex(left, "\x1b[?25h"); hide > show {
		t.Error("the shell has no cursor")
	}
	time.Sleep(500 * time.Millisecond) // that nothing is sent in
	x.keys("fg\n")
	x.eventually("the screen", func() bool {
		since := x.text()[len(left):]
		_, drawn, on := strings.Cut(since, "\x1b[?1049h")
		return on && strings.Contains(drawn, "\x1b[H\r") && strings.Contains(drawn, "ledger") && strings.Contains(drawn, "sending")
	})
	x.keys("s")
	x.until("done")
	x.keys("q")
	x.eventually("the end", func() bool { return state(pid) == "gone" })
	x.keys("exit\n")
	x.ended(exitOK)
	checkGap(t, file, 0.5)
}

// TestAnUnaskedStopLeavesAScreenThatWorks: it comes without a word, and the
// shell sets the terminal for itself.
func TestAnUnaskedStopLeavesAScreenThatWorks(t *testing.T) {
	x, pid := startInShell(t, "-r 5")
	cooked, err := unix.IoctlGetTermios(int(x.tty.Fd()), ioctlGetTermios)
	if err != nil {
		t.Fatal(err)
	}
	x.until("sending")
	if err := unix.Kill(pid, unix.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	x.eventually("the stop", func() bool { return state(pid) == "T" })
	cooked.Lflag |= unix.ICANON | unix.ECHO
	cooked.Iflag |= unix.ICRNL
	if err := unix.IoctlSetTermios(int(x.tty.Fd()), unix.TCSETS, cooked); err != nil {
		t.Fatal(err)
	}
	seen := len(x.text())
	x.keys("fg\n")
	x.eventually("a repaint", func() bool { return strings.Contains(x.text()[seen:], "\x1b[H\r") })
	x.keys("q")
	x.until("y yes")
	x.keys("y")
	x.eventually("the end", func() bool { return state(pid) == "gone" })
	x.keys("exit\n")
	x.ended(exitCut)
}

func TestCtrlZSuspendsPlainRuns(t *testing.T) {
	for _, c := range []struct {
		how string
		due int // 0 is not known
	}{
		{"--plain -r 50 -d 2s", 100},
		{"--json -r 50 -d 2s", 100},
		{"--plain -c 4 -d 2s", 0},
		{"--plain -m mobilenet_v1=30 -m mobilenet_v2=5 -d 2s", 70},
	} {
		t.Run(c.how, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "run.jsonl")
			x, pid := startInShell(t, c.how+" -o "+file)
			x.eventually("requests", func() bool { return size(file) > 2500 })
			x.keys("\x1a")
			x.eventually("the stop", func() bool { return state(pid) == "T" })
			time.Sleep(500 * time.Millisecond) // that nothing is sent in
			x.keys("fg\n")
			x.eventually("the end", func() bool { return state(pid) == "gone" })
			x.keys("exit\n")
			if err := x.cmd.Wait(); err != nil {
				t.Errorf("%v:\n%q", err, tail(x.text()))
			}
			checkGap(t, file, 0.5)
			if g := readGap(t, file); c.due > 0 && g.Due != c.due {
				t.Errorf("%d due, want %d", g.Due, c.due)
			}
		})
	}
}

func size(file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return info.Size()
}

// TestCtrlZWithoutAShell does nothing but say so: nobody would go on with what
// is stopped.
// A run that ended while it was suspended is not resumed.
func TestARunThatIsOverIsNotResumed(t *testing.T) {
	s := &suspender{loop: over{}, paused: []int{0, 1}}
	if err := s.Resume(); err != nil || len(s.paused) != 0 {
		t.Errorf("%v, %d lanes left", err, len(s.paused))
	}
}

type over struct{ runner }

func (over) Do(ledger.Command) (uint64, error) { return 0, run.ErrOver }

func TestCtrlZWithoutAShell(t *testing.T) {
	x := startOnTerminal(t, "main", "-r", "5")
	x.until("sending")
	x.keys("\x1a")
	x.until("no shell to go back to")
	if got := state(x.cmd.Process.Pid); got == "T" {
		t.Error("it is stopped")
	}
	x.keys("q")
	x.until("y yes")
	x.keys("y")
	x.ended(exitCut)
}

// TestAnIgnoredStopStaysIgnored, and so does one that nobody would end.
func TestAnIgnoredStopStaysIgnored(t *testing.T) {
	for name, script := range map[string]string{
		"ignored":  `trap '' TSTP; exec "$0" --plain -r 50 -d 1s -o "$1"`,
		"no shell": `exec "$0" --plain -r 50 -d 1s -o "$1"`,
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "run.jsonl")
			cmd := exec.Command("sh", "-c", script, os.Args[0], file)
			cmd.Env = append(os.Environ(), childEnv+"=main")
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = cmd.Process.Kill() })
			for end := time.Now().Add(time.Minute); size(file) < 2000 && time.Now().Before(end); {
				time.Sleep(10 * time.Millisecond)
			}
			if err := cmd.Process.Signal(unix.SIGTSTP); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); err != nil {
				t.Fatal(err)
			}
			if g := readGap(t, file); g.From != 0 || g.Due != 50 || g.OK != 50 {
				t.Errorf("got %+v, want no gap", g)
			}
		})
	}
}
