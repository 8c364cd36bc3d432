package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
	"dev.example/pileup/loadgen/run"
	"dev.example/pileup/probes"
)

// A step is a short run of a self-test.
type step struct {
	path   httpPath
	url    string
	model  string
	length time.Duration
	rate   float64 // requests per second; 0 is a closed loop
}

// A stepped is what a step came to.
type stepped struct {
	body         int64         // bytes
	asked        float64       // requests per second
	perSecond    float64       // ok
	lag50, lag99 time.Duration // of all requests
	lagLimit     time.Duration // which the p99 must stay within
	service      time.Duration // the median
	cpu          float64       // seconds of this process for each request
	due, failed  int64
	left         int64  // open when sending ended
	failure      string // of one that failed and was not cut; "" without any
}

// drainOfStep is how long what is open at the end of a step is waited for.
// Where that is not enough the rate was too high.
const drainOfStep = time.Second

// selfTestLimit is how many requests are in flight at once. Both ends of each
// connection are ours, and what piles up of a rate too high should not make
// thousands of them: the system would still be busy closing these when the next
// step has begun.
func selfTestLimit() int { return min(512, defaultLimit()/2) }

// run drives the server once, on connections of its own, as a run of the command
// line does.
func (s step) run(ctx context.Context, m *meter) (stepped, error) {
	target, err := s.path.target(s.url)
	if err != nil {
		return stepped{}, err
	}
	targets := map[int]loadgen.Target{0: target}
	defer closeAll(targets)
	setting := ledger.Setting{Model: s.model, Arrivals: pace.Constant, Rate: s.rate}
	if s.rate == 0 {
		setting.Arrivals, setting.Slots = pace.Closed, defaultSlots
	}
	loop := run.New(run.Options{
		Setup: ledger.Setup{
			Targets: []ledger.Target{{Name: "null"}},
			Lanes:   []ledger.LaneSetup{{Name: laneName(0), Targets: []int{0}, Setting: setting}},
			Limit:   selfTestLimit(), Length: s.length, Drain: drainOfStep,
		},
		Targets: targets, Say: lang.English.Note, Wait: loadgen.PreciseWait,
	})
	if err := loop.Prepare(ctx); err != nil {
		return stepped{}, err
	}
	if err := m.start(ctx); err != nil {
		return stepped{}, err
	}
	if err := loop.Run(ctx); err != nil {
		return stepped{}, err
	}
	cpu, err := m.stop(ctx)
	if err != nil {
		return stepped{}, err
	}
	out := sumUp(loop.Snapshot(), cpu)
	out.asked = s.rate
	return out, nil
}

// sumUp reads what a step came to from the end of its run.
func sumUp(s *ledger.Snapshot, cpu float64) stepped {
	t := &s.Total
	out := stepped{
		body: s.Lanes[0].Setting.BodyBytes,
		due:  t.Due, failed: t.Failed, left: t.AtEnd.Open,
		lag50: ledger.Of(t.LagDist, 0.50).Value, lag99: ledger.Of(t.LagDist, 0.99).Value,
		lagLimit: ledger.LagLimit(t.Service), service: t.ServiceQuantile(0.50).Value,
		cpu: cpu / float64(max(1, t.Due)),
	}
	for _, f := range t.Failures {
		if f.Class != ledger.CutOff {
			out.failure = f.First.Text
		}
	}
	if s.At > 0 {
		out.perSecond = float64(t.OK) / s.At.Seconds()
	}
	return out
}

// held reports whether the driver kept the rate of the step: all was sent in
// time, and what was open when sending ended was no heap.
func (s *stepped) held() bool {
	return s.due > 0 && s.failed == 0 && s.lag99 <= s.lagLimit && s.left <= max(defaultSlots, s.due/100)
}

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
