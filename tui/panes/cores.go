package panes

import (
	"math"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/probes"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/format"
	"dev.example/pileup/tui/layout"
)

// Cores draws how busy each core of each machine was: the boards first, this
// machine last. On a small screen the board's mode, GPU and power stand below.
type Cores struct{}

// Driver is the name of the series of the machine that sends.
const Driver = ledger.DriverProbe

// Draw draws the pane into r.
func (p *Cores) Draw(b *cells.Buf, r cells.Rect, v *View, s *ledger.Snapshot) {
	in := frame(b, r, v, layout.Cores, v.say(lang.PaneCores)).Inset(1, 0)
	if s == nil {
		empty(b, in, v, waiting(v, s))
		return
	}
	list, board := machines(s)
	p.legend(b, r, v, list, board)
	if !board {
		in = noBoard(b, in, v)
	}
	var tails [][]row
	if v.Small && !v.Zoomed {
		tails = summaries(v, list, board, max(0, in.H-2))
	}
	share(b, in, v, s, list, tails)
}

// legend says in the border what the bars are; on a small screen the power mode.
func (p *Cores) legend(b *cells.Buf, r cells.Rect, v *View, list []*probes.Series, board bool) {
	text := part{v.say(lang.SideCores), v.Theme.Label}
	if v.Small && !v.Zoomed && board {
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

// share divides the rows between the machines. tails, by machine, are rows of
// facts behind its cores.
func share(b *cells.Buf, in cells.Rect, v *View, s *ledger.Snapshot, list []*probes.Series, tails [][]row) {
	if len(list) == 0 {
		return
	}
	for _, t := range tails {
		in.H -= len(t)
	}
	all := manners(in.W, idWidth(list))
	level := levels(all, list, in.H)
	spare := in.H - rowsOf(all, level, list)
	below := spare >= len(list) // a row for the driver takes nobody's room
	for i, m := range list {
		h := min(1+all[level[i]].rows(coresOf(m)), in.H)
		if m.Name == Driver && below {
			h, spare = h+1, spare-1
		}
		machine(b, cells.Rect{X: in.X, Y: in.Y, W: in.W, H: h}, v, s, m, all[level[i]], below)
		in.Y, in.H = in.Y+h, in.H-h
		if i < len(tails) {
			for _, draw := range tails[i] {
				draw(b, cells.Rect{X: in.X, Y: in.Y, W: in.W, H: 1})
				in.Y++
			}
		}
		if spare > 0 {
			in.Y, in.H, spare = in.Y+1, in.H-1, spare-1
		}
	}
}

// machine draws one machine: its name and what it is, then its cores; below says
// that a row is left for how the driver itself fares.
func machine(b *cells.Buf, r cells.Rect, v *View, s *ledger.Snapshot, m *probes.Series, k manner, below bool) {
	if r.H < 1 {
		return
	}
	last, ok := m.Last()
	gap := top(b, r, v, s, m, below)
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
		at := coreSpot{b: b, v: v, idW: k.id, core: &cores[i], series: m, pale: gap, clocked: !common}
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

// top names a machine, and of the driver says how it fares: beside its name, or
// below its cores. It reports whether the data stopped.
func top(b *cells.Buf, r cells.Rect, v *View, s *ledger.Snapshot, m *probes.Series, below bool) (gap bool) {
	name := machineName(v, s, m)
	var uses []use
	if last, ok := m.Last(); ok && m.Name == Driver {
		uses = usesOf(v, s, last.Sample)
	}
	if len(uses) == 0 || below {
		gap = heading(b, r, v, m, name)
		process(b, cells.Rect{X: r.X, Y: r.Bottom() - 1, W: r.W, H: min(1, r.H-1)}, v, uses, gap)
		return gap
	}
	name = v.say(lang.HeadDriver)
	if gap = heading(b, r, v, m, name); gap {
		return gap
	}
	x := r.X + cells.Width(name) + 1
	if r.W >= 40 {
		x++
	}
	process(b, cells.Rect{X: x, Y: r.Y, W: r.Right() - x, H: 1}, v, uses, gap)
	return gap
}

// heading names a machine and reports whether its data stopped; then it says
// why and since when.
func heading(b *cells.Buf, r cells.Rect, v *View, m *probes.Series, name string) bool {
	t := v.Theme
	x := r.X + b.Text(r.X, r.Y, r.W, cells.CutMiddle(name, r.W), t.Text.With(cells.Bold)) + 2
	if text, gap := gapText(v, m); gap {
		b.Text(x, r.Y, r.Right()-x, cutWords("◆ "+text, r.Right()-x), t.Attention)
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
