package panes

import (
	"strings"
	"testing"

	"dev.example/pileup/tui/cells"
)

// TestBriefFactsKeepTheirNumbers in a narrow row: rather without the name of the
// second than without its number.
func TestBriefFactsKeepTheirNumbers(t *testing.T) {
	v := view(t)
	pair := []fact{{name: "gpu", num: "29", unit: "%"}, {name: "power", num: "13.2", unit: "W"}}
	for w, want := range map[int]string{16: "gpu 29%   13.2 W", 19: "gpu 29%      13.2 W", 21: "gpu 29%  power 13.2 W", 26: "gpu 29%      power 13.2 W"} {
		b := cells.NewBuf(w, 1)
		briefs(b, b.Rect(), v.Theme, pair, false)
		if got := strings.TrimRight(b.String(), " \n"); got != want {
			t.Errorf("in %d cells: %q, want %q", w, got, want)
		}
	}
}

// TestTheTrendOfALargeBacklog stands in full where it has room, and else as a
// direction alone.
func TestTheTrendOfALargeBacklog(t *testing.T) {
	v := view(t)
	var all [nFigures]figure
	for i := range all {
		all[i] = figure{labels: []string{"x"}, num: "1"}
	}
	all[figBacklog] = figure{labels: []string{"backlog"}, num: "99.8k", trend: "▲", change: "+20.0k/s"}
	for w, want := range map[int]string{100: "backlog 99.8k ▲ +20.0k/s ", 80: "backlog 99.8k ▲ ", 60: "backlog 99.8k ▲ "} {
		b := cells.NewBuf(w, 2)
		smallFigures(b, b.Rect(), v, all)
		if got := b.String(); !strings.HasPrefix(strings.TrimSpace(got), want) || strings.Contains(got, "…") {
			t.Errorf("in %d cells, no %q in\n%s", w, want, got)
		}
	}
}
