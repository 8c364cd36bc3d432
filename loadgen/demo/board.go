package demo

import (
	"context"
	"math"
	"sync"
	"time"

	"dev.example/pileup/probes"
)

// A Board is the simulated machine under a Server: a [probes.Probe] and a
// [probes.Switcher], modelled on a Jetson AGX Xavier. What it shows follows
// from how much of the link and of the compute stage the server used since the
// last Read, how many requests it held, and the power mode.
type Board struct {
	srv *Server

	mu   sync.Mutex
	now  powerMode
	last reading
	heat heat
	load float64 // average over one minute
}

// A reading is the state of the server's counters at one moment.
type reading struct {
	at       time.Time
	carried  int64   // bytes
	answered int64   // bytes
	computed float64 // worker-seconds
	waiting  float64 // request-seconds
}

// A use is what happened between two readings.
type use struct {
	seconds float64
	link    float64 // share of the link's time, 0 to 1
	compute float64 // share of the workers' time, 0 to 1
	open    float64 // requests held, mean
	held    float64 // bytes of them, now
	pending float64 // requests held, now
	rx, tx  float64 // bytes per second
}

func newBoard(s *Server, mode int) *Board {
	b := &Board{srv: s}
	m, known := findMode(mode)
	if !known {
		m = modes[0]
	}
	b.enter(m)
	b.last.at = time.Now()
	b.heat = idleHeat()
	return b
}

// Name is "board".
func (b *Board) Name() string { return "board" }

func (b *Board) mode() powerMode {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now
}

func (b *Board) enter(m powerMode) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.now = m
	b.srv.compute.pace(m.slow)
}

// Read takes a sample. Shares and rates are of the time since the last Read,
// or since the board was made.
func (b *Board) Read(context.Context) (probes.Sample, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	u, at := b.measure()
	m := b.now
	s := probes.Sample{
		At: at, Simulated: true, Mode: &m.Mode,
		MemTotal: probes.Of(memTotal),
		MemUsed:  probes.Of(memUsed(u)),
		Threads:  probes.Of(threads(u)),
		Absent:   []probes.Absent{{What: "swap", Why: "not on this machine"}},
	}
	if u.seconds <= 0 {
		s.Cores = coreList(m, nil)
		s.Absent = append(s.Absent, probes.Absent{What: "cores, load, GPU, network, rails", Why: "no time has passed"})
		s.Temps = b.heat.temps()
		return s, nil
	}
	busy := coreBusy(m, u)
	s.Cores = coreList(m, busy)
	s.Load1 = probes.Of(b.average(busy, u))
	s.GPU = probes.Of(100 * u.compute)
	s.GPUHz = probes.Of(gpuClock(m, u))
	s.Net = []probes.Net{{
		Name: "eth0", Rx: probes.Of(u.rx), Tx: probes.Of(u.tx), Link: probes.Of(nominal(b.srv.link.rate)),
	}}
	s.Rails = rails(m, u, busy)
	b.heat.follow(s.Rails, u.seconds)
	s.Temps = b.heat.temps()
	return s, nil
}

// measure takes the counters and compares them with the last ones.
func (b *Board) measure() (use, time.Time) {
	begin := time.Now()
	carried := b.srv.link.total()
	t := b.srv.traffic
	t.mu.Lock()
	pending, held, answered := t.requests.n, t.held, t.answered
	waiting := t.requests.sum(begin)
	t.mu.Unlock()
	computed := b.srv.compute.used(begin)
	at := begin.Add(time.Since(begin) / 2)

	now := reading{at, carried, answered, computed, waiting}
	was := b.last
	b.last = now
	u := use{
		seconds: at.Sub(was.at).Seconds(),
		held:    float64(held), pending: float64(pending),
	}
	if u.seconds <= 0 {
		return u, at
	}
	u.rx = float64(carried-was.carried) / u.seconds
	u.tx = float64(answered-was.answered) / u.seconds
	u.link = min(1, u.rx/b.srv.link.rate)
	u.compute = min(1, (computed-was.computed)/u.seconds/float64(b.srv.compute.workers))
	u.open = (waiting - was.waiting) / u.seconds
	return u, at
}

// average is the load average over one minute, as the kernel keeps it.
func (b *Board) average(busy []float64, u use) float64 {
	sum := 0.0
	for _, x := range busy {
		sum += x
	}
	keep := math.Exp(-u.seconds / 60)
	b.load = b.load*keep + sum*(1-keep)
	return b.load
}

// nominal is the speed of the Ethernet whose goodput is rate: 117 MB/s of
// bodies for a gigabit. Bits per second, to three digits.
func nominal(rate float64) float64 {
	bits := 8 * rate / (8 * DefaultLink / 1e9)
	unit := math.Pow(10, math.Floor(math.Log10(bits))-2)
	return math.Round(bits/unit) * unit
}
