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
	fg, bg  map[Color]string // parameters of the colours seen
}

// View returns the grid as H lines of W cells each, joined by newlines. Every
// line begins and ends with the terminal's own style, since bubbletea writes
// only the lines that changed; within a line only changes of style are
// written, and a blank takes the style before it where that cannot be seen.
// Lines are never cut short: a line is as wide as the grid, always.
func (b *Buf) View(p Profile) string {
	b.encode(p, nil)
	return string(b.enc.out)
}

// Lines is [Buf.View] line by line.
func (b *Buf) Lines(p Profile) []string {
	if b.H == 0 {
		return nil
	}
	ends := make([]int, 0, b.H)
	b.encode(p, func(end int) { ends = append(ends, end) })
	all := string(b.enc.out)
	lines, from := make([]string, 0, b.H), 0
	for _, end := range ends {
		lines = append(lines, all[from:end])
		from = end + 1
	}
	return lines
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

func (b *Buf) encode(p Profile, lineEnd func(int)) {
	e := &b.enc
	if e.fg == nil || e.profile != p {
		e.profile, e.fg, e.bg = p, map[Color]string{}, map[Color]string{}
	}
	e.out = e.out[:0]
	for y := range b.H {
		e.line(b.cells[y*b.W : (y+1)*b.W])
		if lineEnd != nil {
			lineEnd(len(e.out))
		}
		if y < b.H-1 {
			e.out = append(e.out, '\n')
		}
	}
}

const shows = Underline | Reverse // what is seen on a blank

func (e *encoder) line(row []Cell) {
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
		if c.R == 0 || c.R == ' ' {
			if s.Attr&shows == 0 {
				s.Fg, s.Attr = cur.Fg, cur.Attr&^shows
			}
			if s != cur {
				e.change(cur, s)
				cur = s
			}
			e.out = append(e.out, ' ')
			continue
		}
		if s != cur {
			e.change(cur, s)
			cur = s
		}
		e.out = utf8.AppendRune(e.out, c.R)
	}
	if cur != (Style{}) {
		e.out = append(e.out, "\x1b[m"...)
	}
}

// change writes the shortest sequence that leads from one style to another:
// what changes, or a reset and all of the new one.
func (e *encoder) change(from, to Style) {
	if to == (Style{}) {
		e.out = append(e.out, "\x1b[m"...)
		return
	}
	start := len(e.out)
	e.out = append(e.out, "\x1b["...)
	gone := from.Attr &^ to.Attr
	if from != (Style{}) {
		e.removed(gone)
	}
	added := to.Attr &^ from.Attr
	if gone&(Bold|Dim) != 0 { // 22 takes both away
		added |= to.Attr & (Bold | Dim)
	}
	e.added(added)
	if from.Fg != to.Fg {
		e.colour(to.Fg, false)
	}
	if from.Bg != to.Bg {
		e.colour(to.Bg, true)
	}
	e.out[len(e.out)-1] = 'm'
	loses := gone != 0 || from.Fg != 0 && to.Fg == 0 || from.Bg != 0 && to.Bg == 0
	if loses && from != (Style{}) {
		e.orReset(start, to)
	}
}

// orReset replaces the sequence that begins at start by a full one if that is
// shorter.
func (e *encoder) orReset(start int, to Style) {
	mid := len(e.out)
	e.out = append(e.out, "\x1b[0;"...)
	e.added(to.Attr)
	if to.Fg != 0 {
		e.colour(to.Fg, false)
	}
	if to.Bg != 0 {
		e.colour(to.Bg, true)
	}
	e.out[len(e.out)-1] = 'm'
	if n := len(e.out) - mid; n < mid-start {
		copy(e.out[start:], e.out[mid:])
		e.out = e.out[:start+n]
		return
	}
	e.out = e.out[:mid]
}

func (e *encoder) removed(gone Attr) {
	if gone&(Bold|Dim) != 0 {
		e.out = append(e.out, "22;"...)
	}
	for i, code := range [...]string{"", "", "23;", "24;", "27;"} {
		if gone&(1<<i)&^(Bold|Dim) != 0 {
			e.out = append(e.out, code...)
		}
	}
}

func (e *encoder) added(a Attr) {
	for i, code := range [...]string{"1;", "2;", "3;", "4;", "7;"} {
		if a&(1<<i) != 0 {
			e.out = append(e.out, code...)
		}
	}
}

func (e *encoder) colour(c Color, bg bool) {
	m := e.fg
	if bg {
		m = e.bg
	}
	s, ok := m[c]
	if !ok {
		s = e.profile.params(c, bg)
		m[c] = s
	}
	e.out = append(e.out, s...)
}

// params returns the parameters of a colour, each followed by a semicolon.
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
