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
	h.end = phase(b, r, v, s, func(end int) bool {
		m := &wordLine{x: h.x, y: h.y, end: end}
		target(m, v, s)
		setting(m, v, s)
		return !m.lost
	})
	target(h, v, s)
	setting(h, v, s)
}

// wordLine writes words one behind another until the line is full; a word that does
// not fit is left out whole. Without a buffer it only finds out what fits.
type wordLine struct {
	b         *cells.Buf
	x, y, end int
	lost      bool // something was left out
}

func (h *wordLine) put(text string, st cells.Style, gap int) bool {
	n := cells.Width(text)
	if text == "" {
		return false
	}
	if h.x+n > h.end {
		h.lost = true
		return false
	}
	if h.b != nil {
		h.b.Text(h.x, h.y, n, text, st)
	}
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

// phase writes the right end of the header and returns where it begins. Its words
// are those beside which what is asked of the lanes fits, which is said of the cell
// where it has to end.
func phase(b *cells.Buf, r cells.Rect, v *View, s *ledger.Snapshot, fits func(end int) bool) int {
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
	if s.Phase == ledger.Draining {
		leave := x - max(5, cells.Width(format.Clock(s.At))) - 6 - v.leastBadge(s) // with shape and gaps
		for _, text := range draining(v, s) {
			if fits(leave - cells.Width(text)) {
				word, gap = text, 2
				break
			}
		}
	}
	left(fmt.Sprintf("%5s", format.Clock(s.At)), t.Value, gap)
	left(shape+" "+word, st, 2)
	if v.Frozen {
		left("◆ "+v.say(lang.SayFrozen, lang.With("at", format.Clock(v.Since))), t.Accent, 2)
	}
	if s.Phase == ledger.Ended && len(v.Asked) > 0 {
		if at := askedOf(b, r.X+askedLeaves, x, r.Y, v); at < x {
			x = at - 2
		}
	}
	free := x
	x = driverLate(b, r, x, v, s, fits)
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
