package loadgen

import (
	"context"
	"time"
)

// A Wait blocks until the instant until, until wake has something or until
// ctx is done, whichever is first.
type Wait func(ctx context.Context, until time.Time, wake <-chan struct{})

// Pacing makes the Wait of one lane. It is called first in the lane's goroutine,
// and only there the Wait is used.
type Pacing func() Wait

// TimerPacing waits with Go's timer, which on Linux ends up to a millisecond
// late: the runtime sleeps in whole milliseconds.
func TimerPacing() Wait {
	return func(ctx context.Context, until time.Time, wake <-chan struct{}) { timerWait(ctx, until, wake) }
}

// timerWait reports whether it waited to the end.
func timerWait(ctx context.Context, until time.Time, wake <-chan struct{}) bool {
	t := time.NewTimer(time.Until(until))
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-wake:
	case <-ctx.Done():
	}
	return false
}
