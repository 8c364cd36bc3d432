package panes

import (
	"testing"
	"time"

	"dev.example/pileup/loadgen/ledger"
)

// TestGivenUpStandAboveAll: a quantile among those given up is above all that
// was seen, and above what the open ones have reached, as the ledger says it.
func TestGivenUpStandAboveAll(t *testing.T) {
	c := &ledger.Cohort{Censored: 3, Over: time.Second, Response: answered(0.5, 1, 2, 4)}
	for open, want := range map[int64]time.Duration{0: 4 * time.Second, 2: 7 * time.Second} {
		c.Open = open
		got := (&View{}).ofCohort(c, 7*time.Second).Quantile(0.9)
		if got.Bound != ledger.Over || got.Value != want {
			t.Errorf("%d open: got %v, want above %v", open, got, want)
		}
	}
}

// Seconds that are no longer kept stay in the totals.
func TestTotalsAreOfTheWholeRun(t *testing.T) {
	l := &ledger.Lane{
		Totals:  ledger.Totals{Due: 100, OK: 90, Sent: 100, InFlight: 10},
		Seconds: []ledger.Second{{K: 9, Span: 1, Due: 10, Sent: 10}, {K: 10, Span: 1, Due: 20, Sent: 20}},
	}
	g := &grid{v: view(t)}
	if got := g.totals(l); got[colSent] != "100" || got[colDue] != "100" {
		t.Errorf("got %q", got)
	}
	if got := dueBefore(l, 1); got != 80 {
		t.Errorf("%d were due before the last second", got)
	}
}
