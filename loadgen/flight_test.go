package loadgen

import (
	"testing"
	"time"

	"dev.example/pileup/loadgen/ledger"
)

// A process that stood still reads what came meanwhile before it says that
// nothing did.
func TestATimeoutAfterAStandstillWaitsForTheReaders(t *testing.T) {
	var now time.Duration
	f := &flight{limit: time.Second, now: func() time.Duration { return now }}
	defer f.stop()
	answered, silent := new(request), new(request)
	for _, r := range []*request{answered, silent} {
		r.ev.Sent = 0
		f.add(r)
	}
	now = 20 * time.Second // the timer was to ring at 1 s
	if over := f.overdue(); len(over) != 0 {
		t.Fatalf("%d given up before anything could be read", len(over))
	}
	f.remove(answered)
	now = f.rings
	if over := f.overdue(); len(over) != 1 || over[0] != silent {
		t.Errorf("given up: %d", len(over))
	}
}

// A timer that is late again and again does not keep timeouts away.
func TestATimeoutWaitsNoSecondTime(t *testing.T) {
	var now time.Duration
	f := &flight{limit: time.Second, now: func() time.Duration { return now }}
	defer f.stop()
	for i := range 3 {
		f.add(&request{ev: ledger.Event{Sent: time.Duration(i) * 10 * time.Second}})
	}
	for i := range 3 {
		for late := range 2 {
			now = f.rings + 2*standstill
			over := f.overdue()
			if len(over) != late {
				t.Fatalf("request %d: %d given up when the timer was late %d times", i, len(over), late+1)
			}
			for _, r := range over {
				f.remove(r)
			}
		}
	}
}

func TestATimeoutThatIsOnTimeDoesNotWait(t *testing.T) {
	var now time.Duration
	f := &flight{limit: time.Second, now: func() time.Duration { return now }}
	defer f.stop()
	f.add(&request{ev: ledger.Event{Sent: 0}})
	f.add(&request{ev: ledger.Event{Sent: 300 * time.Millisecond}})
	now = time.Second + time.Millisecond
	if over := f.overdue(); len(over) != 1 || f.rings != 1300*time.Millisecond {
		t.Errorf("%d given up, then at %s", len(over), f.rings)
	}
}
