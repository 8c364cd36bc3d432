package cli

import (
	"errors"
	"slices"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/runfile"
)

// worth is what a target can do with a model by a recorded run: ok requests per
// second in which one of the model's was open there, so that what a target that
// idles was not asked to do does not count against it. A target that serves
// several at once and never had several is worth more.
type worth struct {
	file   string
	places []place
	rates  map[work]float64
}

type work struct{ target, model string }

// longestRecording is the largest run file that weights are taken from.
const longestRecording = 1 << 30

func recordedWeights(name string, places []place) (*worth, error) {
	hint := "--weights auto:FILE takes a run file of these targets, from -o FILE"
	f, err := open("--weights", name, longestRecording)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	run, err := runfile.Load(f)
	if errors.Is(err, runfile.ErrNotRunFile) || run == nil && err != nil {
		return nil, refuse(hint, "--weights: %s: %w", name, err)
	}
	return &worth{name, places, worths(run)}, nil
}

// worths finds the capacities by a recording, in requests per second.
func worths(run *runfile.Run) map[work]float64 {
	done, open := map[work]int{}, map[work][]span{}
	for i := range run.Requests {
		e := &run.Requests[i]
		w := work{run.Setup.Targets[e.Target].Name, modelAt(run, e.Lane, e.Due)}
		open[w] = append(open[w], span{e.Due, e.Done})
		if e.OK() {
			done[w]++
		}
	}
	out := map[work]float64{}
	for w, n := range done {
		if busy := covered(open[w]); busy > 0 {
			out[w] = float64(n) / busy.Seconds()
		}
	}
	return out
}

type span struct{ from, to time.Duration }

// covered is how long at least one of the spans lasts.
func covered(spans []span) (sum time.Duration) {
	slices.SortFunc(spans, func(a, b span) int { return int(a.from - b.from) })
	end := time.Duration(0)
	for _, s := range spans {
		sum += max(0, s.to-max(s.from, end))
		end = max(end, s.to)
	}
	return sum
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
