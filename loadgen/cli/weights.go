package cli

import (
	"errors"
	"os"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/runfile"
)

// bestOf is over how long a target's throughput is taken, in seconds: longer
// than the chance of single answers, short enough for a step of a run.
const bestOf = 5

// worth is what a recorded run got done at a target with a model: the most ok
// requests in any bestOf whole seconds in a row, a second. A target that was
// never kept busy is worth more than that; the numbers are a floor.
type worth struct {
	file   string
	places []place
	rates  map[work]float64
}

type work struct{ target, model string }

func recordedWeights(name string, places []place) (*worth, error) {
	hint := "--weights auto:FILE takes a run file of these targets, from -o FILE"
	f, err := os.Open(name)
	if err != nil {
		return nil, refuse(hint, "--weights: %w", err)
	}
	defer f.Close()
	run, err := runfile.Load(f)
	if errors.Is(err, runfile.ErrNotRunFile) || run == nil && err != nil {
		return nil, refuse(hint, "--weights: %s: %w", name, err)
	}
	return &worth{name, places, bestRates(run)}, nil
}

// bestRates finds the throughputs of a recording, in requests per second.
func bestRates(run *runfile.Run) map[work]float64 {
	done := map[work]map[int]int{} // by second
	last := 0
	for i := range run.Requests {
		e := &run.Requests[i]
		if !e.OK() {
			continue
		}
		w := work{run.Setup.Targets[e.Target].Name, modelAt(run, e.Lane, e.Due)}
		if done[w] == nil {
			done[w] = map[int]int{}
		}
		k := ledger.SecondOf(e.Done)
		done[w][k]++
		last = max(last, k)
	}
	best := map[work]float64{}
	span := max(1, min(bestOf, last))
	for w, counts := range done {
		for k := span; k <= last; k++ {
			sum := 0
			for i := range span {
				sum += counts[k-i]
			}
			best[w] = max(best[w], float64(sum)/float64(span))
		}
	}
	return best
}

// modelAt is the model that a lane sent at an instant.
func modelAt(run *runfile.Run, lane int, at time.Duration) string {
	model := run.Setup.Lanes[lane].Setting.Model
	for _, c := range run.Commands {
		if c.Do == ledger.DoModel && c.Lane == lane && c.At <= at {
			model = c.Name
		}
	}
	return model
}

func (w *worth) of(target int, model string) (float64, error) {
	name := w.places[target].name
	r := w.rates[work{name, model}]
	if r <= 0 {
		return 0, refuse("record a run that sends "+model+" to "+name, "--weights: %s has no answer of %s from %s", w.file, model, name)
	}
	return r, nil
}
