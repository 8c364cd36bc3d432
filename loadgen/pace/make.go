package pace

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// Make draws a workload: for each second and model a count. mix holds the rate
// of each model in requests per second, length is whole seconds. each is
// PoissonCounts, a Poisson number each second, or Constant, where a model has
// had ⌊rate × seconds⌋ requests by the end of each. One seed gives one
// workload, and the counts of a model depend on its name, its rate and the
// seed alone.
func Make(mix []float64, models []string, length time.Duration, each Arrivals, seed uint64) (*Workload, error) {
	if err := makeable(mix, models, length, each); err != nil {
		return nil, err
	}
	w := &Workload{Length: length, counted: true}
	for i, model := range models {
		t := w.add(model)
		rng := stream(Seed(seed, "workload "+model, 0, 0))
		for k := range int(length / time.Second) {
			n := draw(each, mix[i], k, rng)
			if w.Total += n; w.Total > maxRequests {
				return nil, tooMany()
			}
			if n > 0 {
				t.seconds = append(t.seconds, tally{second: int32(k + 1), n: int32(n)})
			}
		}
	}
	w.close(Even, seed)
	hash := sha256.New()
	if err := w.WriteCSV(hash); err != nil {
		return nil, err
	}
	w.Hash = hex.EncodeToString(hash.Sum(nil))
	return w, nil
}

// draw returns the requests of a second, counted from 0.
func draw(each Arrivals, rate float64, second int, rng *rand.Rand) int64 {
	if each == PoissonCounts {
		return poisson(rate, rng)
	}
	return int64(whole(rate*float64(second+1)) - whole(rate*float64(second)))
}

func tooMany() error {
	return fmt.Errorf("more than %d requests in all: lower the rates or the length", maxRequests)
}

func makeable(mix []float64, models []string, length time.Duration, each Arrivals) error {
	sum := 0.0
	for i, r := range mix {
		if !(r >= 0 && r <= MaxRate) {
			return fmt.Errorf("rate %d of the mix is %g: want 0 to %.0f requests per second", i+1, r, MaxRate)
		}
		sum += r
	}
	seconds := float64(length / time.Second)
	switch {
	case len(mix) != len(models):
		return fmt.Errorf("%d rates for %d models (%s): want one rate for each", len(mix), len(models), Brief(strings.Join(models, ", ")))
	case len(models) > maxModels:
		return fmt.Errorf("%d models are too many (at most %d)", len(models), maxModels)
	case sum == 0:
		return errors.New("a mix without a rate above 0 sends nothing")
	case length < time.Second || length%time.Second != 0 || seconds > maxSeconds:
		return fmt.Errorf("a length of %s: want whole seconds from 1 to %d, such as 10s", length, maxSeconds)
	case each != PoissonCounts && each != Constant:
		return fmt.Errorf("counts cannot be %s: want %s or %s", each, PoissonCounts, Constant)
	case sum*seconds > maxRequests || seconds*float64(len(models)) > maxRequests:
		return tooMany()
	}
	for i, model := range models {
		if err := checkModel(model); err != nil {
			return err
		}
		if strings.TrimSpace(model) != model || slices.Contains(models[:i], model) {
			return fmt.Errorf("model %q: want a name without spaces around it, each one once", Brief(model))
		}
	}
	return nil
}
