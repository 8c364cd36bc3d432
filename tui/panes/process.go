package panes

import (
	"math"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/probes"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/format"
)

// From where on a use of the driver's is worth a look. For its CPU and its wait
// for a core these are the thresholds of [ledger.Causes].
const (
	fdsNear   = 0.8  // of the descriptors: at the limit requests are held or fail
	portsNear = 0.9  // of the machine's ports, whoever has them: at the limit connections fail
	linkNear  = 0.5  // of the link, over a second: bursts within it fill the link
	waitSeen  = 0.05 // s/s: a driver that is alone on its machine stays below
)

// A use is one entry of the line that says how the driver itself fares.
type use struct {
	name    string
	num     string
	w       int    // of the number, whatever it is
	of      string // how much there is, if it has an end
	unit    string
	st      cells.Style
	near    bool // worth a look: it goes before others
	passing bool // not there at other times: it stands behind those that are
}

// rest is what follows the number: how much there is, in short behind a stroke
// and without its unit.
func (u *use) rest(v *View, short bool) string {
	switch {
	case u.of == "":
		return u.unit
	case short:
		return "/" + u.of
	}
	return " " + v.say(lang.SayOf, lang.With("n", u.of)) + u.unit
}

func (u *use) width(v *View, short bool) int {
	n := u.w + cells.Width(u.rest(v, short))
	if u.name != "" {
		n += cells.Width(u.name) + 1
	}
	return n
}

// usesOf lists what is known of the driver, what matters most first.
func usesOf(v *View, s *ledger.Snapshot, p *probes.Sample) (out []use) {
	t, own := v.Theme, &p.Own
	if j := judged(s); j.now && s.Phase != ledger.Ended { // after the end the samples are not of the run
		shape, st := j.mark(t)
		text := shape + " " + v.say(lang.SayLate)
		out = append(out, use{num: text, w: cells.Width(text), st: st.With(cells.Bold), near: true})
	}
	out = append(out, coresUsed(v, own)...)
	if x, known := own.CoreWait.Get(); known && x > waitSeen {
		out = append(out, use{
			name: v.say(lang.HeadWait), num: format.Number(x), w: 4, unit: " s/s",
			near: x >= ledger.LongCoreWait, passing: true,
		})
	}
	out = append(out, counted(v.say(lang.HeadFDs), own.FDs, own.FDMax, fdsNear)...)
	ports := v.say(lang.HeadPorts)
	if v.Zoomed {
		ports = v.say(lang.HeadPortsOfAll)
	}
	out = append(out, counted(ports, own.Ports, own.PortMax, portsNear)...)
	if x, known := own.GC.Get(); known {
		num, unit := format.Percent(x)
		out = append(out, use{name: v.say(lang.HeadGC), num: num, w: 3, unit: unit})
	}
	if share, known := linkUse(p); known && share > linkNear {
		num, unit := format.Percent(100 * share)
		out = append(out, use{name: v.say(lang.HeadLink), num: num, w: 3, unit: unit, st: t.Attention.With(cells.Bold), passing: true})
	}
	for i := range out {
		out[i].look(t)
	}
	return out
}

// look gives a use that has none its colour.
func (u *use) look(t *Theme) {
	switch {
	case u.st != (cells.Style{}):
	case u.near:
		u.st = t.Attention.With(cells.Bold)
	default:
		u.st = t.value(u.num, false, t.Text)
	}
}

// coresUsed is how many cores the driver keeps busy. It has its place before it
// is known.
func coresUsed(v *View, own *probes.Process) []use {
	if !own.Cores.Known() && !own.CoresMax.Known() {
		return nil
	}
	u := use{name: v.say(lang.HeadOwn), num: format.Number(own.Cores.Or(math.NaN())), w: 4, unit: " " + v.say(lang.SayCoresUnit)}
	if of, known := own.CoresMax.Get(); known {
		u.of, u.near = format.Setting(of), own.Cores.Or(0) >= ledger.OwnCPUFull*of
	}
	return []use{u}
}

// counted is so many of what there is a limited number of.
func counted(name string, x, limit probes.Value, near float64) []use {
	n, known := x.Get()
	if !known {
		return nil
	}
	u := use{name: name, num: format.Count(int64(n)), w: format.NumWidth}
	if of, limited := limit.Get(); limited {
		u.of, u.near = format.Count(int64(of)), n >= near*of
		u.w = max(4, cells.Width(u.of))
	}
	return []use{u}
}

// linkUse is how much of its link the busiest interface sends.
func linkUse(p *probes.Sample) (share float64, known bool) {
	n := busiest(p)
	if n == nil {
		return 0, false
	}
	tx, sent := n.Tx.Get()
	link, nominal := n.Link.Get()
	return tx * 8 / link, sent && nominal && link > 0
}

const betweenUses = 2

// fit chooses what has room in w cells, first what is worth a look, and puts it
// into the order in which it stands. short says that not all of what is always
// there has room in words.
func fit(v *View, all []use, w int) (out []use, short bool) {
	always := 0
	for i := range all {
		if u := &all[i]; !u.passing && u.name != "" {
			always += u.width(v, false) + betweenUses
		}
	}
	short = always-betweenUses > w
	chosen, room := make([]bool, len(all)), w+betweenUses
	for _, near := range []bool{true, false} {
		for i := range all {
			if n := all[i].width(v, short) + betweenUses; all[i].near == near && n <= room {
				chosen[i], room = true, room-n
			}
		}
	}
	for _, passing := range []bool{false, true} {
		for i := range all {
			if chosen[i] && all[i].passing == passing {
				out = append(out, all[i])
			}
		}
	}
	return out, short
}

// process writes how the driver itself fares into one row.
func process(b *cells.Buf, r cells.Rect, v *View, all []use, pale bool) {
	if r.H < 1 {
		return
	}
	line, short := fit(v, all, r.W)
	x, dim := r.X, v.Theme.Label
	for i := range line {
		u := &line[i]
		st := u.st
		if pale {
			st = dim
		}
		if u.name != "" {
			x += b.Text(x, r.Y, r.Right()-x, u.name, dim) + 1
		}
		b.Right(x, r.Y, u.w, u.num, st)
		x += u.w
		x += b.Text(x, r.Y, r.Right()-x, u.rest(v, short), dim) + betweenUses
	}
}
