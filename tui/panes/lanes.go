package panes

import (
	"strconv"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/format"
	"dev.example/pileup/tui/layout"
)

// Lanes compares the lanes, a line each: what is asked of it, what it gets,
// what waits and how long. It shares the place of the events, on screens with
// room for both.
type Lanes struct{}

// fewestEvents is how many lines are left to the events.
const fewestEvents = 3

// Shown reports whether the lanes have a place on a screen of that plan.
func (p *Set) Shown(n layout.Pane, plan *layout.Plan, v *View, s *ledger.Snapshot) bool {
	if n != layout.Lanes || plan.Shows(n) {
		return plan.Shows(n)
	}
	r, _ := p.lanes.split(plan.Pane(layout.Events), v, s)
	return !r.Empty()
}

// split gives the lanes, if there are several, the upper part of r. Without
// room for each of them they have none.
func (p *Lanes) split(r cells.Rect, v *View, s *ledger.Snapshot) (lanes, rest cells.Rect) {
	if s == nil || len(s.Lanes) < 2 || v.Small || v.Zoomed {
		return cells.Rect{}, r
	}
	h := len(s.Lanes) + 3
	if h > r.H-2-fewestEvents {
		return cells.Rect{}, r
	}
	return cells.Rect{X: r.X, Y: r.Y, W: r.W, H: h}, cells.Rect{X: r.X, Y: r.Y + h, W: r.W, H: r.H - h}
}

// A laneColumn is one number of each lane, with its unit in the last cells.
type laneColumn struct {
	head    lang.ID
	w, unit int
	number  func(c *laneRow) (num, unit string, st cells.Style)
}

// laneRow is what a line is made of.
type laneRow struct {
	v    *View
	s    *ledger.Snapshot // as of the last closed second
	l    *ledger.Lane     // within it
	live *ledger.Lane
	now  flow
	dial dialText
}

// leastName is how much the names get before a column is left out.
const leastName = 4

// mostName is how much they get before the rate is in words.
const mostName = 20

// laneColumns are those behind the rate.
var laneColumns = []laneColumn{
	{lang.HeadThroughput, 11, 2, (*laneRow).throughput},
	{lang.HeadBacklog, 8, 0, (*laneRow).backlog},
	{lang.HeadFailed, 7, 0, (*laneRow).failed},
	{lang.HeadP50, 16, 9, (*laneRow).p50},
}

// shortColumns are the same where the models' names have no room beside those.
var shortColumns = []laneColumn{
	{lang.HeadOKRate, 6, 0, (*laneRow).okRate},
	{lang.HeadBacklog, 8, 0, (*laneRow).backlog},
	{lang.HeadFailedShort, 5, 0, (*laneRow).failed},
	{lang.HeadP50, 15, 9, (*laneRow).p50},
}

// columnsFor chooses the columns that leave the names of the lanes and of their
// models room, if any do.
func columnsFor(s *ledger.Snapshot, w int) []laneColumn {
	need := 9 // for the rate
	for i := range s.Lanes {
		need = max(need, 9+cells.Width(laneName(&s.Lanes[i]))+1)
	}
	wide, short := 0, 0
	for i := range laneColumns {
		wide, short = wide+laneColumns[i].w, short+shortColumns[i].w
	}
	if wide+need <= w || short+leastName > w {
		return laneColumns
	}
	return shortColumns
}

// laneName is a lane with its model.
func laneName(l *ledger.Lane) string {
	name := l.Info.Name + " " + l.Setting.Model
	if l.Setting.Paused {
		name = "◆ " + name
	}
	return name
}

// Draw draws the table into r.
func (p *Lanes) Draw(b *cells.Buf, r cells.Rect, v *View, live *ledger.Snapshot) {
	in := frame(b, r, v, layout.Lanes, v.say(lang.PaneLanes)).Inset(1, 0)
	if live == nil {
		empty(b, in, v, waiting(v, live))
		return
	}
	s := closed(live)
	numbers := columnsFor(live, in.W)
	dials, col := dialColumn(v, live, in.W, numbers)
	all := append([]laneColumn{col}, numbers...)
	shown, name := all, in.W
	for i, c := range all {
		if name-c.w < leastName {
			shown = all[:i]
			break
		}
		name -= c.w
	}
	p.heads(b, in, v, shown, name)
	for i := range live.Lanes {
		at := in.Row(1 + i)
		if at.Empty() || i >= len(s.Lanes) {
			return
		}
		row := &laneRow{v: v, s: s, l: &s.Lanes[i], live: &live.Lanes[i], now: flowOf(s, &s.Lanes[i]), dial: dials[i]}
		row.draw(b, at, shown, name, v.Lane == i)
	}
}

// dialText is where the dial of a lane stands, as a number and its unit.
type dialText struct{ num, unit string }

// dialColumn says where the dial of each lane stands, in as many words as have
// room beside the other columns, and makes the column for it.
func dialColumn(v *View, s *ledger.Snapshot, room int, numbers []laneColumn) (texts []dialText, c laneColumn) {
	c = laneColumn{head: lang.HeadRate, number: (*laneRow).rate}
	for _, k := range numbers {
		room -= k.w
	}
	names := leastName
	for i := range s.Lanes {
		names = max(names, min(cells.Width(laneName(&s.Lanes[i]))+1, mostName))
	}
	for _, form := range []func(*View, *ledger.Snapshot, int) dialText{dialWords, dialShort, dialLeast} {
		texts = texts[:0]
		num := 0
		c.unit = 2
		for i := range s.Lanes {
			x := form(v, s, i)
			texts = append(texts, x)
			num = max(num, cells.Width(x.num))
			c.unit = max(c.unit, gapBefore(x.unit)+cells.Width(x.unit))
		}
		c.w = max(8, 1+max(3, num)+c.unit)
		if c.w+names <= room {
			break
		}
	}
	return texts, c
}

func dialWords(v *View, s *ledger.Snapshot, lane int) dialText {
	l := &s.Lanes[lane]
	switch x := dialShort(v, s, lane); DialOf(l) {
	case Slots:
		return dialText{v.say(lang.SayClosedShort, lang.With("n", l.Setting.Slots)), v.say(lang.SayOpenAtOnce)}
	case Factor:
		return dialText{v.curve(l) + " " + x.num, x.unit}
	case Counted:
		return dialText{num: v.counts(l, false)}
	default:
		return x
	}
}

func dialShort(v *View, s *ledger.Snapshot, lane int) dialText {
	l := &s.Lanes[lane]
	x := dialLeast(v, s, lane)
	if d := DialOf(l); d == Factor {
		x.num = d.Say(v, l.Setting.Scale) + " " + x.num
	}
	return x
}

func dialLeast(v *View, s *ledger.Snapshot, lane int) dialText {
	l := &s.Lanes[lane]
	switch DialOf(l) {
	case Slots:
		return dialText{format.Setting(float64(l.Setting.Slots)), v.say(lang.SaySlotsUnit, lang.With("n", l.Setting.Slots))}
	case Factor:
		rate, ok := lately(s, lane)
		if !ok {
			return dialText{num: format.None}
		}
		num, unit := format.Rate(rate)
		return dialText{num, unit}
	case Counted:
		return dialText{num: v.counts(l, true)}
	}
	return dialText{format.Setting(l.Setting.Rate), "/s"}
}

func (p *Lanes) heads(b *cells.Buf, in cells.Rect, v *View, shown []laneColumn, name int) {
	st := v.Theme.Label.With(cells.Underline)
	b.Text(in.X, in.Y, name, cells.Cut(v.say(lang.HeadLane), name), st)
	x := in.X + name
	for _, c := range shown {
		head, w := v.say(c.head), c.w
		if c.head == lang.HeadP50 {
			w = c.w - c.unit + 3 // above the number and its unit
			if v.Service {
				head = v.say(lang.HeadService) + " " + head
			}
		}
		b.Right(x, in.Y, max(w, min(c.w, cells.Width(head)+1)), head, st)
		x += c.w
	}
}

func (c *laneRow) draw(b *cells.Buf, r cells.Rect, shown []laneColumn, name int, chosen bool) {
	t := c.v.Theme
	st := t.Text
	if chosen {
		st = t.Accent
	}
	if c.live.Setting.Paused {
		st = t.Attention
	}
	b.Text(r.X, r.Y, name, cells.Cut(laneName(c.live), name-1), st)
	x := r.X + name
	for _, col := range shown {
		num, unit, st := col.number(c)
		t.quantity(b, x+1, r.Y, col.w-1-col.unit, col.unit, num, unit, st)
		x += col.w
	}
}

func (c *laneRow) rate() (num, unit string, st cells.Style) {
	if c.live.Ended || c.live.Setting.Paused || c.dial.num == format.None {
		return format.None, "", c.v.Theme.Label
	}
	return c.dial.num, c.dial.unit, c.v.Theme.Text
}

// okRate is the throughput below a heading that says its unit.
func (c *laneRow) okRate() (num, unit string, st cells.Style) {
	num, _, st = c.throughput()
	return num, "", st
}

func (c *laneRow) throughput() (num, unit string, st cells.Style) {
	if !c.now.known {
		return format.None, "", c.v.Theme.Label
	}
	num, unit = format.Rate(c.now.throughput)
	return num, unit, c.v.Theme.Text
}

func (c *laneRow) backlog() (num, unit string, st cells.Style) {
	st = c.v.Theme.Text
	if c.now.known && !c.now.steady() && c.now.slope > 0 {
		st = c.v.Theme.Attention
	}
	return format.Count(c.l.Backlog()), "", dimIf(c.l.Backlog() == 0, c.v.Theme, st)
}

func (c *laneRow) failed() (num, unit string, st cells.Style) {
	return format.Count(c.l.Failed), "", dimIf(c.l.Failed == 0, c.v.Theme, c.v.Theme.Bad)
}

// p50 is that of the newest settled second of the lane, which it names, and once
// the run is over that of all.
func (c *laneRow) p50() (num, unit string, st cells.Style) {
	if c.s.Phase == ledger.Ended {
		num, unit, thin := format.Quantile(c.v.ofLane(c.s, c.l).Quantile(0.5))
		return num, unit + " " + c.v.say(lang.SayAllShort), c.v.Theme.value(num, thin, c.v.Theme.P50)
	}
	k := newest(c.l)
	if k == nil {
		return format.None, "", c.v.Theme.Label
	}
	num, unit, thin := format.Quantile(c.v.ofCohort(k, c.s.At).Quantile(0.5))
	return num, unit + " @" + strconv.Itoa(k.K), c.v.Theme.value(num, thin, c.v.Theme.P50)
}
