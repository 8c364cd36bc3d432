package panes

import (
	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/format"
)

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
	if l.Setting.Paused && s.Phase == ledger.Sending { // others do
		h.put("◆ "+v.say(lang.NotePaused), t.Attention, 2)
	}
	turn := TurnOf(s, v.Lane)
	forms := v.rateForms(l, &turn)
	least := cells.Width(forms[len(forms)-1].num)
	if s.Phase == ledger.Draining {
		least = 0
	}
	model := cells.CutMiddle(l.Setting.Model, 28)
	if room := h.end - h.x - 2 - least; cells.Width(model) > room && least > 0 && room >= leastModel {
		model, h.lost = cells.CutMiddle(model, room), true // it can be told from less, a rate cannot
	}
	if !h.put(model, t.Text, 2) && s.Phase == ledger.Draining {
		return // of what is no longer sent the rest would say nothing
	}
	if l.Loading != "" {
		h.put(v.say(lang.SayLoading, lang.With("model", l.Loading)), t.Attention, 2)
	}
	if turn.Dial == Factor {
		v.onCurve(h, s, &turn)
	} else {
		h.form(t, forms, turn.Asked != turn.Now)
	}
	turn.put(h, v)
}

// leastModel is how much of a model's name is worth a place.
const leastModel = 6

// A rateForm is a way to say what is asked of a lane: in words that are left out
// where there is little room, and what is not.
type rateForm struct{ words, num string }

// rateForms lists the ways, longest first; on a shape or a trace the last.
func (v *View) rateForms(l *ledger.Lane, n *Turn) []rateForm {
	arrivals, now := v.Lang.Arrivals(l.Setting.Arrivals.String()), n.Say(v, n.Now)
	switch n.Dial {
	case Slots:
		slots := lang.With("n", l.Setting.Slots)
		return []rateForm{{num: v.say(lang.SayClosed, slots)}, {num: v.say(lang.SayClosedShort, slots)}, {num: now}}
	case Counted:
		long := v.counts(l, false)
		return []rateForm{{arrivals, long}, {num: long}, {num: v.counts(l, true)}}
	}
	return []rateForm{{arrivals, now}, {num: now}}
}

// form writes the longest form that has room. What is asked for besides, if
// anything is, needs some too.
func (h *wordLine) form(t *Theme, forms []rateForm, more bool) {
	for i, f := range forms {
		room, need := h.end-h.x, cells.Width(f.num)
		if f.words != "" {
			need += cells.Width(f.words) + 2
		}
		if i < len(forms)-1 && (need > room || more && f.words != "" && room <= 30) {
			continue
		}
		if f.words != "" {
			h.put(f.words, t.Label, 2)
		}
		h.put(f.num, t.Value, 1)
		return
	}
}

// onCurve is what is asked of a lane on a shape or a trace.
func (v *View) onCurve(h *wordLine, s *ledger.Snapshot, n *Turn) {
	t, l := v.Theme, &s.Lanes[n.Lane]
	if h.end-h.x > 42 {
		h.put(v.Lang.Arrivals(l.Setting.Arrivals.String()), t.Label, 2)
	}
	h.put(v.curve(l), t.Label, 1)
	h.put(n.Say(v, n.Now), t.Value, 1)
	h.put(offeredLately(s, n.Lane), t.Text, 1)
}

// put writes what is asked for beyond what is in force. It stands for a moment, and
// nothing makes room for it.
func (n *Turn) put(h *wordLine, v *View) {
	lost := h.lost
	defer func() { h.lost = lost }()
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
// those in a closed loop, of those on a shape or a trace, and of those with a set
// number in each window.
func allLanes(h *wordLine, v *View, s *ledger.Snapshot) {
	t := v.Theme
	var sum [Counted + 1]Turn
	var any [Counted + 1]bool
	pending, lasts, due := false, 0.0, int64(0)
	curves := v.say(lang.SayTrace)
	for i := range s.Lanes {
		n := TurnOf(s, i)
		d := n.Dial
		sum[d].Now, sum[d].Asked, sum[d].Dial = sum[d].Now+n.Now, sum[d].Asked+n.Asked, d
		any[d], pending = true, pending || n.Pending
		if d == Factor && !traced(&s.Lanes[i]) {
			curves = v.say(lang.SayShapes)
		}
		if d == Counted {
			due += s.Lanes[i].Info.Pattern.Count
		}
		if rate, ok := lately(s, i); ok && d == Factor {
			lasts += rate
		}
	}
	h.put(v.say(lang.SayAllLanes), t.Text, 2)
	if paused, all := pausedLanes(s); paused > 0 && paused < all {
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
		h.put(curves, t.Label, 1)
		h.put(format.Join(format.Rate(lasts)), t.Value, 2)
	}
	if any[Counted] {
		h.put(v.say(lang.SayCountsInAll, lang.With("n", due)), t.Value, 2)
	}
	h.x--
	(&Turn{Pending: pending}).put(h, v)
}
