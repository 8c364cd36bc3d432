package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
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

func recordedWeights(tell io.Writer, name string, places []place) (*worth, error) {
	f, err := open(tell, "--weights", name, longestRecording)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := readWork(f)
	switch {
	case errors.Is(err, runfile.ErrNotRunFile):
		return nil, refuse("--weights auto:FILE takes a run file of these targets, from -o FILE", "--weights: %s: %w", name, err)
	case err != nil:
		return nil, refuse("give a run file as -o FILE has written it", "--weights: %s: %w", name, err)
	case !r.ended:
		fmt.Fprintf(tell, "pileup: warning: --weights: %s has no end, so its run went on; what is there counts\n", oneLine(name))
	}
	return &worth{name, places, r.worths()}, nil
}

// recorded is what a recording says of the work that was done.
type recorded struct {
	setup  *ledger.Setup
	done   []request
	models map[int][]runfile.Command // changes of model by lane
	ended  bool
}

// request is what became of one.
type request struct {
	lane, target int32
	ok           bool
	span
}

// readWork reads a recording. One that breaks off is no error.
func readWork(in io.Reader) (*recorded, error) {
	out := &recorded{models: map[int][]runfile.Command{}}
	for rec, err := range runfile.NewReader(in).All() {
		if err != nil {
			return nil, err
		}
		switch rec := rec.(type) {
		case runfile.Header:
			out.setup = rec.Setup
		case runfile.Request:
			out.done = append(out.done, request{int32(rec.Lane), int32(rec.Target), rec.OK(), span{rec.Due, rec.Done}})
		case runfile.Command:
			if rec.Do == ledger.DoModel {
				out.models[rec.Lane] = append(out.models[rec.Lane], rec)
			}
		case runfile.End:
			out.ended = true
		}
	}
	for _, changes := range out.models {
		slices.SortStableFunc(changes, func(a, b runfile.Command) int { return cmp.Compare(a.At, b.At) })
	}
	return out, nil
}

// worths finds the capacities, in requests per second.
func (r *recorded) worths() map[work]float64 {
	done, open := map[work]int{}, map[work][]span{}
	for _, q := range r.done {
		w := work{r.setup.Targets[q.target].Name, r.modelAt(int(q.lane), q.from)}
		open[w] = append(open[w], q.span)
		if q.ok {
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
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	end := time.Duration(0)
	for _, s := range spans {
		sum += max(0, s.to-max(s.from, end))
		end = max(end, s.to)
	}
	return sum
}

// modelAt is the model that a lane sent at an instant.
func (r *recorded) modelAt(lane int, at time.Duration) string {
	changes := r.models[lane]
	after, _ := slices.BinarySearchFunc(changes, at, func(c runfile.Command, at time.Duration) int {
		if c.At <= at {
			return -1
		}
		return 1
	})
	if after == 0 {
		return r.setup.Lanes[lane].Setting.Model
	}
	return changes[after-1].Name
}

func (w *worth) of(target int, model string) (float64, error) {
	name := w.places[target].name
	r := w.rates[work{name, model}]
	if r <= 0 {
		return 0, refuse("record a run that sends "+model+" to "+name, "--weights: %s has no answer of %s from %s", w.file, model, name)
	}
	return r, nil
}
