package panes

import (
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/chart"
	"dev.example/pileup/tui/format"
)

// labels joins each name with each of what the number is of, longest first, and
// ends with the first name alone. Both lists begin with the longest.
func labels(of []string, names ...string) (out []string) {
	for _, name := range names {
		for _, o := range of {
			out = append(out, name+" "+o)
		}
	}
	return append(out, names[0])
}

// label is the longest label that has room in w cells; the last one if none has.
func (f *figure) label(w int) string {
	for _, text := range f.labels {
		if cells.Width(text) <= w {
			return text
		}
	}
	return f.labels[len(f.labels)-1]
}

// The widths of the key figures in one line: with what they are of in words,
// and in short. They do not depend on the numbers: no column moves.
var (
	inWords        = [nFigures]int{16, 19, 14, 17, 5, 8, 19, 11, 16}
	serviceInWords = [nFigures]int{16, 19, 14, 17, 5, 8, 26, 17, 16}
	serviceInShort = [nFigures]int{11, 14, 10, 17, 5, 8, 16, 16, 11}
	inShort        = [nFigures]int{11, 14, 10, 17, 5, 8, 11, 10, 11}
)

// widths are those that have room in w cells.
func (v *View) widths(w int) [nFigures]int {
	switch {
	case !v.Service && sum(inWords)+2*nFigures <= w:
		return inWords
	case v.Service && sum(serviceInWords)+2*nFigures <= w:
		return serviceInWords
	case v.Service && sum(serviceInShort)+nFigures <= w:
		return serviceInShort
	}
	return inShort
}

// wideFigures is a line of names and a line of numbers under them.
func wideFigures(b *cells.Buf, r cells.Rect, v *View, all [nFigures]figure) {
	widths := v.widths(r.W - 2)
	gap := min(6, max(1, (r.W-2-sum(widths))/(nFigures-1)))
	x := r.X + 1
	for i := range all {
		f, w := &all[i], widths[i]
		if x+w > r.Right() {
			return
		}
		room := min(w+gap-1, r.Right()-1-x)
		b.Text(x, r.Y, room, f.label(room), v.Theme.Label)
		if f.why != nil {
			w = room
		}
		drawFigure(b, x, r.Y+1, w, v.Theme, f)
		x += widths[i] + gap
	}
}

func sum(widths [nFigures]int) (n int) {
	for _, w := range widths {
		n += w
	}
	return n
}

// drawFigure writes a number with its unit and trend into w cells: each whole,
// or as no number, and why there is none where that has room; of a trend only the
// direction where its number has no room.
func drawFigure(b *cells.Buf, x, y, w int, t *Theme, f *figure) {
	if f.isShare {
		b.Whole(x, y, w, f.num+f.unit, f.st)
		chart.Bar(b, x+5, y, w-5, f.share, f.st, t.Grid)
		return
	}
	end := x + w
	x += t.join(b, x, y, w, f.num, f.unit, f.st) + 1
	for _, why := range f.why {
		if n := cells.Width(why); n <= end-x {
			b.Text(x, y, n, why, t.Label)
			return
		}
	}
	if f.trend != "" && x < end {
		x += b.Text(x, y, end-x, f.trend, f.trendSt) + 1
		if cells.Width(f.change) <= end-x {
			b.Text(x, y, end-x, f.change, f.trendSt)
		}
	}
}

// The order in which a small screen shows them, in two lines: of four, or
// where they have no room of three.
var (
	smallOrder = [2][]int{
		{figBacklog, figOffered, figFailed, figP50},
		{figOldest, figThroughput, figLag, figP95},
	}
	tinyOrder = [2][]int{
		{figBacklog, figOffered, figP50},
		{figOldest, figThroughput, figP95},
	}
)

// smallRoom is the width from which on four columns have room.
const smallRoom = 79

func smallFigures(b *cells.Buf, r cells.Rect, v *View, all [nFigures]figure) {
	order, widths := smallOrder, []int{22, 22, 16, 0}
	if all[figHeld].matters && !all[figLag].matters {
		all[figLag] = all[figHeld]
	}
	widths[0] += min(4, max(0, r.W-84)) // where there is room, for a backlog of any size with its trend
	widths[3] = r.W - 1 - widths[0] - widths[1] - widths[2]
	if r.W < smallRoom {
		order, widths = tinyOrder, []int{22, 18, r.W - 41}
		if all[figFailed].matters {
			all[figP95] = all[figFailed]
		}
	}
	x := r.X + 1
	for col, width := range widths {
		w, above, below := width-1, &all[order[0][col]], &all[order[1][col]]
		if col == len(widths)-1 {
			w = width
		}
		names := []string{above.narrow(w), below.narrow(w)}
		at := max(cells.Width(names[0]), cells.Width(names[1])) + 1
		for row, f := range []*figure{above, below} {
			used := b.Text(x, r.Y+row, w, names[row], v.Theme.Label) + 1
			need := cells.Width(format.Join(f.num, f.unit))
			if n := len(f.why); n > 0 {
				need += 1 + cells.Width(f.why[n-1])
			}
			if !f.isShare {
				used = max(used, min(at, w-need))
			}
			drawFigure(b, x+used, r.Y+row, w-used, v.Theme, f)
		}
		x += width
	}
}

// narrow is the label of a figure beside its number in w cells.
func (f *figure) narrow(w int) string {
	if f.isShare {
		return f.label(w - 10)
	}
	return f.label(w - 1 - cells.Width(format.Join(f.num, f.unit)))
}
