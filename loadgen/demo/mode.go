package demo

import (
	"context"
	"fmt"
	"strings"
	"time"

	"dev.example/pileup/probes"
)

const mega = 1e6

// cores is how many cores the board has; in smaller modes the last ones are
// offline.
const cores = 8

// A powerMode caps the board. Ids, cores and clocks are those of a Jetson AGX
// Xavier (its 30W is the one called 30W_ALL): below MAXN the cores' clock is
// pinned. slow is how much longer a model computes: the GPU's clock times the
// memory's times a part of the cores', as 1377/670 · 2133/1333 · √(2266/1190)
// for 15W.
type powerMode struct {
	probes.Mode
	cores          int
	cpuMin, cpuMax float64 // Hz
	gpuMax         float64 // Hz
	slow           float64
}

// switching is how long a change of mode takes.
const switching = 400 * time.Millisecond

// modes is ordered from the fastest to the most frugal.
var modes = []powerMode{
	{
		Mode:  probes.Mode{ID: 0, Name: "MAXN", Note: "8 cores to 2.27 GHz, GPU to 1.38 GHz"},
		cores: 8, cpuMin: 1190.4 * mega, cpuMax: 2265.6 * mega, gpuMax: 1377 * mega, slow: 1,
	},
	{
		Mode:  probes.Mode{ID: 3, Name: "30W", Note: "8 cores at 1.19 GHz, GPU to 905 MHz"},
		cores: 8, cpuMin: 1190.4 * mega, cpuMax: 1190.4 * mega, gpuMax: 905.25 * mega, slow: 2.8,
	},
	{
		Mode:  probes.Mode{ID: 2, Name: "15W", Note: "4 cores at 1.19 GHz, GPU to 676 MHz"},
		cores: 4, cpuMin: 1190.4 * mega, cpuMax: 1190.4 * mega, gpuMax: 675.75 * mega, slow: 4.5,
	},
	{
		Mode:  probes.Mode{ID: 1, Name: "10W", Note: "2 cores at 1.19 GHz, GPU to 523 MHz"},
		cores: 2, cpuMin: 1190.4 * mega, cpuMax: 1190.4 * mega, gpuMax: 522.75 * mega, slow: 7.3,
	},
}

func findMode(id int) (powerMode, bool) {
	for _, m := range modes {
		if m.ID == id {
			return m, true
		}
	}
	return powerMode{}, false
}

// Modes lists the power modes, the fastest first.
func (b *Board) Modes() []probes.Mode {
	var list []probes.Mode
	for _, m := range modes {
		list = append(list, m.Mode)
	}
	return list
}

// SetMode changes the power mode, which takes a moment, and returns the one
// the board is in afterwards, also when ctx ended it. It holds for
// what begins to compute from then on. It is safe for concurrent use.
func (b *Board) SetMode(ctx context.Context, id int) (probes.Mode, error) {
	to, known := findMode(id)
	if !known {
		return b.mode().Mode, fmt.Errorf("power mode %d: the board has %s", id, modeList())
	}
	if err := sleepUntil(ctx, time.Now().Add(switching)); err != nil {
		return b.mode().Mode, fmt.Errorf("switch to power mode %s: %w", to.Name, err)
	}
	b.enter(to)
	return to.Mode, nil
}

func modeList() string {
	var s []string
	for _, m := range modes {
		s = append(s, fmt.Sprintf("%d (%s)", m.ID, m.Name))
	}
	return strings.Join(s, ", ")
}
