package loadgen

import (
	"runtime"
	"sync"
	"testing"
	"time"
)

// Waits that keep a processor do not keep the others' work: there is one more
// for each, and to collect garbage all are stopped.
func TestReservedWaits(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	release := Reserve(2)
	var waits sync.WaitGroup
	for range 3 { // one goes without
		waits.Go(func() {
			wait := PrecisePacing()
			for range 20 {
				until := time.Now().Add(2 * time.Millisecond)
				wait(t.Context(), until, nil)
				if left := time.Until(until); left > 0 {
					t.Errorf("a wait ended %s before its end", left)
				}
			}
		})
	}
	for range 10 {
		runtime.GC()
	}
	waits.Wait()
	release()
	if now := runtime.GOMAXPROCS(0); now != before || spare.free.Load() != 0 {
		t.Errorf("%d processors, before %d; %d are spare", now, before, spare.free.Load())
	}
}
