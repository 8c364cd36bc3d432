package tui

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
)

var (
	update = flag.Bool("update", false, "rewrite the golden files")
	shots  = flag.String("shots", "", "write truecolor frames of every story into this directory")
)

// fake is a run that stands still.
type fake struct {
	snap *ledger.Snapshot
	did  []ledger.Command
	full bool
}

func (f *fake) Snapshot() *ledger.Snapshot { return f.snap }

func (f *fake) Do(c ledger.Command) (uint64, error) {
	if f.full {
		return 0, errors.New("too many commands wait")
	}
	c.ID = uint64(len(f.did) + 1)
	f.did = append(f.did, c)
	return c.ID, nil
}

func screen(s *ledger.Snapshot, w, h int, o Options) (*Model, *fake) {
	f := &fake{snap: s}
	o.Source = f
	m := New(o)
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	return m, f
}

// TestShots writes frames to look at; it checks nothing.
func TestShots(t *testing.T) {
	if *shots == "" {
		t.Skip("without -shots")
	}
	if err := os.MkdirAll(*shots, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, snap := range told() {
		for _, size := range [][2]int{{160, 45}, {120, 40}, {80, 24}, {200, 60}} {
			for _, theme := range []string{"dark", "light"} {
				m, _ := screen(snap, size[0], size[1], Options{Theme: theme, Profile: cells.TrueColor})
				file := strings.Join([]string{name, theme, strconv.Itoa(size[0]) + "x" + strconv.Itoa(size[1])}, "-") + ".ans"
				if err := os.WriteFile(filepath.Join(*shots, file), []byte(m.View()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// TestShotsOfQuestions writes frames with something laid over them.
func TestShotsOfQuestions(t *testing.T) {
	if *shots == "" {
		t.Skip("without -shots")
	}
	if err := os.MkdirAll(*shots, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, keys := range map[string]string{"targets": "g", "burst": "b", "help": "?", "modes": "p", "models": "o", "quit": "q", "rate": "r120", "zoom": "22", "zoomledger": "66", "zoomcores": "44", "linear": "l", "service": "y"} {
		for _, size := range [][2]int{{160, 45}, {80, 24}} {
			snap := told()["overload"]
			if name == "targets" {
				snap = told()["pool"]
			}
			m, _ := screen(snap, size[0], size[1], Options{Profile: cells.TrueColor})
			typed(m, keys)
			file := name + "-dark-" + strconv.Itoa(size[0]) + "x" + strconv.Itoa(size[1]) + ".ans"
			if err := os.WriteFile(filepath.Join(*shots, file), []byte(m.View()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// typed sends keys one by one.
func typed(m *Model, keys string) {
	for _, k := range keys {
		m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{k}})
	}
}
