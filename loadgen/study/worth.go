package study

import (
	"cmp"
	"io"
	"slices"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/runfile"
)

// Worth is what targets can do with models by a recorded run: ok requests per
// second in which one of the model's was open there, so that what a target that
// idles was not asked to do does not count against it. A target that serves
// several at once and never had several is worth more.
type Worth struct {
	Ended   bool     // the recording has its end; without it the run went on
	Targets []string // their names, in the order of the recording
	rates   map[work]float64
}

type work struct{ target, model string }

// ReadWorth reads a run file. One that breaks off is no error; one that is
// damaged is, and what is none is [runfile.ErrNotRunFile].
func ReadWorth(in io.Reader) (*Worth, error) {
	r, err := readWork(in)
	if err != nil {
		return nil, err
	}
	w := &Worth{Ended: r.ended, rates: r.worths()}
	for _, t := range r.setup.Targets {
		w.Targets = append(w.Targets, t.Name)
	}
	return w, nil
}

// Of is what a target is worth with a model, in requests per second; 0 if
// nothing was ok.
func (w *Worth) Of(target, model string) float64 { return w.rates[work{target, model}] }

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
