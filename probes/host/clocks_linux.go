package host

import (
	"context"
	"errors"
	"strconv"
	"time"

	"dev.example/pileup/probes"
	"golang.org/x/sys/unix"
)

// clockTime is how long reading clocks may take. On most machines a clock is a
// variable; some kernels measure it, 10 ms for each core that sleeps.
const clockTime = 250 * time.Millisecond

const slow = "clocks answer too slowly"

// readClocks reads the clock and its limit of every core that is online, as
// the kernel asked for them: what the hardware made of it needs root. The
// limit is that of the present policy, which a power mode lowers.
func (m machine) readClocks(ctx context.Context, s *sample) {
	start := time.Now()
	clock, limit := gaps{what: "clock"}, gaps{what: "clock limit"}
	for i := range s.Cores {
		c := &s.Cores[i]
		if !c.Online {
			continue
		}
		if ctx.Err() != nil || time.Since(start) > clockTime {
			clock.add(c.ID, slow)
			limit.add(c.ID, slow)
			continue
		}
		dir := m.sys + "/devices/system/cpu/cpu" + strconv.Itoa(c.ID) + "/cpufreq/"
		c.Freq = clock.hz(c.ID, dir+"scaling_cur_freq")
		c.FreqMax = limit.hz(c.ID, dir+"scaling_max_freq")
	}
	s.lackCores(clock)
	s.lackCores(limit)
}

// hz reads a clock of core id, which cpufreq gives in kHz.
func (g *gaps) hz(id int, path string) probes.Value {
	text, err := readSys(path)
	var hz float64
	if err == nil {
		hz, err = parseKHz(text)
	}
	switch {
	case errors.Is(err, unix.ENOENT):
		g.add(id, "cpufreq not on this machine")
	case err != nil:
		g.add(id, why(err))
	default:
		return probes.Of(hz)
	}
	return probes.Value{}
}
