package demo

import (
	"context"
	"sync"
	"time"
)

// A stage is the compute stage: so many workers, first come, first served.
// Each job's end is reckoned from the end of the job before it in the same
// worker, not from when a goroutine woke up, so the stage does not drift.
type stage struct {
	mu      sync.Mutex
	workers int
	slow    float64 // how many times longer than at full speed a job takes
	busy    level   // workers at work
	queue   []*job
}

type job struct {
	work  time.Duration // at full speed
	came  time.Time
	until chan time.Time // capacity 1: when the job ends, once it has begun
	left  bool
}

// run returns when work has been done. A job whose asker leaves while it
// waits is dropped; one that has begun goes on until ctx is done, as a model
// does that has no way to be interrupted.
func (s *stage) run(ctx, asker context.Context, work time.Duration) error {
	j := &job{work: work, until: make(chan time.Time, 1)}
	s.enter(j)
	var until time.Time
	select {
	case until = <-j.until:
	case <-asker.Done():
		if !s.leave(j) {
			return asker.Err()
		}
		until = <-j.until // it began at the same moment
	}
	err := sleepUntil(ctx, until)
	s.release(until)
	return err
}

func (s *stage) enter(j *job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	j.came = time.Now()
	if s.busy.n == s.workers {
		s.queue = append(s.queue, j)
		return
	}
	s.busy.add(1, j.came)
	s.begin(j, j.came)
}

// leave takes a waiting job out and reports whether it had begun already.
func (s *stage) leave(j *job) (begun bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	j.left = true
	return len(j.until) > 0
}

// release hands the worker that became free at the instant at to the next.
func (s *stage) release(at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.queue) > 0 {
		j := s.queue[0]
		s.queue[0] = nil
		s.queue = s.queue[1:]
		if !j.left {
			s.begin(j, later(at, j.came))
			return
		}
	}
	s.busy.add(-1, time.Now())
}

func (s *stage) begin(j *job, at time.Time) {
	j.until <- at.Add(time.Duration(float64(j.work) * s.slow))
}

// pace sets how much slower than full speed the jobs run that begin from now on.
func (s *stage) pace(slow float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slow = slow
}

// used returns the worker-seconds of work done by now.
func (s *stage) used(now time.Time) float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.busy.sum(now)
}

func sleepUntil(ctx context.Context, at time.Time) error {
	timer := time.NewTimer(time.Until(at))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A level is a number that goes up and down, and its integral over time.
type level struct {
	n    int
	area float64 // n · seconds, until when
	when time.Time
}

func (l *level) add(d int, now time.Time) {
	l.area = l.sum(now)
	l.n, l.when = l.n+d, now
}

func (l *level) sum(now time.Time) float64 {
	return l.area + float64(l.n)*max(0, now.Sub(l.when).Seconds())
}
