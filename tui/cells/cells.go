// Package cells is the sheet the screen is drawn on: a grid of characters with
// colours and attributes, and one pass that turns it into lines for a terminal.
//
// The one idea: everything visible is written cell by cell at absolute
// coordinates and clipped there, so whatever is drawn, at whatever size, the
// result is exactly H lines of exactly W cells. No text breaks the grid:
// Hangul takes two cells, half of a wide character is never left standing, and
// characters that join their neighbours or take no room are not let in.
//
// It refuses to lay out, to wrap and to know a theme; it knows only colours.
package cells

import (
	"github.com/charmbracelet/lipgloss"
	"github.com/mattn/go-runewidth"
)

// bubbletea's init asks the terminal for its background colour and waits five
// seconds on one that never answers. The question is not asked once lipgloss
// has been told, and this init runs first because Go initialises packages that
// are ready in the order of their import paths: dev.example/… sorts before
// github.com/…, as long as this package imports nothing that lipgloss does not
// import itself. A test holds both.
//
// The other line makes characters of ambiguous width one cell wide whatever the
// locale says, as bubbletea and lipgloss count them: under LANG=ko_KR.UTF-8 the
// widgets that measure with go-runewidth would cut text elsewhere.
func init() {
	lipgloss.SetHasDarkBackground(true)
	runewidth.DefaultCondition.EastAsianWidth = false
}

// An Attr is a set of attributes of a character.
type Attr uint8

// The attributes.
const (
	Bold Attr = 1 << iota
	Dim
	Italic
	Underline
	Reverse
)

// A Style is how a character looks. The zero Style is the terminal's own.
type Style struct {
	Fg, Bg Color
	Attr   Attr
}

// With returns the style with attributes added.
func (s Style) With(a Attr) Style { s.Attr |= a; return s }

// In returns the style in another colour.
func (s Style) In(fg Color) Style { s.Fg = fg; return s }

// Resolve returns what of a lipgloss style a cell can have: colours given as
// #rrggbb, bold, faint, italic, underline and reverse.
func Resolve(l lipgloss.Style) Style {
	s := Style{Fg: Hex(l.GetForeground()), Bg: Hex(l.GetBackground())}
	for _, a := range []struct {
		on bool
		a  Attr
	}{
		{l.GetBold(), Bold},
		{l.GetFaint(), Dim},
		{l.GetItalic(), Italic},
		{l.GetUnderline(), Underline},
		{l.GetReverse(), Reverse},
	} {
		if a.on {
			s.Attr |= a.a
		}
	}
	return s
}

// A Rect is a part of the grid. One without width or height is empty.
type Rect struct{ X, Y, W, H int }

// Empty reports whether the rectangle has no cell.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Right is the first column to the right of the rectangle.
func (r Rect) Right() int { return r.X + r.W }

// Bottom is the first row below the rectangle.
func (r Rect) Bottom() int { return r.Y + r.H }

// Inset returns the rectangle without dx columns on both sides and dy rows
// above and below; its size is never negative.
func (r Rect) Inset(dx, dy int) Rect {
	return Rect{r.X + dx, r.Y + dy, max(0, r.W-2*dx), max(0, r.H-2*dy)}
}

// Row returns the i-th row of the rectangle, an empty one if it has none.
func (r Rect) Row(i int) Rect {
	if i < 0 || i >= r.H {
		return Rect{r.X, r.Y, 0, 0}
	}
	return Rect{r.X, r.Y + i, r.W, 1}
}

// Clip returns the part of r inside o.
func (r Rect) Clip(o Rect) Rect {
	x, y := max(r.X, o.X), max(r.Y, o.Y)
	return Rect{x, y, max(0, min(r.Right(), o.Right())-x), max(0, min(r.Bottom(), o.Bottom())-y)}
}
