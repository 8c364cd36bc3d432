//go:build linux

package cli

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// A terminal that takes no output when the program ends gets all the same what
// gives it back, and the summary: whoever reads it on finds a shell's screen.
func TestAStalledTerminalIsGivenBack(t *testing.T) {
	ours, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer ours.Close()
	defer tty.Close()
	if err := pty.Setsize(ours, &pty.Winsize{Rows: 45, Cols: 160}); err != nil {
		t.Fatal(err)
	}
	record := filepath.Join(t.TempDir(), "run.jsonl")
	cmd := exec.Command(os.Args[0], "-r", "5", "-o", record)
	cmd.Env = append(os.Environ(), childEnv+"=main", "TERM=xterm-256color", "COLORTERM=truecolor", "CI=", "NO_COLOR=")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, io.Discard
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	poll := []unix.PollFd{{Fd: int32(tty.Fd()), Events: unix.POLLOUT}}
	for end, full := time.Now().Add(time.Minute), 0; full < 20; time.Sleep(50 * time.Millisecond) {
		if n, err := unix.Poll(poll, 0); n == 0 && err == nil {
			full++ // nobody reads, and the terminal takes no more
		} else {
			full = 0
		}
		if time.Now().After(end) {
			t.Fatal("the terminal was never full")
		}
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatal("SIGTERM did not end it")
	}
	if got := cmd.ProcessState.ExitCode(); got != exitTerm {
		t.Errorf("exit code %d, want %d", got, exitTerm)
	}
	x := &terminal{t: t, ours: ours, tty: tty}
	go x.read()
	x.eventually("the summary", func() bool {
		_, shell, _ := strings.Cut(x.text(), "\x1b[?1049l")
		return strings.Contains(shell, "throughput")
	})
	text := x.text()
	for _, off := range []string{"\x1b[?1049l", "\x1b[?25h", "\x1b[?2004l"} {
		on := off[:len(off)-1] + map[byte]string{'l': "h", 'h': "l"}[off[len(off)-1]]
		if strings.LastIndex(text, off) < strings.LastIndex(text, on) {
			t.Errorf("%q was not undone", on)
		}
	}
	if b, err := os.ReadFile(record); err != nil || !strings.Contains(string(b), `"t":"end"`) {
		t.Errorf("the recording has no end: %v", err)
	}
}
