package panes

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/chart"
)

// The lines that stand where something was changed.
const (
	changeLine = '┊'
	endLine    = '╎' // of sending
)

// A change is the beginning of a segment and what it changed, or a moment that
// was marked or had a burst, in words.
type change struct {
	at   time.Duration
	text string
}

// changesIn lists what was changed of the lane in view, or of any where all are
// in view, and of the boards, and between them the moments.
func changesIn(v *View, s *ledger.Snapshot) (out []change) {
	for i := range s.Segments {
		g := &s.Segments[i]
		if g.From <= 0 || v.Lane >= 0 && g.Lane >= 0 && g.Lane != v.Lane {
			continue
		}
		var before *ledger.Segment
		if i > 0 {
			before = &s.Segments[i-1]
		}
		out = append(out, change{g.From, changeText(v, s, g, before)})
	}
	if moments := momentsIn(v, s); len(moments) > 0 {
		out = append(out, moments...)
		slices.SortStableFunc(out, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	}
	return out
}

// changeText is what a segment changed. Where several lanes are in view it
// names the one.
func changeText(v *View, s *ledger.Snapshot, g, before *ledger.Segment) string {
	if g.By == string(ledger.DoMode) {
		return modes(s, g, before)
	}
	lane, name := g.Lane, ""
	if v.Lane == ledger.All {
		name = v.LaneName(s, lane)
	}
	if lane == ledger.All {
		lane = v.Lane
	}
	text := v.Lang.Do(ledger.Do(g.By))
	if g.By == string(ledger.DoRate) && g.Lane == ledger.All && v.Lane == ledger.All && len(s.Lanes) > 1 {
		return strings.TrimSpace(v.say(lang.SayAllLanes) + " " + sumText(v, s, g))
	}
	if lane = max(lane, 0); lane < len(g.Settings) && (g.Lane != ledger.All || v.Lane >= 0 || alike(g)) {
		set := g.Settings[lane]
		switch g.By {
		case "rate":
			d := PerSecond
			if lane < len(s.Lanes) {
				d = DialOf(&s.Lanes[lane])
			}
			text = d.Say(v, d.At(&set))
		case "model":
			text = set.Model
		case "target":
			text = set.Target
			if text == "" {
				text = v.say(lang.SayAllTargets)
			}
		case "arrivals":
			text = v.Lang.Arrivals(set.Arrivals.String())
		}
	}
	return strings.TrimSpace(name + " " + text)
}

// sumText is the sum of the rates in a segment.
func sumText(v *View, s *ledger.Snapshot, g *ledger.Segment) string {
	sum, any := 0.0, false
	for i := range min(len(s.Lanes), len(g.Settings)) {
		if DialOf(&s.Lanes[i]) == PerSecond {
			sum, any = sum+g.Settings[i].Rate, true
		}
	}
	if !any {
		return v.Lang.Do(ledger.DoRate)
	}
	return PerSecond.Say(v, sum)
}

// alike reports whether all lanes are asked for the same.
func alike(g *ledger.Segment) bool {
	return !slices.ContainsFunc(g.Settings, func(x ledger.Setting) bool {
		x.Paused, x.BodyBytes = g.Settings[0].Paused, g.Settings[0].BodyBytes
		return x != g.Settings[0]
	})
}

// modes are the power modes that a segment changed, each with its board if
// there are several.
func modes(s *ledger.Snapshot, g, before *ledger.Segment) string {
	var out []string
	for i, mode := range g.Modes {
		if before != nil && i < len(before.Modes) && before.Modes[i] == mode {
			continue
		}
		if len(s.Setup.Boards) > 1 && i < len(s.Setup.Boards) {
			mode = s.Setup.Boards[i].Probe + " " + mode
		}
		out = append(out, mode)
	}
	return strings.Join(out, " ")
}

// changeLines draws a line at each change and where sending ended.
func changeLines(plot chart.Plot, v *View, s *ledger.Snapshot, list []change) {
	for i := range list {
		plot.Mark(list[i].at, changeLine, v.Theme.Label)
	}
	if s.SendingEnded != ledger.Never {
		plot.Mark(s.SendingEnded, endLine, v.Theme.Text)
	}
}

// changeLabels says beside each line what happened there, where there is room
// between the data.
func changeLabels(plot chart.Plot, v *View, s *ledger.Snapshot, list []change) {
	in := plot.Inner()
	if s.SendingEnded != ledger.Never {
		lineLabel(plot, in, s.SendingEnded, endLine, "■ "+v.say(lang.SaySendingEnded), v.Theme.Text)
	}
	for i := range list {
		if i+1 < len(list) && sameColumn(plot, list[i].at, list[i+1].at) {
			continue
		}
		lineLabel(plot, in, list[i].at, changeLine, list[i].text, v.Theme.Label)
	}
}

// sameColumn reports whether two lines fall on one: the later one is named.
func sameColumn(plot chart.Plot, a, b time.Duration) bool {
	x, ok := plot.Time.Col(a)
	y, also := plot.Time.Col(b)
	return ok && also && x == y
}

// lineLabel writes text beside a line in the first row in which the line is
// seen and nothing stands: behind it, else before it. Away from its line it
// would be another one's.
func lineLabel(plot chart.Plot, in cells.Rect, at time.Duration, line rune, text string, st cells.Style) {
	col, ok := plot.Time.Col(at)
	n := cells.Width(text)
	if !ok || in.Empty() || n == 0 {
		return
	}
	for y := in.Y; y < min(in.Y+4, in.Bottom()); y++ {
		if plot.Buf.At(in.X+col, y).R != line {
			continue
		}
		for _, x := range []int{in.X + col + 1, in.X + col - n} {
			if x >= in.X && x+n <= in.Right() && blank(plot.Buf, x, y, n) && free(plot.Buf, x-1, y) && free(plot.Buf, x+n, y) {
				plot.Buf.Text(x, y, n, text, st)
				return
			}
		}
	}
}

// blank reports whether nothing but the grid stands in n cells.
func blank(b *cells.Buf, x, y, n int) bool {
	for i := range n {
		if c := b.At(x+i, y).R; c != 0 && c != ' ' && c != '·' {
			return false
		}
	}
	return true
}

// free reports whether no text stands in a cell.
func free(b *cells.Buf, x, y int) bool {
	c := b.At(x, y).R
	return blank(b, x, y, 1) || c == changeLine || c == endLine || c >= 0x2500
}
