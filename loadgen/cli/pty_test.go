//go:build unix

package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
	"dev.example/pileup/loadgen/run"
	"dev.example/pileup/tui/term"
)

// The tests start this test binary again as the program on a terminal of its
// own; childEnv says what it is then.
const childEnv = "PILEUP_TEST_CHILD"

func TestMain(m *testing.M) {
	switch os.Getenv(childEnv) {
	case "":
		os.Setenv("XDG_CACHE_HOME", os.DevNull) // what was kept of this machine is nothing to a test
		os.Exit(m.Run())
	case "main":
		os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	case "panic in update":
		os.Exit(showChild(&panicky{Loop: childLoop(nil)}))
	case "panic in a goroutine":
		os.Exit(showChild(childLoop(panicTarget{})))
	case "panic in plain":
		onCrash(nil, term.State{})
		p := &plainShow{std: streams{os.Stdin, os.Stdout, os.Stderr}, lang: lang.English}
		code, _ := p.run(listen(context.Background()), childLoop(panicTarget{}))
		os.Exit(code)
	}
}

// showChild shows a run on the child's terminal.
func showChild(r runner) int {
	s := &screenShow{
		std: streams{os.Stdin, os.Stdout, os.Stderr},
		in:  os.Stdin, out: os.Stdout, theme: "dark", fps: 10, lang: lang.English,
	}
	code, err := s.run(listen(context.Background()), r)
	if err != nil {
		return fail(os.Stderr, err)
	}
	return code
}

func childLoop(t loadgen.Target) *run.Loop {
	if t == nil {
		t = quickTarget{}
	}
	l := run.New(run.Options{
		Stay: true, Targets: map[int]loadgen.Target{0: t},
		Setup: ledger.Setup{
			Limit: 10, Targets: []ledger.Target{{Name: "x"}},
			Lanes: []ledger.LaneSetup{{Name: "A", Targets: []int{0}, Setting: ledger.Setting{Model: "m", Arrivals: pace.Constant, Rate: 2}}},
		},
	})
	if err := l.Prepare(context.Background()); err != nil {
		panic(err)
	}
	return l
}

// panicky is a run whose snapshots cannot be looked at for long.
type panicky struct {
	*run.Loop
	looks int
}

func (p *panicky) Snapshot() *ledger.Snapshot {
	if p.looks++; p.looks > 20 {
		panic("looked too long")
	}
	return p.Loop.Snapshot()
}

type quickTarget struct{}

func (quickTarget) Prepare(context.Context, string) (loadgen.Sender, error) {
	return quickTarget{}, nil
}
func (quickTarget) BodyBytes() int64 { return 1 }
func (quickTarget) Payload() string  { return "a byte" }
func (quickTarget) Send(_ context.Context, s loadgen.Stamps) loadgen.Answer {
	s.Sent()
	return loadgen.Answer{}
}

// panicTarget panics at the third request, in a goroutine of the engine.
type panicTarget struct{ quickTarget }

var sends struct {
	sync.Mutex
	n int
}

func (p panicTarget) Prepare(context.Context, string) (loadgen.Sender, error) { return p, nil }
func (panicTarget) Send(context.Context, loadgen.Stamps) loadgen.Answer {
	sends.Lock()
	defer sends.Unlock()
	if sends.n++; sends.n == 3 {
		panic("a sender broke")
	}
	return loadgen.Answer{}
}

// terminal is a child process on a terminal that answers no question.
type terminal struct {
	t    *testing.T
	cmd  *exec.Cmd
	ours *os.File
	tty  *os.File // kept open so that its state can be read at the end

	mu  sync.Mutex
	out bytes.Buffer
}

func startOnTerminal(t *testing.T, child string, args ...string) *terminal {
	t.Helper()
	return startOnTerminalAs(t, child, exec.Command(os.Args[0], args...))
}

// startOnTerminalAs starts what is, or leads to, a child.
func startOnTerminalAs(t *testing.T, child string, cmd *exec.Cmd) *terminal {
	t.Helper()
	ours, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(ours, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	x := &terminal{t: t, ours: ours, tty: tty, cmd: cmd}
	x.cmd.Env = append(os.Environ(), childEnv+"="+child, "TERM=xterm-256color", "CI=", "NO_COLOR=", "TMPDIR="+t.TempDir())
	x.cmd.Stdin, x.cmd.Stdout, x.cmd.Stderr = tty, tty, tty
	x.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := x.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = x.cmd.Process.Kill()
		ours.Close()
		tty.Close()
	})
	go x.read()
	return x
}

func (x *terminal) read() {
	buf := make([]byte, 4096)
	for {
		n, err := x.ours.Read(buf)
		x.mu.Lock()
		x.out.Write(buf[:n])
		x.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (x *terminal) text() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.out.String()
}

// until waits until the terminal has received want.
func (x *terminal) until(want string) {
	x.t.Helper()
	for end := time.Now().Add(time.Minute); !strings.Contains(x.text(), want); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			x.t.Fatalf("the terminal never received %q:\n%q", want, x.text())
		}
	}
}

func (x *terminal) keys(s string) {
	x.t.Helper()
	if _, err := io.WriteString(x.ours, s); err != nil {
		x.t.Fatal(err)
	}
}

func (x *terminal) signal(s os.Signal) {
	x.t.Helper()
	if err := x.cmd.Process.Signal(s); err != nil {
		x.t.Fatal(err)
	}
}

// ended waits for the child and checks its exit code and that the terminal is
// as it was.
func (x *terminal) ended(code int) {
	x.t.Helper()
	done := make(chan error, 1)
	go func() { done <- x.cmd.Wait() }()
	select {
	case err := <-done:
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			x.t.Fatal(err)
		}
	case <-time.After(time.Minute):
		x.t.Fatalf("it did not end:\n%q", x.text())
	}
	if got := x.cmd.ProcessState.ExitCode(); got != code {
		x.t.Errorf("exit code %d, want %d:\n%q", got, code, tail(x.text()))
	}
	state, err := unix.IoctlGetTermios(int(x.tty.Fd()), ioctlGetTermios)
	if err != nil {
		x.t.Fatal(err)
	}
	if state.Lflag&unix.ICANON == 0 || state.Lflag&unix.ECHO == 0 {
		x.t.Errorf("the terminal is left raw: lflag %#x", state.Lflag)
	}
	x.until("\x1b[?1049l") // the alternate screen is left
	text := x.text()
	if on, off := strings.LastIndex(text, "\x1b[?1049h"), strings.LastIndex(text, "\x1b[?1049l"); on > off {
		x.t.Error("the alternate screen is still on")
	}
	if hide, show := strings.LastIndex(text, "\x1b[?25l"), strings.LastIndex(text, "\x1b[?25h"); hide > show {
		x.t.Error("the cursor is still hidden")
	}
}

func tail(s string) string { return s[max(0, len(s)-2000):] }

const ready = "backlog" // stands on the first frame

func TestQuitAsksAndGivesTheTerminalBack(t *testing.T) {
	x := startOnTerminal(t, "main", "-r", "5")
	x.until(ready)
	x.until("sending")
	x.keys("q")
	x.until("y yes")
	x.keys("y")
	x.ended(exitCut)
}

func TestInterruptDrainsAndTheRunStaysOnScreenUntilLeft(t *testing.T) {
	x := startOnTerminal(t, "main", "-r", "5")
	x.until("sending")
	x.keys("\x03")
	x.until("done") // the phase, once all answers are there
	x.keys("q")
	x.ended(exitOK)
	x.until("throughput") // the summary is printed as text
}

func TestSecondInterruptLeaves(t *testing.T) {
	x := startOnTerminal(t, "main", "-m", "yolo_v5", "-r", "30")
	x.until("sending")
	x.until("00:02") // there is a backlog then that takes a while to drain
	x.keys("\x03")
	x.until("draining")
	x.keys("\x03")
	x.ended(exitCut)
}

func TestSignalsGiveTheTerminalBack(t *testing.T) {
	for name, tt := range map[string]struct {
		signal syscall.Signal
		code   int
	}{
		"term":   {syscall.SIGTERM, exitTerm},
		"hangup": {syscall.SIGHUP, exitHangup},
	} {
		t.Run(name, func(t *testing.T) {
			x := startOnTerminal(t, "main", "-r", "5")
			x.until("sending")
			x.signal(tt.signal)
			x.ended(tt.code)
		})
	}
}

func TestAPanicGivesTheTerminalBackAndSaysWhereTheTraceIs(t *testing.T) {
	for _, child := range []string{"panic in update", "panic in a goroutine"} {
		t.Run(child, func(t *testing.T) {
			x := startOnTerminal(t, child)
			x.until(ready)
			x.ended(exitError)
			x.until("pileup: error: panic in")
			x.until("pileup-crash-")
			text := x.text()
			if strings.LastIndex(text, "pileup: error") < strings.LastIndex(text, "\x1b[?1049l") {
				t.Error("the message went to the alternate screen, where nobody sees it")
			}
		})
	}
}

func TestAPanicWithoutAScreenIsAnErrorToo(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"=panic in plain", "TMPDIR="+t.TempDir())
	var errs bytes.Buffer
	cmd.Stderr = &errs
	_ = cmd.Run() // the code says it
	if got := cmd.ProcessState.ExitCode(); got != exitError || !strings.HasPrefix(errs.String(), "pileup: error: panic in ") {
		t.Errorf("exit code %d, said %q", got, errs.String())
	}
}

// A terminal that takes no output stops neither keys nor signals.
func TestAStalledTerminalDoesNotKeepTheProgram(t *testing.T) {
	ours, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer ours.Close()
	defer tty.Close()
	cmd := exec.Command(os.Args[0], "-r", "5")
	cmd.Env = append(os.Environ(), childEnv+"=main", "TERM=xterm-256color", "CI=")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, io.Discard
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := pty.Setsize(ours, &pty.Winsize{Rows: 45, Cols: 160}); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for end, last := time.Now().Add(time.Minute), -1; time.Now().Before(end); time.Sleep(300 * time.Millisecond) {
		n, err := unix.IoctlGetInt(int(ours.Fd()), ioctlPending)
		if err != nil {
			t.Fatal(err)
		}
		if n > 0 && n == last {
			break // nobody reads, and the terminal takes no more
		}
		last = n
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { _ = cmd.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(time.Minute):
		_ = cmd.Process.Kill()
		t.Fatal("SIGTERM did not end it")
	}
	if got := cmd.ProcessState.ExitCode(); got != exitTerm {
		t.Errorf("exit code %d, want %d", got, exitTerm)
	}
}

// Under nohup a hang-up is nothing.
func TestAnIgnoredHangupStaysIgnored(t *testing.T) {
	cmd := exec.Command("sh", "-c", `trap '' HUP; exec "$0" --plain -r 5 -d 2s`, os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"=main")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	for buf := make([]byte, 256); !strings.Contains(text.String(), "second 1 "); {
		n, err := out.Read(buf)
		text.Write(buf[:n])
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(&text, out); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || !strings.Contains(text.String(), "10 due, 10 ok") {
		t.Errorf("%v:\n%s", err, text.String())
	}
}
