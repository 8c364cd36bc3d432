//go:build !linux

package host

import (
	"context"
	"runtime"
	"time"

	"dev.example/pileup/probes"
	"github.com/shirou/gopsutil/v3/cpu"
	"github.com/shirou/gopsutil/v3/load"
	"github.com/shirou/gopsutil/v3/mem"
	"github.com/shirou/gopsutil/v3/net"
)

// machine is any other system, as far as gopsutil knows it.
type machine struct{}

const countsSteal = false

func newMachine(string) machine { return machine{} }

func why(err error) string { return err.Error() }

func (machine) context(ctx context.Context) context.Context { return ctx }

func (machine) readTicks(ctx context.Context) (now map[int]ticks, none string) {
	times, err := cpu.TimesWithContext(ctx, true)
	if err != nil {
		return nil, err.Error()
	}
	return byCore(times), notHere
}

func (machine) readPresent(*sample) present { return present{} }

func (machine) readClocks(_ context.Context, s *sample) {
	s.lacks("core clock", notHere)
	s.lacks("core clock limit", notHere)
}

// readLoad leaves Windows out: it has no load average, and gopsutil would
// start a goroutine to imitate one.
func (machine) readLoad(ctx context.Context, s *sample) {
	s.lacks("threads", notHere)
	if runtime.GOOS == "windows" {
		s.lacks("load", notHere)
		return
	}
	avg, err := load.AvgWithContext(ctx)
	if err != nil {
		s.lacks("load", err.Error())
		return
	}
	s.Load1 = probes.Of(avg.Load1)
}

func (machine) readMemory(ctx context.Context, s *sample) {
	vm, err := mem.VirtualMemoryWithContext(ctx)
	switch {
	case err != nil:
		s.lacks("memory", err.Error())
	case vm.Total == 0 || vm.Used > vm.Total:
		s.lacks("memory", notHere)
	default:
		s.MemTotal, s.MemUsed = probes.Of(float64(vm.Total)), probes.Of(float64(vm.Used))
	}
	swap, err := mem.SwapMemoryWithContext(ctx)
	switch {
	case err != nil:
		s.lacks("swap", err.Error())
	case swap.Total == 0 || swap.Used > swap.Total:
		s.lacks("swap", "not on this machine")
	default:
		s.SwapUsed = probes.Of(float64(swap.Used))
	}
}

func (machine) readTraffic(ctx context.Context, s *sample) []nic {
	counters, err := net.IOCountersWithContext(ctx, true)
	at := time.Now()
	if err != nil {
		s.lacks("network", err.Error())
	}
	var nics []nic
	for _, c := range counters {
		nics = append(nics, nic{c.Name, traffic{at, c.BytesRecv, c.BytesSent}})
	}
	return nics
}

func (machine) done() {}

func (machine) forgetLinks() {}

func (machine) link(name string, s *sample) probes.Value {
	s.lacks(name+" link", notHere)
	return probes.Value{}
}
