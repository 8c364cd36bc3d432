package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// tell says on standard error how a run went.
func (b *bench) tell(r *run) {
	s := fmt.Sprintf("%s  round %d, %s, %s: ", time.Now().Format(time.TimeOnly), r.Round+1, r.Load, r.Tool)
	if r.Err != "" {
		s += r.Err
	} else {
		s += fmt.Sprintf("%d sent, %.0f/s, %.1f ms CPU for 1000", r.Sent, r.Rate, r.per1000())
	}
	if r.Due > 0 {
		s += fmt.Sprintf(", off schedule %.0f / %.0f µs", r.Deviation.P50, r.Deviation.P99)
	}
	if r.Disturbed {
		s += fmt.Sprintf(" (disturbed: others %.2f cores, hypervisor %.2f)", r.Others, r.Stolen)
	}
	fmt.Fprintln(os.Stderr, s)
}

// note tells something that belongs below the table too.
func (b *bench) note(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	fmt.Fprintln(os.Stderr, s)
	b.notes = append(b.notes, s)
}

// write adds a line to the results: an object with one member, its kind.
func (b *bench) write(kind string, v any) error {
	return json.NewEncoder(b.results).Encode(map[string]any{kind: v})
}

// report prints the table and the verdicts, and keeps them too.
func (b *bench) report(m machine) error {
	var names, columns []string
	for _, t := range tools {
		if b.binaries[t.name] != "" && !t.terminal {
			names = append(names, t.name)
			columns = append(columns, t.name+" "+m.Tools[t.name])
		}
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n%s.\n", markdown(b.runs, names, columns), m)
	for _, n := range b.notes {
		text.WriteString(n + ".\n")
	}
	text.WriteString(b.failures() + "\n")
	for _, l := range lines {
		if !slices.Contains(b.groups, l.group) {
			continue
		}
		v := l.judge(b.runs)
		text.WriteString("- " + v.Text + "\n")
		if err := b.write("verdict", v); err != nil {
			return err
		}
	}
	fmt.Print("\n" + text.String())
	fmt.Fprintln(os.Stderr, "\nresults:", b.out)
	return os.WriteFile(filepath.Join(b.out, "report.md"), []byte(text.String()), 0o644)
}

// failures says which tools failed under which loads, and why at first.
func (b *bench) failures() string {
	var text strings.Builder
	told := map[string]bool{}
	for _, r := range b.runs {
		if at := r.Tool + " under " + r.Load; r.Err != "" && !told[at] {
			told[at] = true
			fmt.Fprintf(&text, "%s failed: %s.\n", at, r.Err)
		}
	}
	return text.String()
}
