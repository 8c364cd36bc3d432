package panes

import (
	"slices"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/format"
)

// sloMark is the shape and the colour of how a run stands with what is asked of
// it: kept, missed, not missed by what is known so far, not known.
func (t *Theme) sloMark(v *ledger.Verdict) (string, cells.Style) {
	switch {
	case v.Known && v.Held:
		return "✓", t.Good
	case v.Known:
		return "✗", t.Bad.With(cells.Bold)
	case v.Bound != ledger.None:
		return "○", t.Good
	}
	return "○", t.Label
}

// sloSeen is what was seen, in the unit of the figure, "" if nothing was.
func sloSeen(v *ledger.Verdict) string {
	var text string
	switch v.SLO.Figure {
	case ledger.SLOErrors:
		text = format.Number(100*v.Value) + "%"
	case ledger.SLOBacklog:
		text = format.Count(int64(v.Value))
	case ledger.SLOThroughput:
		text = format.Join(format.Rate(v.Value))
	default:
		text = format.Join(format.Dur(time.Duration(v.Value * float64(time.Second))))
	}
	switch v.Bound {
	case ledger.None:
		return ""
	case ledger.AtLeast:
		return "≥" + text
	case ledger.Over:
		return ">" + text
	}
	return text
}

// askedOf writes what is asked of the run and how it stands with it, what is missed
// first, as many as have room, so that they end before cell end and begin no
// sooner than from. It returns where they begin, end if none has room.
func askedOf(b *cells.Buf, from, end, y int, v *View) int {
	t := v.Theme
	word := v.say(lang.SaySLO)
	list, width := []part{{word, t.Label}}, cells.Width(word)
	for _, missed := range []bool{true, false} {
		for i := range v.Asked {
			a := &v.Asked[i]
			if missed != (a.Known && !a.Held) {
				continue
			}
			shape, st := t.sloMark(a)
			parts := []part{{" " + shape, st}, {" " + a.SLO.String(), t.Text}}
			if seen := sloSeen(a); seen != "" {
				parts = append(parts, part{" " + seen, st})
			}
			n := 0
			for _, p := range parts {
				n += cells.Width(p.text)
			}
			if len(list) > 1 {
				n++
			}
			if width+n > end-from {
				continue
			}
			if len(list) > 1 {
				list = append(list, part{" ", t.Text})
			}
			list, width = slices.Concat(list, parts), width+n
		}
	}
	if len(list) == 1 {
		return end
	}
	x := end - width
	for _, p := range list {
		x += b.Text(x, y, end-x, p.text, p.st)
	}
	return end - width
}

// askedBelow writes it into the lower border of a pane.
func askedBelow(b *cells.Buf, r cells.Rect, v *View) {
	if len(v.Asked) == 0 || r.H < 2 {
		return
	}
	y, end := r.Bottom()-1, r.Right()-3
	if x := askedOf(b, r.X+3, end, y, v); x < end {
		b.Set(x-1, y, ' ', cells.Style{})
		b.Set(end, y, ' ', cells.Style{})
	}
}

// askedLeaves is how much of the header of a run that is over what was asked of
// it leaves to what was driven.
const askedLeaves = 24
