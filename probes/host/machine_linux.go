package host

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"dev.example/pileup/probes"
	"github.com/shirou/gopsutil/v3/common"
	"github.com/shirou/gopsutil/v3/cpu"
	"github.com/shirou/gopsutil/v3/mem"
	"golang.org/x/sys/unix"
)

// machine is a Linux, seen through its /proc and /sys.
//
// gopsutil reads the processor times and the memory, where a hole in its input
// shows as an empty list or a zero. It is not asked for the load average,
// which it takes from the machine below when the file is missing, nor for the
// network, where a short file makes it panic.
type machine struct {
	proc, sys string
	files     *kept
	hardware  map[string]error // why an interface has none, nil if it has; by name
}

const countsSteal = true

func newMachine(root string) machine {
	return machine{
		proc: filepath.Join(root, "proc"), sys: filepath.Join(root, "sys"),
		files: new(kept), hardware: make(map[string]error),
	}
}

// done ends a sample.
func (m machine) done() { m.files.sweep() }

// context points gopsutil to the same files, whatever its environment
// variables say.
func (m machine) context(ctx context.Context) context.Context {
	return context.WithValue(ctx, common.EnvKey, common.EnvMap{common.HostProcEnvKey: m.proc, common.HostSysEnvKey: m.sys})
}

// readTicks returns the counters of each core that has some, or why none has.
// An offline core has no row in /proc/stat.
func (m machine) readTicks(ctx context.Context) (now map[int]ticks, none string) {
	times, err := cpu.TimesWithContext(ctx, true)
	if err != nil {
		return nil, why(err)
	}
	return byCore(times), "no cores in /proc/stat"
}

func (m machine) readPresent(s *sample) present {
	return present{all: m.readCoreList("present", s), online: m.readCoreList("online", s)}
}

// readCoreList reads one of /sys/devices/system/cpu/{present,online}. A machine
// runs on at least one core, so an empty list is a fault and nil.
func (m machine) readCoreList(name string, s *sample) []int {
	text, err := m.files.read(m.sys + "/devices/system/cpu/" + name)
	var ids []int
	if err == nil {
		ids, err = parseCores(text)
	}
	if err == nil && len(ids) == 0 {
		err = errors.New("the list is empty")
	}
	if err != nil {
		s.lacks("cores "+name, why(err))
		return nil
	}
	return ids
}

func (m machine) readLoad(_ context.Context, s *sample) {
	text, err := m.files.read(m.proc + "/loadavg")
	if err != nil {
		s.lacks("load", why(err))
		s.lacks("threads", why(err))
		return
	}
	s.Load1 = s.known("load")(parseLoad(text))
	s.Threads = s.known("threads")(parseThreads(text))
}

// readMemory counts as free(1) and tegrastats do: used is without buffers and
// caches.
func (m machine) readMemory(ctx context.Context, s *sample) {
	vm, err := mem.VirtualMemoryWithContext(ctx)
	switch {
	case err != nil:
		s.lacks("memory", why(err))
		s.lacks("swap", why(err))
		return
	case vm.Total == 0:
		s.lacks("memory", "no MemTotal in /proc/meminfo")
		s.lacks("swap", "no MemTotal in /proc/meminfo")
		return
	}
	s.MemTotal = probes.Of(float64(vm.Total))
	switch {
	case vm.Free == 0:
		s.lacks("memory used", "no MemFree in /proc/meminfo")
	case vm.Used > vm.Total: // an unsigned difference below zero
		s.lacks("memory used", "the parts in /proc/meminfo exceed its total")
	default:
		s.MemUsed = probes.Of(float64(vm.Used))
	}
	switch {
	case vm.SwapTotal == 0:
		s.lacks("swap", "not on this machine")
	case vm.SwapFree > vm.SwapTotal:
		s.lacks("swap", "more free than there is in /proc/meminfo")
	default:
		s.SwapUsed = probes.Of(float64(vm.SwapTotal - vm.SwapFree))
	}
}

func (m machine) readTraffic(_ context.Context, s *sample) []nic {
	text, err := m.readNetDev()
	at := time.Now()
	if err != nil {
		s.lacks("network", why(err))
		return nil
	}
	nics, err := parseTraffic(text)
	if err != nil {
		s.lacks("network", why(err))
	} else if len(nics) == 0 {
		s.lacks("network", "no interfaces in /proc/net/dev")
	}
	for i := range nics {
		nics[i].at = at
	}
	return nics
}

// readNetDev reads the interfaces of the machine below the root. Its
// /proc/net is that of whoever reads it; if the root is another's, the first
// process says what the machine has.
func (m machine) readNetDev() (string, error) {
	if m.proc != "/proc" {
		text, err := m.files.read(m.proc + "/1/net/dev")
		if !errors.Is(err, unix.ENOENT) {
			return text, err
		}
	}
	return m.files.read(m.proc + "/net/dev")
}
