package panes

import (
	"fmt"
	"strconv"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/format"
	"dev.example/pileup/tui/layout"
)

// Table is the account second by second: what happened in each, what was open
// at its end, and what became of the requests due in it. The newest stands
// last; the totals stand below.
type Table struct{}

// A column of the table. A number ends at its right edge; one with a unit has
// it behind.
type column struct {
	head, short lang.ID // the heading, and one for narrow columns
	w, narrow   int     // with the blank before it
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
	colAllSent
	colMean
	colP50
	nColumns
)

var columns = [nColumns]column{
	colSecond:  {lang.HeadSecond, lang.HeadSecondShort, 7, 6, 0, 0},
	colDue:     {lang.HeadDue, lang.HeadDue, 6, 5, 0, 1},
	colSent:    {lang.HeadSent, lang.HeadSent, 6, 5, 0, 0},
	colOK:      {lang.HeadOK, lang.HeadOK, 6, 5, 0, 0},
	colFailed:  {lang.HeadFailed, lang.HeadFailedShort, 7, 5, 0, 0},
	colOpen:    {lang.HeadOpenDue, lang.HeadOpenDue, 11, 11, 0, 0},
	colEarlier: {lang.HeadEarlier, lang.HeadEarlier, 8, 8, 0, 0},
	colThis:    {lang.HeadThis, lang.HeadThis, 6, 5, 0, 0},
	colAllSent: {lang.HeadAllSent, lang.HeadAllSent, 10, 9, 3, 4},
	colMean:    {lang.HeadMean, lang.HeadMean, 10, 9, 3, 2},
	colP50:     {lang.HeadP50, lang.HeadP50, 10, 9, 3, 3},
}

// Draw draws the pane into r.
func (p *Table) Draw(b *cells.Buf, r cells.Rect, v *View, s *ledger.Snapshot) {
	in := frame(b, r, v, layout.Ledger, v.say(lang.PaneLedger), "")
	if s == nil || len(v.Account(closed(s)).Seconds) == 0 {
		empty(b, in, v, waiting(v, s))
		return
	}
	l := v.Account(closed(s))
	g := newGrid(b, in, v)
	g.heads()
	rows := in.H - 1
	if total := in.H >= 8; total {
		rows--
		g.total(in.Bottom()-1, l)
	}
	if rows < 1 {
		return
	}
	n := len(l.Seconds)
	back := min(v.Scroll.Ledger, max(0, n-rows))
	from := max(0, n-back-rows)
	note(b, r, v, l, back)
	g.rows(s, l, from, n-back)
}

// note says in the border what the rows are, or how far they are scrolled.
func note(b *cells.Buf, r cells.Rect, v *View, l *ledger.Lane, back int) {
	t := v.Theme
	if back > 0 {
		legend(b, r, []part{{v.say(lang.SayScrolled, lang.With("n", back)), t.Accent}})
		return
	}
	legend(b, r, []part{
		{v.say(lang.SideLedger), t.Label},
		{fmt.Sprintf("%s %s", format.Count(l.Due), v.say(lang.HeadDue)), t.Text},
		{fmt.Sprintf("%s %s", format.Count(l.OK), v.say(lang.HeadOK)), t.Text},
		{fmt.Sprintf("%s %s", format.Count(l.Backlog()), v.say(lang.HeadOpen)), t.Text},
	})
}

// grid knows where the columns are.
type grid struct {
	b       *cells.Buf
	in      cells.Rect
	v       *View
	x, w    [nColumns]int // w is 0 for a column that is left out
	narrow  bool
	bar     int           // cells for the bar behind the last column
	longest time.Duration // what the longest bar means
}

func newGrid(b *cells.Buf, in cells.Rect, v *View) *grid {
	g := &grid{b: b, in: in, v: v}
	room := in.W - 1
	if sum := g.take(false); sum > room {
		g.narrow = true
		sum = g.take(true)
		for rank := 4; rank > 0 && sum > room; rank-- {
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
	if rest := in.Right() - x - 3; rest >= 6 {
		g.bar = min(rest, 24)
	}
	return g
}

func (g *grid) take(narrow bool) (sum int) {
	for i, c := range columns {
		g.w[i] = c.w
		if narrow {
			g.w[i] = c.narrow
		}
		sum += g.w[i]
	}
	return sum
}

// cell writes into column c of row y.
func (g *grid) cell(c, y int, num, unit string, st cells.Style) {
	if g.w[c] == 0 || g.x[c]+g.w[c] > g.in.Right() {
		return
	}
	x, w := g.x[c]+1, g.w[c]-1-columns[c].unit
	if cells.Width(num) > w { // rather close to its neighbour than cut
		x, w = x-1, w+1
	}
	g.v.Theme.quantity(g.b, x, y, w, num, unit, st)
}

func (g *grid) heads() {
	st := g.v.Theme.Label.With(cells.Underline)
	for i, c := range columns {
		id := c.head
		if g.narrow {
			id = c.short
		}
		if g.w[i] > 0 && g.x[i]+g.w[i] <= g.in.Right() {
			g.b.Right(g.x[i]+1, g.in.Y, g.w[i]-1, cells.Cut(g.v.say(id), g.w[i]-1), st)
		}
	}
}

// rows writes the seconds from…to−1 and what became of their requests.
func (g *grid) rows(s *ledger.Snapshot, l *ledger.Lane, from, to int) {
	var due int64
	for i := range l.Seconds[:from] {
		due += l.Seconds[i].Due
	}
	cohorts := g.v.Account(s).Cohorts // as they are known now
	at := 0
	for _, c := range cohorts {
		if d, _ := g.mean(s, c); d > g.longest {
			g.longest = d
		}
	}
	for i := from; i < to; i++ {
		sec := &l.Seconds[i]
		due += sec.Due
		for at < len(cohorts) && cohorts[at].K < sec.K {
			at++
		}
		var c *ledger.Cohort
		if at < len(cohorts) && cohorts[at].K == sec.K {
			c = cohorts[at]
		}
		g.second(g.in.Y+1+i-from, sec, due, i == len(l.Seconds)-1)
		g.cohort(g.in.Y+1+i-from, s, c)
	}
}

func (g *grid) second(y int, c *ledger.Second, due int64, last bool) {
	t := g.v.Theme
	name := strconv.Itoa(c.K)
	if c.Span > 1 {
		name = strconv.Itoa(c.K-c.Span+1) + "–" + name
	}
	st := t.Label
	if last {
		st = t.Value
	}
	g.cell(colSecond, y, name, "", st)
	g.count(colDue, y, c.Due, t.Text)
	g.count(colSent, y, c.Sent, t.Text)
	g.count(colOK, y, c.OK, t.Text)
	g.count(colFailed, y, c.Failed, t.Bad)
	open := t.Text
	if last {
		open = t.Value
	}
	g.cell(colOpen, y, format.Count(c.Backlog())+"/"+format.Count(due), "", dimIf(c.Backlog() == 0, t, open))
	g.count(colEarlier, y, c.OldLeft, t.Text)
	g.count(colThis, y, c.ThisLeft, t.Text)
}

func dimIf(dim bool, t *Theme, st cells.Style) cells.Style {
	if dim {
		return t.Label
	}
	return st
}

// count writes a number of requests; none is dim.
func (g *grid) count(col, y int, n int64, st cells.Style) {
	g.cell(col, y, format.Count(n), "", dimIf(n == 0, g.v.Theme, st))
}

// mean is what the bar behind a row shows.
func (g *grid) mean(s *ledger.Snapshot, c *ledger.Cohort) (time.Duration, bool) {
	if g.v.Service {
		return serviceMean(c), false
	}
	return mean(c, s.At)
}

// cohort writes what became of the requests due in the second.
func (g *grid) cohort(y int, s *ledger.Snapshot, c *ledger.Cohort) {
	t := g.v.Theme
	if c == nil || c.Due == 0 {
		for col := colAllSent; col <= colP50; col++ {
			g.cell(col, y, format.None, "", t.Label)
		}
		return
	}
	sent := ledger.Never
	if c.Unsent == 0 && c.LastSent != ledger.Never {
		sent = c.LastSent - time.Duration(c.K-c.Span)*time.Second
	}
	num, unit := format.Dur(sent)
	g.cell(colAllSent, y, num, unit, t.value(num, false, t.Text))
	d, low := g.mean(s, c)
	st := t.Text
	if low {
		st = t.Label
	}
	num, unit = format.Mean(d, low)
	g.cell(colMean, y, num, unit, t.value(num, false, st))
	num, unit, thin := format.Quantile(quantile(g.v, c, 0.5, s.At))
	g.cell(colP50, y, num, unit, t.value(num, thin || low, t.P50))
	if g.bar > 0 && g.longest > 0 && d > 0 {
		g.bars(y, float64(d)/float64(g.longest), low)
	}
}

// bars draws the mean of a row against the longest one.
func (g *grid) bars(y int, share float64, low bool) {
	t := g.v.Theme
	st := t.InFlight
	if low {
		st = t.Chrome
	}
	n := max(1, int(share*float64(2*g.bar)+0.5))
	x := g.in.Right() - 1 - g.bar
	for i := range (n + 1) / 2 {
		c := '━'
		if n == 2*i+1 {
			c = '╸'
		}
		g.b.Set(x+i, y, c, st)
	}
}

// total sums the lane up in the last row.
func (g *grid) total(y int, l *ledger.Lane) {
	t := g.v.Theme
	sent := int64(0)
	for i := range l.Seconds {
		sent += l.Seconds[i].Sent
	}
	st := t.Value
	g.cell(colSecond, y, g.v.say(lang.HeadTotal), "", t.Label)
	g.cell(colDue, y, format.Count(l.Due), "", st)
	g.cell(colSent, y, format.Count(sent), "", st)
	g.cell(colOK, y, format.Count(l.OK), "", st)
	g.count(colFailed, y, l.Failed, t.Bad.With(cells.Bold))
	g.cell(colOpen, y, format.Count(l.Backlog())+"/"+format.Count(l.Due), "", st)
	d, q := l.Response, l.ResponseQuantile(0.5)
	if g.v.Service {
		d, q = l.Service, ledger.Of(l.Service, 0.5)
	}
	if d.N() == 0 {
		return
	}
	num, unit := format.Mean(d.Mean(), l.Censored > 0)
	g.cell(colMean, y, num, unit, st)
	num, unit, _ = format.Quantile(q)
	g.cell(colP50, y, num, unit, t.P50.With(cells.Bold))
}
