package cells

import (
	"fmt"
	"strconv"
)

// A Color is a 24 bit colour, or the terminal's own.
type Color uint32

// Default is the terminal's own foreground or background.
const Default Color = 0

// RGB returns a colour of red, green and blue.
func RGB(r, g, b uint8) Color {
	return 1<<24 | Color(r)<<16 | Color(g)<<8 | Color(b)
}

// Hex reads a colour written as #rrggbb, as lipgloss.Color is; anything else
// is [Default].
func Hex(v any) Color {
	s := ""
	switch v := v.(type) {
	case string:
		s = v
	case fmt.Stringer:
		s = v.String()
	default:
		s = fmt.Sprint(v)
	}
	if len(s) != 7 || s[0] != '#' {
		return Default
	}
	n, err := strconv.ParseUint(s[1:], 16, 32)
	if err != nil {
		return Default
	}
	return Color(1<<24 | n)
}

// Parts returns red, green and blue; black for [Default].
func (c Color) Parts() (r, g, b uint8) { return uint8(c >> 16), uint8(c >> 8), uint8(c) }

func (c Color) String() string {
	if c == Default {
		return "default"
	}
	return fmt.Sprintf("#%06x", uint32(c)&0xffffff)
}

// Mix returns the colour that is t of the way from c to to; t is clamped to
// 0…1. [Default] does not mix: the nearer end is returned.
func (c Color) Mix(to Color, t float64) Color {
	if !(t > 0) {
		return c
	}
	if t >= 1 {
		return to
	}
	if c == Default || to == Default {
		if t < 0.5 {
			return c
		}
		return to
	}
	r0, g0, b0 := c.Parts()
	r1, g1, b1 := to.Parts()
	f := func(a, b uint8) uint8 { return uint8(float64(a) + (float64(b)-float64(a))*t + 0.5) }
	return RGB(f(r0, r1), f(g0, g1), f(b0, b1))
}

// A Profile says which colours a terminal shows.
type Profile uint8

// The profiles. With None attributes stay: they are not colours.
const (
	None Profile = iota
	ANSI16
	ANSI256
	TrueColor
)

func (p Profile) String() string {
	return [...]string{"none", "16", "256", "truecolor"}[min(p, TrueColor)]
}

// levels are the six steps of each channel of the 256-colour cube.
var levels = [6]int{0, 95, 135, 175, 215, 255}

// near256 picks from the cube and the greys of the 256 colours. A colour with a
// hue never becomes a grey: dark steps of a ramp would lose their place in it.
func (c Color) near256() uint8 {
	r8, g8, b8 := c.Parts()
	r, g, b := int(r8), int(g8), int(b8)
	chroma := max(r, g, b) - min(r, g, b)
	best, at := 1<<30, 16
	for i := range 216 {
		p, q, s := levels[i/36], levels[i/6%6], levels[i%6]
		if chroma > 40 && p == q && q == s {
			continue
		}
		if d := distance(r-p, g-q, b-s); d < best {
			best, at = d, 16+i
		}
	}
	if chroma <= 40 {
		for i := range 24 {
			v := 8 + 10*i
			if d := distance(r-v, g-v, b-v); d < best {
				best, at = d, 232+i
			}
		}
	}
	return uint8(at)
}

// distance weighs the channels as the eye does.
func distance(r, g, b int) int { return 3*r*r + 6*g*g + b*b }

// near16 picks one of the sixteen colours by hand: greys by lightness, never
// black, since that is what most terminals have behind, and the same for what
// is too dark to have a hue; the rest by hue.
func (c Color) near16() uint8 {
	r8, g8, b8 := c.Parts()
	r, g, b := int(r8), int(g8), int(b8)
	hi, lo := max(r, g, b), min(r, g, b)
	if hi-lo <= hi/4 || hi-lo < 24 || hi < 100 {
		switch {
		case hi > 230:
			return 15
		case hi > 170:
			return 7
		}
		return 8
	}
	n := hue16(r, g, b, hi, lo)
	if hi > 190 {
		n += 8
	}
	return n
}

func hue16(r, g, b, hi, lo int) uint8 {
	d, h := hi-lo, 0
	switch hi {
	case r:
		h = 60 * (g - b) / d
	case g:
		h = 120 + 60*(b-r)/d
	default:
		h = 240 + 60*(r-g)/d
	}
	switch h = (h + 360) % 360; {
	case h < 22 || h >= 335:
		return 1
	case h < 70:
		return 3
	case h < 160:
		return 2
	case h < 200:
		return 6
	case h < 255:
		return 4
	}
	return 5
}

// ProfileOf returns the profile for a terminal of that many colours.
func ProfileOf(colors int) Profile {
	switch {
	case colors > 256:
		return TrueColor
	case colors == 256:
		return ANSI256
	case colors >= 8:
		return ANSI16
	}
	return None
}
