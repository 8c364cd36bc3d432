package panes

import (
	"fmt"
	"strconv"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/format"
	"dev.example/pileup/tui/layout"
)

// Table is the account second by second: what happened in each, what was open
// at its end, and what became of the requests due in it. The newest stands
// last; the totals stand below. All of it is as of the end of the last closed
// second.
type Table struct{}

// Draw draws the pane into r.
func (p *Table) Draw(b *cells.Buf, r cells.Rect, v *View, live *ledger.Snapshot) {
	in := frame(b, r, v, layout.Ledger, v.say(lang.PaneLedger))
	s := closed(live)
	if s == nil || len(v.Account(s).Seconds) == 0 {
		empty(b, in, v, waiting(v, live))
		return
	}
	l := v.Account(s)
	rows := tableRows(r.H)
	end := lastRow(v, l, rows)
	from := max(0, end-rows)
	g := newGrid(b, in, v, l, from, end)
	g.heads()
	if withTotal(r.H) {
		g.total(in.Bottom()-1, s, l)
	}
	p.legend(b, r, v, l, len(l.Seconds)-end)
	g.rows(s, l, from, end)
}

// withTotal reports whether a pane of that height has a row of totals.
func withTotal(h int) bool { return h >= 10 }

// tableRows is how many seconds a pane of that height shows.
func tableRows(h int) int {
	rows := h - 3
	if withTotal(h) {
		rows--
	}
	return max(rows, 0)
}

// lastRow is the number of seconds up to the last one shown.
func lastRow(v *View, l *ledger.Lane, rows int) int {
	n := len(l.Seconds)
	end := n
	for v.Scroll.Ledger > 0 && end > 0 && l.Seconds[end-1].K > v.Scroll.Ledger {
		end--
	}
	return max(end, min(n, rows))
}

// ScrollLedger scrolls a table in a pane of height h by so many lines back. It
// ends at the first second, and at the newest follows the run again.
func (v *View) ScrollLedger(s *ledger.Snapshot, h, lines int) {
	l := v.Account(closed(s))
	n, rows := len(l.Seconds), tableRows(h)
	end := min(max(lastRow(v, l, rows)-lines, min(n, rows), 1), n)
	v.Scroll.Ledger = 0
	if end < n {
		v.Scroll.Ledger = l.Seconds[end-1].K
	}
}

// ScrollEvents scrolls the events by so many lines back.
func (v *View) ScrollEvents(s *ledger.Snapshot, lines int) {
	v.Scroll.Events = min(max(0, v.Scroll.Events+lines), max(0, len(s.Notes)-1))
}

// legend says in the border what the rows are, or how far they are scrolled.
func (p *Table) legend(b *cells.Buf, r cells.Rect, v *View, l *ledger.Lane, back int) {
	t := v.Theme
	if back > 0 {
		legend(b, r, []part{{v.say(lang.SayScrolled, lang.With("n", back)), t.Accent}})
		return
	}
	legend(b, r, []part{
		{v.say(lang.SideLedger), t.Label},
		{fmt.Sprintf("%s %s", format.Count(l.Due), v.say(lang.HeadDue)), t.Text},
		{fmt.Sprintf("%s %s", format.Count(l.OK), v.say(lang.HeadOK)), t.Text},
		{fmt.Sprintf("%s %s", format.Count(l.Backlog()), v.say(lang.HeadOpen)), t.Text},
	})
}

// secondName is the number of a second, "891–900" of joined ones.
func secondName(c *ledger.Second) string {
	if c.Span > 1 {
		return strconv.Itoa(c.K-c.Span+1) + "–" + strconv.Itoa(c.K)
	}
	return strconv.Itoa(c.K)
}
