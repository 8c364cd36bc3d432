// Package panes draws the parts of the screen, one file each, out of a
// snapshot into a grid of cells.
//
// A pane keeps nothing of the run and asks nobody: all it shows is in the
// snapshot and in the [View], which is what the person at the keys chose. What
// was not measured is drawn as absent, in words or as –, never as zero.
package panes

import (
	"slices"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/probes"
	"dev.example/pileup/tui/chart"
	"dev.example/pileup/tui/layout"
)

// A View is how the snapshot is looked at.
type View struct {
	Theme   *Theme
	Lang    *lang.Catalogue
	Lane    int           // whose account is shown, or ledger.All
	Window  time.Duration // width of the time axis; 0 shows the whole run, up to two minutes
	Linear  bool          // response on a linear axis
	Service bool          // done − sent instead of done − due
	Focus   layout.Pane
	Zoomed  bool
	Small   bool // the screen is small: the board is within the cores
	Mono    bool // without colours: lines and layers differ by their dots
	Frozen  bool
	Since   time.Duration // instant of what is shown while frozen
	Scroll  Scroll
	Asked   []ledger.Verdict // how the run stands with what is asked of it
	Away    []Stretch        // when the program was suspended, in order
}

// A Stretch is a part of the run's clock. To is [ledger.Never] while it lasts.
type Stretch struct{ From, To time.Duration }

// away reports whether the program was suspended throughout a part of the run's
// clock.
func (v *View) away(from, to time.Duration) bool {
	return slices.ContainsFunc(v.Away, func(a Stretch) bool {
		return a.From <= from && (a.To == ledger.Never || to <= a.To)
	})
}

// suspends reports whether a segment that pauses is one of a suspension.
func (v *View) suspends(g *ledger.Segment) bool {
	return slices.ContainsFunc(v.Away, func(a Stretch) bool {
		return (g.To == ledger.Never || a.From < g.To) && (a.To == ledger.Never || g.From <= a.To)
	})
}

// Scroll says which lines the tables show. The zero Scroll follows the newest.
type Scroll struct {
	Ledger int // the last second shown: it stays while others follow
	Events int // how many lines the events are scrolled back
	Help   int // how many lines the help is scrolled down
}

// windows are what the window key walks.
var windows = append([]time.Duration{0}, chart.Windows...)

// NextWindow takes the next width of the time axis.
func (v *View) NextWindow() {
	for i, w := range windows {
		if w == v.Window {
			v.Window = windows[(i+1)%len(windows)]
			return
		}
	}
	v.Window = 0
}

// steps are the widths of the axis while it shows the whole run: each keeps most
// of the picture of the one before.
var steps = []time.Duration{
	15 * time.Second, 20 * time.Second, 30 * time.Second, 45 * time.Second, time.Minute, 90 * time.Second, 2 * time.Minute,
}

// axis is the stretch of the run's clock that charts of width w show: the same
// for all of them.
func (v *View) axis(s *ledger.Snapshot, w int) chart.TimeAxis {
	now := time.Duration(s.Closed) * time.Second
	window := v.Window
	for i := 0; window == 0 && i < len(steps); i++ {
		if now <= steps[i] || i == len(steps)-1 {
			window = steps[i]
		}
	}
	return chart.Follow(now, window, chart.Cols(w))
}

// window names the width of the time axis, if one was chosen.
func (v *View) window() string {
	if v.Window == 0 {
		return ""
	}
	return v.say(lang.SayWindow, lang.With("span", chart.Span(v.Window)))
}

// Account is the account that is shown.
func (v *View) Account(s *ledger.Snapshot) *ledger.Lane {
	if v.Lane >= 0 && v.Lane < len(s.Lanes) {
		return &s.Lanes[v.Lane]
	}
	return &s.Total
}

// closed is the state at the end of the last closed second, for what is counted
// by seconds: the sum of the rows is the total. A run that is over has no other.
func closed(s *ledger.Snapshot) *ledger.Snapshot {
	if s != nil && s.AtClose != nil && s.Phase != ledger.Ended {
		return s.AtClose
	}
	return s
}

// Paused reports whether the lane in view sends nothing at the moment: of all lanes,
// every one that has not ended.
func Paused(v *View, s *ledger.Snapshot) bool {
	if v.Lane >= 0 && v.Lane < len(s.Lanes) {
		return s.Lanes[v.Lane].Setting.Paused
	}
	paused, all := pausedLanes(s)
	return all > 0 && paused == all
}

// pausedLanes counts the lanes that are paused and all that have not ended.
func pausedLanes(s *ledger.Snapshot) (paused, all int) {
	for i := range s.Lanes {
		if l := &s.Lanes[i]; !l.Ended {
			all++
			if l.Setting.Paused {
				paused++
			}
		}
	}
	return paused, all
}

// oneOfMany reports whether one of several lanes is in view.
func (v *View) oneOfMany(s *ledger.Snapshot) bool {
	return len(s.Lanes) > 1 && v.Lane >= 0 && v.Lane < len(s.Lanes)
}

// LaneName is the name of a lane where it needs one: if there are several. All
// of them are each lane.
func (v *View) LaneName(s *ledger.Snapshot, lane int) string {
	switch {
	case len(s.Lanes) < 2:
		return ""
	case lane >= 0 && lane < len(s.Lanes):
		return s.Lanes[lane].Info.Name
	}
	return v.say(lang.SayEachLane)
}

// say returns a sentence of the view's language.
func (v *View) say(id lang.ID, args ...ledger.Arg) string { return v.Lang.T(id, args...) }

// ModeOf returns the power mode that a board's probe read last.
func ModeOf(s *ledger.Snapshot, probe string) (probes.Mode, bool) {
	for i := range s.Series {
		if s.Series[i].Name != probe {
			continue
		}
		if p, ok := s.Series[i].Last(); ok && p.Sample.Mode != nil {
			return *p.Sample.Mode, true
		}
	}
	return probes.Mode{}, false
}
