package cli

import (
	"math"
	"runtime/debug"
	"testing"
)

// Whoever sets a limit of memory is obeyed.
func TestMemoryHasALimit(t *testing.T) {
	for env, want := range map[string]int64{"": 2 << 30, "3GiB": math.MaxInt64} {
		t.Setenv("GOMEMLIMIT", env)
		t.Setenv("GOGC", "100") // as it is
		before := debug.SetMemoryLimit(math.MaxInt64)
		collectLess()
		if got := debug.SetMemoryLimit(before); got != want {
			t.Errorf("with GOMEMLIMIT=%q: %d", env, got)
		}
	}
}
