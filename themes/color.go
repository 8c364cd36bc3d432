package themes

import (
	"errors"
	"fmt"
	"math"

	"github.com/charmbracelet/lipgloss"
	"github.com/lucasb-eyer/go-colorful"
)

func parseHex(s string) (colorful.Color, error) {
	if len(s) != 7 {
		return colorful.Color{}, fmt.Errorf("colour %q is not #rrggbb", s)
	}
	c, err := colorful.Hex(s)
	if err != nil {
		return c, fmt.Errorf("colour %q is not #rrggbb", s)
	}
	return c, nil
}

// ramp spreads the stops evenly over the steps and mixes between them in a
// space in which equal distances look equal.
func (g gradient) ramp() (Ramp, error) {
	if len(g.Stops) < 2 || g.Steps < 2 || g.Steps > 256 {
		return nil, errors.New("needs two stops and 2 to 256 steps")
	}
	stops := make([]colorful.Color, len(g.Stops))
	for i, s := range g.Stops {
		c, err := parseHex(s)
		if err != nil {
			return nil, err
		}
		stops[i] = c
	}
	r := make(Ramp, g.Steps)
	for i := range r {
		at := float64(i) / float64(g.Steps-1) * float64(len(stops)-1)
		k := min(int(at), len(stops)-2)
		r[i] = lipgloss.Color(stops[k].BlendOkLab(stops[k+1], at-float64(k)).Clamped().Hex())
	}
	return r, nil
}

// Contrast is the contrast ratio of two colours as WCAG 2 defines it: from 1
// (equal) to 21 (black on white). Colours that are not #rrggbb have none: 0.
func Contrast(a, b lipgloss.Color) float64 {
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
