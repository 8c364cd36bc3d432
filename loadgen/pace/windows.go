package pace

import (
	"math/rand/v2"
	"time"
)

// grid cuts the schedule clock into windows [first + k·width, first + (k+1)·width).
type grid struct {
	first, width time.Duration
}

func (g grid) start(k int64) time.Duration { return g.first + time.Duration(k)*g.width }

// index is the number of the window that holds t, at least 0.
func (g grid) index(t time.Duration) int64 { return max(0, int64((t-g.first)/g.width)) }

// windows is the pattern of PoissonCounts, Uniform and Burst. Of all windows it
// holds the next one that has requests.
type windows struct {
	grid
	course  *count
	rng     *rand.Rand
	within  Within
	drawn   bool  // a Poisson number in each window, else what N gains in whole requests
	fixed   int64 // requests in each window; 0 is as N says
	once    bool
	now     batch
	past    batch   // the one before; empty once N has bent
	settled float64 // N accounted for, while it bends
}

// batch is the requests of one window, or of what was left of it when they
// were drawn.
type batch struct {
	spread
	since time.Duration // where the windows before it were settled
	base  float64       // N accounted for there
	to    float64       // N accounted for with all of them
}

func newWindows(spec *Spec, course *count, rng *rand.Rand, at time.Duration, settled float64) *windows {
	w := &windows{grid: grid{at, spec.Window()}, course: course, rng: rng, once: spec.once()}
	switch spec.Arrivals {
	case Uniform:
		w.within = Random
	case Burst:
		w.within = AtOnce
	default:
		w.within, w.drawn = spec.Within, true
	}
	if spec.counted() {
		w.fixed = spec.Count
	}
	w.draw(at, settled)
	return w
}

func (w *windows) next() (time.Duration, bool) { return w.now.due, w.now.left() > 0 }

func (w *windows) take() {
	w.now.take(w.rng)
	if w.now.left() == 0 {
		w.past = w.now
		w.draw(w.start(w.index(w.past.at)+1), w.past.to)
	}
}

// draw settles which window from the instant at on is the next one that holds
// requests, and how many. N is accounted for up to base by then.
func (w *windows) draw(at time.Duration, base float64) {
	w.now = batch{since: at, base: base, to: base}
	first := w.index(at)
	if w.within == AtOnce && w.start(first) < at {
		first++
	}
	k, n, to := w.ration(first, base)
	if n == 0 || w.once && k > 0 {
		return
	}
	begin, phase := max(w.start(k), at), 0.0
	if begin > w.start(k) && w.within == Even {
		phase = w.rng.Float64() // else each change would bring a request at once
	}
	w.now.to = to
	w.now.spread = newSpread(w.within, begin, w.start(k+1)-begin, n, phase, w.rng)
}

// ration returns the first window, from number k on, that holds requests, how
// many, and what N is accounted for with them; or no requests.
func (w *windows) ration(k int64, base float64) (window, n int64, to float64) {
	switch {
	case w.fixed > 0:
		return k, w.fixed, base + float64(w.fixed)
	case w.drawn:
		return w.lot(k, base)
	}
	return w.gain(k, base)
}

// lot draws a Poisson number for each window until one is not 0. That is where
// a Poisson process on N has its next event; the window ends with all that
// follow the event in it.
func (w *windows) lot(k int64, base float64) (window, n int64, to float64) {
	event := base + w.rng.ExpFloat64()
	t, any := w.course.reach(event)
	if !any {
		return 0, 0, base
	}
	k = max(k, w.index(t))
	to = max(event, w.course.at(w.start(k+1)))
	return k, 1 + poisson(to-event, w.rng), to
}

// gain looks for the window by whose end N has gained a whole request.
func (w *windows) gain(first int64, base float64) (window, n int64, to float64) {
	sent := whole(base)
	t, any := w.course.reach(sent + 1)
	if !any {
		return 0, 0, base
	}
	k := max(first, w.index(t))
	if k > first && whole(w.course.at(w.start(k))) > sent {
		k-- // t is the very end of the window before
	}
	to = max(sent+1, w.course.at(w.start(k+1)))
	return k, int64(min(whole(to)-sent, 1<<62)), to
}

// settle says how far N is accounted for by what was handed out, the rest of
// the present window being given up.
func (w *windows) settle(at time.Duration) {
	switch {
	case !w.drawn && w.now.k > 0:
		w.settled = whole(w.now.base) + float64(w.now.k)
	case w.within == Even:
		w.settled = w.share(at)
	case w.begun(at):
		w.settled = w.now.to
	default:
		w.settled = w.passed(at)
	}
}

// passed is settled for windows that have it all at their start, where the
// starts since the last one that had any brought nothing.
func (w *windows) passed(at time.Duration) float64 {
	k := w.index(at)
	if w.start(k) == at {
		k--
	}
	if !w.drawn || w.start(k) < w.now.since {
		return w.now.base
	}
	return max(w.now.base, w.course.at(w.start(k+1)))
}

// bent draws anew what is still to come of the present window. One that holds
// a set number, or has begun with all of it, stays as it is.
func (w *windows) bent(at time.Duration) {
	if w.fixed > 0 || w.begun(at) {
		return
	}
	w.past = batch{}
	w.draw(at, w.settled)
}

// leave is settled, but places at random, which are ahead of N as often as they
// are behind it, count as if they were even: only one of the two can be made
// up for.
func (w *windows) leave(at time.Duration) float64 {
	w.settle(at)
	if b := w.running(at); w.within == Random && at >= b.at {
		w.settled = b.base + (b.to-b.base)*min(1, float64(at-b.at)/float64(max(1, b.over)))
	}
	return w.settled
}

// share is settled for drawn windows that take their time: the share of the
// window that is over, and what came beyond the same share of its requests.
func (w *windows) share(at time.Duration) float64 {
	b := w.running(at)
	k, base := w.index(at), b.base
	begin, end := max(w.start(k), b.since), w.start(k+1)
	if begin > b.since { // windows without a request came before
		base = max(base, w.course.at(begin))
	}
	over := float64(at-begin) / float64(end-begin)
	base += over * max(0, w.course.at(end)-base)
	if b.at == begin && b.end() == end {
		base += float64(b.k) - over*float64(b.n)
	}
	return base
}

// running is the batch of the window that is running, or of the next one.
func (w *windows) running(at time.Duration) *batch {
	if at < w.past.end() {
		return &w.past
	}
	return &w.now
}

// begun says whether requests that stand at a window's start are being taken.
func (w *windows) begun(at time.Duration) bool {
	return w.within == AtOnce && w.now.left() > 0 && (w.now.k > 0 || w.now.at < at)
}

func (w *windows) over() (time.Duration, bool) {
	if w.within == AtOnce {
		return w.start(0), w.once && w.now.left() == 0
	}
	return w.start(1), w.once && w.now.left() == 0
}
