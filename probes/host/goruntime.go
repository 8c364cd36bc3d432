package host

import (
	"errors"
	"math"
	"runtime/metrics"
	"time"

	"dev.example/pileup/probes"
)

// What is asked of the Go runtime. None of it stops the program, as
// ReadMemStats does.
const (
	gcTime = iota
	gcIdleTime
	gcCycles
	heapLive
	goroutines
	maxProcs
	gcPauses
	schedWaits
)

var asked = [...]string{
	gcTime:     "/cpu/classes/gc/total:cpu-seconds",
	gcIdleTime: "/cpu/classes/gc/mark/idle:cpu-seconds",
	gcCycles:   "/gc/cycles/total:gc-cycles",
	heapLive:   "/gc/heap/live:bytes",
	goroutines: "/sched/goroutines:goroutines",
	maxProcs:   "/sched/gomaxprocs:threads",
	gcPauses:   "/sched/pauses/total/gc:seconds",
	schedWaits: "/sched/latencies:seconds",
}

// counts is one reading of them.
type counts struct {
	gc         float64 // seconds of processor time spent on collecting
	at         time.Time
	cycles     float64
	live       float64 // bytes
	goroutines float64
	procs      float64                   // GOMAXPROCS
	pauses     *metrics.Float64Histogram // seconds
	waits      *metrics.Float64Histogram // seconds
}

// goRuntime is what the Go runtime said at the last sample. It reads into two
// sets in turn, because a read reuses the memory of its set.
type goRuntime struct {
	sets [2][len(asked)]metrics.Sample
	last *counts
	turn int
}

// ask reads the metrics. All of them are in the Go that go.mod demands.
func (r *goRuntime) ask() counts {
	r.turn = 1 - r.turn
	set := &r.sets[r.turn]
	for i, name := range asked {
		set[i].Name = name
	}
	metrics.Read(set[:])
	seconds := func(i int) float64 { return set[i].Value.Float64() }
	number := func(i int) float64 { return float64(set[i].Value.Uint64()) }
	return counts{
		gc:         seconds(gcTime) - seconds(gcIdleTime), // on cores with nothing else to do it delays nobody
		at:         time.Now(),
		cycles:     number(gcCycles),
		live:       number(heapLive),
		goroutines: number(goroutines),
		procs:      number(maxProcs),
		pauses:     set[gcPauses].Value.Float64Histogram(),
		waits:      set[schedWaits].Value.Float64Histogram(),
	}
}

// read says how the Go runtime did since the last sample.
func (r *goRuntime) read(s *sample) {
	now := r.ask()
	s.Own.CoresMax = probes.Of(now.procs)
	s.Own.Goroutines = probes.Of(now.goroutines)
	if now.cycles > 0 {
		s.Own.HeapLive = probes.Of(now.live)
	} else {
		s.lacks("own live heap", "no collection yet")
	}
	if r.last != nil {
		s.addRuntime(now, *r.last)
	} else {
		s.lacks("own collections", second)
		s.lacks("own goroutine waits", second)
	}
	r.last = &now
}

// addRuntime notes the differences between two readings.
//
// The runtime adds up the time of collections when one ends: one that lasts over
// several samples counts in its last. It measures by the clock, so that time in
// which the kernel ran others is in it, and a share of the time that the kernel
// counted would be wrong: under a CPU quota a process that collected 13 % of its
// time, by its profile, said 95 %. A share of what the runtime itself counts as
// busy would be as wrong: a sleep that keeps a processor is in that.
func (s *sample) addRuntime(now, last counts) {
	s.Own.GCs = probes.Of(now.cycles - last.cycles)
	s.Own.GC = probes.Of(0)
	if dt := now.at.Sub(last.at).Seconds(); dt > 0 {
		s.Own.GC = probes.Of(100 * max(0, now.gc-last.gc) / dt)
	}
	pause, err := quantile(now.pauses, last.pauses, 1)
	if errors.Is(err, errNone) { // then nothing was stopped
		pause, err = 0, nil
	}
	s.Own.GCPause = s.known("own longest pause")(pause, err)
	s.Own.SchedWait = s.known("own goroutine waits")(quantile(now.waits, last.waits, 0.99))
}

var (
	errNone = errors.New("none seen")
	errHist = errors.New("not a histogram of the same buckets")
)

// quantile is the value at rank ⌈q·n⌉ of the n that entered a histogram of the
// runtime between two readings: the upper edge of its bucket, up to a whole
// microsecond. Buckets are a quarter of an octave wide, so it is at most 25 %
// too much. With q = 1, or few values, it is the largest.
func quantile(now, last *metrics.Float64Histogram, q float64) (float64, error) {
	if now == nil || last == nil || len(now.Counts) != len(last.Counts) || len(now.Buckets) != len(now.Counts)+1 {
		return 0, errHist
	}
	n := uint64(0)
	for i, c := range now.Counts {
		if c < last.Counts[i] {
			return 0, errors.New("counters ran backwards")
		}
		n += c - last.Counts[i]
	}
	if n == 0 {
		return 0, errNone
	}
	rank := uint64(math.Ceil(q * float64(n)))
	i := 0
	for below := now.Counts[0] - last.Counts[0]; below < rank; i++ {
		below += now.Counts[i+1] - last.Counts[i+1]
	}
	edge := now.Buckets[i+1]
	if math.IsInf(edge, 1) {
		edge = now.Buckets[i]
	}
	return max(0, math.Ceil(edge*1e6)/1e6), nil
}
