package loadgen

import (
	"context"
	"testing"
	"time"
)

// A wait ends at its instant, never before it, and early only for who asks.
func TestAPreciseWait(t *testing.T) {
	wait := PrecisePacing()
	wake := make(chan struct{}, 1)
	for _, d := range []time.Duration{-time.Second, 0, 200 * time.Microsecond, 2500 * time.Microsecond, 6 * time.Millisecond} {
		until := time.Now().Add(d)
		wait(t.Context(), until, wake)
		if left := time.Until(until); left > 0 {
			t.Errorf("a wait of %s ended %s before its end", d, left)
		}
	}
	wake <- struct{}{}
	wait(t.Context(), time.Now().Add(time.Hour), wake) // would not return
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wait(ctx, time.Now().Add(time.Hour), wake)
}

func BenchmarkPreciseWait(b *testing.B) {
	wait := PrecisePacing()
	wake := make(chan struct{})
	var late time.Duration
	for b.Loop() {
		until := time.Now().Add(200 * time.Microsecond)
		wait(b.Context(), until, wake)
		late = max(late, time.Since(until))
	}
	b.ReportMetric(float64(late.Microseconds()), "µs-latest")
}
