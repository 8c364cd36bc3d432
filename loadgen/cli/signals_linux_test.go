package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A large body is read when the server has been asked for its model.
func TestASignalEndsTheReadingOfABody(t *testing.T) {
	body := filepath.Join(t.TempDir(), "body")
	f, err := os.Create(body)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(256 << 20); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "--plain", "-n", "1", "--body", body)
	cmd.Env = append(os.Environ(), childEnv+"=main")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	for end := time.Now().Add(time.Minute); !opened(cmd.Process.Pid, body); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the body is not read")
		}
	}
	begun := time.Now()
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the code says it
	if got := cmd.ProcessState.ExitCode(); got != exitTerm || time.Since(begun) > 10*time.Second {
		t.Errorf("exit code %d after %s, want %d", got, time.Since(begun), exitTerm)
	}
}

// opened reports whether a process has a file open.
func opened(pid int, name string) bool {
	links, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	for _, l := range links {
		if to, _ := os.Readlink(l); err == nil && to == name {
			return true
		}
	}
	return false
}
