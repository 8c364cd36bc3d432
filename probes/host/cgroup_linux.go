package host

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"dev.example/pileup/probes"
	"golang.org/x/sys/unix"
)

// cgroups are the control groups whose CPU quota binds this process: its own
// and those around it, for the tightest counts and only its own counters say
// that it struck. What lies above the mount, as in a container, is not seen.
//
//	/sys/fs/cgroup                   v2: cpu.max, cpu.stat
//	└── kubepods                     v1: cpu.cfs_quota_us, cpu.cfs_period_us, cpu.stat
//	    └── pod7
//	        └── this process
type cgroups struct {
	text   string // /proc/self/cgroup as it was when the levels were found
	v1     bool
	levels []string // directories, ours first
	err    error    // why there are none
	last   map[string]throttle
}

// throttle is how often a quota struck, since its cgroup was made.
type throttle struct {
	periods counter // in which the group had work
	struck  float64 // of those, in which the quota ran out
	lost    counter // seconds, summed over cores
}

var errNoQuota = errors.New("no CPU quota")

// readLimits says how many cores we may use at most and how much of that a
// quota withheld since the last sample. s.Own.CoresMax is GOMAXPROCS before.
func (p *process) readLimits(s *sample) {
	atMost := func(cores float64) {
		s.Own.CoresMax = probes.Of(min(cores, s.Own.CoresMax.Or(cores)))
	}
	var cpus unix.CPUSet
	if err := unix.SchedGetaffinity(os.Getpid(), &cpus); err == nil {
		atMost(float64(cpus.Count()))
	} else { // more cores than the set holds
		atMost(float64(runtime.NumCPU()))
	}
	least, now, err := p.quota()
	last := p.limits.last
	p.limits.last = now
	if err != nil {
		s.lacks("own throttling", why(err))
	}
	if least > 0 {
		atMost(least)
	}
	if err == nil {
		s.addThrottle(p.limits.levels, now, last)
	}
}

// addThrottle notes how often the levels with a quota struck, and how long:
// one that strikes hides what another would have done, so the most counts.
func (s *sample) addThrottle(levels []string, now, last map[string]throttle) {
	none := ""
	for _, level := range levels {
		t, limited := now[level]
		if !limited {
			continue
		}
		percent, lost, why := t.since(last[level])
		if why != "" {
			none = why
			continue
		}
		s.Own.Throttled = probes.Of(max(percent, s.Own.Throttled.Or(0)))
		s.Own.ThrottledTime = probes.Of(max(lost, s.Own.ThrottledTime.Or(0)))
	}
	if !s.Own.Throttled.Known() {
		s.lacks("own throttling", none)
	}
}

// since is the share of periods in which the quota ran out, and the seconds
// lost a second. A group without work has no periods, and lost nothing.
func (t throttle) since(last throttle) (percent, lost float64, why string) {
	periods, why := t.periods.rate(last.periods)
	if why != "" {
		return 0, 0, why
	}
	lost, why = t.lost.rate(last.lost)
	switch {
	case why != "":
		return 0, 0, why
	case t.struck < last.struck:
		return 0, 0, "counters ran backwards"
	case periods > 0:
		percent = min(100, 100*(t.struck-last.struck)/(t.periods.n-last.periods.n))
	}
	return percent, lost, ""
}

// quota returns the least number of cores any level grants, 0 if none limits
// them, and the counters of those that do.
func (p *process) quota() (least float64, now map[string]throttle, err error) {
	p.findLevels()
	if p.limits.err != nil {
		return 0, nil, p.limits.err
	}
	least = math.Inf(1)
	for _, dir := range p.limits.levels {
		cores, err := p.granted(dir)
		if errors.Is(err, errNoQuota) {
			continue
		}
		if err != nil {
			return 0, nil, err
		}
		least = min(least, cores)
		t, err := p.throttled(dir)
		if err != nil {
			return least, nil, err
		}
		if now == nil {
			now = make(map[string]throttle)
		}
		now[dir] = t
	}
	if now == nil {
		return 0, nil, errNoQuota
	}
	return least, now, nil
}

// granted is the number of cores a level grants. Without the files, which a
// root has not, nor a group whose parent does not share the CPU out, it grants
// all.
func (p *process) granted(dir string) (float64, error) {
	name, parse := "cpu.max", parseQuota
	if p.limits.v1 {
		name, parse = "cpu.cfs_quota_us", parseQuotaV1
	}
	text, err := p.files.read(dir + "/" + name)
	if err == nil && p.limits.v1 {
		var period string
		period, err = p.files.read(dir + "/cpu.cfs_period_us")
		text += " " + period
	}
	if errors.Is(err, unix.ENOENT) {
		return 0, errNoQuota
	}
	if err != nil {
		return 0, err
	}
	return parse(text)
}

func (p *process) throttled(dir string) (throttle, error) {
	text, err := p.files.read(dir + "/cpu.stat")
	if err != nil {
		return throttle{}, err
	}
	return parseThrottle(text, time.Now())
}

// findLevels finds our groups, again if we were moved.
func (p *process) findLevels() {
	c := &p.limits
	text, err := p.files.read(p.proc + "/self/cgroup")
	if err == nil && text == c.text && text != "" {
		return
	}
	*c = cgroups{text: text, last: c.last}
	var group string
	if err == nil {
		group, c.v1, err = parseGroup(text)
	}
	var mounts string
	if err == nil {
		mounts, err = readProc(p.proc + "/self/mountinfo")
	}
	if err == nil {
		c.levels, err = parseLevels(mounts, group, c.v1)
	}
	c.err = err
	for i, dir := range c.levels {
		c.levels[i] = filepath.Join(p.root, dir)
	}
}
