package panes

import (
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/chart"
)

// changeLabels says beside each line what happened there, where there is room
// between the data. The end of sending and what is in force now come first; the
// others are placed in the order of time.
func changeLabels(plot chart.Plot, v *View, s *ledger.Snapshot, list []change) {
	in := plot.Inner()
	if s.SendingEnded != ledger.Never {
		for _, id := range []lang.ID{lang.SaySendingEnded, lang.SayEnded} {
			if lineLabel(plot, in, s.SendingEnded, endLine, "■ "+v.say(id), v.Theme.Text) {
				break
			}
		}
	}
	last := len(list) - 1
	if last >= 0 {
		lineLabel(plot, in, list[last].at, changeLine, list[last].text, v.Theme.Label)
	}
	for i := range max(0, last) {
		if list[i].kind != list[i+1].kind || !sameColumn(plot, list[i].at, list[i+1].at) {
			lineLabel(plot, in, list[i].at, changeLine, list[i].text, v.Theme.Label)
		}
	}
}

// sameColumn reports whether two lines fall on one: of one kind the later one is
// named.
func sameColumn(plot chart.Plot, a, b time.Duration) bool {
	x, ok := plot.Time.Col(a)
	y, also := plot.Time.Col(b)
	return ok && also && x == y
}

// labelRows is in how many rows labels are looked for a place.
const labelRows = 6

// lineLabel writes text beside a line in the first row in which the line is
// seen and nothing stands: behind it, over lines of later changes, else before
// it. Away from its line it would be another one's.
func lineLabel(plot chart.Plot, in cells.Rect, at time.Duration, line rune, text string, st cells.Style) bool {
	col, ok := plot.Time.Col(at)
	n := cells.Width(text)
	if !ok || in.Empty() || n == 0 {
		return false
	}
	for y := in.Y; y < min(in.Y+labelRows, in.Bottom()); y++ {
		if plot.Buf.At(in.X+col, y).R != line {
			continue
		}
		if x := in.X + col + 1; x+n <= in.Right() && uncovered(plot.Buf, x, y, n) && free(plot.Buf, x+n, y) {
			plot.Buf.Text(x, y, n, text, st)
			return true
		}
		if x := in.X + col - n; x >= in.X && blank(plot.Buf, x, y, n) && free(plot.Buf, x-1, y) {
			plot.Buf.Text(x, y, n, text, st)
			return true
		}
	}
	return false
}

// uncovered reports whether nothing but the grid and lines of changes stand in n
// cells.
func uncovered(b *cells.Buf, x, y, n int) bool {
	for i := range n {
		if c := b.At(x+i, y).R; c != changeLine && c != endLine && !blank(b, x+i, y, 1) {
			return false
		}
	}
	return true
}

// blank reports whether nothing but the grid stands in n cells.
func blank(b *cells.Buf, x, y, n int) bool {
	for i := range n {
		if c := b.At(x+i, y).R; c != 0 && c != ' ' && c != '·' {
			return false
		}
	}
	return true
}

// free reports whether no text stands in a cell: lines, blocks and braille are
// drawn, ■ and ◆ begin a label.
func free(b *cells.Buf, x, y int) bool {
	c := b.At(x, y).R
	return blank(b, x, y, 1) || c >= 0x2500 && c < 0x25a0 || c >= 0x2800 && c < 0x2900
}
