package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"dev.example/pileup/themes"
	"dev.example/pileup/tui/cells"
)

// golden compares got with a file of testdata; -update rewrites it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	got += "\n"
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			t.Fatalf("%s line %d:\n got %q\nwant %q", path, i+1, g[i], w[i])
		}
	}
	t.Fatalf("%s: got %d lines, want %d", path, len(g), len(w))
}

// TestScreens holds what the screen says in every state and at every size.
func TestScreens(t *testing.T) {
	sizes := [][2]int{{80, 24}, {120, 40}, {160, 45}, {200, 60}, {44, 12}}
	for _, c := range []struct {
		story string
		sizes [][2]int
	}{
		{"overload", sizes},
		{"begun", sizes[:1]},
		{"calm", sizes[2:3]},
		{"draining", sizes[:3]},
		{"done", sizes[2:3]},
		{"failing", sizes[1:2]},
		{"held", sizes[1:2]},
		{"noboard", sizes[:2]},
		{"gap", sizes[2:3]},
		{"lanes", sizes[2:3]},
		{"boards", sizes[2:3]},
		{"idle", sizes[1:2]},
		{"paused", sizes[:1]},
		{"late", sizes[1:2]},
		{"behind", sizes[:3]},
		{"recovered", sizes[:2]},
		{"hours", [][2]int{{60, 16}, {80, 24}, {120, 40}}},
		{"slow", sizes[2:3]},
		{"closed", sizes[:2]},
		{"dials", sizes[2:4]},
		{"counted", sizes[:1]},
		{"counts", sizes[2:3]},
		{"pool", sizes[:3]},
		{"pooldrain", sizes[:3]},
	} {
		snap := stories[c.story].snapshot(t)
		for _, size := range c.sizes {
			name := fmt.Sprintf("%s-%dx%d", c.story, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				m, _ := screen(snap, size[0], size[1], Options{})
				golden(t, name, ansi.Strip(m.View()))
			})
		}
	}
}

// TestColours holds the whole output, colours included, in each theme.
func TestColours(t *testing.T) {
	snap := stories["overload"].snapshot(t)
	for _, name := range themes.Names() {
		m, _ := screen(snap, 120, 40, Options{Theme: name, Profile: cells.TrueColor})
		golden(t, "truecolor-"+name, m.View())
	}
}

// TestOverlays holds what is laid over the panes.
func TestOverlays(t *testing.T) {
	for name, keys := range map[string]string{
		"help": "?", "modes": "p", "models": "o", "quit": "q", "rate": "r120", "zoom": "22", "burst": "b", "targets": "g",
	} {
		snap := told()["overload"]
		if name == "targets" {
			snap = told()["pool"]
		}
		m, _ := screen(snap, 80, 24, Options{})
		typed(m, keys)
		golden(t, "over-"+name, ansi.Strip(m.View()))
	}
}

func TestNothingYet(t *testing.T) {
	m, _ := screen(nil, 80, 24, Options{})
	checkSize(t, m.View(), 80, 24)
	if got := ansi.Strip(m.View()); !strings.Contains(got, "the run has not begun") {
		t.Errorf("an empty screen says:\n%s", got)
	}
}

// checkSize holds a frame to exactly h lines of exactly w cells.
func checkSize(t *testing.T, frame string, w, h int) {
	t.Helper()
	lines := strings.Split(frame, "\n")
	if len(lines) != h {
		t.Fatalf("%dx%d: %d lines", w, h, len(lines))
	}
	for i, l := range lines {
		if got := ansi.StringWidth(l); got != w {
			t.Fatalf("%dx%d: line %d has %d cells: %q", w, h, i, got, l)
		}
	}
}

// TestCalmLinesStay: between two seconds of a steady run only what has changed
// is another line.
func TestCalmLinesStay(t *testing.T) {
	s := stories["calm"]
	a := s.snapshot(t)
	s.at += 100 * 1e6
	b := s.snapshot(t)
	b.Series = a.Series // a sample is drawn when it comes
	m, f := screen(a, 160, 45, Options{})
	before := strings.Split(m.View(), "\n")
	f.snap = b
	for range 10 {
		m.Update(tickMsg{})
	}
	changed := 0
	for i, l := range strings.Split(m.View(), "\n") {
		if l != before[i] {
			changed++
		}
	}
	if changed > 2 {
		t.Errorf("%d lines changed within a second, want at most the header and the key figures", changed)
	}
}
