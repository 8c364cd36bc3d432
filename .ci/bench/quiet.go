package main

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strconv"
	"time"
)

const (
	ticks = 100 // a second, of the CPU times in /proc
	// A run is disturbed if others used more cores than that, or the
	// hypervisor took more.
	mostOthers, mostStolen = 0.08, 0.05
	// One whose p99 deviation is judged is so earlier: a percent of a core
	// that is taken makes a percent of the requests late.
	mostStolenOfSchedule = 0.01
	// A run waits until they use no more than that, nor more than it may have.
	quietOthers, quietStolen = 0.06, 0.03
)

// mayBeStolen is how many cores the hypervisor may take from a run under l.
func (l load) mayBeStolen() float64 {
	if slices.Contains(l.groups, "schedule") || slices.Contains(l.groups, "screen") {
		return mostStolenOfSchedule
	}
	return mostStolen
}

// mayBegin reports whether a run under l has a chance when others use that many
// cores and the hypervisor takes so many.
func (l load) mayBegin(used, stolen float64) bool {
	return used <= quietOthers && stolen <= min(quietStolen, l.mayBeStolen())
}

// usage is the CPU time that was used until an instant, in s.
type usage struct {
	at        time.Time
	processes map[int]float64 // by process, with its children that ended
	stolen    float64         // by the hypervisor
}

// look reads the usage of now; kernel threads are left out.
func look() usage {
	u := usage{at: time.Now(), processes: map[int]float64{}}
	names, _ := os.ReadDir("/proc")
	for _, n := range names {
		pid, err := strconv.Atoi(n.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + n.Name() + "/stat")
		if err != nil {
			continue // it ended
		}
		if t, ok := processTime(stat); ok {
			u.processes[pid] = t
		}
	}
	stat, _ := os.ReadFile("/proc/stat")
	if line, _, _ := bytes.Cut(stat, []byte("\n")); len(bytes.Fields(line)) > 8 {
		u.stolen = seconds(bytes.Fields(line)[8])
	}
	return u
}

// processTime reads the CPU time in a process's stat. It is false of a kernel
// thread.
func processTime(stat []byte) (t float64, ok bool) {
	// proc(5): "1 (name) S ppid …", fields 14 to 17 are the times
	f := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(f) < 15 || string(f[1]) == "2" || bytes.HasPrefix(stat, []byte("2 ")) {
		return 0, false
	}
	for _, x := range f[11:15] {
		t += seconds(x)
	}
	return t, true
}

func seconds(field []byte) float64 {
	n, _ := strconv.ParseFloat(string(field), 64)
	return n / ticks
}

// others returns how many cores other processes than ours used between two
// looks, and how many the hypervisor took. What a process used before it ended
// is in its parent's time after that, and is taken off again.
func others(a, b usage, ours ...int) (used, stolen float64) {
	for pid, t := range b.processes {
		if !slices.Contains(ours, pid) {
			used += t - a.processes[pid]
		}
	}
	for pid, t := range a.processes {
		if _, lives := b.processes[pid]; !lives && !slices.Contains(ours, pid) {
			used -= t
		}
	}
	span := b.at.Sub(a.at).Seconds()
	return max(0, used) / span, (b.stolen - a.stolen) / span
}

// patience is what a round may still spend on a machine that is not quiet.
type patience struct {
	repeats int           // of disturbed runs
	wait    time.Duration // before runs
}

// quiet waits, in bounds, until the machine is quiet enough for a run under l.
func (p *patience) quiet(ctx context.Context, l load) {
	const step = time.Second
	for ctx.Err() == nil {
		a := look()
		time.Sleep(step)
		used, stolen := others(a, look(), os.Getpid())
		if l.mayBegin(used, stolen) || p.wait <= 0 {
			return
		}
		p.wait -= step
	}
}
