package study

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"dev.example/pileup/probes"
)

// readings is a machine that says one sample after another.
type readings struct{ all []probes.Sample }

func (*readings) Name() string { return "driver" }

func (r *readings) Read(context.Context) (s probes.Sample, _ error) {
	s, r.all = r.all[0], r.all[1:]
	return s, nil
}

// What a hypervisor takes keeps no core busy, and no other program either.
func TestMeter(t *testing.T) {
	of := probes.Of
	two := func(cpu, busy, steal float64) probes.Sample {
		return probes.Sample{
			Own: probes.Process{CPU: of(cpu)}, Steal: of(steal),
			Cores: []probes.Core{{Online: true, Busy: of(busy)}, {Online: true, Busy: of(busy)}},
		}
	}
	unread := two(0, 0, 0)
	unread.Cores[1].Busy = probes.Value{}
	for name, c := range map[string]struct {
		after probes.Sample
		want  float64 // cores
	}{
		"alone":          {two(2, 100, 0), 0},
		"another":        {two(1, 75, 0), 0.5},
		"a hypervisor":   {two(1, 75, 25), 0},
		"both":           {two(1, 100, 25), 0.5},
		"a core unknown": {unread, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := meter{probe: &readings{[]probes.Sample{{Own: probes.Process{CPU: of(0)}}, c.after}}}
			if err := m.start(t.Context()); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			used, err := m.stop(t.Context())
			if want := c.after.Own.CPU.Or(0); err != nil || used != want || math.Abs(m.others()-c.want) > 1e-9 {
				t.Errorf("%s: used %v s, others %v cores, %v; want %v and %v", name, used, m.others(), err, want, c.want)
			}
		})
	}
	m := meter{probe: &readings{make([]probes.Sample, 1)}}
	if err := m.start(t.Context()); err == nil {
		t.Error("no error of a machine that says nothing")
	}
}
