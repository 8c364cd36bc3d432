package host

import (
	"context"
	"time"

	"dev.example/pileup/probes"
)

// own is this process as it was at the last sample.
type own struct {
	process process // what the system says of it
	runtime goRuntime
	cpu     counter // seconds of processor time
}

// newOwn reads the files that speak of this process below root, which is "/"
// but in tests.
func newOwn(root string) own { return own{process: newProcess(root)} }

// read says what this process uses, and what keeps it from using more.
func (o *own) read(ctx context.Context, s *sample) {
	o.readCPU(ctx, s)
	o.runtime.read(s)
	o.process.read(ctx, s)
}

func (o *own) readCPU(ctx context.Context, s *sample) {
	s.Own.CPU = s.known("own cpu")(o.process.cpu(ctx))
	last := o.cpu
	o.cpu = counter{}
	if total, known := s.Own.CPU.Get(); known {
		o.cpu = counter{time.Now(), total}
		s.Own.Cores = s.rate("own cores", o.cpu, last)
	}
}

// rate is the growth of a counter a second, as a Value.
func (s *sample) rate(what string, now, last counter) probes.Value {
	x, why := now.rate(last)
	if why != "" {
		s.lacks(what, why)
		return probes.Value{}
	}
	return probes.Of(x)
}
