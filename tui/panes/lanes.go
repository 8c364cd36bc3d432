package panes

import (
	"slices"
	"strconv"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/themes"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/chart"
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
	name string
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

// allColumns are those behind the rate on a pane that fills a screen.
var allColumns = []laneColumn{
	{lang.HeadOffered, 10, 2, (*laneRow).offered},
	{lang.HeadThroughput, 13, 2, (*laneRow).throughput},
	{lang.HeadBacklog, 9, 0, (*laneRow).backlog},
	{lang.HeadFailed, 8, 0, (*laneRow).failed},
	{lang.HeadP50, 16, 9, (*laneRow).p50},
	{lang.HeadP95, 10, 3, (*laneRow).p95},
	{lang.HeadP99, 10, 3, (*laneRow).p99},
}

// laneColumns are those where there is less.
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

// columnsFor chooses the most columns that leave the names of the lanes and of their
// models room, if any do.
func columnsFor(s *ledger.Snapshot, w int) []laneColumn {
	need := 9 // for the rate
	for i := range s.Lanes {
		need = max(need, 9+cells.Width(laneName(&s.Lanes[i]))+1)
	}
	for _, columns := range [][]laneColumn{allColumns, laneColumns} {
		if widthOf(columns)+need <= w {
			return columns
		}
	}
	if widthOf(shortColumns)+leastName > w {
		return laneColumns
	}
	return shortColumns
}

// leastPast is how many cells the course of the backlog needs.
const leastPast = 20

// longestLane is the width of the longest name in the table.
func longestLane(v *View, s *ledger.Snapshot) int {
	n := cells.Width(v.say(lang.SayAllLanes))
	for i := range s.Lanes {
		n = max(n, cells.Width(laneName(&s.Lanes[i])))
	}
	return n
}

// most is the highest backlog of any lane, at the end of a second.
func most(s *ledger.Snapshot) (n float64) {
	for i := range s.Lanes {
		for k := range s.Lanes[i].Seconds {
			n = max(n, float64(s.Lanes[i].Seconds[k].Backlog()))
		}
	}
	return n
}

// past draws the backlog of the lane over the last seconds, of all lanes to one
// scale.
func (c *laneRow) past(b *cells.Buf, r cells.Rect, top float64) {
	list := c.l.Seconds[max(0, len(c.l.Seconds)-max(0, r.W)):]
	values := make([]float64, len(list))
	for i := range list {
		values[i] = float64(list[i].Backlog())
	}
	r.W = len(values) // it fills from the left, as charts do
	t := c.v.Theme
	chart.Sparkline(b, r, values, top, func(share float64) cells.Style {
		return cells.Style{Fg: t.Backlog[themes.Step(share*top/full(c.l), len(t.Backlog))]}
	})
}

func widthOf(columns []laneColumn) (n int) {
	for i := range columns {
		n += columns[i].w
	}
	return n
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
	past := cells.Rect{}
	if spare := name - longestLane(v, live) - 2; spare >= leastPast {
		name -= spare
		past = cells.Rect{X: in.Right() - spare + 2, W: spare - 2, H: 1}
		b.Text(past.X, in.Y, past.W, v.say(lang.SideBacklog), v.Theme.Label.With(cells.Underline))
	}
	p.heads(b, in, v, shown, name)
	for i := range live.Lanes {
		at := in.Row(1 + i)
		if at.Empty() || i >= len(s.Lanes) {
			return
		}
		row := &laneRow{name: laneName(&live.Lanes[i]), v: v, s: s, l: &s.Lanes[i], live: &live.Lanes[i], now: flowOf(s, &s.Lanes[i]), dial: dials[i]}
		row.draw(b, at, shown, name, v.Lane == i)
		past.Y = at.Y
		row.past(b, past, most(s))
	}
	if at := in.Row(1 + len(live.Lanes)); !at.Empty() { // on a screen of its own
		row := &laneRow{name: v.say(lang.SayAllLanes), v: v, s: s, l: &s.Total, live: &live.Total, now: flowOf(s, &s.Total)}
		row.draw(b, at, shown, name, v.Lane == ledger.All)
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
	b.Text(r.X, r.Y, name, cells.CutMiddle(c.name, name-1), st)
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

// offered is what became due, of which a closed loop says nothing.
func (c *laneRow) offered() (num, unit string, st cells.Style) {
	slots := slices.ContainsFunc(c.s.Lanes, func(l ledger.Lane) bool { return DialOf(&l) == Slots })
	if c.l.Info.ID != ledger.All {
		slots = DialOf(c.l) == Slots
	}
	if !c.now.sending || slots {
		return format.None, "", c.v.Theme.Label
	}
	num, unit = format.Rate(c.now.offered)
	return num, unit, c.v.Theme.Text
}

// p50 is that of the newest settled second of the lane, which it names, and once
// the run is over that of all.
func (c *laneRow) p50() (num, unit string, st cells.Style) {
	times, of := c.times()
	num, unit, thin := format.Quantile(times.Quantile(0.5))
	if of != "" {
		unit += " " + of
	}
	return num, unit, c.v.Theme.value(num, thin, c.v.Theme.P50)
}

func (c *laneRow) p95() (num, unit string, st cells.Style) { return c.tail(0.95, c.v.Theme.P95) }
func (c *laneRow) p99() (num, unit string, st cells.Style) { return c.tail(0.99, c.v.Theme.P99) }

// tail is a quantile of what p50 is of.
func (c *laneRow) tail(q float64, look cells.Style) (num, unit string, st cells.Style) {
	times, _ := c.times()
	num, unit, thin := format.Quantile(times.Quantile(q))
	return num, unit, c.v.Theme.value(num, thin, look)
}

// times are those of which the quantiles of the lane are, and which those are.
func (c *laneRow) times() (times ledger.Times, of string) {
	if c.s.Phase == ledger.Ended {
		return c.v.ofLane(c.s, c.l), c.v.say(lang.SayAllShort)
	}
	k := newest(c.l)
	if k == nil {
		return times, ""
	}
	return c.v.ofCohort(k, c.s.At), "@" + strconv.Itoa(k.K)
}
