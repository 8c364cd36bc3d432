package cli

import (
	"fmt"
	"os"

	"dev.example/pileup/loadgen/guard"
	"dev.example/pileup/tui/term"
)

// onCrash says what a panic does: it gives the terminal back, saves the trace,
// says so and ends the process. Without a terminal it only saves and says.
func onCrash(out *os.File, saved term.State) {
	guard.OnCrash(func(c guard.Crash) {
		if out != nil {
			_ = term.Restore(out, saved)
		}
		fmt.Fprintf(os.Stderr, "pileup: error: %s\n", oneLine(c.Error()))
		if name, err := saveTrace(c); err == nil {
			fmt.Fprintf(os.Stderr, "pileup: hint: this is a bug; the trace is in %s\n", name)
		} else {
			fmt.Fprintf(os.Stderr, "%s\n", c.Stack)
		}
		os.Exit(exitError)
	})
}

// saveTrace writes the trace where temporary files go.
func saveTrace(c guard.Crash) (string, error) {
	f, err := os.CreateTemp("", "pileup-crash-*.txt")
	if err != nil {
		return "", err
	}
	_, err = fmt.Fprintf(f, "pileup %s\n%s\n\n%s", Version, c.Error(), c.Stack)
	if e := f.Close(); err == nil {
		err = e
	}
	return f.Name(), err
}
