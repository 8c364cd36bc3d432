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

// textAt is the column of an event's text, behind its instant and mark.
const textAt = 9

// Draw draws the pane into r.
func (p *Events) Draw(b *cells.Buf, r cells.Rect, v *View, s *ledger.Snapshot) {
	in := frame(b, r, v, layout.Events, v.say(lang.PaneEvents), "")
	if s == nil || len(s.Notes) == 0 {
		empty(b, in, v, v.say(lang.SayNoEvents))
		return
	}
	in = in.Inset(1, 0)
	end := len(s.Notes) - min(v.Scroll.Events, len(s.Notes)-1)
	if end < len(s.Notes) {
		legend(b, r, []part{{v.say(lang.SayScrolled, lang.With("n", len(s.Notes)-end)), v.Theme.Accent}})
	}
	first, used := end, 0
	for first > 0 && used < in.H {
		first--
		used += len(wrap(v.Lang.Note(s.Notes[first]), in.W-textAt))
	}
	y := in.Y
	if used > in.H { // the first one shows only its end
		y -= used - in.H
	}
	for _, n := range s.Notes[first:end] {
		y += p.note(b, in, y, v, &n)
	}
}

// note writes one event from row y on, as far as it is inside, and returns
// its rows.
func (p *Events) note(b *cells.Buf, in cells.Rect, y int, v *View, n *ledger.Note) int {
	lines := wrap(v.Lang.Note(*n), in.W-textAt)
	shape, st := v.Theme.mark(n.Level)
	text := st
	if n.Level == ledger.Info {
		text = v.Theme.Text
	}
	for i, line := range lines {
		if y+i < in.Y || y+i >= in.Bottom() {
			continue
		}
		if i == 0 {
			b.Right(in.X, y, 6, format.Clock(n.At), v.Theme.Label)
			b.Set(in.X+7, y, shape, st)
		}
		b.Text(in.X+textAt, y+i, in.W-textAt, line, text)
	}
	return len(lines)
}

// Latest is the newest event in one line, for screens without the pane.
func Latest(b *cells.Buf, r cells.Rect, v *View, s *ledger.Snapshot) {
	if s == nil || len(s.Notes) == 0 || r.H < 1 {
		return
	}
	n := &s.Notes[len(s.Notes)-1]
	shape, st := v.Theme.mark(n.Level)
	text := st
	if n.Level == ledger.Info {
		text = v.Theme.Text
	}
	b.Text(r.X+1, r.Y, 6, format.Clock(n.At), v.Theme.Label)
	b.Set(r.X+7, r.Y, shape, st)
	b.Text(r.X+9, r.Y, r.W-10, cells.Cut(v.Lang.Note(*n), r.W-10), text)
}
