package report

import (
	"testing"
	"time"

	"dev.example/pileup/loadgen/ledger"
)

// A stretch under a millisecond has no rate: a burst that was ended before
// all of it was taken up has sent for a microsecond.
func TestRatesOfAShortStretch(t *testing.T) {
	for _, tt := range []struct {
		sending time.Duration
		known   bool
	}{{0, false}, {time.Microsecond, false}, {999 * time.Microsecond, false}, {time.Millisecond, true}, {time.Second, true}} {
		s := &ledger.Snapshot{Phase: ledger.Ended, At: 3 * time.Second, SendingEnded: tt.sending}
		s.Total.Info.ID, s.Total.Ended = ledger.All, true
		s.Total.Due, s.Total.OK = 28261, 28261
		s.Total.Sending, s.Total.AtEnd = tt.sending, ledger.AtEnd{At: tt.sending, OK: 7}
		r := ratesOf(&s.Total, s)
		if r.offered.known != tt.known || r.sending.known != tt.known {
			t.Errorf("in %s: %v offered, %v while sending", tt.sending, r.offered, r.sending)
		}
		if want := 28261 / tt.sending.Seconds(); tt.known && r.offered.x != want {
			t.Errorf("in %s: %v offered, want %g", tt.sending, r.offered, want)
		}
		if !r.all.known || r.all.x != 28261.0/3 {
			t.Errorf("in %s: %v in all", tt.sending, r.all)
		}
	}
}
