// Package themes holds what the screen's colours mean.
//
// A [Theme] is a set of roles, each a lipgloss style resolved once when it is
// loaded: code asks for the colour of what it draws ("held", "p99", "bad") and
// never for red. Themes are files of commented roles in this package; a test
// holds every role that is text to a contrast of 4.5 on its background.
//
// It refuses to guess: no style adapts to the terminal, and a file that lacks a
// role or has an unknown one is an error. The background is never painted.
package themes

import (
	"embed"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/goccy/go-yaml"
)

//go:embed *.yaml
var files embed.FS

// A Theme says how each role looks. The zero style of a role is the
// terminal's own.
type Theme struct {
	Name string
	Dark bool

	// What the theme assumes of the terminal. Neither is ever painted.
	Background, Foreground lipgloss.Color

	Text  lipgloss.Style // running text
	Value lipgloss.Style // the numbers that matter
	Label lipgloss.Style // names, units, axis numbers, notes

	Chrome lipgloss.Style // borders and axes: lines, not text
	Grid   lipgloss.Style // dots at labelled values, empty rails: not text

	Accent   lipgloss.Style // focus
	KeyHint  lipgloss.Style // keys
	Title    lipgloss.Style // of panes
	Selected lipgloss.Style // the row under the cursor

	Good, Attention, Bad lipgloss.Style // state, beside ● ◆ ▲

	Held, InFlight lipgloss.Style // what requests are doing

	P50, P95, P99 lipgloss.Style // lines of the response chart

	Backlog Ramp // few to many waiting: calm, amber, red
	Load    Ramp // idle to busy
	Heat    Ramp // few to many requests of a latency: 16 steps
}

// A Ramp is a gradient in few steps: long runs of one colour cost few bytes.
type Ramp []lipgloss.Color

// Step is the step of 0…n−1 that t of 0…1 falls on.
func Step(t float64, n int) int {
	if !(t > 0) || n < 2 {
		return 0
	}
	return int(min(t, 1) * (float64(n) - 0.001))
}

// Names lists the themes there are.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil // embedded: cannot fail
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), path.Ext(e.Name())))
	}
	slices.Sort(names)
	return names
}

// Load returns the theme of that name. The error of an unknown one names those
// there are.
func Load(name string) (*Theme, error) {
	if !slices.Contains(Names(), name) {
		return nil, fmt.Errorf("unknown theme %q: there are %s", name, strings.Join(Names(), ", "))
	}
	b, err := files.ReadFile(name + ".yaml")
	if err != nil {
		return nil, err
	}
	t, err := Parse(b)
	if err != nil {
		return nil, fmt.Errorf("theme %s: %w", name, err)
	}
	return t, nil
}

// role is a style as a theme file writes it.
type role struct {
	Fg, Bg                                  string
	Bold, Faint, Italic, Underline, Reverse bool
}

type gradient struct {
	Steps int
	Stops []string
}

type file struct {
	Name                   string
	Dark                   bool
	Background, Foreground string
	Roles                  map[string]role
	Ramps                  map[string]gradient
}

// Parse reads a theme file.
func Parse(b []byte) (*Theme, error) {
	var f file
	if err := yaml.UnmarshalWithOptions(b, &f, yaml.Strict()); err != nil {
		return nil, err
	}
	t := &Theme{
		Name: f.Name, Dark: f.Dark,
		Background: lipgloss.Color(f.Background), Foreground: lipgloss.Color(f.Foreground),
	}
	for _, s := range []string{f.Background, f.Foreground} {
		if _, err := parseHex(s); err != nil {
			return nil, err
		}
	}
	if err := fill(t.Roles(), f.Roles, "role", role.style); err != nil {
		return nil, err
	}
	if err := fill(t.ramps(), f.Ramps, "ramp", gradient.ramp); err != nil {
		return nil, err
	}
	return t, nil
}

// Roles are the theme's styles by the name they have in its file.
func (t *Theme) Roles() map[string]*lipgloss.Style {
	return map[string]*lipgloss.Style{
		"text": &t.Text, "value": &t.Value, "label": &t.Label,
		"chrome": &t.Chrome, "grid": &t.Grid,
		"accent": &t.Accent, "keyhint": &t.KeyHint, "title": &t.Title,
		"selected": &t.Selected,
		"good":     &t.Good, "attention": &t.Attention, "bad": &t.Bad,
		"held": &t.Held, "inflight": &t.InFlight,
		"p50": &t.P50, "p95": &t.P95, "p99": &t.P99,
	}
}

func (t *Theme) ramps() map[string]*Ramp {
	return map[string]*Ramp{"backlog": &t.Backlog, "load": &t.Load, "heat": &t.Heat}
}

// fill puts what the file says into the fields; both must have the same names.
func fill[F, T any](fields map[string]*T, said map[string]F, what string, make func(F) (T, error)) error {
	for _, name := range slices.Sorted(maps.Keys(said)) {
		p, ok := fields[name]
		if !ok {
			return fmt.Errorf("unknown %s %q", what, name)
		}
		v, err := make(said[name])
		if err != nil {
			return fmt.Errorf("%s %s: %w", what, name, err)
		}
		*p = v
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if _, ok := said[name]; !ok {
			return fmt.Errorf("%s %q is missing", what, name)
		}
	}
	return nil
}

func (r role) style() (lipgloss.Style, error) {
	s := lipgloss.NewStyle().Bold(r.Bold).Faint(r.Faint).Italic(r.Italic).
		Underline(r.Underline).Reverse(r.Reverse)
	if r.Fg != "" {
		if _, err := parseHex(r.Fg); err != nil {
			return s, err
		}
		s = s.Foreground(lipgloss.Color(r.Fg))
	}
	if r.Bg != "" {
		if _, err := parseHex(r.Bg); err != nil {
			return s, err
		}
		s = s.Background(lipgloss.Color(r.Bg))
	}
	return s, nil
}
