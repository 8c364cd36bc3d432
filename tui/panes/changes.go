package panes

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
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
	kind string // of two of one kind at one place the later one is named
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
		out = append(out, change{g.From, g.By, changeText(v, s, g, before)})
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
	if g.By == string(ledger.DoPause) && v.suspends(g) {
		text = v.say(lang.SaySuspended)
	}
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
