package demo

import (
	"math"

	"dev.example/pileup/probes"
)

const (
	memTotal = 32 << 30
	memIdle  = 5.2e9 // system, server and four models
	gpuIdle  = 114.75 * mega
	maxClock = 2265.6 * mega
	step     = 76.8 * mega // between two clocks of a core
)

// memUsed counts each body twice: as it came, and as it is being taken apart.
func memUsed(u use) float64 { return min(memTotal, memIdle+2*u.held) }

// threads is the system's 160, the server's own 80, and one for every request
// it holds, up to its limit of 1000.
func threads(u use) float64 { return 240 + min(1000, u.pending) }

// coreBusy is the share of its time each online core is busy, 0 to 1. The
// first core takes what the link delivers and is busy as long as the link is;
// the second takes the text apart. The others share what is left: feeding the
// GPU and minding the requests that wait, which takes them longer at lower
// clocks and when they are fewer. At 50 mobilenet_v1 a second that is what a
// real Xavier shows: one core at 100 %, one at 50 %, the rest at 10 to 20 %
// and rising with the backlog.
func coreBusy(m powerMode, u use) []float64 {
	busy := make([]float64, m.cores)
	busy[0] = 0.03 + 0.97*u.link
	busy[1] = 0.02 + 0.48*u.link
	rest := 0.02 + 0.06*u.link + 0.12*u.compute + 0.16*u.open/(u.open+200)
	if m.cores == 2 {
		busy[1] += 6 * rest * maxClock / m.cpuMax
	}
	for i := 2; i < m.cores; i++ {
		busy[i] = rest * skew[i] * maxClock / m.cpuMax * float64(cores-2) / float64(m.cores-2)
	}
	for i := range busy {
		busy[i] = min(1, busy[i])
	}
	return busy
}

// skew is how unevenly the scheduler deals the rest; it sums to the number of
// cores it is dealt to.
var skew = [cores]float64{0, 0, 1.25, 0.85, 1.1, 0.75, 1.15, 0.9}

// coreList is the board's cores; busy is nil if it is not known.
func coreList(m powerMode, busy []float64) []probes.Core {
	list := make([]probes.Core, cores)
	for i := range list {
		list[i].ID = i
		if i >= m.cores {
			continue
		}
		list[i].Online = true
		list[i].FreqMax = probes.Of(m.cpuMax)
		if busy != nil {
			list[i].Busy = probes.Of(100 * busy[i])
			list[i].Freq = probes.Of(coreClock(m, busy, i))
		}
	}
	return list
}

// coreClock is what the kernel's governor would choose: a quarter above the
// load of the busier core of a pair, which share one clock.
func coreClock(m powerMode, busy []float64, i int) float64 {
	pair := max(busy[i&^1], busy[i|1])
	f := math.Ceil(1.25*pair*m.cpuMax/step) * step
	return min(m.cpuMax, max(m.cpuMin, f))
}

// gpuClock: the GPU runs at the mode's clock when there is work, else at its
// lowest.
func gpuClock(m powerMode, u use) float64 {
	if u.compute > 0 {
		return m.gpuMax
	}
	return gpuIdle
}

// rails is the power by supply. The load's part goes with clock times voltage
// squared, here with the square of the clock. The Xavier measures no supply of
// the whole board; as everything hangs on these six, their sum is it.
func rails(m powerMode, u use, busy []float64) []probes.Rail {
	g := m.gpuMax / (1377 * mega)
	cpu := 0.4
	for i, x := range busy {
		c := coreClock(m, busy, i) / maxClock
		cpu += 1.3 * x * c * c
	}
	list := []probes.Rail{
		{Name: "GPU", Watts: 0.3 + 14*u.compute*g*g},
		{Name: "CPU", Watts: cpu},
		{Name: "SOC", Watts: 1.7 + 1.3*u.link + 0.5*u.compute},
		{Name: "CV", Watts: 0.1},
		{Name: "VDDRQ", Watts: 0.4 + 0.5*u.link + 0.7*u.compute},
		{Name: "SYS5V", Watts: 2 + 0.8*u.link},
	}
	sum := 0.0
	for _, r := range list {
		sum += r.Watts
	}
	return append(list, probes.Rail{Name: "sum", Watts: sum, Total: true})
}

// ambient is the temperature around the board.
const ambient = 25.0

// A sensor follows the power of one rail above what it is mounted on.
type sensor struct {
	name   string
	rail   string
	perW   float64 // kelvin per watt
	inert  float64 // time constant, seconds
	onto   int     // index of the sensor it is mounted on, −1 for the air
	kelvin float64 // above ambient
}

// A heat is the board's sensors; what others are mounted on comes first.
type heat []sensor

// idleHeat is the board after a long rest.
func idleHeat() heat {
	h := heat{
		{name: "Tboard", rail: "sum", perW: 1.1, inert: 120, onto: -1},
		{name: "CPU", rail: "CPU", perW: 1.8, inert: 6, onto: 0},
		{name: "GPU", rail: "GPU", perW: 1.3, inert: 8, onto: 0},
		{name: "AUX", rail: "SOC", perW: 1.2, inert: 15, onto: 0},
	}
	h.follow(rails(modes[0], use{}, coreBusy(modes[0], use{})), 24*3600)
	return h
}

// follow lets seconds pass at the given power. Each sensor nears its end
// value exponentially: exact for constant power, whatever the interval.
func (h heat) follow(rails []probes.Rail, seconds float64) {
	for i := range h {
		s := &h[i]
		end := s.perW * watts(rails, s.rail)
		if s.onto >= 0 {
			end += h[s.onto].kelvin
		}
		s.kelvin += (end - s.kelvin) * (1 - math.Exp(-seconds/s.inert))
	}
}

func (h heat) temps() []probes.Temp {
	list := make([]probes.Temp, len(h))
	for i, s := range h {
		list[i] = probes.Temp{Name: s.name, Celsius: ambient + s.kelvin}
	}
	return list
}

func watts(rails []probes.Rail, name string) float64 {
	for _, r := range rails {
		if r.Name == name {
			return r.Watts
		}
	}
	return 0
}
