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
// started. Time a hypervisor took away (steal) is work: the core was not free.
type ticks struct{ work, idle, iowait float64 }

func ticksOf(t cpu.TimesStat) ticks {
	return ticks{work: t.User + t.Nice + t.System + t.Irq + t.Softirq + t.Steal, idle: t.Idle, iowait: t.Iowait}
}

// busy is the share of the time since last in which the core worked:
//
//	100 · Δwork / (Δwork + Δidle + Δiowait)
//
// in percent. iowait alone may run backwards, that is its nature (proc(5)); if
// another counter does, the core was restarted and there is no share.
func (t ticks) busy(last ticks) (percent float64, why string) {
	work, idle, iowait := t.work-last.work, t.idle-last.idle, max(0, t.iowait-last.iowait)
	switch total := work + idle + iowait; {
	case work < 0 || idle < 0:
		return 0, "counters ran backwards"
	case total > 0:
		return min(100, 100*work/total), ""
	default: // no tick yet, or not a number
		return 0, "no tick since the last sample"
	}
}

// present says which cores the machine has and which of them are online. Both
// are nil where it does not say; then the cores are those that have counters.
type present struct{ all, online []int }

// readCores lists the cores by id and says how busy each was since the last
// sample it was online in.
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
	lack := gaps{what: "busy"}
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
			var why string
			if c.Busy, why = t.busySince(last, id); why != "" {
				lack.add(id, why)
			}
		}
		s.Cores = append(s.Cores, c)
	}
	if len(now) > 0 {
		p.cores = kept
	}
	s.lackCores(lack)
}

// busySince is the core's share against its last counters, if it has some.
func (t ticks) busySince(last map[int]ticks, id int) (probes.Value, string) {
	before, ok := last[id]
	switch {
	case len(last) == 0:
		return probes.Value{}, second
	case !ok:
		return probes.Value{}, "came online"
	}
	percent, why := t.busy(before)
	if why != "" {
		return probes.Value{}, why
	}
	return probes.Of(percent), ""
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
