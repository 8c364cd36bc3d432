package host

import (
	"cmp"
	"context"
	"slices"
	"time"

	"dev.example/pileup/probes"
)

// traffic is what has passed through one interface.
type traffic struct {
	at     time.Time // when it was read
	rx, tx uint64    // bytes since the interface came up
}

// nic is the traffic of a named interface.
type nic struct {
	name string
	traffic
}

// rate is bytes per second in both directions since last.
func (t traffic) rate(last traffic) (rx, tx float64, why string) {
	dt := t.at.Sub(last.at).Seconds()
	switch {
	case t.rx < last.rx || t.tx < last.tx:
		return 0, 0, "counters ran backwards"
	case dt <= 0:
		return 0, 0, "no time since the last sample"
	}
	return float64(t.rx-last.rx) / dt, float64(t.tx-last.tx) / dt, ""
}

// readNet lists the interfaces by name, with their rates since the last sample
// they were in and their nominal speed. The loopback has none, and that is
// nothing to explain.
func (p *Probe) readNet(ctx context.Context, s *sample) {
	nics := p.machine.readTraffic(ctx, s)
	if len(nics) == 0 {
		return
	}
	slices.SortStableFunc(nics, func(a, b nic) int { return cmp.Compare(a.name, b.name) })
	if len(p.nics) == 0 {
		s.lacks("network rates", second)
	}
	if !sameNames(nics, p.nics) {
		p.machine.forgetLinks()
	}
	last := p.nics
	p.nics = make(map[string]traffic, len(nics))
	s.Net = make([]probes.Net, 0, len(nics))
	for _, n := range nics {
		if _, twice := p.nics[n.name]; twice {
			continue
		}
		p.nics[n.name] = n.traffic
		v := probes.Net{Name: n.name, Link: p.machine.link(n.name, s)}
		v.Rx, v.Tx = s.rates(n, last)
		s.Net = append(s.Net, v)
	}
}

// sameNames reports whether the interfaces are those of the last sample.
func sameNames(nics []nic, last map[string]traffic) bool {
	for _, n := range nics {
		if _, ok := last[n.name]; !ok {
			return false
		}
	}
	return len(nics) == len(last)
}

func (s *sample) rates(n nic, last map[string]traffic) (rx, tx probes.Value) {
	if len(last) == 0 {
		return
	}
	before, ok := last[n.name]
	if !ok {
		s.lacks(n.name+" rates", "came up")
		return
	}
	r, t, why := n.rate(before)
	if why != "" {
		s.lacks(n.name+" rates", why)
		return
	}
	return probes.Of(r), probes.Of(t)
}
