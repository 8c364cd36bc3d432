package panes

import (
	"fmt"
	"strings"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/format"
)

// Header says what is driven and how far the run is: one line, at its right
// end the phase, the run's clock and whether it is recorded.
func Header(b *cells.Buf, r cells.Rect, v *View, s *ledger.Snapshot) {
	if r.H < 1 || r.W < 4 {
		return
	}
	t := v.Theme
	h := &wordLine{b: b, x: r.X + 1, y: r.Y, end: r.Right() - 1}
	h.put("pileup", t.Accent.With(cells.Bold), 2)
	if s == nil {
		return
	}
	h.end = phase(b, r, v, s)
	target(h, v, s)
	setting(h, v, s)
}

// wordLine writes words one behind another until the line is full; a word that does
// not fit is left out whole.
type wordLine struct {
	b         *cells.Buf
	x, y, end int
}

func (h *wordLine) put(text string, st cells.Style, gap int) bool {
	n := cells.Width(text)
	if text == "" || h.x+n > h.end {
		return false
	}
	h.b.Text(h.x, h.y, n, text, st)
	h.x += n + gap
	return true
}

// short is a URL without what every one has.
func short(url string) string {
	if _, rest, ok := strings.Cut(url, "://"); ok {
		url = rest
	}
	return strings.TrimSuffix(url, "/")
}

// setting is what the lane in view is asked to do: in force, and what was
// asked for and is not in force yet.
func setting(h *wordLine, v *View, s *ledger.Snapshot) {
	t := v.Theme
	if v.Lane < 0 || v.Lane >= len(s.Lanes) {
		allLanes(h, v, s)
		return
	}
	l := &s.Lanes[v.Lane]
	if len(s.Lanes) > 1 {
		h.put(l.Info.Name, t.Accent, 2)
	}
	if len(s.Lanes) > 1 && l.Setting.Paused {
		h.put("◆ "+v.say(lang.NotePaused), t.Attention, 2)
	}
	if !h.put(cells.Cut(l.Setting.Model, 28), t.Text, 2) && s.Phase == ledger.Draining {
		return // of what is no longer sent the rest would say nothing
	}
	if l.Loading != "" {
		h.put(v.say(lang.SayLoading, lang.With("model", l.Loading)), t.Attention, 2)
	}
	turn := TurnOf(s, v.Lane)
	switch arrivals := v.Lang.Arrivals(l.Setting.Arrivals.String()); turn.Dial {
	case Slots:
		if !h.put(v.say(lang.SayClosed, lang.With("n", l.Setting.Slots)), t.Value, 1) {
			h.put(v.say(lang.SayClosedShort, lang.With("n", l.Setting.Slots)), t.Value, 1)
		}
	case Factor:
		if h.end-h.x > 42 {
			h.put(arrivals, t.Label, 2)
		}
		h.put(v.curve(l), t.Label, 1)
		h.put(turn.Say(v, turn.Now), t.Value, 1)
		h.put(offeredLately(s, v.Lane), t.Text, 1)
	default:
		now := turn.Say(v, turn.Now)
		if room := h.end - h.x; room > 30 || turn.Asked == turn.Now && room >= cells.Width(arrivals)+2+cells.Width(now) {
			h.put(arrivals, t.Label, 2)
		}
		h.put(now, t.Value, 1)
	}
	turn.put(h, v)
}

// put writes what is asked for beyond what is in force.
func (n *Turn) put(h *wordLine, v *View) {
	if n.Asked != n.Now {
		h.put("→ "+n.Say(v, n.Asked), v.Theme.Attention, 1)
	}
	if n.Pending {
		h.put(v.say(lang.SayPending), v.Theme.Label, 1)
	}
}

// curve is the word for what says the rate of a lane over time.
func (v *View) curve(l *ledger.Lane) string {
	if traced(l) {
		return v.say(lang.SayTrace)
	}
	return v.say(lang.SayShape)
}

// offeredLately is the rate that the lane offered in the last second, with its
// unit, "" if it sent nothing in it.
func offeredLately(s *ledger.Snapshot, lane int) string {
	rate, ok := lately(s, lane)
	if !ok {
		return ""
	}
	return format.Join(format.Rate(rate))
}

// allLanes is the sum of what they are asked to do: of those with a rate, of
// those in a closed loop, and of those on a shape or a trace.
func allLanes(h *wordLine, v *View, s *ledger.Snapshot) {
	t := v.Theme
	var sum [Factor + 1]Turn
	var any [Factor + 1]bool
	pending, lasts := false, 0.0
	for i := range s.Lanes {
		n := TurnOf(s, i)
		d := n.Dial
		sum[d].Now, sum[d].Asked, sum[d].Dial = sum[d].Now+n.Now, sum[d].Asked+n.Asked, d
		any[d], pending = true, pending || n.Pending
		if rate, ok := lately(s, i); ok && d == Factor {
			lasts += rate
		}
	}
	h.put(v.say(lang.SayAllLanes), t.Text, 2)
	if paused, all := pausedLanes(s); paused > 0 && all > 1 {
		h.put("◆ "+v.say(lang.SayPausedLanes, lang.With("n", int64(paused)), lang.With("all", int64(all))), t.Attention, 2)
	}
	for _, d := range []Dial{PerSecond, Slots} {
		if any[d] {
			h.put(d.Say(v, sum[d].Now), t.Value, 1)
			sum[d].put(h, v)
			h.x++
		}
	}
	if any[Factor] {
		h.put(v.say(lang.SayShapes), t.Label, 1)
		h.put(format.Join(format.Rate(lasts)), t.Value, 2)
	}
	h.x--
	(&Turn{Pending: pending}).put(h, v)
}

// phase writes the right end of the header and returns where it begins.
func phase(b *cells.Buf, r cells.Rect, v *View, s *ledger.Snapshot) int {
	t := v.Theme
	x := r.Right() - 1
	left := func(text string, st cells.Style, gap int) {
		x -= cells.Width(text)
		b.Text(x, r.Y, r.W, text, st)
		x -= gap
	}
	switch rec := s.Record; {
	case rec.Err != "":
		left("▲ "+v.say(lang.SayRecordStopped), t.Bad, 2)
	case rec.File != "":
		left(v.say(lang.SayRecording), t.Label, 1)
		left("●", t.Bad, 2)
	}
	shape, st := phaseMark(t, s)
	word, gap := v.Lang.Phase(s.Phase), 1
	if s.Phase == ledger.Draining && r.W >= drainRoom {
		word, gap = draining(v, s), 2
	}
	left(fmt.Sprintf("%5s", format.Clock(s.At)), t.Value, gap)
	left(shape+" "+word, st, 2)
	if v.Frozen {
		left("◆ "+v.say(lang.SayFrozen, lang.With("at", format.Clock(v.Since))), t.Accent, 2)
	}
	free := x
	x = driverLate(b, r, x, v, s)
	if simulated(s) && r.W >= 100 && (x == free || x-r.X >= 60) {
		left(v.say(lang.SideSimulated), t.Label.With(cells.Italic), 2)
	}
	return x
}

func phaseMark(t *Theme, s *ledger.Snapshot) (string, cells.Style) {
	switch s.Phase {
	case ledger.Sending:
		return "●", t.Good
	case ledger.Paused, ledger.Draining:
		return "◆", t.Attention
	case ledger.Ended:
		return "■", t.Text
	}
	return "○", t.Label
}

// simulated reports whether a machine shown is a model of one.
func simulated(s *ledger.Snapshot) bool {
	for i := range s.Series {
		if s.Series[i].Simulated {
			return true
		}
	}
	return false
}

// age is how long ago at was, [ledger.Never] if it never was.
func age(s *ledger.Snapshot, at time.Duration) time.Duration {
	if at == ledger.Never {
		return ledger.Never
	}
	return max(0, s.At-at)
}
