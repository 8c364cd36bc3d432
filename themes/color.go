package themes

import (
	"errors"
	"fmt"

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
