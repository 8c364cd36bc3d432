package panes

import (
	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/keys"
)

// Help draws all keys over r, made from the table of keys: with what they do,
// or where that has no room with their short names. What does not fit is
// scrolled to.
func Help(b *cells.Buf, r cells.Rect, v *View) {
	t := v.Theme
	b.Fill(r, ' ', cells.Style{})
	box(b, r, t.Accent)
	b.Text(r.X+2, r.Y, r.W-4, " "+v.say(lang.PaneHelp)+" ", t.Title)
	in := r.Inset(2, 1)
	if in.H < 1 {
		return
	}
	lines := helpLines(v, "help-")
	cols := (len(lines) + in.H - 1) / in.H
	if in.W/cols < helpWidth {
		lines = helpLines(v, "key-")
		cols = min(cols, max(1, in.W/helpShort))
	}
	back := v.say(lang.SayBack)
	if hidden := len(lines) - cols*in.H; hidden > 0 {
		lines = lines[min(v.Scroll.Help, hidden):]
		back = "↑ ↓   " + back
	}
	legend(b, r, []part{{back, t.Label}})
	w := min(in.W/cols, helpWidth+6)
	for i, l := range lines {
		if col := i / in.H; col < cols {
			l.draw(b, in.X+col*w, in.Y+i%in.H, w-1, t)
		}
	}
}

// The widths of a column with sentences and of one with short names.
const (
	helpWidth = 64
	helpShort = 28
)

// helpLine is a heading (no key) or a key and what it does.
type helpLine struct{ key, text string }

func (l helpLine) draw(b *cells.Buf, x, y, w int, t *Theme) {
	const keyW = 14
	if l.key == "" {
		b.Text(x, y, w, l.text, t.Title)
		return
	}
	b.Text(x+1, y, keyW-1, l.key, t.KeyHint)
	b.Text(x+keyW+1, y, w-keyW-1, cells.Cut(l.text, w-keyW-1), t.Text)
}

func helpLines(v *View, kind string) (out []helpLine) {
	for i, g := range keys.Groups {
		if i > 0 {
			out = append(out, helpLine{})
		}
		out = append(out, helpLine{text: v.say(lang.ID("group-" + g))})
		for _, k := range keys.Of(g) {
			out = append(out, helpLine{k.Help().Key, v.say(lang.ID(kind + k.Name))})
		}
	}
	return out
}
