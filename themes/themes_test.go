package themes

import (
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/lucasb-eyer/go-colorful"
)

// Lines and dots are not text: they need to be seen, and no more.
var lines = map[string]float64{"chrome": 1.6, "grid": 1.3}

func TestContrast(t *testing.T) {
	for _, name := range Names() {
		th, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if th.Name != name {
			t.Errorf("theme %s calls itself %s", name, th.Name)
		}
		for role, s := range th.Roles() {
			want := 4.5
			if w, ok := lines[role]; ok {
				want = w
			}
			fg, bg := colour(s.GetForeground(), th.Foreground), colour(s.GetBackground(), th.Background)
			if got := contrast(fg, bg); got < want {
				t.Errorf("%s: %s has a contrast of %.2f, want %.1f", name, role, got, want)
			}
		}
		for _, c := range append(append(Ramp{}, th.Backlog...), th.Load...) {
			if got := contrast(c, th.Background); got < 2 {
				t.Errorf("%s: a ramp's %s has a contrast of %.2f, want 2", name, c, got)
			}
		}
		for i := 1; i < len(th.Heat); i++ {
			a, b := contrast(th.Heat[i-1], th.Background), contrast(th.Heat[i], th.Background)
			if b <= a {
				t.Errorf("%s: heat step %d does not stand out more than the one before: %.2f, %.2f", name, i, a, b)
			}
		}
		if len(th.Heat) != 16 {
			t.Errorf("%s: %d heat steps, want 16", name, len(th.Heat))
		}
	}
}

func colour(c lipgloss.TerminalColor, otherwise lipgloss.Color) lipgloss.Color {
	if c, ok := c.(lipgloss.Color); ok {
		return c
	}
	return otherwise
}

// contrast is the contrast ratio of two colours as WCAG 2 defines it: from 1
// (equal) to 21 (black on white). Colours that are not #rrggbb have none: 0.
func contrast(a, b lipgloss.Color) float64 {
	x, err := parseHex(string(a))
	if err != nil {
		return 0
	}
	y, err := parseHex(string(b))
	if err != nil {
		return 0
	}
	l, m := luminance(x), luminance(y)
	return (math.Max(l, m) + 0.05) / (math.Min(l, m) + 0.05)
}

func luminance(c colorful.Color) float64 {
	r, g, b := c.LinearRgb()
	return 0.2126*r + 0.7152*g + 0.0722*b
}

func TestContrastRatio(t *testing.T) {
	if got := contrast("#000000", "#ffffff"); got < 20.99 || got > 21.01 {
		t.Errorf("black on white is %v, want 21", got)
	}
	if got := contrast("#777777", "#ffffff"); got < 4.47 || got > 4.49 {
		t.Errorf("#777777 on white is %v, want 4.48", got)
	}
	if got := contrast("red", "#ffffff"); got != 0 {
		t.Errorf("contrast of no colour is %v, want 0", got)
	}
}

func TestLoadUnknown(t *testing.T) {
	_, err := Load("solarized")
	if err == nil || !strings.Contains(err.Error(), "dark, light") {
		t.Errorf("got %v, want an error that names dark and light", err)
	}
}

func TestParseRefuses(t *testing.T) {
	good, err := files.ReadFile("dark.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, old, new, want string }{
		{"a missing role", "  text: {}\n", "", `role "text" is missing`},
		{"an unknown role", "  text: {}\n", "  text: {}\n  shiny: {}\n", `unknown role "shiny"`},
		{"a word for a colour", `p50: {fg: "#60a5fa"}`, `p50: {fg: blue}`, "#rrggbb"},
		{"no background", `background: "#0d1117"`, `background: ""`, "#rrggbb"},
		{"an unknown property", "value: {bold: true}", "value: {blink: true}", "blink"},
		{"one step", "steps: 8", "steps: 1", "ramp load"},
		{"nonsense", "roles:", "roles: [", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := strings.Replace(string(good), tt.old, tt.new, 1)
			if b == string(good) {
				t.Fatal("the case changes nothing")
			}
			_, err := Parse([]byte(b))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}

func TestStep(t *testing.T) {
	nan := 0.0
	nan /= nan
	for _, tt := range []struct {
		t    float64
		want int
	}{{-1, 0}, {0, 0}, {0.24, 0}, {0.26, 1}, {0.99, 3}, {1, 3}, {9, 3}, {nan, 0}} {
		if got := Step(tt.t, 4); got != tt.want {
			t.Errorf("Step(%v) = %v, want %v", tt.t, got, tt.want)
		}
	}
	if got := Step(0.5, 0); got != 0 {
		t.Errorf("of no steps %v is taken", got)
	}
}
