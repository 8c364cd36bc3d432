package host

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"dev.example/pileup/probes"
	"github.com/shirou/gopsutil/v3/cpu"
)

// maxCore is the highest core id believed: twice what any Linux is built for.
const maxCore = 1<<14 - 1

// ticks is how a core has spent its time, in seconds since the machine
// started. Time a hypervisor took away (steal) is part of work: the core was
// not free.
type ticks struct{ work, idle, iowait, steal float64 }

func ticksOf(t cpu.TimesStat) ticks {
	return ticks{
		work: t.User + t.Nice + t.System + t.Irq + t.Softirq + t.Steal,
		idle: t.Idle, iowait: t.Iowait, steal: t.Steal,
	}
}

// since is how a core has spent its time since last. iowait alone may run
// backwards, that is its nature (proc(5)); if another counter does, the core
// was restarted and nothing is known.
func (t ticks) since(last ticks) (span ticks, why string) {
	span = ticks{t.work - last.work, t.idle - last.idle, max(0, t.iowait-last.iowait), t.steal - last.steal}
	switch {
	case span.work < 0 || span.idle < 0 || span.steal < 0:
		return ticks{}, "counters ran backwards"
	case span.total() > 0:
		return span, ""
	default: // no tick yet, or not a number
		return ticks{}, "no tick since the last sample"
	}
}

func (t ticks) total() float64 { return t.work + t.idle + t.iowait }

// busy is the share of a span in which the core worked, in percent.
func (t ticks) busy() float64 { return min(100, 100*t.work/t.total()) }

// stolen is the share of a span that a hypervisor gave to others, in percent.
func (t ticks) stolen() float64 { return min(100, 100*t.steal/t.total()) }

func (t ticks) plus(u ticks) ticks {
	return ticks{t.work + u.work, t.idle + u.idle, t.iowait + u.iowait, t.steal + u.steal}
}

// present says which cores the machine has and which of them are online. Both
// are nil where it does not say; then the cores are those that have counters.
type present struct{ all, online []int }

// readCores lists the cores by id and says how busy each was since the last
// sample it was online in, and what of all their time was stolen.
func (p *Probe) readCores(ctx context.Context, s *sample) {
	now, none := p.machine.readTicks(ctx)
	has := p.machine.readPresent(s)
	ids := slices.Concat(has.all, has.online, slices.Collect(maps.Keys(now)))
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if len(ids) == 0 {
		s.lacks("core busy", none)
		return
	}
	last, kept := p.cores, make(map[int]ticks, len(now))
	lack, all := gaps{what: "busy"}, ticks{}
	s.Cores = make([]probes.Core, 0, len(ids))
	for _, id := range ids {
		c := probes.Core{ID: id, Online: true}
		if has.online != nil {
			_, c.Online = slices.BinarySearch(has.online, id)
		}
		t, counted := now[id]
		switch {
		case !c.Online:
		case len(now) == 0:
			lack.add(id, none)
		case !counted:
			lack.add(id, "no counters")
		default:
			kept[id] = t
			span, why := t.sinceLast(last, id)
			if why != "" {
				lack.add(id, why)
				break
			}
			c.Busy, all = probes.Of(span.busy()), all.plus(span)
		}
		s.Cores = append(s.Cores, c)
	}
	if len(now) > 0 {
		p.cores = kept
	}
	s.lackCores(lack)
	switch {
	case !countsSteal:
		s.lacks("steal", notHere)
	case all.total() > 0:
		s.Steal = probes.Of(all.stolen())
	case len(last) == 0:
		s.lacks("steal", second)
	default:
		s.lacks("steal", "no core's time is known")
	}
}

// sinceLast is the core's span since its last counters, if it has some.
func (t ticks) sinceLast(last map[int]ticks, id int) (span ticks, why string) {
	before, ok := last[id]
	switch {
	case len(last) == 0:
		return ticks{}, second
	case !ok:
		return ticks{}, "came online"
	}
	return t.since(before)
}

// byCore sorts counters by the core id in their name; rows of no core are left
// out. Of two rows of one core the first counts.
func byCore(times []cpu.TimesStat) map[int]ticks {
	m := make(map[int]ticks, len(times))
	for _, t := range times {
		id, ok := coreID(t.CPU)
		if _, twice := m[id]; ok && !twice {
			m[id] = ticksOf(t)
		}
	}
	return m
}

// coreID is the 12 of "cpu12".
func coreID(name string) (id int, ok bool) {
	digits, ok := strings.CutPrefix(name, "cpu")
	n, err := strconv.ParseUint(digits, 10, 16)
	return int(n), ok && err == nil && n <= maxCore
}
