package study

import (
	"context"
	"errors"
	"fmt"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/probes"
)

// A meter measures how much of the processors this process uses, and others do.
type meter struct {
	probe     probes.Probe
	began     time.Time
	used      float64 // seconds of this process at the last start
	own, busy float64 // seconds of this process, and of all programs, between starts and stops
	wall      float64 // seconds between them
}

func (m *meter) start(ctx context.Context) (err error) {
	m.began = time.Now()
	m.used, _, err = m.read(ctx)
	return err
}

// stop returns the processor time that this process used since start, in
// seconds.
func (m *meter) stop(ctx context.Context) (float64, error) {
	used, cores, err := m.read(ctx)
	if err != nil {
		return 0, err
	}
	used -= m.used
	if n, known := cores.Get(); known {
		wall := time.Since(m.began).Seconds()
		m.own += used
		m.busy += n * wall
		m.wall += wall
	}
	return used, nil
}

// read returns the seconds of this process, and how many cores were busy since
// the last time.
func (m *meter) read(ctx context.Context) (used float64, cores probes.Value, err error) {
	s, err := m.probe.Read(ctx)
	if err != nil {
		return 0, cores, fmt.Errorf("processor time of this process: %w", err)
	}
	used, known := s.Own.CPU.Get()
	if !known {
		return 0, cores, errors.New("this machine does not say how much processor time a process uses")
	}
	return used, ledger.BusyCores(&s), nil
}

// others is how many cores other programs kept busy.
func (m *meter) others() float64 {
	if m.wall == 0 {
		return 0
	}
	return max(0, (m.busy-m.own)/m.wall)
}
