package host

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// maxThreads is how many threads are asked how long they waited.
const maxThreads = 256

// waits is how long our threads have waited in the kernel for a core: behind
// other processes, behind each other, or locked out by a CPU quota. What a
// hypervisor takes away is not in it, the kernel does not notice.
type waits struct {
	last  map[string]uint64 // nanoseconds, by thread
	total counter           // seconds, of threads that have ended too
}

// readWaits says how much our threads waited since the last sample.
func (p *process) readWaits(s *sample) {
	const what = "own core wait"
	now, err := p.threads()
	if err != nil {
		p.waits = waits{}
		s.lacks(what, why(err))
		return
	}
	last := p.waits
	total := counter{time.Now(), last.total.n}
	if last.last != nil {
		total.n += waited(now, last.last)
	}
	p.waits = waits{now, total}
	s.Own.CoreWait = s.rate(what, total, last.total)
}

// waited is the sum over threads, in seconds. A thread that is new has waited
// since the last sample only, and so has one whose id was another's before.
func waited(now, last map[string]uint64) float64 {
	sum := 0.0
	for id, n := range now {
		if before := last[id]; before <= n {
			n -= before
		}
		sum += float64(n)
	}
	return sum / 1e9
}

// threads asks every thread how long it waited so far, in nanoseconds. One
// that has ended meanwhile is left out.
func (p *process) threads() (map[string]uint64, error) {
	dir := p.proc + "/self/task/"
	ids, err := p.files.names(dir)
	switch {
	case err != nil:
		return nil, err
	case len(ids) > maxThreads:
		return nil, fmt.Errorf("more than %d threads", maxThreads)
	}
	ran := false
	now := make(map[string]uint64, len(ids))
	for _, id := range ids {
		text, err := p.files.read(dir + id + "/schedstat")
		if errors.Is(err, unix.ESRCH) || errors.Is(err, unix.ENOENT) {
			continue
		}
		if err != nil {
			return nil, err
		}
		wait, slices, err := parseSchedstat(text)
		if err != nil {
			return nil, err
		}
		now[id], ran = wait, ran || slices > 0
	}
	if !ran { // not even the one that asks
		return nil, errors.New("not counted by this kernel")
	}
	return now, nil
}

// parseSchedstat reads /proc/PID/schedstat:
//
//	1840231 96830 42
//	ran     │     └── times it was given a core
//	        └──────── waited for one, in nanoseconds
//
// A kernel that does not count says 0 0 0.
func parseSchedstat(text string) (wait, slices uint64, err error) {
	fields := strings.Fields(text)
	if len(fields) < 3 {
		return 0, 0, fmt.Errorf("%.40q is no schedstat", text)
	}
	wait, err = strconv.ParseUint(fields[1], 10, 62)
	if err == nil {
		slices, err = strconv.ParseUint(fields[2], 10, 62)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("%.40q is no schedstat", text)
	}
	return wait, slices, nil
}
