package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"dev.example/pileup/loadgen/runfile"
	"dev.example/pileup/loadgen/study"
)

// worth are weights that a recorded run says.
type worth struct {
	file   string
	places []place
	*study.Worth
}

// longestRecording is the largest run file that weights are taken from.
const longestRecording = 1 << 30

func recordedWeights(tell io.Writer, name string, places []place) (*worth, error) {
	f, err := open(tell, "--weights", name, longestRecording)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	w, err := study.ReadWorth(f)
	switch {
	case errors.Is(err, runfile.ErrNotRunFile):
		return nil, refuse("--weights auto:FILE takes a run file of these targets, from -o FILE", "--weights: %s: %w", name, err)
	case err != nil:
		return nil, refuse("give a run file as -o FILE has written it", "--weights: %s: %w", name, err)
	case !w.Ended:
		fmt.Fprintf(tell, "pileup: warning: --weights: %s has no end, so its run went on; what is there counts\n", oneLine(name))
	}
	return &worth{name, places, w}, nil
}

func (w *worth) of(target int, model string) (float64, error) {
	name := w.places[target].name
	r := w.Of(name, model)
	if r > 0 {
		return r, nil
	}
	hint := "record a run that sends " + model + " to " + name
	if !slices.Contains(w.Targets, name) {
		hint = "write NAME=URL with the names that it has: " + strings.Join(w.Targets, ", ")
	}
	return 0, refuse(hint, "--weights: %s has no answer of %s from %s", w.file, model, name)
}
