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

// askedOf writes what is asked of the run and how it stands with it, so that it
// ends before cell end and begins no sooner than from: what is missed first, as
// many as have room, and … for the others. Nothing that is kept takes the place of
// something that is missed. It returns where they begin, end if none has room.
func askedOf(b *cells.Buf, from, end, y int, v *View) int {
	t := v.Theme
	label := part{v.say(lang.SaySLO), t.Label}
	all, missed := askedParts(v)
	room := end - from - cells.Width(label.text)
	n, width := fitting(all, room)
	if n < len(all) {
		if some, less := fitting(all, room-cells.Width(moreAsked)); some > 0 {
			st := t.Label
			if some < missed {
				st = t.Bad.With(cells.Bold)
			}
			n, width = some, less+cells.Width(moreAsked)
			all[n] = []part{{moreAsked, st}}
			all = all[:n+1]
		} else {
			all = all[:n]
		}
	}
	if n == 0 {
		return end
	}
	at := end - width - cells.Width(label.text)
	x := at
	for _, p := range append([]part{label}, slices.Concat(all...)...) {
		x += b.Text(x, y, end-x, p.text, p.st)
	}
	return at
}

// moreAsked stands for what has no room.
const moreAsked = " …"

// askedParts are the parts of each thing that is asked, what is missed first, and
// how many that are.
func askedParts(v *View) (all [][]part, missed int) {
	t := v.Theme
	for i := range v.Asked {
		a := &v.Asked[i]
		shape, st := t.sloMark(a)
		parts := []part{{" " + shape, st}, {" " + a.SLO.String(), t.Text}}
		if seen := sloSeen(a); seen != "" {
			parts = append(parts, part{" " + seen, st})
		}
		if a.Known && !a.Held {
			all, missed = slices.Insert(all, missed, parts), missed+1
		} else {
			all = append(all, parts)
		}
	}
	for i := 1; i < len(all); i++ {
		all[i][0].text = " " + all[i][0].text
	}
	return all, missed
}

// fitting is how many of the first ones have room, and how wide those are.
func fitting(all [][]part, room int) (n, width int) {
	for _, parts := range all {
		w := 0
		for _, p := range parts {
			w += cells.Width(p.text)
		}
		if width+w > room {
			break
		}
		n, width = n+1, width+w
	}
	return n, width
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
