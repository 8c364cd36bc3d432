package loadgen

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
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

// So many waits keep their processor as are reserved; the others do not.
func TestAWaitWithoutAReserveStandsAside(t *testing.T) {
	var on, aside atomic.Int32
	var all sync.WaitGroup // of the waits that sleep
	all.Add(3)
	meet := func(n *atomic.Int32) func(*unix.Timespec) error {
		return func(*unix.Timespec) error {
			n.Add(1)
			all.Done()
			all.Wait()
			return nil
		}
	}
	over, cancel := context.WithCancel(t.Context())
	cancel() // each naps once
	release := Reserve(2)
	var waits sync.WaitGroup
	for range 3 {
		waits.Go(func() {
			naps{aside: meet(&aside), on: meet(&on)}.sleep(over, time.Now().Add(time.Hour), nil)
		})
	}
	waits.Wait()
	release()
	if reserved := int32(min(2, runtime.NumCPU())); on.Load() != reserved || aside.Load() != 3-reserved {
		t.Errorf("%d kept a processor, %d stood aside, with %d reserved", on.Load(), aside.Load(), reserved)
	}
}

// Shortly before the instant a wait still hears that it is to end.
func TestANapIsEnded(t *testing.T) {
	awake := make(chan struct{}, 1)
	awake <- struct{}{}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for name, do := range map[string]struct {
		ctx  context.Context
		wake chan struct{}
	}{"wake": {t.Context(), awake}, "ctx": {over, nil}} {
		t.Run(name, func(t *testing.T) {
			n := 0
			nap := func(*unix.Timespec) error { n++; return nil }
			naps{aside: nap, on: nap}.sleep(do.ctx, time.Now().Add(time.Second), do.wake)
			if n != 1 {
				t.Errorf("%d naps", n)
			}
		})
	}
}
