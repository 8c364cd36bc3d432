// Package host reads the machine pileup itself runs on: its cores and their
// clocks, load, memory and network, and what this process uses of them.
//
// It says whether the driver is the bottleneck, so it must not become one: a
// read is a few dozen small files, most of which stay open, starts no process
// and no goroutine, and needs no root. It refuses to guess. What a virtual
// machine, a container or an old kernel does not show is absent, with the
// reason beside it.
//
// The one idea: counters are compared by name (core id, interface), never by
// position, and each with its own last value. A core that went away, or whose
// counter ran backwards, loses one sample and nobody else does.
//
// On Linux the files are /proc and /sys below a root, see
// https://docs.kernel.org/filesystems/proc.html and
// https://docs.kernel.org/admin-guide/abi-stable.html; other systems give what
// gopsutil knows of them.
package host

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"dev.example/pileup/probes"
)

// Options say which machine is read. The zero Options are the one we run on.
type Options struct {
	Name string // of the probe; default "driver"
	// Root is where the machine's proc and sys are mounted, for a container
	// that sees its host at /host; default "/". Linux only. The use of this
	// process is its own wherever Root points.
	Root string
}

// A Probe reads one machine. It keeps the last counters, so one Probe has one
// reader; a Sample's slices belong to whoever called Read.
type Probe struct {
	name    string
	machine machine
	cores   map[int]ticks      // last seen, by core id
	nics    map[string]traffic // last seen, by interface
	own     own
}

// New returns a probe that has read nothing yet. Busy cores, network rates and
// whatever else is a difference are absent from its first sample.
func New(o Options) *Probe {
	if o.Name == "" {
		o.Name = "driver"
	}
	if o.Root == "" {
		o.Root = "/"
	}
	return &Probe{name: o.Name, machine: newMachine(o.Root), own: newOwn("/")}
}

// Name is the name in the Options.
func (p *Probe) Name() string { return p.name }

const (
	second  = "needs a second sample" // why a first difference is absent
	notHere = "not read on " + runtime.GOOS
)

// Read takes a sample. It fails if the machine shows neither cores nor load,
// memory or network: then there is no machine below the root. Clocks come last
// and are cut short when ctx is done or their time is up.
func (p *Probe) Read(ctx context.Context) (probes.Sample, error) {
	if err := ctx.Err(); err != nil {
		return probes.Sample{}, err
	}
	ctx = p.machine.context(ctx)
	var s sample
	start := time.Now()
	p.readCores(ctx, &s)
	p.readNet(ctx, &s)
	p.machine.readLoad(ctx, &s)
	p.machine.readMemory(ctx, &s)
	p.own.read(ctx, &s)
	p.machine.readClocks(ctx, &s)
	p.machine.done()
	s.At = start.Add(time.Since(start) / 2)
	if s.Cores == nil && s.Net == nil && !s.Load1.Known() && !s.MemTotal.Known() {
		return probes.Sample{}, fmt.Errorf("nothing to read: %w", s.reasons())
	}
	return s.Sample, nil
}

// sample is a Sample in the making.
type sample struct{ probes.Sample }

// lacks notes that what is absent, and why.
func (s *sample) lacks(what, why string) {
	s.Absent = append(s.Absent, probes.Absent{What: what, Why: why})
}

// known turns what was read into a Value, and an error into its reason.
func (s *sample) known(what string) func(float64, error) probes.Value {
	return func(x float64, err error) probes.Value {
		if err != nil {
			s.lacks(what, why(err))
			return probes.Value{}
		}
		return probes.Of(x)
	}
}

// reasons is all that is absent, as one error.
func (s *sample) reasons() error {
	var b strings.Builder
	for i, a := range s.Absent {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(a.What + ": " + a.Why)
	}
	return errors.New(b.String())
}
