package loadgen

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	// near is how long before the instant the kernel's clock takes over.
	near = 3 * time.Millisecond
	// deaf is the longest sleep in which nobody listens.
	deaf = 2 * time.Millisecond
)

// shortest is the share of a core, in ns, after which the kernel's scheduler looks
// at other threads. The shorter that is, the sooner a thread that wakes takes the
// place of one that runs. It is the least that is taken.
const shortest = 100_000

// PrecisePacing waits to some ten microseconds: with Go's timer until shortly
// before the instant, then in sleeps to an absolute time of the kernel's
// monotonic clock. While it sleeps so it hears wake and ctx up to 2 ms late. Not
// for a synctest bubble, whose clock the kernel does not know.
//
// The goroutine keeps its thread from then on, and the thread ends with it: it has
// no timer slack, so that its sleeps are not put together with others', and short
// slices (since Linux 6.12), so that it need not wait for busy threads. A kernel
// that refuses leaves it later: with the slack by 50 µs.
func PrecisePacing() Wait {
	runtime.LockOSThread()
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0)
	if attr, err := unix.SchedGetAttr(0, 0); err == nil && attr.Policy == unix.SCHED_NORMAL {
		attr.Runtime = shortest
		_ = unix.SchedSetAttr(0, attr, 0)
	}
	return kernel.wait
}

// naps are the ways to sleep to an instant of the kernel's monotonic clock.
type naps struct {
	aside, on func(end *unix.Timespec) error
}

var kernel = naps{sleepAside, sleepOn}

func (n naps) wait(ctx context.Context, until time.Time, wake <-chan struct{}) {
	if time.Until(until) > near && !timerWait(ctx, until.Add(-near), wake) {
		return
	}
	n.sleep(ctx, until, wake)
}

// sleep sleeps until the instant, and looks whether it is to end in between.
func (n naps) sleep(ctx context.Context, until time.Time, wake <-chan struct{}) {
	nap := n.aside
	if spare.take() {
		defer spare.put()
		nap = n.on
	}
	for {
		left := time.Until(until)
		if left <= 0 {
			return
		}
		end := unix.NsecToTimespec(int64(time.Since(boot)+min(left, deaf)) + booted)
		if err := nap(&end); err != nil && err != unix.EINTR {
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

// sleepAside blocks the thread as any call of the kernel that may last: Go's
// scheduler looks every 20 µs whether to go on without it, and to go on the
// sleeper may have to wait for a processor of the scheduler's.
func sleepAside(end *unix.Timespec) error {
	return unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, end, nil)
}

// sleepOn blocks the thread and keeps the processor, which takes a third less
// CPU at a thousand waits a second. When the scheduler wants all to stop it
// interrupts the sleep.
func sleepOn(end *unix.Timespec) error {
	_, _, e := unix.RawSyscall6(unix.SYS_CLOCK_NANOSLEEP, unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, uintptr(unsafe.Pointer(end)), 0, 0, 0)
	if e != 0 {
		return e
	}
	return nil
}

// spare is how many waits may keep a processor.
var spare processors

type processors struct {
	sync.Mutex // held while their number changes
	free       atomic.Int32
}

func (p *processors) take() bool {
	for {
		n := p.free.Load()
		if n <= 0 {
			return false
		}
		if p.free.CompareAndSwap(n, n-1) {
			return true
		}
	}
}

func (p *processors) put() { p.free.Add(1) }

// mostSpare bounds what is added: each processor more is looked through by all,
// and a quarter of all may collect garbage.
const mostSpare = 8

// Reserve adds a processor to Go's scheduler for each of n waits at once, up to
// as many as the machine has cores, and eight, to keep while it sleeps. release
// takes them back; no such wait may be going on then.
func Reserve(n int) (release func()) {
	n = min(n, mostSpare, runtime.NumCPU())
	add := func(n int) {
		spare.Lock()
		defer spare.Unlock()
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + n)
		spare.free.Add(int32(n))
	}
	add(n)
	return func() { add(-n) }
}

// boot is an instant and booted what the kernel's monotonic clock, in ns, was
// then: Go reads the same clock, but keeps its values to itself.
// Of some readings it is the one that took least: nothing came between its two.
var boot, booted = func() (at time.Time, ns int64) {
	least := time.Duration(1<<63 - 1)
	for range 10 {
		var now unix.Timespec
		begun := time.Now()
		_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) // its arguments are right, so it cannot fail
		if took := time.Since(begun); took < least {
			least, at, ns = took, begun, now.Nano()
		}
	}
	return at, ns
}()
