package panes

import (
	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/keys"
)

// Help draws all keys over r, made from the table of keys: in one column, or
// in two where there is room.
func Help(b *cells.Buf, r cells.Rect, v *View) {
	t := v.Theme
	b.Fill(r, ' ', cells.Style{})
	in := frame(b, r, v, 0, v.say(lang.PaneHelp), v.say(lang.SayBack)).Inset(1, 0)
	box(b, r, t.Accent)
	b.Text(r.X+2, r.Y, r.W-4, " "+v.say(lang.PaneHelp)+" ", t.Title)
	sideNote(b, r, r.X+12, v.say(lang.SayBack), t.Label)
	lines := helpLines(v)
	cols := max(1, min(3, in.W/44))
	per := (len(lines) + cols - 1) / cols
	per = max(per, min(in.H, len(lines)))
	w := in.W / cols
	for i, l := range lines {
		col, row := i/per, i%per
		if row >= in.H || col >= cols {
			continue
		}
		l.draw(b, in.X+col*w, in.Y+row, w-1, t)
	}
}

// helpLine is a heading (no key) or a key and what it does.
type helpLine struct{ key, text string }

func (l helpLine) draw(b *cells.Buf, x, y, w int, t *Theme) {
	const keyW = 15
	if l.key == "" {
		b.Text(x, y, w, l.text, t.Title)
		return
	}
	b.Text(x+1, y, keyW-1, l.key, t.KeyHint)
	b.Text(x+keyW+1, y, w-keyW-1, cells.Cut(l.text, w-keyW-1), t.Text)
}

func helpLines(v *View) (out []helpLine) {
	for i, g := range keys.Groups {
		if i > 0 {
			out = append(out, helpLine{})
		}
		out = append(out, helpLine{text: v.say(lang.ID("group-" + g))})
		for _, k := range keys.Of(g) {
			out = append(out, helpLine{k.Help().Key, v.say(lang.ID("help-" + k.Name))})
		}
	}
	return out
}
