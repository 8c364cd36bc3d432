package loadgen

import (
	"context"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// near is how long before the instant the kernel's clock takes over.
	near = 3 * time.Millisecond
	// slice is the longest sleep in which nobody listens.
	slice = 2 * time.Millisecond
)

// PreciseWait waits to some ten microseconds: with Go's timer until shortly
// before the instant, then in sleeps to an absolute time of the kernel's
// monotonic clock, on a thread without timer slack. While it sleeps so it hears
// wake and ctx up to 2 ms late. Not for a synctest bubble, whose clock the
// kernel does not know.
func PreciseWait(ctx context.Context, until time.Time, wake <-chan struct{}) {
	if time.Until(until) > near && !timerWait(ctx, until.Add(-near), wake) {
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	// The thread's own: its sleeps may else be put together with others'. A
	// kernel that refuses leaves them 50 µs late.
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0)
	for {
		left := time.Until(until)
		if left <= 0 {
			return
		}
		if err := sleep(min(left, slice)); err != nil {
			timerWait(ctx, until, wake)
			return
		}
		select {
		case <-wake:
			return
		case <-ctx.Done():
			return
		default:
		}
	}
}

// sleep blocks the thread.
func sleep(d time.Duration) error {
	end := unix.NsecToTimespec(int64(time.Since(boot)+d) + booted)
	for {
		err := unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &end, nil)
		if err != unix.EINTR {
			return err
		}
	}
}

// boot is an instant and booted what the kernel's monotonic clock, in ns, was
// then: Go reads the same clock, but keeps its values to itself.
var boot, booted = func() (time.Time, int64) {
	var now unix.Timespec
	at := time.Now()
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) // its arguments are right, so it cannot fail
	return at, now.Nano()
}()
