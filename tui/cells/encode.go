package cells

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// encoder holds what is worth keeping between two passes.
type encoder struct {
	profile Profile
	out     []byte
	fg, bg  [256]seen // by a hash of the colour
}

// View returns the grid as H lines of W cells each, joined by newlines. Every
// line begins and ends with the terminal's own style, since bubbletea writes
// only the lines that changed; within a line only changes of style are
// written, and a blank takes the style before it where that cannot be seen.
// Lines are never cut short: a line is as wide as the grid, always.
func (b *Buf) View(p Profile) string {
	b.encode(p)
	return string(b.enc.out)
}

// String returns the characters alone, with trailing blanks cut: for tests and
// logs.
func (b *Buf) String() string {
	var sb strings.Builder
	for y := range b.H {
		line := make([]rune, 0, b.W)
		for _, c := range b.cells[y*b.W : (y+1)*b.W] {
			switch c.R {
			case Tail:
			case 0:
				line = append(line, ' ')
			default:
				line = append(line, c.R)
			}
		}
		sb.WriteString(strings.TrimRight(string(line), " "))
		sb.WriteByte('\n')
	}
	return sb.String()
}

func (b *Buf) encode(p Profile) {
	e := &b.enc
	if e.profile != p {
		*e = encoder{profile: p, out: e.out}
	}
	o := e.out[:0]
	for y := range b.H {
		o = e.line(o, b.cells[y*b.W:(y+1)*b.W])
		if y < b.H-1 {
			o = append(o, '\n')
		}
	}
	e.out = o
}

const shows = Underline | Reverse // what is seen on a blank

// line appends one row to o. (A local slice costs no write barriers.)
func (e *encoder) line(o []byte, row []Cell) []byte {
	var cur Style
	for i := range row {
		c := &row[i]
		if c.R == Tail {
			continue
		}
		s := c.Style
		if e.profile == None {
			s.Fg, s.Bg = 0, 0
		}
		blank := c.R == 0 || c.R == ' '
		if blank && s.Attr&shows == 0 {
			s.Fg, s.Attr = cur.Fg, cur.Attr&^shows
		}
		if s != cur {
			o = e.change(o, cur, s)
			cur = s
		}
		switch {
		case blank:
			o = append(o, ' ')
		case c.R < utf8.RuneSelf:
			o = append(o, byte(c.R))
		default:
			o = utf8.AppendRune(o, c.R)
		}
	}
	if cur != (Style{}) {
		o = append(o, "\x1b[m"...)
	}
	return o
}

// change appends the shortest sequence that leads from one style to another:
// what changes, or a reset and all of the new one.
func (e *encoder) change(o []byte, from, to Style) []byte {
	if to == (Style{}) {
		return append(o, "\x1b[m"...)
	}
	start := len(o)
	o = append(o, "\x1b["...)
	gone, added := from.Attr&^to.Attr, to.Attr&^from.Attr
	if gone != 0 {
		o = appendRemoved(o, gone)
		if gone&(Bold|Dim) != 0 { // 22 takes both away
			added |= to.Attr & (Bold | Dim)
		}
	}
	o = appendAdded(o, added)
	if from.Fg != to.Fg {
		o = append(o, e.params(to.Fg, false)...)
	}
	if from.Bg != to.Bg {
		o = append(o, e.params(to.Bg, true)...)
	}
	o[len(o)-1] = 'm'
	if gone != 0 || from.Fg != 0 && to.Fg == 0 || from.Bg != 0 && to.Bg == 0 {
		o = e.orReset(o, start, to)
	}
	return o
}

// orReset replaces the sequence that begins at start by a full one if that is
// shorter.
func (e *encoder) orReset(o []byte, start int, to Style) []byte {
	mid := len(o)
	o = appendAdded(append(o, "\x1b[0;"...), to.Attr)
	if to.Fg != 0 {
		o = append(o, e.params(to.Fg, false)...)
	}
	if to.Bg != 0 {
		o = append(o, e.params(to.Bg, true)...)
	}
	o[len(o)-1] = 'm'
	if n := len(o) - mid; n < mid-start {
		copy(o[start:], o[mid:])
		return o[:start+n]
	}
	return o[:mid]
}

func appendRemoved(o []byte, gone Attr) []byte {
	if gone&(Bold|Dim) != 0 {
		o = append(o, "22;"...)
	}
	for i, code := range [...]string{2: "23;", 3: "24;", 4: "27;"} {
		if gone&(1<<i) != 0 {
			o = append(o, code...)
		}
	}
	return o
}

func appendAdded(o []byte, a Attr) []byte {
	if a == 0 {
		return o
	}
	for i, code := range [...]string{"1;", "2;", "3;", "4;", "7;"} {
		if a&(1<<i) != 0 {
			o = append(o, code...)
		}
	}
	return o
}

// A seen is a colour and its parameters.
type seen struct {
	c      Color
	params string
}

// params returns the parameters of a colour, each followed by a semicolon.
func (e *encoder) params(c Color, bg bool) string {
	m := &e.fg
	if bg {
		m = &e.bg
	}
	s := &m[uint32(c)*2654435761>>24]
	if s.c != c || s.params == "" {
		*s = seen{c, e.profile.params(c, bg)}
	}
	return s.params
}

func (p Profile) params(c Color, bg bool) string {
	base := 30
	if bg {
		base = 40
	}
	if c == Default {
		return strconv.Itoa(base+9) + ";"
	}
	switch p {
	case TrueColor:
		r, g, b := c.Parts()
		return strconv.Itoa(base+8) + ";2;" + strconv.Itoa(int(r)) + ";" + strconv.Itoa(int(g)) + ";" + strconv.Itoa(int(b)) + ";"
	case ANSI256:
		return strconv.Itoa(base+8) + ";5;" + strconv.Itoa(int(c.near256())) + ";"
	case ANSI16:
		n := int(c.near16())
		if n >= 8 {
			base, n = base+60, n-8
		}
		return strconv.Itoa(base+n) + ";"
	}
	return ""
}
