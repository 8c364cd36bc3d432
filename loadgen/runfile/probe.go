package runfile

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"dev.example/pileup/probes"
)

// probeLine is one sample. Cores are listed by id from 0; where ids are
// skipped "core_id" names them. A value that was not read is null in a list
// and absent elsewhere.
type probeLine struct {
	T         string `json:"t"`
	At        stamp  `json:"at,omitzero"`
	Host      string `json:"host"`
	Simulated bool   `json:"simulated,omitempty"`
	Why       string `json:"why,omitempty"` // nothing was read, because

	Core    []*reading `json:"core,omitempty"` // busy, %
	CoreID  []int      `json:"core_id,omitempty"`
	Offline []int      `json:"offline,omitempty"` // ids
	MHz     []*reading `json:"mhz,omitempty"`
	MHzMax  []*reading `json:"mhz_max,omitempty"`

	GPU    *reading          `json:"gpu,omitempty"` // busy, %
	GPUMHz *reading          `json:"gpu_mhz,omitempty"`
	Mode   *modePart         `json:"mode,omitempty"`
	Rails  members[*reading] `json:"rail_mw,omitempty"`
	Total  string            `json:"rail_total,omitempty"` // the rail that carries the board
	Temps  members[*reading] `json:"temp_c,omitempty"`
	Net    members[netPart]  `json:"net,omitempty"`
	Absent members[string]   `json:"absent,omitempty"`

	Steal    *reading `json:"steal_percent,omitempty"`
	Load1    *reading `json:"load1,omitempty"`
	Threads  *reading `json:"threads,omitempty"`
	MemUsed  *reading `json:"mem_used_bytes,omitempty"`
	MemTotal *reading `json:"mem_total_bytes,omitempty"`
	SwapUsed *reading `json:"swap_used_bytes,omitempty"`
	ownPart
}

type netPart struct {
	Rx   *reading `json:"rx_bytes_per_s,omitempty"`
	Tx   *reading `json:"tx_bytes_per_s,omitempty"`
	Link *reading `json:"link_mbps,omitempty"`
}

// reading is a finite number.
type reading float64

// of returns v in units of unit, nil if it was not read.
func of(v probes.Value, unit float64) *reading {
	x, known := v.Get()
	if !known {
		return nil
	}
	r := reading(cut(x / unit))
	return &r
}

// value returns the reading in the base unit.
func (r *reading) value(unit float64) probes.Value {
	if r == nil {
		return probes.Value{}
	}
	return probes.Of(cut(float64(*r) * unit))
}

// cut rounds to six decimals, so that 1234.567 MHz are 1234567000 Hz again.
func cut(x float64) float64 {
	if r := math.Round(x*1e6) / 1e6; r-r == 0 {
		return r
	}
	return x
}

func probeOf(name string, p probes.Point) probeLine {
	l := probeLine{T: "probe", At: stamp(p.At), Host: name}
	s := p.Sample
	if s == nil {
		l.Why = cmp.Or(p.Why, "no reason given")
		return l
	}
	l.Simulated = s.Simulated
	l.addCores(s.Cores)
	l.GPU, l.GPUMHz = of(s.GPU, 1), of(s.GPUHz, 1e6)
	if s.Mode != nil {
		mode := modePart(*s.Mode)
		l.Mode = &mode
	}
	l.addPower(s)
	for _, n := range s.Net {
		l.Net = append(l.Net, member[netPart]{n.Name, netPart{of(n.Rx, 1), of(n.Tx, 1), of(n.Link, 1e6)}})
	}
	for _, a := range s.Absent {
		l.Absent = append(l.Absent, member[string]{a.What, a.Why})
	}
	l.Load1, l.Threads = of(s.Load1, 1), of(s.Threads, 1)
	l.MemUsed, l.MemTotal, l.SwapUsed = of(s.MemUsed, 1), of(s.MemTotal, 1), of(s.SwapUsed, 1)
	l.Steal = of(s.Steal, 1)
	l.ownPart = ownOf(&s.Own)
	return l
}

func (l *probeLine) addCores(cores []probes.Core) {
	inOrder, clocks, limits := true, false, false
	for i, c := range cores {
		l.Core = append(l.Core, of(c.Busy, 1))
		l.MHz = append(l.MHz, of(c.Freq, 1e6))
		l.MHzMax = append(l.MHzMax, of(c.FreqMax, 1e6))
		l.CoreID = append(l.CoreID, c.ID)
		if !c.Online {
			l.Offline = append(l.Offline, c.ID)
		}
		inOrder = inOrder && c.ID == i
		clocks = clocks || c.Freq.Known()
		limits = limits || c.FreqMax.Known()
	}
	if inOrder {
		l.CoreID = nil
	}
	if !clocks {
		l.MHz = nil
	}
	if !limits {
		l.MHzMax = nil
	}
}

func (l *probeLine) addPower(s *probes.Sample) {
	for _, r := range s.Rails {
		if v := of(probes.Of(r.Watts), 1e-3); v != nil {
			l.Rails = append(l.Rails, member[*reading]{r.Name, v})
		}
		if r.Total {
			l.Total = r.Name
		}
	}
	for _, t := range s.Temps {
		if v := of(probes.Of(t.Celsius), 1); v != nil {
			l.Temps = append(l.Temps, member[*reading]{t.Name, v})
		}
	}
}

func (r *Reader) probe(data []byte) (Record, error) {
	l := probeLine{At: never}
	if err := decode(data, &l); err != nil {
		return nil, err
	}
	if l.At == never {
		return nil, fmt.Errorf("a sample without at")
	}
	p := Probe{l.Host, probes.Point{At: time.Duration(l.At), Why: l.Why}}
	if l.Why == "" {
		p.Sample = l.sample(r.setup.Start.Add(p.At))
	}
	return p, nil
}

func (l *probeLine) sample(at time.Time) *probes.Sample {
	s := &probes.Sample{
		At: at, Simulated: l.Simulated, Cores: l.cores(),
		GPU: l.GPU.value(1), GPUHz: l.GPUMHz.value(1e6),
		Load1: l.Load1.value(1), Threads: l.Threads.value(1),
		MemUsed: l.MemUsed.value(1), MemTotal: l.MemTotal.value(1), SwapUsed: l.SwapUsed.value(1),
		Steal: l.Steal.value(1), Own: l.process(),
	}
	if l.Mode != nil {
		mode := probes.Mode(*l.Mode)
		s.Mode = &mode
	}
	for _, r := range l.Rails {
		if watts, known := r.Value.value(1e-3).Get(); known {
			s.Rails = append(s.Rails, probes.Rail{Name: r.Key, Watts: watts, Total: r.Key == l.Total})
		}
	}
	for _, t := range l.Temps {
		if celsius, known := t.Value.value(1).Get(); known {
			s.Temps = append(s.Temps, probes.Temp{Name: t.Key, Celsius: celsius})
		}
	}
	for _, n := range l.Net {
		s.Net = append(s.Net, probes.Net{
			Name: n.Key, Rx: n.Value.Rx.value(1), Tx: n.Value.Tx.value(1), Link: n.Value.Link.value(1e6),
		})
	}
	for _, a := range l.Absent {
		s.Absent = append(s.Absent, probes.Absent{What: a.Key, Why: a.Value})
	}
	return s
}

func (l *probeLine) cores() []probes.Core {
	var cores []probes.Core
	at := func(list []*reading, i int, unit float64) probes.Value {
		if i >= len(list) {
			return probes.Value{}
		}
		return list[i].value(unit)
	}
	for i := range l.Core {
		c := probes.Core{
			ID: i, Online: true,
			Busy: at(l.Core, i, 1), Freq: at(l.MHz, i, 1e6), FreqMax: at(l.MHzMax, i, 1e6),
		}
		if i < len(l.CoreID) {
			c.ID = l.CoreID[i]
		}
		for _, off := range l.Offline {
			if off == c.ID {
				c.Online = false
			}
		}
		cores = append(cores, c)
	}
	return cores
}
