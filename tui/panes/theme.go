package panes

import (
	"github.com/charmbracelet/lipgloss"

	"dev.example/pileup/themes"
	"dev.example/pileup/tui/cells"
)

// Theme is a theme resolved to what cells can hold. Its roles are those of
// [themes.Theme].
type Theme struct {
	Name string

	Text, Value, Label cells.Style
	Chrome, Grid       cells.Style

	Accent, KeyHint, Title, Selected cells.Style

	Good, Attention, Bad cells.Style
	Held, InFlight       cells.Style
	P50, P95, P99        cells.Style

	Backlog, Load []cells.Color
}

// Resolve prepares a theme for drawing.
func Resolve(t *themes.Theme) Theme {
	r := cells.Resolve
	return Theme{
		Name: t.Name,
		Text: r(t.Text), Value: r(t.Value), Label: r(t.Label),
		Chrome: r(t.Chrome), Grid: r(t.Grid),
		Accent: r(t.Accent), KeyHint: r(t.KeyHint), Title: r(t.Title),
		Selected: r(t.Selected),
		Good:     r(t.Good), Attention: r(t.Attention), Bad: r(t.Bad),
		Held: r(t.Held), InFlight: r(t.InFlight),
		P50: r(t.P50), P95: r(t.P95), P99: r(t.P99),
		Backlog: ramp(t.Backlog), Load: ramp(t.Load),
	}
}

func ramp(r themes.Ramp) []cells.Color {
	out := make([]cells.Color, len(r))
	for i, c := range r {
		out[i] = cells.Hex(lipgloss.Color(c))
	}
	return out
}

// busy is the colour of a load of percent.
func (t *Theme) busy(percent float64) cells.Style {
	if len(t.Load) == 0 {
		return t.Text
	}
	return cells.Style{Fg: t.Load[themes.Step(percent/100, len(t.Load))]}
}

// muted is a colour half on its way to the colour of lines, for large areas.
func (t *Theme) muted(st cells.Style) cells.Style {
	return st.In(st.Fg.Mix(t.Chrome.Fg, 0.5))
}
