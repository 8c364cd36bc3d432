package probes

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"strconv"
	"time"

	"dev.example/pileup/loadgen/guard"
)

// A Runner asks one probe for samples: at once, then on the grid start + k·Every,
// which does not drift. At most one read is out at any time; an instant that
// finds the last read still out starts no second one.
//
//	grid      │0         │1         │2         │3         │4
//	reads     ├─▶        ├─ a read that hangs ─────────────────▶
//	readings   ●                    ✗          ✗          ✗ no answer for 3 s
type Runner struct {
	Probe    Probe
	Every    time.Duration // period; default 1 s
	Deadline time.Duration // how long a read may take; default Every
}

// A Reading is one answer of a probe, or the reason why there is none.
type Reading struct {
	Probe  string
	Sample *Sample   // nil where Err is not
	At     time.Time // Sample.At, or when the failure was seen
	Err    error
}

// NoAnswer is the error of a reading whose source has been silent: the time
// since the first read without an answer began.
type NoAnswer time.Duration

func (n NoAnswer) Error() string { return "no answer for " + seconds(time.Duration(n)) }

// TooOld is the error of a late answer that is older than a failure already
// reported: how long the read took.
type TooOld time.Duration

func (t TooOld) Error() string { return "the answer took " + seconds(time.Duration(t)) }

// A Panic is the error of a read that panicked.
type Panic struct {
	Value any
	Stack []byte
}

func (p Panic) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

// grace is how long Run waits, after its ctx is done, for a read that is out.
const grace = time.Second

var (
	errLate  = errors.New("the probe's deadline passed")
	errEnded = errors.New("the read ended without an answer")
)

// Run asks until ctx is done. What the probe does wrong is a Reading, never an
// end: errors, panics, silence.
//
// A read is told through its ctx that its deadline has passed. One that does
// not return then is reported as [NoAnswer] at the deadline and at each instant
// of the grid after it. Errors of such a read are not reported again; its
// sample is handed out if it is younger than the last reading, and is [TooOld]
// otherwise. The next read begins at the next instant after it has returned.
//
// Readings are sent to out as long as ctx is not done; whoever receives must
// not stop before that, for a full out holds this runner up (no other). An
// instant of the grid that comes up more than half a period late, then or
// because the process was stopped, is left out and not made up for.
//
// Run returns nil when all it began has ended. A read that still ignores its
// ctx a second after the end of Run's is a system call that nobody can
// interrupt: Run then gives up waiting and returns an error that says so. The
// goroutine left behind holds only the probe, sends nothing and ends with its
// call; the probe must not be used again.
func (r Runner) Run(ctx context.Context, out chan<- Reading) error {
	if r.Every <= 0 {
		r.Every = time.Second
	}
	if r.Deadline <= 0 {
		r.Deadline = r.Every
	}
	l := loop{Runner: r, out: out, name: r.Probe.Name(), answers: make(chan answer, 1)}
	l.run(ctx)
	return l.end()
}

// loop is the state of one Run. Only its own goroutine touches it.
type loop struct {
	Runner
	out     chan<- Reading
	name    string
	group   guard.Group
	answers chan answer // capacity 1: there is one read, so its goroutine never blocks

	next   time.Time // next instant of the grid
	began  time.Time // when the read that is out began; zero if none is
	late   bool      // its deadline has passed
	cancel context.CancelCauseFunc
	silent time.Time // begin of the first read without an answer; zero if the last had one
	last   time.Time // At of the last reading
}

// answer is what a read came back with.
type answer struct {
	sample Sample
	err    error
}

func (l *loop) run(ctx context.Context) {
	l.next = time.Now()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case a := <-l.answers:
			l.answered(ctx, a)
		case <-timer.C:
			select { // an answer that came while out was full is not late
			case a := <-l.answers:
				l.answered(ctx, a)
			default:
			}
			l.tick(ctx, time.Now())
		}
		timer.Reset(time.Until(l.wake()))
	}
}

// wake is the next instant at which something is due: the grid's, or the
// deadline of the read that is out.
func (l *loop) wake() time.Time {
	if deadline := l.began.Add(l.Deadline); l.asking() && !l.late && deadline.Before(l.next) {
		return deadline
	}
	return l.next
}

// asking reports whether a read is out.
func (l *loop) asking() bool { return !l.began.IsZero() }

// tick does what is due at now.
func (l *loop) tick(ctx context.Context, now time.Time) {
	behind := now.Sub(l.next)
	onGrid := behind >= 0
	if onGrid {
		l.next = l.next.Add((behind/l.Every + 1) * l.Every)
	}
	switch {
	case l.asking() && (onGrid && l.late || !l.late && now.Sub(l.began) >= l.Deadline):
		l.late = true
		l.cancel(errLate)
		l.send(ctx, Reading{At: now, Err: NoAnswer(now.Sub(l.silent))})
	case onGrid && !l.asking() && behind <= l.Every/2:
		l.ask(ctx, now)
	}
}

// ask starts a read.
func (l *loop) ask(ctx context.Context, now time.Time) {
	readCtx, cancel := context.WithCancelCause(ctx)
	l.began, l.late, l.cancel = now, false, cancel
	if l.silent.IsZero() {
		l.silent = now
	}
	probe, answers := l.Probe, l.answers
	l.group.Go("probe "+l.name, func() { read(readCtx, probe, answers) })
}

// read takes one sample and answers exactly once, whatever the probe does.
func read(ctx context.Context, probe Probe, answers chan<- answer) {
	a := answer{err: errEnded}
	defer func() { answers <- a }()
	defer func() {
		if v := recover(); v != nil {
			a = answer{err: Panic{v, debug.Stack()}}
		}
	}()
	s, err := probe.Read(ctx)
	a = answer{s, err}
}

// answered turns what a read came back with into a reading.
func (l *loop) answered(ctx context.Context, a answer) {
	now := time.Now()
	began, late := l.began, l.late
	l.cancel(nil)
	l.began, l.late = time.Time{}, false
	if a.err != nil {
		var p Panic
		if !late || errors.As(a.err, &p) {
			l.silent = time.Time{}
			l.send(ctx, Reading{At: now, Err: a.err})
		}
		return
	}
	l.silent = time.Time{}
	if a.sample.At.IsZero() {
		a.sample.At = began.Add(now.Sub(began) / 2)
	}
	if late && !a.sample.At.After(l.last) {
		l.send(ctx, Reading{At: now, Err: TooOld(now.Sub(began))})
		return
	}
	l.send(ctx, Reading{At: a.sample.At, Sample: &a.sample})
}

// send hands a reading over, unless ctx is done.
func (l *loop) send(ctx context.Context, r Reading) {
	r.Probe, l.last = l.name, r.At
	select {
	case l.out <- r:
	case <-ctx.Done():
	}
}

// end waits for the read that is out, if one is; Run's ctx has cancelled it.
func (l *loop) end() error {
	if l.asking() {
		timer := time.NewTimer(grace)
		defer timer.Stop()
		select {
		case <-l.answers:
		case <-timer.C:
			return fmt.Errorf("probe %s: a read that began %s ago does not end", l.name, seconds(time.Since(l.began)))
		}
	}
	l.group.Wait()
	return nil
}

// seconds writes a span as "3 s", "1.5 s" or "250 ms".
func seconds(d time.Duration) string {
	if d = d.Round(time.Millisecond); d < time.Second {
		return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
	}
	return strconv.FormatFloat(math.Round(d.Seconds()*10)/10, 'f', -1, 64) + " s"
}
