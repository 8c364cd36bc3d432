package study

import (
	"context"
	"fmt"
	"math"
	"time"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/probes"
)

// A Bench is what a self-test runs on: a server that does nothing, the ways to
// reach it, and what they are measured with.
type Bench struct {
	Paths  []Path
	Models []string       // of the server, one for each size of body
	Step   time.Duration  // how long each step sends, above 0
	Slots  int            // open at once in the closed loop, at least 1
	Limit  int            // most requests in flight at once, at least Slots
	Probe  probes.Probe   // reads this machine and this process
	Pacing loadgen.Pacing // nil is the engine's own
}

// A Path is a way of sending that is measured.
type Path struct {
	Protocol, Name string
	// Target makes what sends this way, with connections of its own. It is
	// closed behind the step that it was made for, if it can be.
	Target func() (loadgen.Target, error)
}

// tries are the open-loop steps with one path and body, after one closed loop.
const tries = 4

// Steps is how many steps there are with each path and body.
const Steps = 1 + tries

// Run measures every path with every body into t, and hands each over as it is
// done. It fails if a closed loop does, and when ctx is done.
func (b *Bench) Run(ctx context.Context, t *SelfTest, each func(*Way)) error {
	m := &meter{probe: b.Probe}
	for _, path := range b.Paths {
		for _, model := range b.Models {
			w, err := b.measure(ctx, m, path, model)
			if err != nil {
				return fmt.Errorf("%s with %s: %w", path.Name, model, err)
			}
			t.Ways = append(t.Ways, *w)
			each(w)
		}
	}
	t.Others = round(m.others())
	return nil
}

// measure finds what can be driven on a path with a model's bodies.
func (b *Bench) measure(ctx context.Context, m *meter, path Path, model string) (*Way, error) {
	s := step{bench: b, path: path, model: model}
	closed, err := s.run(ctx, m)
	if err != nil {
		return nil, err
	}
	switch {
	case closed.failure != "":
		return nil, fmt.Errorf("%d of %d requests failed: %s", closed.failed, closed.due, closed.failure)
	case closed.perSecond == 0:
		return nil, fmt.Errorf("none of %d requests was answered", closed.due)
	}
	w := &Way{
		Protocol: path.Protocol, Path: path.Name, Body: closed.body,
		Closed: ClosedLoop{b.Slots, closed.due, round(closed.perSecond), round(1000 * closed.cpu)},
	}
	var best *stepped
	err = search(closed.perSecond, tries, func(rate float64) (bool, error) {
		s.rate = rate
		got, err := s.run(ctx, m)
		if err != nil || !got.held(b.Slots) {
			return false, err
		}
		best = &got
		return true, nil
	})
	if best != nil {
		w.Open = &OpenLoop{
			best.due, round(best.asked), best.lag50.Seconds(), best.lag99.Seconds(), best.service.Seconds(), round(1000 * best.cpu),
		}
	}
	return w, err
}

// search looks for the highest rate that holds, in so many tries. The closed
// loop leaves nothing of the machine, so that its rate is known to be too high.
// The first try is a quarter of it; what holds is doubled and what does not is
// halved while nothing stands on the other side, and from there on each try
// halves what is between.
func search(closed float64, tries int, try func(rate float64) (held bool, err error)) error {
	low, high := 0.0, closed
	rate := closed / 4
	for range tries {
		rate = twoDigits(rate)
		held, err := try(rate)
		if err != nil {
			return err
		}
		if held {
			low = rate
		} else {
			high = rate
		}
		if rate = (low + high) / 2; low > 0 {
			rate = min(rate, 2*low)
		}
	}
	return nil
}

// twoDigits cuts a rate to two significant digits: what is found is no more
// exact.
func twoDigits(x float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	return math.Floor(x/unit+1e-9) * unit
}

// round keeps six decimals.
func round(x float64) float64 { return math.Round(x*1e6) / 1e6 }
