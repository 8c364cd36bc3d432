package study

import (
	"cmp"
	"context"
	"io"
	"time"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
	"dev.example/pileup/loadgen/run"
)

// A step is a short run of a self-test.
type step struct {
	bench *Bench
	path  Path
	model string
	rate  float64 // requests per second; 0 is a closed loop
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

// run drives the server once, on connections of its own, as a run of the command
// line does.
func (s step) run(ctx context.Context, m *meter) (stepped, error) {
	target, err := s.path.Target()
	if err != nil {
		return stepped{}, err
	}
	if c, ok := target.(io.Closer); ok {
		defer c.Close() // nothing is open any more that could fail
	}
	setting := ledger.Setting{Model: s.model, Arrivals: pace.Constant, Rate: s.rate}
	if s.rate == 0 {
		setting.Arrivals, setting.Slots = pace.Closed, s.bench.Slots
	}
	loop := run.New(run.Options{
		Setup: ledger.Setup{
			Targets: []ledger.Target{{Name: "null"}},
			Lanes:   []ledger.LaneSetup{{Name: "A", Targets: []int{0}, Setting: setting}},
			Limit:   s.bench.Limit, Length: s.bench.Step, Drain: drainOfStep,
		},
		Targets: map[int]loadgen.Target{0: target}, Pacing: s.bench.Pacing,
	})
	if err := loop.Prepare(ctx); err != nil {
		return stepped{}, err
	}
	if err := m.start(ctx); err != nil {
		return stepped{}, err
	}
	if err := cmp.Or(loop.Run(ctx), ctx.Err()); err != nil {
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
		lagLimit: ledger.LagLimit(t.Service), service: t.Services(s.At).Quantile(0.50).Value,
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
// time, and what was open when sending ended was no heap: no more than a closed
// loop of so many slots has, or 1 %.
func (s *stepped) held(slots int) bool {
	return s.due > 0 && s.failed == 0 && s.lag99 <= s.lagLimit && s.left <= max(int64(slots), s.due/100)
}
