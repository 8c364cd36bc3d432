package panes

import (
	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/format"
	"dev.example/pileup/tui/layout"
)

// Events is what the run had to tell, the newest last.
type Events struct{}

// stamp writes the instant and the level of a note over the first w cells of
// row y.
func stamp(b *cells.Buf, x, y, w int, v *View, n *ledger.Note) {
	shape, st := v.Theme.level(n.Level)
	b.Right(x, y, w-3, format.Clock(n.At), v.Theme.Label)
	b.Set(x+w-2, y, shape, st)
}

// stampWidth is how many cells the stamps of notes take: those of one table
// the same.
func stampWidth(notes []ledger.Note) int {
	w := 5
	for i := range notes {
		w = max(w, cells.Width(format.Clock(notes[i].At)))
	}
	return w + 3
}

// noteStyle is how the text of a note looks.
func (t *Theme) noteStyle(l ledger.Level) cells.Style {
	if l == ledger.Info {
		return t.Text
	}
	_, st := t.level(l)
	return st
}

// Draw draws the pane into r.
func (p *Events) Draw(b *cells.Buf, r cells.Rect, v *View, s *ledger.Snapshot) {
	in := frame(b, r, v, layout.Events, v.say(lang.PaneEvents))
	if s == nil || len(s.Notes) == 0 {
		empty(b, in, v, v.say(lang.SayNoEvents))
		return
	}
	in = in.Inset(1, 0)
	end := len(s.Notes) - min(v.Scroll.Events, len(s.Notes)-1)
	if end < len(s.Notes) {
		legend(b, r, []part{{v.say(lang.SayScrolled, lang.With("n", len(s.Notes)-end)), v.Theme.Accent}})
	}
	stamps := stampWidth(s.Notes)
	first, used := end, 0
	for first > 0 && used < in.H {
		first--
		used += len(wrap(v.Lang.Note(s.Notes[first]), in.W-stamps))
	}
	y := in.Y
	if used > in.H { // the first one shows only its end
		y -= used - in.H
	}
	for _, n := range s.Notes[first:end] {
		y += p.event(b, in, y, stamps, v, &n)
	}
}

// event writes one note from row y on, as far as it is inside, and returns its
// rows.
func (p *Events) event(b *cells.Buf, in cells.Rect, y, stamps int, v *View, n *ledger.Note) int {
	lines := wrap(v.Lang.Note(*n), in.W-stamps)
	for i, line := range lines {
		if y+i < in.Y || y+i >= in.Bottom() {
			continue
		}
		if i == 0 {
			stamp(b, in.X, y, stamps, v, n)
		}
		b.Text(in.X+stamps, y+i, in.W-stamps, line, v.Theme.noteStyle(n.Level))
	}
	return len(lines)
}

// Latest is the youngest event in one line, for screens without the pane: some
// are found out late.
func Latest(b *cells.Buf, r cells.Rect, v *View, s *ledger.Snapshot) {
	if s == nil || len(s.Notes) == 0 || r.H < 1 {
		return
	}
	n := &s.Notes[0]
	for i := range s.Notes {
		if s.Notes[i].At >= n.At {
			n = &s.Notes[i]
		}
	}
	w := stampWidth([]ledger.Note{*n})
	stamp(b, r.X+1, r.Y, w, v, n)
	room := r.W - 2 - w
	b.Text(r.X+1+w, r.Y, room, cutMiddle(v.Lang.Note(*n), room), v.Theme.noteStyle(n.Level))
}
