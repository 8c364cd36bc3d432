package panes

import (
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/format"
)

// A tableColumn is one column of the ledger. A number ends at its right edge;
// one with a unit has it behind.
type tableColumn struct {
	head, short lang.ID // the heading, and one for narrow columns
	w, narrow   int     // at least, with the blank before it
	unit        int     // of w, for the unit
	rank        int     // the highest goes first where there is no room
}

// The columns of the table, in order.
const (
	colSecond = iota
	colDue
	colSent
	colOK
	colFailed
	colOpen
	colEarlier
	colThis
	nCounts
)

// The columns of times, behind those of counts.
const (
	colLastSent = iota + nCounts
	colMean
	colP50
	nColumns
)

var columns = [nColumns]tableColumn{
	colSecond:   {lang.HeadSecond, lang.HeadSecondShort, 7, 5, 0, 0},
	colDue:      {lang.HeadDue, lang.HeadDue, 6, 5, 0, 1},
	colSent:     {lang.HeadSent, lang.HeadSent, 6, 5, 0, 0},
	colOK:       {lang.HeadOK, lang.HeadOK, 6, 5, 0, 0},
	colFailed:   {lang.HeadFailed, lang.HeadFailedShort, 7, 5, 0, 0},
	colOpen:     {lang.HeadOpenDue, lang.HeadOpenDue, 11, 10, 0, 0},
	colEarlier:  {lang.HeadEarlier, lang.HeadEarlier, 8, 8, 0, 0},
	colThis:     {lang.HeadThis, lang.HeadThis, 6, 5, 0, 0},
	colLastSent: {lang.HeadLastSent, lang.HeadLastSent, 10, 9, 3, 4},
	colMean:     {lang.HeadMean, lang.HeadMean, 10, 10, 3, 2},
	colP50:      {lang.HeadP50, lang.HeadP50, 10, 10, 3, 3},
}

// grid knows where the columns are.
type grid struct {
	b       *cells.Buf
	in      cells.Rect
	v       *View
	x, w    [nColumns]int // w is 0 for a column that is left out
	narrow  bool
	barX    int           // where the bars begin, behind the last column
	bar     int           // their length, 0 for none
	longest time.Duration // what the longest bar means
}

// newGrid divides the width for the rows from…to−1 of the lane, and its totals.
func newGrid(b *cells.Buf, in cells.Rect, v *View, l *ledger.Lane, from, to int) *grid {
	g := &grid{b: b, in: in, v: v}
	if sum := g.take(l, from, to); sum > in.W-1 {
		g.narrow = true
		sum = g.take(l, from, to)
		for rank := 4; rank > 0 && sum > in.W; rank-- {
			for i, c := range columns {
				if c.rank == rank {
					sum -= g.w[i]
					g.w[i] = 0
				}
			}
		}
	}
	x := in.X
	for i, w := range g.w {
		g.x[i] = x
		x += w
	}
	g.barX = x + 2
	if rest := in.Right() - 1 - g.barX; rest >= 6 {
		g.bar = min(rest, longestBar)
	}
	return g
}

// take gives each column its width: that of its heading, and of the longest of
// the numbers that have no fixed one, with a blank before it.
func (g *grid) take(l *ledger.Lane, from, to int) (sum int) {
	for i, c := range columns {
		g.w[i] = c.w
		if g.narrow {
			g.w[i] = c.narrow
		}
		g.w[i] = max(g.w[i], cells.Width(g.head(i))+1)
	}
	widen := func(row [nCounts]string) {
		for i, text := range row {
			g.w[i] = max(g.w[i], cells.Width(text)+1)
		}
	}
	due := dueBefore(l, from)
	for i := from; i < to; i++ {
		due += l.Seconds[i].Due
		widen(counts(&l.Seconds[i], due))
	}
	widen(g.totals(l))
	for _, w := range g.w {
		sum += w
	}
	return sum
}

// head is the heading of a column.
func (g *grid) head(i int) string {
	c := &columns[i]
	text := g.v.say(c.head)
	if g.narrow {
		text = g.v.say(c.short)
	}
	if g.v.Service && (i == colMean || i == colP50) {
		text = g.v.say(lang.HeadService) + " " + text
	}
	return text
}

func (g *grid) heads() {
	st := g.v.Theme.Label.With(cells.Underline)
	for i := range columns {
		if g.w[i] > 0 && g.x[i]+g.w[i] <= g.in.Right() {
			g.b.Right(g.x[i]+1, g.in.Y, g.w[i]-1, g.head(i), st)
		}
	}
	if g.bar > 0 {
		g.b.Text(g.barX, g.in.Y, g.bar, cells.Cut(g.head(colMean), g.bar), st)
	}
}

// cell writes into column c of row y.
func (g *grid) cell(c, y int, num, unit string, st cells.Style) {
	if g.w[c] == 0 || g.x[c]+g.w[c] > g.in.Right() {
		return
	}
	g.v.Theme.quantity(g.b, g.x[c]+1, y, g.w[c]-1-columns[c].unit, columns[c].unit, num, unit, st)
}

// span writes a time into column c.
func (g *grid) span(c, y int, num, unit string, known bool, st cells.Style) {
	g.cell(c, y, num, unit, g.v.Theme.value(num, !known, st))
}

// rows writes the seconds from…to−1 and what became of their requests.
func (g *grid) rows(s *ledger.Snapshot, l *ledger.Lane, from, to int) {
	due := dueBefore(l, from)
	cohorts := make([]*ledger.Cohort, to-from)
	at := 0
	for i := range cohorts {
		k := l.Seconds[from+i].K
		for at < len(l.Cohorts) && l.Cohorts[at].K < k {
			at++
		}
		if at == len(l.Cohorts) || l.Cohorts[at].K > k {
			continue
		}
		cohorts[i] = l.Cohorts[at]
		d, _ := g.v.ofCohort(cohorts[i], s.At).Mean()
		g.longest = max(g.longest, d)
	}
	for i, c := range cohorts {
		sec := &l.Seconds[from+i]
		due += sec.Due
		g.second(g.in.Y+1+i, sec, due, from+i == len(l.Seconds)-1)
		g.cohort(g.in.Y+1+i, s, c)
	}
}

// dueBefore is how many requests were due before the row from, those included
// whose seconds are no longer kept.
func dueBefore(l *ledger.Lane, from int) (due int64) {
	due = l.Due
	for i := range l.Seconds[from:] {
		due -= l.Seconds[from+i].Due
	}
	return due
}

// counts are what a second counts, column by column.
func counts(c *ledger.Second, due int64) [nCounts]string {
	return [nCounts]string{
		secondName(c), format.Count(c.Due), format.Count(c.Sent), format.Count(c.OK), format.Count(c.Failed),
		format.Count(c.Backlog()) + "/" + format.Count(due), format.Count(c.OldLeft), format.Count(c.ThisLeft),
	}
}

func (g *grid) second(y int, c *ledger.Second, due int64, last bool) {
	t := g.v.Theme
	for col, text := range counts(c, due) {
		st := t.Text
		switch {
		case text == "0" || col == colOpen && c.Backlog() == 0:
			st = t.Label
		case last && (col == colSecond || col == colOpen):
			st = t.Value
		case col == colSecond:
			st = t.Label
		case col == colFailed:
			st = t.Bad
		}
		g.cell(col, y, text, "", st)
	}
}

func dimIf(dim bool, t *Theme, st cells.Style) cells.Style {
	if dim {
		return t.Label
	}
	return st
}

// cohort writes what became of the requests due in the second.
func (g *grid) cohort(y int, s *ledger.Snapshot, c *ledger.Cohort) {
	t := g.v.Theme
	if c == nil || c.Due == 0 {
		for col := colLastSent; col <= colP50; col++ {
			g.cell(col, y, format.None, "", t.Label)
		}
		return
	}
	num, unit := format.Dur(lastSent(c))
	g.span(colLastSent, y, num, unit, true, t.Text)
	times := g.v.ofCohort(c, s.At)
	d, low := times.Mean()
	num, unit = format.Mean(d, low)
	g.span(colMean, y, num, unit, !low, t.Text)
	q := times.Quantile(0.5)
	num, unit, thin := format.Quantile(q)
	g.span(colP50, y, num, unit, !thin && q.Bound == ledger.Measure, t.P50)
	if g.bar > 0 && g.longest > 0 && d > 0 {
		g.bars(y, float64(d)/float64(g.longest), low)
	}
}

// lastSent is when the last of a second's requests was sent, from its beginning
// on; Never while one waits, where one was cut that did, and of joined seconds.
func lastSent(c *ledger.Cohort) time.Duration {
	at := c.AllSent()
	if at == ledger.Never || c.Span > 1 {
		return ledger.Never
	}
	return at - time.Duration(c.K-1)*time.Second
}

// bars draws the mean of a row against the longest one of those shown.
func (g *grid) bars(y int, share float64, low bool) {
	t := g.v.Theme
	st := t.InFlight
	if low {
		st = t.Chrome
	}
	n := max(1, int(share*float64(2*g.bar)+0.5))
	for i := range (n + 1) / 2 {
		c := '━'
		if n == 2*i+1 {
			c = '╸'
		}
		g.b.Set(g.barX+i, y, c, st)
	}
}

// totals are the counts of the last row.
func (g *grid) totals(l *ledger.Lane) [nCounts]string {
	name := g.v.say(lang.HeadTotal)
	if g.narrow {
		name = g.v.say(lang.HeadTotalShort)
	}
	return [nCounts]string{
		name, format.Count(l.Due), format.Count(l.Sent), format.Count(l.OK), format.Count(l.Failed),
		format.Count(l.Backlog()) + "/" + format.Count(l.Due),
	}
}

// total sums the lane up in the last row.
func (g *grid) total(y int, s *ledger.Snapshot, l *ledger.Lane) {
	t := g.v.Theme
	st := t.Value
	for col, text := range g.totals(l) {
		look := st
		switch {
		case col == colSecond || text == "0":
			look = t.Label
		case col == colFailed:
			look = t.Bad.With(cells.Bold)
		}
		g.cell(col, y, text, "", look)
	}
	times := g.v.ofLane(s, l)
	d, low := times.Mean()
	num, unit := format.Mean(d, low)
	g.span(colMean, y, num, unit, !low, st)
	q := times.Quantile(0.5)
	num, unit, thin := format.Quantile(q)
	g.span(colP50, y, num, unit, !thin && q.Bound == ledger.Measure, t.P50.With(cells.Bold))
}
