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
	h.end = phase(b, r, v, s) - 2
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

// target names what the lane in view is sent to.
func target(h *wordLine, v *View, s *ledger.Snapshot) {
	t := v.Theme
	ids := []int{}
	for i := range s.Lanes {
		if v.Lane == ledger.All || v.Lane == i {
			ids = append(ids, s.Lanes[i].Info.Targets...)
		}
	}
	names, url := "", ""
	for _, id := range ids {
		for i := range s.Setup.Targets {
			if g := &s.Setup.Targets[i]; g.ID == id && !strings.Contains(" "+names+" ", " "+g.Name+" ") {
				names, url = strings.TrimSpace(names+" "+g.Name), g.URL
			}
		}
	}
	if len(ids) > 1 && strings.Contains(names, " ") {
		url = ""
	}
	h.put(cells.Cut(names, 24), t.Text.With(cells.Bold), 2)
	if h.end-h.x > 84 {
		h.x--
		h.put(cells.Cut(short(url), 34), t.Label, 2)
	}
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
	h.put(cells.Cut(l.Setting.Model, 28), t.Text, 2)
	if l.Loading != "" {
		h.put(v.say(lang.SayLoading, lang.With("model", l.Loading)), t.Attention, 2)
	}
	wish := wishes(s, v.Lane)
	arrivals := v.Lang.Arrivals(l.Setting.Arrivals.String())
	if h.end-h.x > 30 || wish.rate == l.Setting.Rate {
		h.put(arrivals, t.Label, 2)
	}
	wish.put(h, v, l.Setting.Rate)
}

// allLanes is the sum of what they are asked to do.
func allLanes(h *wordLine, v *View, s *ledger.Snapshot) {
	t := v.Theme
	rate, wished, any := 0.0, 0.0, false
	for i := range s.Lanes {
		w := wishes(s, i)
		rate, wished, any = rate+s.Lanes[i].Setting.Rate, wished+w.rate, any || w.any
	}
	h.put(v.say(lang.SayAllLanes), t.Text, 2)
	if paused, all := pausedLanes(s); paused > 0 && all > 1 {
		h.put("◆ "+v.say(lang.SayPausedLanes, lang.With("n", int64(paused)), lang.With("all", int64(all))), t.Attention, 2)
	}
	wish{rate: wished, any: any}.put(h, v, rate)
}

// wish is what has been asked of a lane and is pending.
type wish struct {
	rate float64
	any  bool
}

// put writes the rate in force and the one that is asked for.
func (w wish) put(h *wordLine, v *View, rate float64) {
	t := v.Theme
	h.put(format.Setting(rate)+"/s", t.Value, 1)
	if w.rate != rate {
		h.put("→ "+format.Setting(w.rate)+"/s", t.Attention, 1)
	}
	if w.any {
		h.put(v.say(lang.SayPending), t.Label, 1)
	}
}

func wishes(s *ledger.Snapshot, lane int) wish {
	w := wish{rate: s.Lanes[lane].Setting.Rate}
	for _, a := range s.Commands {
		if a.State == ledger.Pending && (a.Lane == lane || a.Lane == ledger.All) {
			w.any = true
			w.rate = Changed(w.rate, a.Command)
		}
	}
	return w
}

// RatePending is the rate of a lane once all pending commands are done.
func RatePending(s *ledger.Snapshot, lane int) float64 { return wishes(s, lane).rate }

// Changed is what a command makes of a rate.
func Changed(rate float64, c ledger.Command) float64 {
	if c.Do != ledger.DoRate {
		return rate
	}
	switch c.How {
	case ledger.Add:
		return max(0, rate+c.To)
	case ledger.Mul:
		return rate * c.To
	}
	return c.To
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
	left(fmt.Sprintf("%5s", format.Clock(s.At)), t.Value, 1)
	shape, st := phaseMark(t, s)
	left(shape+" "+v.Lang.Phase(s.Phase), st, 2)
	if v.Frozen {
		left("◆ "+v.say(lang.SayFrozen, lang.With("at", format.Clock(v.Since))), t.Accent, 2)
	}
	if simulated(s) && r.W >= 100 {
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
