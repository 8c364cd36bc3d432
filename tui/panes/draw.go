package panes

import (
	"strings"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/format"
	"dev.example/pileup/tui/layout"
)

// frame draws the border of a pane with its digit, if it has one, and its title,
// and returns what is inside. The border of the pane in focus is in the accent.
func frame(b *cells.Buf, r cells.Rect, v *View, p layout.Pane, title string) cells.Rect {
	line := v.Theme.Chrome
	if p > 0 && v.Focus == p {
		line = v.Theme.Accent
	}
	box(b, r, line)
	x, end := r.X+2, r.Right()-2
	if r.W >= 8 && p > 0 {
		b.Set(x, r.Y, ' ', line)
		b.Set(x+1, r.Y, rune('0'+p), v.Theme.Accent)
		x += 2
	}
	if r.W >= 8 {
		b.Text(x, r.Y, end-x, " "+title+" ", v.Theme.Title)
	}
	return r.Inset(1, 1)
}

// box draws a border of rounded corners.
func box(b *cells.Buf, r cells.Rect, st cells.Style) {
	if r.W < 2 || r.H < 2 {
		return
	}
	for x := r.X + 1; x < r.Right()-1; x++ {
		b.Set(x, r.Y, '─', st)
		b.Set(x, r.Bottom()-1, '─', st)
	}
	for y := r.Y + 1; y < r.Bottom()-1; y++ {
		b.Set(r.X, y, '│', st)
		b.Set(r.Right()-1, y, '│', st)
	}
	b.Set(r.X, r.Y, '╭', st)
	b.Set(r.Right()-1, r.Y, '╮', st)
	b.Set(r.X, r.Bottom()-1, '╰', st)
	b.Set(r.Right()-1, r.Bottom()-1, '╯', st)
}

// quantity writes a number so that it ends with the last of w cells, and its
// unit dim into the room behind. Columns of numbers written so stand whatever
// they hold; what does not fit, number or unit, makes the whole of it cropped.
func (t *Theme) quantity(b *cells.Buf, x, y, w, room int, num, unit string, st cells.Style) {
	if n := cells.Width(num); unit == "" && n > w && n <= w+room { // it has its units within
		b.Text(x, y, n, num, st)
		return
	}
	if unit == "" || num == format.None {
		b.Right(x, y, w, num, st)
		return
	}
	gap := gapBefore(unit)
	if cells.Width(num) > w || gap+cells.Width(unit) > room {
		b.Right(x, y, w, cells.Cropped, st)
		return
	}
	b.Right(x, y, w, num, st)
	b.Text(x+w+gap, y, room-gap, unit, t.Label)
}

// join writes a number with its unit behind, dim, into w cells: both or, where
// they do not fit, neither. It returns how many cells it used.
func (t *Theme) join(b *cells.Buf, x, y, w int, num, unit string, st cells.Style) int {
	if cells.Width(format.Join(num, unit)) > w || unit == "" {
		return b.Whole(x, y, w, format.Join(num, unit), st)
	}
	n := b.Text(x, y, w, num, st) + gapBefore(unit)
	return n + b.Text(x+n, y, w-n, unit, t.Label)
}

// gapBefore is the blanks between a number and its unit.
func gapBefore(unit string) int {
	if unit == "" || unit[0] == '/' || unit[0] == '%' {
		return 0
	}
	return 1
}

// cutWords cuts text to w cells between words, with … at its end: no number in
// it becomes another one.
func cutWords(text string, w int) string {
	if cells.Width(text) <= w {
		return text
	}
	lines := wrap(text, max(1, w-2))
	if len(lines) == 0 || w < 3 {
		return cells.Cut(text, min(w, 1))
	}
	return strings.TrimRight(lines[0], " ") + " " + cells.Cropped
}

// cutMiddle cuts text to w cells between words, with … in its middle: what
// happened stands at the beginning, and why at the end.
func cutMiddle(text string, w int) string {
	if cells.Width(text) <= w || w < 24 {
		return cutWords(text, w)
	}
	all := strings.Fields(text)
	end, n := len(all), 0
	for end > 1 && n+1+cells.Width(all[end-1]) <= w/2 {
		end--
		n += 1 + cells.Width(all[end])
	}
	begin, room := 0, w-n-2
	for begin < end && cells.Width(all[begin]) <= room {
		room -= cells.Width(all[begin]) + 1
		begin++
	}
	if begin == 0 || end == len(all) {
		return cutWords(text, w)
	}
	return strings.Join(all[:begin], " ") + " " + cells.Cropped + " " + strings.Join(all[end:], " ")
}

// value is the style of a number: the one given, or dim if there is none or it
// says nothing.
func (t *Theme) value(num string, thin bool, st cells.Style) cells.Style {
	if thin || num == format.None {
		return t.Label
	}
	return st
}

// words writes text into r, wrapped between words, and returns how many rows
// it took.
func words(b *cells.Buf, r cells.Rect, text string, st cells.Style) int {
	lines := wrap(text, r.W)
	for i, line := range lines {
		if i >= r.H {
			return r.H
		}
		b.Text(r.X, r.Y+i, r.W, line, st)
	}
	return len(lines)
}

// wrap breaks text between words into lines of at most w cells; a longer word
// is broken inside.
func wrap(text string, w int) (lines []string) {
	if w < 1 {
		return nil
	}
	if cells.Width(text) <= w {
		return []string{text}
	}
	line, used := "", 0
	for word := range strings.FieldsSeq(text) {
		n := cells.Width(word)
		if used > 0 && used+1+n > w {
			lines, line, used = append(lines, line), "", 0
		}
		for used == 0 && n > w {
			part := head(word, w)
			if part == word {
				break
			}
			lines, word = append(lines, part), word[len(part):]
			n = cells.Width(word)
		}
		if used > 0 {
			line, used = line+" ", used+1
		}
		line, used = line+word, used+n
	}
	return append(lines, line)
}

// head is the beginning of a word that fits into w cells, at least one
// character.
func head(word string, w int) string {
	n := 0
	for i, r := range word {
		if n += cells.Width(string(r)); n > w && i > 0 {
			return word[:i]
		}
	}
	return word
}

// empty says in the middle of a pane why there is nothing in it.
func empty(b *cells.Buf, r cells.Rect, v *View, text string) {
	b.Center(r.X+1, r.Y+r.H/2, r.W-2, text, v.Theme.Label)
}

// level is the shape and colour of a level. Information has no shape of its own.
func (t *Theme) level(l ledger.Level) (rune, cells.Style) {
	switch l {
	case ledger.Attention:
		return '◆', t.Attention
	case ledger.Bad:
		return '▲', t.Bad
	}
	return '·', t.Label
}
