package panes

import (
	"fmt"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/format"
)

// draining lists, longest first, what may be said of a drain: how many requests are
// still open, as all is counted at the end of the last closed second, and how long it
// may still take; without a limit, how long it has taken. The key figures say how
// many are open too, so in short it is the time. Numbers keep the width they began
// with.
func draining(v *View, s *ledger.Snapshot) []string {
	total := &closed(s).Total
	open := lang.With("open", fmt.Sprintf("%*s", len(format.Count(s.Total.AtEnd.Open)), format.Count(total.Backlog())))
	none := lang.With("open", nil)
	after := max(0, s.At-s.SendingEnded)
	limit := s.Setup.Drain
	if limit <= 0 {
		took := lang.With("after", after.Truncate(time.Second))
		return []string{v.say(lang.SayDrainingAfter, open, took), v.say(lang.SayDrainingAfter, none, took)}
	}
	left := max(0, limit-after+time.Second-1).Truncate(time.Second)
	text := lang.With("left", fmt.Sprintf("%*s", cells.Width(lang.Span(limit.Truncate(time.Second))), lang.Span(left)))
	return []string{v.say(lang.SayDrainingLeft, open, text), v.say(lang.SayDrainingLeft, none, text)}
}

// stillOut names the targets of which requests are open while the run drains,
// as many as have room, and reports whether there is any to name.
func stillOut(h *wordLine, v *View, pool []Member) (any bool) {
	t := v.Theme
	digits := 0
	for i := range pool {
		digits = max(digits, len(format.Count(pool[i].Open)))
	}
	for i := range pool {
		m := &pool[i]
		if m.Open == 0 {
			continue
		}
		name, st := cells.CutMiddle(m.Name, 16), t.Text
		if m.Gone {
			name, st = "▲ "+name, t.Bad
		}
		open := fmt.Sprintf("%*s", digits, format.Count(m.Open))
		if h.x+cells.Width(name)+1+cells.Width(open) > h.end {
			h.put(cells.Cropped, t.Label, 1)
			return any
		}
		h.put(name, st, 1)
		h.put(open, t.Value, 2)
		any = true
	}
	return any
}
