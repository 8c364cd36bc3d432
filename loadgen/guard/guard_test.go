package guard

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
)

func TestAGroupWaitsForAllItStarted(t *testing.T) {
	var g Group
	var n atomic.Int32
	for range 20 {
		g.Go("count", func() { n.Add(1) })
	}
	g.Wait()
	if n.Load() != 20 {
		t.Errorf("%d of 20 had ended", n.Load())
	}
}

// A panic reaches the hook once, with its name, value and stack, whatever else
// panics meanwhile. The process ends there, so it is another one.
func TestACrashReachesTheHookOnce(t *testing.T) {
	if os.Getenv("GUARD_TEST_CHILD") != "" {
		OnCrash(func(c Crash) {
			fmt.Printf("%v; stack %v\n", c, strings.Contains(string(c.Stack), "TestACrashReachesTheHookOnce"))
			os.Exit(7)
		})
		var g Group
		for range 5 {
			g.Go("the broken part", func() { panic("boom") })
		}
		g.Wait()
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run", "^TestACrashReachesTheHookOnce$")
	cmd.Env = append(os.Environ(), "GUARD_TEST_CHILD=1")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 7 {
		t.Fatalf("the child ended with %v:\n%s", err, out)
	}
	if got, want := string(out), "panic in the broken part: boom; stack true\n"; got != want {
		t.Errorf("the hook saw %q, want %q", got, want)
	}
}
