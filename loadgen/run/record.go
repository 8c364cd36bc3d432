package run

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"dev.example/pileup/loadgen/guard"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/runfile"
	"dev.example/pileup/probes"
)

// A File is where a run is recorded.
type File struct {
	io.WriteCloser
	Name string
	// Remove takes away a file that was opened for a run that never began;
	// it may be nil.
	Remove func() error
}

const (
	// maxRequests is how many requests may wait to be written. While so many
	// do, because the disk is too slow, what further requests became of is
	// left out and counted.
	maxRequests = 1 << 18
	// maxLines is how many lines of all other kinds may wait, of which none
	// is left out: of a few lanes those of half an hour. When there are more,
	// the disk is taken to be stuck, and the recording stops.
	maxLines = 1 << 15
)

// recorder encodes and writes the run file in a goroutine of its own. What
// waits for it is bounded by maxRequests and those that were done within one
// more step of the loop, and by maxLines. A nil recorder records nothing.
type recorder struct {
	name        string
	maxRequests int
	maxLines    int

	mu   sync.Mutex
	more sync.Cond
	todo []job

	waiting size  // what todo and the jobs in hand have left to write
	gap     int64 // request lines left out since the last gap line
	lost    int64 // in all
	closed  bool
	err     error
	told    bool // the error has been noted
	ended   bool // the file is closed
}

// job is something to be written.
type job struct {
	write func(*runfile.Writer)
	size
}

// size counts lines: of requests, and of all else.
type size struct{ requests, others int }

func newRecorder(name string) *recorder {
	r := &recorder{name: name, maxRequests: maxRequests, maxLines: maxLines}
	r.more.L = &r.mu
	return r
}

// record opens the run's file and starts its recorder, nil if nothing is to be
// recorded.
func (l *Loop) record(run int) (*recorder, error) {
	if l.opt.Record == nil {
		return nil, nil
	}
	if err := l.reserve(run); err != nil {
		return nil, err
	}
	f := l.ahead
	l.ahead = nil
	r := newRecorder(f.Name)
	l.recorders = append(slices.DeleteFunc(l.recorders, (*recorder).complete), r)
	l.recording.Go("recorder", func() { r.run(f, l.opt.Say) })
	return r, nil
}

// reserve opens the file of a run to come, so that a run is not ended for one
// that could not be recorded.
func (l *Loop) reserve(run int) error {
	if l.ahead != nil {
		return nil
	}
	f, err := l.opt.Record(run)
	if err != nil {
		return err
	}
	l.ahead = &f
	return nil
}

// grace is how long a disk gets to take the last of a recording.
const grace = 3 * time.Second

// waitForDisk waits for the recorders. A disk that takes nothing any more is
// left behind, and the last snapshot says so, whichever run's file is on it.
func (l *Loop) waitForDisk() {
	done := make(chan struct{})
	var waiter guard.Group
	waiter.Go("wait for the disk", func() {
		defer close(done)
		l.recording.Wait()
	})
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
	l.amend(func(s *ledger.Snapshot) {
		for i, r := range slices.Backward(l.recorders) {
			r.leave()
			if i == len(l.recorders)-1 || s.Record.Err == "" && !r.complete() {
				s.Record = r.state()
			}
		}
	})
}

// unreserve gives up a file that was opened for a run that never began.
func (l *Loop) unreserve() {
	if l.ahead == nil {
		return
	}
	_ = l.ahead.Close() // nothing was written
	if l.ahead.Remove != nil {
		_ = l.ahead.Remove()
	}
	l.ahead = nil
}

func (r *recorder) run(f *File, say func(ledger.Note) string) {
	w := runfile.NewWriter(f, say)
	for {
		todo, more := r.wait()
		for _, j := range todo {
			j.write(w)
			r.written(j)
		}
		err := w.Flush()
		if !more {
			err = errors.Join(err, f.Close())
		}
		r.flushed(err, !more)
		if !more {
			return
		}
	}
}

// wait returns what is to be written next, and whether there may be more.
func (r *recorder) wait() (todo []job, more bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.todo) == 0 && !r.closed {
		r.more.Wait()
	}
	todo = r.todo
	r.todo = nil
	return todo, !r.closed
}

func (r *recorder) written(j job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting.requests -= j.requests
	r.waiting.others -= j.others
}

// flushed notes how writing went so far, of errors the first, and that the file is
// closed.
func (r *recorder) flushed(err error, ended bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = ended
	if r.err == nil {
		r.err = err
	}
}

// leave gives up a recorder that has not ended.
func (r *recorder) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ended && r.err == nil {
		r.err = fmt.Errorf("the recording was not finished: the disk took nothing for %s", grace)
	}
}

// complete reports whether the recorder has ended and nothing failed.
func (r *recorder) complete() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ended && r.err == nil
}

// add hands over one line that is not a request's.
func (r *recorder) add(write func(*runfile.Writer)) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.queue(job{write, size{others: 1}})
}

// queue has something written, unless the disk is stuck. r.mu is held.
func (r *recorder) queue(j job) {
	switch {
	case r.closed:
		r.lost += int64(j.requests)
		return
	case r.waiting.others+j.others > r.maxLines:
		r.abandon()
		r.lost += int64(j.requests)
	default:
		r.todo = append(r.todo, j)
		r.waiting.requests += j.requests
		r.waiting.others += j.others
	}
	r.more.Signal()
}

// abandon gives the recording up: what waits is never written. r.mu is held.
func (r *recorder) abandon() {
	for _, j := range r.todo {
		r.lost += int64(j.requests)
	}
	r.todo, r.closed = nil, true
	if r.err == nil {
		r.err = fmt.Errorf("the disk is stuck: %d lines wait to be written", r.maxLines)
	}
}

// put hands over what has become final.
func (r *recorder) put(at time.Duration, out ledger.Output) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	done := r.admit(at, out.Done)
	lines := size{len(done), len(out.Seconds) + len(out.Cohorts) + len(out.Notes)}
	if lines == (size{}) {
		return
	}
	r.queue(job{func(w *runfile.Writer) {
		for i := range done {
			w.Request(&done[i])
		}
		for i := range out.Seconds {
			w.Second(out.Seconds[i].Lane, &out.Seconds[i].Second)
		}
		for _, c := range out.Cohorts {
			w.Cohort(c.Lane, c.Cohort)
		}
		for _, n := range out.Notes {
			w.Note(n)
		}
	}, lines})
}

// admit returns the requests if there is room, and else counts them. r.mu is
// held.
func (r *recorder) admit(at time.Duration, done []ledger.Event) []ledger.Event {
	if r.waiting.requests >= r.maxRequests {
		r.gap += int64(len(done))
		r.lost += int64(len(done))
		return nil
	}
	if len(done) > 0 {
		r.tellGap(at)
	}
	return done
}

// tellGap writes how many requests were left out since it last did. r.mu is
// held.
func (r *recorder) tellGap(at time.Duration) {
	n := r.gap
	if n == 0 {
		return
	}
	r.gap = 0
	gap := runfile.Gap{At: at, Lost: map[string]int64{"req": n}}
	r.queue(job{func(w *runfile.Writer) { w.Gap(gap) }, size{others: 1}})
}

func (r *recorder) header(s *ledger.Setup) {
	r.add(func(w *runfile.Writer) { w.Header(s) })
}

// event records a command that changes no setting.
func (r *recorder) event(at time.Duration, c ledger.Command, lane int) {
	c.Lane = lane
	r.add(func(w *runfile.Writer) { w.Command(runfile.Command{At: at, Command: c}) })
}

// command records a change of a lane that took effect at the instant at.
func (r *recorder) command(at time.Duration, c ledger.Command, lane int, to ledger.Setting) {
	c.Lane, c.How = lane, ledger.Set
	c.To, c.Name, c.Arrivals = dialOf(to), to.Model, to.Arrivals
	if c.Do == ledger.DoTarget {
		c.Name = to.Target
	}
	r.add(func(w *runfile.Writer) {
		w.Command(runfile.Command{At: at, Command: c, BodyBytes: to.BodyBytes})
	})
}

// stop records that a lane stopped, and in which second that was heard of.
func (r *recorder) stop(at time.Duration, lane int, by string, told int) {
	if told <= ledger.SecondOf(at) {
		told = 0
	}
	r.add(func(w *runfile.Writer) {
		w.Command(runfile.Command{At: at, Command: ledger.Command{Do: ledger.DoStop, Lane: lane, By: by}, Booked: told})
	})
}

func (r *recorder) mode(at time.Duration, board, name string, id int) {
	r.add(func(w *runfile.Writer) {
		w.Command(runfile.Command{At: at, Command: ledger.Command{
			Do: ledger.DoMode, Lane: ledger.All, Board: board, Mode: id, Name: name,
		}})
	})
}

func (r *recorder) sample(probe string, p probes.Point) {
	if p.At >= 0 {
		r.add(func(w *runfile.Writer) { w.Probe(probe, p) })
	}
}

// end writes the last line and lets the file be closed.
func (r *recorder) end(at time.Duration, why string) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tellGap(at)
	r.queue(job{func(w *runfile.Writer) { w.End(at, why) }, size{others: 1}})
	r.closed = true
}

func (r *recorder) state() ledger.Record {
	if r == nil {
		return ledger.Record{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s := ledger.Record{File: r.name, Lost: r.lost}
	if r.err != nil {
		s.Err = r.err.Error()
	}
	return s
}

// failed returns the error that ended the recording, once.
func (r *recorder) failed() error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.told {
		return nil
	}
	r.told = r.err != nil
	return r.err
}
