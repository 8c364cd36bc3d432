package panes

import (
	"math"
	"strconv"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/probes"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/chart"
	"dev.example/pileup/tui/format"
	"dev.example/pileup/tui/layout"
)

// Cores draws how busy each core of each machine was: the boards first, this
// machine last. On a small screen the board's mode, GPU and power stand below.
type Cores struct{}

// Driver is the name of the series of the machine that sends.
const Driver = "driver"

// Draw draws the pane into r.
func (p *Cores) Draw(b *cells.Buf, r cells.Rect, v *View, s *ledger.Snapshot) {
	in := frame(b, r, v, layout.Cores, v.say(lang.PaneCores), "").Inset(1, 0)
	if s == nil {
		empty(b, in, v, waiting(v, s))
		return
	}
	list, board := machines(s)
	p.note(b, r, v, list, board)
	if v.Small && !v.Zoomed {
		sum := in
		sum.H = min(summaryRows(v, list, board), max(0, in.H-2))
		in.H -= sum.H
		sum.Y = in.Bottom()
		if sum.H > 0 {
			summary(b, sum, v, list, board)
		}
	}
	if !board {
		in = noBoard(b, in, v)
	}
	share(b, in, v, s, list)
}

// note says in the border what the bars are; on a small screen the power mode.
func (p *Cores) note(b *cells.Buf, r cells.Rect, v *View, list []*probes.Series, board bool) {
	text := part{v.say(lang.SideCores), v.Theme.Label}
	if v.Small && board {
		if last, ok := list[0].Last(); ok && last.Sample.Mode != nil {
			text = part{last.Sample.Mode.Name, v.Theme.Value}
		}
	}
	legend(b, r, []part{text})
}

// machines are the series to draw, the driver last, and whether a board is
// among them.
func machines(s *ledger.Snapshot) (list []*probes.Series, board bool) {
	var driver *probes.Series
	for i := range s.Series {
		if m := &s.Series[i]; m.Name == Driver {
			driver = m
		} else {
			list, board = append(list, m), true
		}
	}
	if driver != nil {
		list = append(list, driver)
	}
	return list, board
}

func noBoard(b *cells.Buf, in cells.Rect, v *View) cells.Rect {
	n := words(b, in, v.say(lang.SayNoBoardRead), v.Theme.Label)
	n = min(n+1, in.H)
	in.Y, in.H = in.Y+n, in.H-n
	return in
}

// share divides the rows between the machines: all are drawn in the best
// manner that fits, then one after the other in a better one if it still does.
func share(b *cells.Buf, in cells.Rect, v *View, s *ledger.Snapshot, list []*probes.Series) {
	if len(list) == 0 {
		return
	}
	all := manners(in.W)
	level := make([]int, len(list))
	need := func() (rows int) {
		for i, m := range list {
			rows += 1 + all[level[i]].rows(coresOf(m))
		}
		return rows
	}
	for need() > in.H && level[0] < len(all)-1 {
		for i := range level {
			level[i]++
		}
	}
	for i, uniform := range level {
		for level[i] = 0; level[i] < uniform && need() > in.H; {
			level[i]++
		}
	}
	spare := in.H - need()
	for i, m := range list {
		h := min(1+all[level[i]].rows(coresOf(m)), in.H)
		machine(b, cells.Rect{X: in.X, Y: in.Y, W: in.W, H: h}, v, s, m, all[level[i]])
		if spare > 0 {
			h, spare = h+1, spare-1
		}
		h = min(h, in.H)
		in.Y, in.H = in.Y+h, in.H-h
	}
}

// coresOf is how many cores the machine's last sample has.
func coresOf(m *probes.Series) int {
	if p, ok := m.Last(); ok {
		return len(p.Sample.Cores)
	}
	return 1
}

// A manner is one way to draw the cores of a machine: so many columns, each so
// wide.
type manner struct {
	cols, w int
	across  bool // row by row instead of column by column
	draw    func(c *coreSpot)
}

// coreSpot is a core and the place to draw it.
type coreSpot struct {
	b       *cells.Buf
	x, y, w int
	v       *View
	core    *probes.Core
	series  *probes.Series
	i       int  // of the core in its sample
	pale    bool // the data stopped
	clocked bool // the clocks differ: each is shown
}

// manners lists what fits into w columns, what says most first.
func manners(w int) (out []manner) {
	if w >= 40 {
		out = append(out, manner{cols: 1, w: min(w, 120), draw: coreHistory})
	}
	for _, k := range []struct {
		least, most int
		draw        func(*coreSpot)
	}{{27, 60, coreWide}, {13, 30, coreShort}, {7, 7, coreNumber}} {
		for cols := 1; cols == 1 || cols*k.least <= w+1; cols++ {
			out = append(out, manner{cols: cols, w: min(k.most, (w+1)/cols), draw: k.draw})
		}
	}
	return append(out, manner{cols: max(1, w), w: 1, across: true, draw: coreBlock})
}

func (k manner) rows(cores int) int { return (cores + k.cols - 1) / k.cols }

// machine draws one machine: its name and what it is, then its cores.
func machine(b *cells.Buf, r cells.Rect, v *View, s *ledger.Snapshot, m *probes.Series, k manner) {
	if r.H < 1 {
		return
	}
	last, ok := m.Last()
	gap := heading(b, r, v, s, m)
	if !ok {
		if r.H > 1 && !gap {
			b.Text(r.X, r.Y+1, r.W, v.say(lang.SayFirstSample), v.Theme.Label)
		}
		return
	}
	cores := last.Sample.Cores
	hz, common := clock(cores)
	if common && !gap {
		clocks(b, r, v, hz)
	}
	rows := k.rows(len(cores))
	for i := range cores {
		at := coreSpot{b: b, v: v, core: &cores[i], series: m, i: i, pale: gap, clocked: !common}
		at.x, at.y = r.X+i/max(1, rows)*k.w, r.Y+1+i%max(1, rows)
		if k.across {
			at.x, at.y = r.X+i%k.cols, r.Y+1+i/k.cols
		}
		at.w = min(k.w, r.Right()+1-at.x) - 1
		if at.y < r.Bottom() && (at.w > 0 || k.across) {
			k.draw(&at)
		}
	}
}

// heading names a machine and reports whether its data stopped; then it says
// why and since when.
func heading(b *cells.Buf, r cells.Rect, v *View, s *ledger.Snapshot, m *probes.Series) bool {
	t := v.Theme
	x := r.X + b.Text(r.X, r.Y, r.W, cells.Cut(machineName(v, s, m), r.W), t.Text.With(cells.Bold)) + 2
	if text, gap := gapText(v, m); gap {
		b.Text(x, r.Y, r.Right()-x, cells.Cut("◆ "+text, r.Right()-x), t.Attention)
		return true
	}
	if m.Simulated && x < r.Right() {
		b.Text(x, r.Y, r.Right()-x, v.say(lang.SideSimulated), t.Label.With(cells.Italic))
	}
	return false
}

func machineName(v *View, s *ledger.Snapshot, m *probes.Series) string {
	if m.Name == Driver && s.Setup.Driver.Host != "" {
		return v.say(lang.HeadDriver) + " " + s.Setup.Driver.Host
	}
	return m.Name
}

// gapText says since when and why a machine's data stopped, if it did.
func gapText(v *View, m *probes.Series) (string, bool) {
	since, why, gap := m.Gap()
	if !gap {
		return "", false
	}
	return v.say(lang.SayGap, lang.With("since", format.Clock(since)), lang.With("why", why)), true
}

// clock is the clock of all cores, and whether they have one in common.
func clock(cores []probes.Core) (hz float64, common bool) {
	lo := math.Inf(1)
	for i := range cores {
		if f, ok := cores[i].Freq.Get(); ok && cores[i].Online {
			lo, hz = math.Min(lo, f), math.Max(hz, f)
		}
	}
	return hz, hz <= lo*1.02
}

// clocks writes the clock of all cores at the right end of a heading.
func clocks(b *cells.Buf, r cells.Rect, v *View, hz float64) {
	if hz == 0 {
		return
	}
	text := format.Join(format.Hz(hz))
	if x := r.Right() - cells.Width(text); x > r.X+2 && blank(b, x-2, r.Y, 2+cells.Width(text)) {
		b.Text(x, r.Y, r.W, text, v.Theme.Label)
	}
}

// id and number are the fixed parts of a core's line.
func (c *coreSpot) id() {
	c.b.Right(c.x, c.y, 2, strconv.Itoa(c.core.ID), c.v.Theme.Label)
}

// bar draws bar and share over w cells from x on.
func (c *coreSpot) bar(x, w int) {
	const number = 4
	t := c.v.Theme
	st, num := coreState(c.v, c.core, c.pale)
	chart.Bar(c.b, x, c.y, w-number, c.core.Busy.Or(math.NaN())/100, st, t.Grid)
	text := t.Text
	if c.pale || !c.core.Online {
		text = t.Label
	}
	c.b.Right(x+w-number, c.y, number, num, text)
}

// clock writes the core's clock, ending with cell x.
func (c *coreSpot) clock(x int) {
	if f, ok := c.core.Freq.Get(); ok && c.core.Online {
		c.b.Right(x-8, c.y, 8, format.Join(format.Hz(f)), c.v.Theme.Label)
	}
}

// coreHistory is number, bar, share, clock, and the share over the last
// seconds.
func coreHistory(c *coreSpot) {
	const top = 115 // of the columns: full ones do not touch the line above
	c.id()
	w := c.w * 2 / 5
	c.bar(c.x+3, w)
	x := c.x + 3 + w + 2
	if c.clocked {
		x += 10
		c.clock(x - 2)
	}
	values := history(c.series, c.i, c.x+c.w-x)
	past := cells.Rect{X: x, Y: c.y, W: len(values), H: 1} // it fills from the left, as charts do
	chart.Sparkline(c.b, past, values, top, func(share float64) cells.Style {
		if c.pale {
			return c.v.Theme.Label
		}
		return c.v.Theme.muted(c.v.Theme.busy(top * share))
	})
}

// history is how busy core i was over the last n samples; NaN is not known.
func history(m *probes.Series, i, n int) []float64 {
	points := m.Points[max(0, len(m.Points)-max(0, n)):]
	out := make([]float64, len(points))
	for k := range points {
		out[k] = math.NaN()
		if p := points[k].Sample; p != nil && i < len(p.Cores) && p.Cores[i].Online {
			out[k] = p.Cores[i].Busy.Or(math.NaN())
		}
	}
	return out
}

// coreWide is number, bar, share and clock.
func coreWide(c *coreSpot) {
	c.id()
	if !c.clocked {
		c.bar(c.x+3, c.w-4)
		return
	}
	c.bar(c.x+3, c.w-13)
	c.clock(c.x + c.w)
}

// coreShort is number, bar and share.
func coreShort(c *coreSpot) {
	c.id()
	c.bar(c.x+3, c.w-3)
}

// coreNumber is number and share.
func coreNumber(c *coreSpot) {
	c.id()
	st, num := coreState(c.v, c.core, c.pale)
	c.b.Right(c.x+2, c.y, 4, num, st)
}

// coreBlock is one cell of a height.
func coreBlock(c *coreSpot) {
	st, _ := coreState(c.v, c.core, c.pale)
	busy, ok := c.core.Busy.Get()
	if !c.core.Online || !ok {
		c.b.Set(c.x, c.y, '·', c.v.Theme.Grid)
		return
	}
	c.b.Set(c.x, c.y, '▁'+rune(min(7, max(0, int(busy/100*7.99)))), st)
}

// coreState is the colour and the number of a core: off is said, not 0.
func coreState(v *View, c *probes.Core, pale bool) (cells.Style, string) {
	busy, ok := c.Busy.Get()
	num := strconv.Itoa(int(math.Round(min(max(busy, 0), 999))))
	switch {
	case !c.Online:
		return v.Theme.Label, v.say(lang.SayOffline)
	case !ok:
		return v.Theme.Label, format.None
	case pale:
		return v.Theme.Label, num
	}
	return v.Theme.busy(busy), num
}
