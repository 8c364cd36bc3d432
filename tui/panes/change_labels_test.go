package panes

import (
	"strings"
	"testing"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/chart"
)

// TestLabelsKeepApart: wherever a change is, its label does not run into that of
// the end of sending; that comes first where both have room.
func TestLabelsKeepApart(t *testing.T) {
	for at := range 80 {
		b, v := cells.NewBuf(60, 10), view(t)
		plot := chart.Plot{Buf: b, R: b.Rect(), Time: chart.Follow(10*time.Second, 10*time.Second, 53)}
		plot.Frame(chart.Linear(10, plot.Rows(), true, wholeNumber))
		s := &ledger.Snapshot{SendingEnded: 9500 * time.Millisecond}
		list := []change{{time.Duration(at) * 100 * time.Millisecond, "rate", "40/s"}}
		changeLines(plot, v, s, list)
		changeLabels(plot, v, s, list)
		got := b.String()
		if !strings.Contains(got, "■ ") || !strings.Contains(got, "40/s") || strings.Contains(got, "s■") || strings.Contains(got, "d40") {
			t.Errorf("a change at %v:\n%s", list[0].at, got)
		}
	}
}
