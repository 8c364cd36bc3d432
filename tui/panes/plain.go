package panes

import (
	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/format"
)

// Plain draws what a screen too small for panes has room for: the phase, the
// key figures a line each, and what size would do.
func Plain(b *cells.Buf, r cells.Rect, v *View, s *ledger.Snapshot) {
	t := v.Theme
	need := v.say(lang.SayPanesNeed)
	if s == nil {
		words(b, r, need, t.Label)
		return
	}
	shape, st := phaseMark(t, s)
	b.Text(r.X, r.Y, r.W, shape+" "+v.Lang.Phase(s.Phase)+" "+format.Clock(s.At), st)
	lines := len(wrap(need, r.W))
	room := cells.Rect{X: r.X, Y: r.Y + 1, W: r.W, H: max(0, r.H-1-lines)}
	all := figures(v, s)
	for i, n := range []int{figBacklog, figThroughput, figOffered, figOldest, figP50, figP95, figFailed, figHeld, figLag} {
		row := room.Row(i)
		if row.Empty() {
			break
		}
		f := &all[n]
		f.trend = map[bool]string{true: f.trend}[n == figBacklog]
		b.Text(row.X, row.Y, row.W, f.name, t.Label)
		at := min(12, cells.Width(f.name)+1)
		drawFigure(b, row.X+at, row.Y, row.W-at, t, f)
	}
	if r.H > lines {
		words(b, cells.Rect{X: r.X, Y: r.Bottom() - lines, W: r.W, H: lines}, need, t.Label)
	}
}
