package panes

import (
	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/keys"
)

// Help draws all keys over r, made from the table of keys: with what they do,
// or where that has no room with their short names. Groups stay whole; where
// that has no room either, the lines are scrolled to.
func Help(b *cells.Buf, r cells.Rect, v *View) {
	t := v.Theme
	b.Fill(r, ' ', cells.Style{})
	box(b, r, t.Accent)
	b.Text(r.X+2, r.Y, r.W-4, " "+v.say(lang.PaneHelp)+" ", t.Title)
	in := r.Inset(2, 1)
	if in.H < 1 {
		return
	}
	back := v.say(lang.SayBack)
	columns := helpColumns(helpGroups(v, "help-"), in.H, in.W/helpWidth)
	if columns == nil {
		columns = helpColumns(helpGroups(v, "key-"), in.H, max(1, in.W/helpShort))
	}
	if columns == nil {
		columns = scrolledHelp(v, in)
		back = "↑ ↓   " + back
	}
	legend(b, r, []part{{back, t.Label}})
	w := min(in.W/len(columns), helpWidth+6)
	for i, lines := range columns {
		for y, l := range lines {
			l.draw(b, in.X+i*w, in.Y+y, w-1, t)
		}
	}
}

// The widths of a column with sentences and of one with short names.
const (
	helpWidth = 64
	helpShort = 25
)

// helpLine is a heading (no key) or a key and what it does, or a word and what it
// means.
type helpLine struct {
	key, text string
	word      bool
}

func (l helpLine) draw(b *cells.Buf, x, y, w int, t *Theme) {
	const keyW = 13
	if l.key == "" {
		b.Text(x, y, w, l.text, t.Title)
		return
	}
	st := t.KeyHint
	if l.word {
		st = t.Label // as it stands in its pane
	}
	b.Text(x+1, y, keyW-1, l.key, st)
	b.Text(x+keyW+1, y, w-keyW-1, cells.Cut(l.text, w-keyW-1), t.Text)
}

// helpGroups are the lines of each group of keys, its heading first, and behind them
// the words of the line that says how the driver fares.
func helpGroups(v *View, kind string) (out [][]helpLine) {
	for _, g := range keys.Groups {
		lines := []helpLine{{text: v.say(lang.ID("group-" + g))}}
		for _, k := range keys.Of(g) {
			lines = append(lines, helpLine{key: k.Help().Key, text: v.say(lang.ID(kind + k.Name))})
		}
		out = append(out, lines)
	}
	words := []helpLine{{text: v.say(lang.GroupDriver)}}
	for _, name := range []string{"own", "wait", "fds", "ports", "gc"} {
		words = append(words, helpLine{key: v.say(lang.ID("head-" + name)), text: v.say(lang.ID(kind + name)), word: true})
	}
	return append(out, words)
}

// helpColumns puts whole groups, a line between two, into as few columns of at
// most h lines as it takes, and those are as low as they can be. It returns nil
// if that takes more than most.
func helpColumns(groups [][]helpLine, h, most int) [][]helpLine {
	for n := 1; n <= most; n++ {
		if fillColumns(groups, h, n) == nil {
			continue
		}
		low := h
		for fillColumns(groups, low-1, n) != nil {
			low--
		}
		return fillColumns(groups, low, n)
	}
	return nil
}

// fillColumns puts groups one behind the other into at most n columns of h
// lines, and returns nil if there is no room.
func fillColumns(groups [][]helpLine, h, n int) (out [][]helpLine) {
	out = [][]helpLine{nil}
	for _, g := range groups {
		last := &out[len(out)-1]
		switch {
		case len(g) > h:
			return nil
		case len(*last) == 0:
			*last = append(*last, g...)
		case len(*last)+1+len(g) <= h:
			*last = append(append(*last, helpLine{}), g...)
		case len(out) == n:
			return nil
		default:
			out = append(out, append([]helpLine(nil), g...))
		}
	}
	return out
}

// scrolledHelp is as many lines as there is room for, from the one scrolled to.
func scrolledHelp(v *View, in cells.Rect) (out [][]helpLine) {
	var lines []helpLine
	for _, g := range helpGroups(v, "key-") {
		lines = append(lines, g...)
	}
	cols := max(1, in.W/helpShort)
	from := min(v.Scroll.Help, max(0, len(lines)-cols*in.H))
	for i := range cols {
		a, b := min(from+i*in.H, len(lines)), min(from+(i+1)*in.H, len(lines))
		out = append(out, lines[a:b])
	}
	return out
}
