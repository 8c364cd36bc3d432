package panes

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/probes"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/chart"
	"dev.example/pileup/tui/format"
	"dev.example/pileup/tui/layout"
)

// Board draws what else the machines said: on the left the board's mode, GPU,
// power and temperatures, on the right the load, memory and network of the
// machine that sends.
type Board struct{}

// A fact is one row: a name, a number, and perhaps a bar or a note.
type fact struct {
	name      string
	num, unit string
	share     float64 // of the bar, NaN for none
	note      string  // behind the number, or instead of it
	strong    bool
}

// Draw draws the pane into r.
func (p *Board) Draw(b *cells.Buf, r cells.Rect, v *View, s *ledger.Snapshot) {
	in := frame(b, r, v, layout.Board, v.say(lang.PaneBoard)).Inset(1, 0)
	if s == nil {
		empty(b, in, v, waiting(v, s))
		return
	}
	list, board := machines(s)
	if len(list) == 0 {
		empty(b, in, v, v.say(lang.SayNoBoardRead))
		return
	}
	if !board {
		n := min(in.H, words(b, in, v.say(lang.SayNoBoardRead), v.Theme.Label)+1)
		in.Y, in.H = in.Y+n, in.H-n
	}
	gap := 3
	w := (in.W - gap*(len(list)-1)) / len(list)
	if w < 18 { // as many beside each other as have room
		list = list[:max(1, (in.W+gap)/(18+gap))]
		w = (in.W - gap*(len(list)-1)) / len(list)
	}
	for i, m := range list {
		column := cells.Rect{X: in.X + i*(w+gap), Y: in.Y, W: w, H: in.H}
		details(b, column, v, s, m)
	}
}

// details is one machine: its name, then its facts, then what is absent.
func details(b *cells.Buf, r cells.Rect, v *View, s *ledger.Snapshot, m *probes.Series) {
	if r.H < 1 {
		return
	}
	row := 1
	text, gap := gapText(v, m)
	if gap {
		b.Text(r.X, r.Y, r.W, cells.CutMiddle(machineName(v, s, m), r.W), v.Theme.Text.With(cells.Bold))
		below := cells.Rect{X: r.X, Y: r.Y + 1, W: r.W, H: r.H - 1}
		row += words(b, below, "◆ "+text, v.Theme.Attention)
	} else {
		heading(b, r, v, m, machineName(v, s, m))
	}
	last, ok := m.Last()
	if !ok {
		if at := r.Row(1); !gap && !at.Empty() {
			b.Text(at.X, at.Y, at.W, v.say(lang.SayFirstSample), v.Theme.Label)
		}
		return
	}
	list := factsOf(v, m, last.Sample)
	for i := range list {
		if at := r.Row(row); !at.Empty() {
			drawFact(b, at, v.Theme, &list[i], gap)
			row++
		}
	}
	absent(b, r, row, v, last.Sample)
}

// absent says what could not be read and why, in the rows that are left.
func absent(b *cells.Buf, r cells.Rect, row int, v *View, p *probes.Sample) {
	for _, a := range p.Absent {
		at := r.Row(row)
		if at.Empty() {
			return
		}
		b.Text(at.X, at.Y, at.W, cutWords(a.What+": "+a.Why, at.W), v.Theme.Label)
		row++
	}
}

// longestBar is how many cells a bar has at most.
const longestBar = 40

func drawFact(b *cells.Buf, r cells.Rect, t *Theme, f *fact, pale bool) {
	name, st := 8, t.Text
	if f.strong {
		st = t.Value
	}
	if pale || f.num == format.None {
		st = t.Label
	}
	b.Text(r.X, r.Y, name, cells.Cut(f.name, name), t.Label)
	x := r.X + name + 1
	if f.num == "" {
		b.Text(x, r.Y, r.Right()-x, cells.Cut(f.note, r.Right()-x), st)
		return
	}
	room := min(r.Right()-x-format.NumWidth, 1+format.UnitWidth)
	t.quantity(b, x, r.Y, min(format.NumWidth, r.Right()-x), room, f.num, f.unit, st)
	x += format.NumWidth + 1 + format.UnitWidth + 1
	if room := r.Right() - x; f.note != "" && room >= cells.Width(f.note) {
		b.Text(x, r.Y, room, f.note, t.Label)
		x += cells.Width(f.note) + 1
	}
	if room := min(r.Right()-x, longestBar); f.share == f.share && room >= 4 {
		look := t.busy(100 * f.share)
		if pale {
			look = t.Label
		}
		chart.Bar(b, x, r.Y, room, f.share, look, t.Grid)
	}
}

// factsOf lists what a machine said, what matters most first.
func factsOf(v *View, m *probes.Series, p *probes.Sample) (out []fact) {
	if m.Name != Driver || p.Mode != nil {
		out = append(out, modeFact(v, p))
	}
	out = append(out, gpuFacts(v, p)...)
	power, heat := powerFacts(v, p), temperatures(v, p)
	out = append(out, first(power)...)
	out = append(out, networkFacts(v, p)...)
	out = append(out, first(heat)...)
	out = append(out, memoryFacts(v, p)...)
	out = append(out, rest(power)...)
	out = append(out, rest(heat)...)
	out = append(out, loads(v, p)...)
	return out
}

// plainFact is a fact without a bar.
func plainFact(name string, num, unit string) fact {
	return fact{name: name, num: num, unit: unit, share: math.NaN()}
}

func modeFact(v *View, p *probes.Sample) fact {
	f := fact{name: v.say(lang.HeadMode), note: format.None, strong: true, share: math.NaN()}
	if p.Mode != nil {
		f.note = p.Mode.Name
	}
	return f
}

func gpuFacts(v *View, p *probes.Sample) (out []fact) {
	if busy, ok := p.GPU.Get(); ok {
		num, unit := format.Percent(busy)
		out = append(out, fact{name: v.say(lang.HeadGPU), num: num, unit: unit, share: busy / 100})
	}
	if hz, ok := p.GPUHz.Get(); ok {
		num, unit := format.Hz(hz)
		out = append(out, plainFact("  "+v.say(lang.HeadClock), num, unit))
	}
	return out
}

// powerFacts has the total first; the rails are parts of it.
func powerFacts(v *View, p *probes.Sample) (out []fact) {
	for _, total := range []bool{true, false} {
		for _, r := range p.Rails {
			if r.Total != total {
				continue
			}
			num, unit := format.Watts(r.Watts)
			f := plainFact(strings.ToLower(r.Name), num, unit)
			if total {
				f.name, f.strong = v.say(lang.HeadPower), true
			}
			out = append(out, f)
		}
	}
	return out
}

// networkFacts are the two directions of the busiest interface that leads out
// of the machine, against the speed of its link.
func networkFacts(v *View, p *probes.Sample) []fact {
	n := busiest(p)
	if n == nil {
		return nil
	}
	link := n.Link.Or(math.NaN())
	one := func(arrow string, x probes.Value) fact {
		bytes := x.Or(math.NaN())
		num, unit := format.BytesPerSec(bytes)
		return fact{name: arrow + " " + n.Name, num: num, unit: unit, share: bytes * 8 / link}
	}
	out := []fact{one("↑", n.Tx), one("↓", n.Rx)}
	if link > 0 {
		num, unit := linkSpeed(link)
		out = append(out, plainFact("  "+v.say(lang.HeadLink), num, unit))
	}
	return out
}

// busiest is the interface with the most traffic of those whose link has a
// speed, else of all others but the loopback: what stays inside says nothing
// about a link.
func busiest(p *probes.Sample) (best *probes.Net) {
	rank := func(n *probes.Net) int {
		switch _, nominal := n.Link.Get(); {
		case n.Name == "lo":
			return 0
		case nominal:
			return 2
		}
		return 1
	}
	for i := range p.Net {
		n := &p.Net[i]
		switch {
		case best == nil || rank(n) > rank(best):
			best = n
		case rank(n) == rank(best) && n.Rx.Or(0)+n.Tx.Or(0) > best.Rx.Or(0)+best.Tx.Or(0):
			best = n
		}
	}
	return best
}

// linkSpeed is a nominal speed in bits per second, as it is named.
func linkSpeed(bits float64) (num, unit string) {
	switch {
	case bits >= 1e9:
		return format.Setting(bits / 1e9), "Gb/s"
	case bits >= 1e6:
		return format.Setting(bits / 1e6), "Mb/s"
	}
	return format.Setting(bits / 1e3), "kb/s"
}

func memoryFacts(v *View, p *probes.Sample) []fact {
	used, ok := p.MemUsed.Get()
	if !ok {
		return nil
	}
	f := fact{name: v.say(lang.HeadMemory), share: used / p.MemTotal.Or(math.NaN())}
	f.num, f.unit = format.Bytes(used)
	return []fact{f}
}

// temperatures are the hottest one first.
func temperatures(v *View, p *probes.Sample) (out []fact) {
	temps := slices.Clone(p.Temps)
	slices.SortStableFunc(temps, func(a, b probes.Temp) int { return cmp.Compare(b.Celsius, a.Celsius) })
	for i, x := range temps {
		num, unit := format.Temp(x.Celsius)
		f := plainFact(strings.ToLower(x.Name), num, unit)
		if i == 0 {
			f.name, f.note = v.say(lang.HeadTemp), strings.ToLower(x.Name)
		}
		out = append(out, f)
	}
	return out
}

func loads(v *View, p *probes.Sample) (out []fact) {
	if x, ok := p.Load1.Get(); ok {
		out = append(out, fact{name: v.say(lang.HeadLoad), num: format.Number(x), share: math.NaN()})
	}
	if x, ok := p.Threads.Get(); ok {
		out = append(out, fact{name: v.say(lang.HeadThreads), num: format.Count(int64(x)), share: math.NaN()})
	}
	return out
}

// row draws one row of facts.
type row func(b *cells.Buf, r cells.Rect)

// summaries are the little that a small screen has room for, behind the machine
// it is of: GPU and power of the first board, and the traffic nearest to the
// limit of its link. There are at most rows of them.
func summaries(v *View, list []*probes.Series, board bool, rows int) [][]row {
	out := make([][]row, len(list))
	if board && rows > 0 {
		if last, ok := list[0].Last(); ok {
			_, _, pale := list[0].Gap()
			pair := append(first(gpuFacts(v, last.Sample)), first(powerFacts(v, last.Sample))...)
			out[0] = append(out[0], func(b *cells.Buf, r cells.Rect) {
				briefs(b, r, v.Theme, pair, pale)
			})
			rows--
		}
	}
	if i, f, ok := tightest(v, list); ok && rows > 0 {
		out[i] = append(out[i], func(b *cells.Buf, r cells.Rect) { drawFact(b, r, v.Theme, &f, false) })
	}
	return out
}

// tightest is the network traffic that is nearest to the speed of its link;
// where no speed is known it is what the last machine sends.
func tightest(v *View, list []*probes.Series) (of int, best fact, ok bool) {
	for n, m := range list {
		last, sampled := m.Last()
		if _, _, gap := m.Gap(); !sampled || gap {
			continue
		}
		all := networkFacts(v, last.Sample)
		for i := range all[:min(2, len(all))] {
			if f := &all[i]; !ok || i == 0 && best.share != best.share || f.share > best.share {
				of, best, ok = n, *f, true
			}
		}
	}
	return of, best, ok
}

// briefs are up to two facts in a row: each in half of it, or the second at its
// end, where it has no room with its number alone, which its unit explains.
func briefs(b *cells.Buf, r cells.Rect, t *Theme, pair []fact, pale bool) {
	for i := range pair {
		f, at := pair[i], r
		at.X, at.W = r.X+i*r.W/2, r.W/2
		if need := f.width(); i > 0 && need > at.W {
			if pair[0].width()+1+need > r.W {
				f.name = ""
				need = f.width()
			}
			at.X, at.W = r.Right()-need, need
		}
		brief(b, at, t, &f, pale)
	}
}

// width is how many cells a fact takes in brief.
func (f *fact) width() int {
	n := cells.Width(format.Join(f.num, f.unit))
	if f.name != "" {
		n += cells.Width(f.name) + 1
	}
	return n
}

// brief is a fact in a part of a row.
func brief(b *cells.Buf, r cells.Rect, t *Theme, f *fact, pale bool) {
	st := t.Text
	if pale {
		st = t.Label
	}
	x := r.X
	if f.name != "" {
		x += b.Text(x, r.Y, r.W, f.name, t.Label) + 1
	}
	t.join(b, x, r.Y, r.Right()-x, f.num, f.unit, st)
}

func first(f []fact) []fact { return f[:min(1, len(f))] }
func rest(f []fact) []fact  { return f[min(1, len(f)):] }
