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
	h := &wordLine{b: b, x: r.X, y: r.Y, end: r.Right()}
	if v.Frozen {
		h.put("◆ "+v.say(lang.SayFrozen, lang.With("at", format.Clock(v.Since))), t.Accent, 2)
	} else {
		shape, st := phaseMark(t, s)
		h.put(shape, st, 1)
		if s.Phase != ledger.Draining || !h.put(draining(v, s)[0], st, 1) {
			h.put(v.Lang.Phase(s.Phase), st, 1)
		}
		h.put(format.Clock(s.At), st, 2)
	}
	if j := judged(s); j.late {
		_, st := j.mark(t)
		for _, text := range v.badge(s, &j) {
			if h.put(text, st.With(cells.Bold), 2) {
				break
			}
		}
	}
	lines := len(wrap(need, r.W))
	plainFigures(b, cells.Rect{X: r.X, Y: r.Y + 1, W: r.W, H: max(0, r.H-1-lines)}, v, s)
	if r.H > lines {
		words(b, cells.Rect{X: r.X, Y: r.Bottom() - lines, W: r.W, H: lines}, need, t.Label)
	}
}

// plainFigures are the key figures, a line each, what matters most first.
func plainFigures(b *cells.Buf, r cells.Rect, v *View, s *ledger.Snapshot) {
	all := figures(v, s)
	for i, n := range []int{figBacklog, figThroughput, figOffered, figOldest, figP50, figP95, figFailed, figHeld, figLag} {
		row := r.Row(i)
		if row.Empty() {
			return
		}
		f := &all[n]
		used := b.Text(row.X, row.Y, row.W, f.narrow(row.W), v.Theme.Label)
		need := cells.Width(format.Join(f.num, f.unit)) + 1
		at := max(min(20, row.W-need), used+1)
		drawFigure(b, row.X+at, row.Y, row.W-at, v.Theme, f)
	}
}
