//go:build !linux

package host

import (
	"context"
	"os"

	"dev.example/pileup/probes"
	gopsutil "github.com/shirou/gopsutil/v3/process"
)

// process is this process on any other system, as far as gopsutil knows it.
type process struct{}

func newProcess(string) process { return process{} }

func (process) cpu(ctx context.Context) (seconds float64, err error) {
	p, err := gopsutil.NewProcessWithContext(ctx, int32(os.Getpid()))
	if err != nil {
		return 0, err
	}
	t, err := p.TimesWithContext(ctx)
	if err != nil {
		return 0, err
	}
	return t.User + t.System, nil
}

func (process) read(ctx context.Context, s *sample) {
	for _, what := range []string{"own descriptor limit", "own ports", "own throttling", "own core wait"} {
		s.lacks(what, notHere)
	}
	p, err := gopsutil.NewProcessWithContext(ctx, int32(os.Getpid()))
	if err != nil {
		s.lacks("own use", err.Error())
		return
	}
	if m, err := p.MemoryInfoWithContext(ctx); err != nil || m == nil || m.RSS == 0 {
		s.lacks("own memory", notHere)
	} else {
		s.Own.RSS = probes.Of(float64(m.RSS))
	}
	if n, err := p.NumFDsWithContext(ctx); err != nil {
		s.lacks("own descriptors", err.Error())
	} else {
		s.Own.FDs = probes.Of(float64(n))
	}
}
