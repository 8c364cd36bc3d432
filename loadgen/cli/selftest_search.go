package cli

import (
	"context"
	"fmt"
	"math"
	"time"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/target/httpconn"
	"dev.example/pileup/loadgen/target/tfserving"
)

// tries are the open-loop steps with one path and body, after one closed loop.
const tries = 4

// steps are all of a self-test.
func steps() int { return len(httpPaths) * len(selfTestModels) * (1 + tries) }

// A httpPath is a way of sending that a self-test measures.
type httpPath struct {
	protocol, name string
	target         func(url string) (loadgen.Target, error)
}

var httpPaths = []httpPath{
	{"tfs+http", httpconn.ViaRaw, func(url string) (loadgen.Target, error) { return tfservingVia(url, false) }},
	{"tfs+http", httpconn.ViaNetHTTP, func(url string) (loadgen.Target, error) { return tfservingVia(url, true) }},
}

func tfservingVia(url string, netHTTP bool) (loadgen.Target, error) {
	return tfserving.New(tfserving.Options{URL: url, HTTP: httpconn.Options{NetHTTP: netHTTP, Connections: selfTestLimit()}})
}

// measure finds what can be driven on this path with a model's bodies.
func (p httpPath) measure(ctx context.Context, m *meter, url, model string, length time.Duration) (*way, error) {
	s := step{path: p, url: url, model: model, length: length}
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
	w := &way{
		Protocol: p.protocol, Path: p.name, Body: closed.body,
		Closed: closedLoop{defaultSlots, closed.due, round(closed.perSecond), round(1000 * closed.cpu)},
	}
	var best *stepped
	err = search(closed.perSecond, tries, func(rate float64) (bool, error) {
		s.rate = rate
		got, err := s.run(ctx, m)
		if err != nil || !got.held() {
			return false, err
		}
		best = &got
		return true, nil
	})
	if best != nil {
		w.Open = &openLoop{
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
