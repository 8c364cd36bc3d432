package panes

import (
	"math"
	"strconv"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/probes"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/chart"
	"dev.example/pileup/tui/format"
)

// coreSpot is a core and the place to draw it.
type coreSpot struct {
	b       *cells.Buf
	x, y, w int
	idW     int // cells for the number
	v       *View
	core    *probes.Core
	series  *probes.Series
	pale    bool // the data stopped
	clocked bool // the clocks differ: each is shown
}

// id writes the core's number and returns the column behind it.
func (c *coreSpot) id() (x int) {
	c.b.Right(c.x, c.y, min(c.idW, c.w), strconv.Itoa(c.core.ID), c.v.Theme.Label)
	return c.x + c.idW + 1
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
	x := c.id()
	w := min(c.w*2/5, longestBar)
	c.bar(x, w)
	x += w + 2
	if c.clocked {
		x += 10
		c.clock(x - 2)
	}
	values := history(c.series, c.core.ID, c.x+c.w-x)
	past := cells.Rect{X: x, Y: c.y, W: len(values), H: 1} // it fills from the left, as charts do
	chart.Sparkline(c.b, past, values, top, func(share float64) cells.Style {
		if c.pale {
			return c.v.Theme.Label
		}
		return c.v.Theme.muted(c.v.Theme.busy(top * share))
	})
}

// history is how busy the core of that number was over the last n samples; NaN
// is not known.
func history(m *probes.Series, id, n int) []float64 {
	points := m.Points[max(0, len(m.Points)-max(0, n)):]
	out := make([]float64, len(points))
	for k := range points {
		out[k] = math.NaN()
		if p := points[k].Sample; p != nil {
			if c := coreByID(p.Cores, id); c != nil && c.Online {
				out[k] = c.Busy.Or(math.NaN())
			}
		}
	}
	return out
}

// coreByID finds a core, which is most often in the place of its number.
func coreByID(cores []probes.Core, id int) *probes.Core {
	if id >= 0 && id < len(cores) && cores[id].ID == id {
		return &cores[id]
	}
	for i := range cores {
		if cores[i].ID == id {
			return &cores[i]
		}
	}
	return nil
}

// coreWide is number, bar, share and clock.
func coreWide(c *coreSpot) {
	x := c.id()
	if !c.clocked {
		c.bar(x, c.x+c.w-x-1)
		return
	}
	c.bar(x, c.x+c.w-x-10)
	c.clock(c.x + c.w)
}

// coreShort is number, bar and share.
func coreShort(c *coreSpot) {
	x := c.id()
	c.bar(x, c.x+c.w-x)
}

// coreNumber is number and share.
func coreNumber(c *coreSpot) {
	x := c.id()
	st, num := coreState(c.v, c.core, c.pale)
	c.b.Right(x-1, c.y, min(4, c.x+c.w-x+1), num, st)
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
