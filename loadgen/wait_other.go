//go:build !linux

package loadgen

import (
	"context"
	"time"
)

// PreciseWait is [TimerWait] where the kernel has no absolute sleep.
func PreciseWait(ctx context.Context, until time.Time, wake <-chan struct{}) {
	timerWait(ctx, until, wake)
}

// Reserve does nothing where no wait keeps a processor of Go's scheduler.
func Reserve(int) (release func()) { return func() {} }
