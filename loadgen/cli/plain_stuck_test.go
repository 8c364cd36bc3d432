//go:build unix

package cli

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Outputs that nobody reads keep no signal waiting, and no recording.
func TestOutputsThatAreNotReadDoNotKeepTheProgram(t *testing.T) {
	for _, how := range []string{"--plain", "--json"} {
		t.Run(how, func(t *testing.T) {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			defer w.Close()
			if err := w.SetWriteDeadline(time.Now().Add(100 * time.Millisecond)); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write(make([]byte, 1<<20)); !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Fatalf("the pipe is not full: %v", err)
			}
			record := filepath.Join(t.TempDir(), "run.jsonl")
			cmd := exec.Command(os.Args[0], how, "-r", "20", "-o", record)
			cmd.Env = append(os.Environ(), childEnv+"=main")
			cmd.Stdout, cmd.Stderr = w, w
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = cmd.Process.Kill() })
			recorded(t, record, `"t":"sec"`)
			if err := cmd.Process.Signal(syscall.SIGINT); err != nil { // drains, and says so
				t.Fatal(err)
			}
			recorded(t, record, `"do":"stop"`)
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			ended := make(chan struct{})
			go func() { _ = cmd.Wait(); close(ended) }()
			select {
			case <-ended:
			case <-time.After(30 * time.Second):
				t.Fatal("SIGTERM did not end it")
			}
			if got := cmd.ProcessState.ExitCode(); got != exitTerm {
				t.Errorf("exit code %d, want %d", got, exitTerm)
			}
			if b, err := os.ReadFile(record); err != nil || !strings.Contains(string(b), `"t":"end"`) {
				t.Errorf("the recording has no end: %v", err)
			}
		})
	}
}

// An output whose reader has gone is lost, as on a full disk: the load goes on,
// and its recording has its end.
func TestOutputsWhoseReaderHasGoneDoNotEndTheProgram(t *testing.T) {
	for _, how := range []string{"--plain", "--json"} {
		for _, lost := range []string{"stdout", "stderr", "both"} {
			t.Run(how+" "+lost, func(t *testing.T) {
				r, w, err := os.Pipe()
				if err != nil {
					t.Fatal(err)
				}
				record := filepath.Join(t.TempDir(), "run.jsonl")
				cmd := exec.Command(os.Args[0], how, "-r", "100", "-n", "10", "--slo", "p50<1us", "-o", record)
				cmd.Env = append(os.Environ(), childEnv+"=main")
				want, says := exitError, "pileup: error: output was lost: "
				var errs bytes.Buffer
				switch lost {
				case "stdout":
					cmd.Stdout, cmd.Stderr = w, &errs
				case "stderr":
					cmd.Stderr = w
					want, says = exitSLO, ""
				default:
					cmd.Stdout, cmd.Stderr = w, w
					says = ""
				}
				r.Close()
				_ = cmd.Run() // the code says it
				w.Close()
				if got := cmd.ProcessState.ExitCode(); got != want || !strings.Contains(errs.String(), says) {
					t.Errorf("exit code %d, want %d; said %q, want %q", got, want, errs.String(), says)
				}
				b, err := os.ReadFile(record)
				if err != nil || strings.Count(string(b), `"t":"req"`) != 10 || !strings.Contains(string(b), `"t":"end"`) {
					t.Errorf("the recording is not whole: %v", err)
				}
			})
		}
	}
}

// recorded waits until a recording has the words.
func recorded(t *testing.T, file, words string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if b, _ := os.ReadFile(file); strings.Contains(string(b), words) {
			return
		}
	}
	t.Fatalf("%s was not recorded", words)
}
