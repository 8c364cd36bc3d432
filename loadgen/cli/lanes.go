package cli

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

// lanes turns the wishes into lanes: as the workload or the mix says, one for
// each wish that has a rate, or one for the first of them.
func (l *load) lanes(wishes []wish, places []place) ([]ledger.LaneSetup, error) {
	if l.work != nil {
		return l.traced(wishes, places)
	}
	rated := slices.ContainsFunc(wishes, func(w wish) bool { return w.rated })
	if !rated && !l.said() {
		return nil, refuse(l.rateHint(""), "no rate: say how many requests a second")
	}
	if l.mix != nil {
		if len(l.mix) != len(wishes) {
			return nil, refuse("a rate for each -m, 0 for one that waits", "--mix has %d rates for %d models", len(l.mix), len(wishes))
		}
		wishes = slices.Clone(wishes)
		for i, r := range l.mix {
			wishes[i].rate, wishes[i].rated = r, true
		}
		rated = true
	}
	var out []ledger.LaneSetup
	for i, w := range wishes {
		targets, err := targetsOf(w, places)
		if err != nil {
			return nil, err
		}
		if !w.rated && (rated || i > 0) {
			continue // only listed for the model key
		}
		lane := l.lane(len(out), w.model, targets)
		switch {
		case w.rated:
			lane.Setting.Rate = w.rate
		case l.rate != nil:
			lane.Setting.Rate = *l.rate
		}
		out = append(out, lane)
	}
	return out, l.atOnce(out)
}

// atOnce refuses more requests at one instant than may be open: the first
// windows of all lanes begin together.
func (l *load) atOnce(lanes []ledger.LaneSetup) error {
	n := 0.0
	for _, lane := range lanes {
		switch p, s := lane.Pattern, lane.Setting; {
		case s.Arrivals == pace.Burst && p.Count > 0:
			n += float64(p.Count)
		case s.Arrivals == pace.Burst:
			n += most(s.Rate*p.Window().Seconds(), l.limit)
		case s.Arrivals == pace.PoissonCounts && p.Within == pace.AtOnce:
			n += most(s.Rate, l.limit)
		}
	}
	if n <= loadgen.MaxOpen {
		return nil
	}
	return refuse("send fewer, or spread them: --arrivals uniform", "--arrivals %s: %s requests at one instant; at most %s can be open",
		l.word, grouped(n), grouped(loadgen.MaxOpen))
}

// most is n, but no more than a limit; 0 is none.
func most(n float64, limit int64) float64 {
	if limit > 0 {
		return min(n, float64(limit))
	}
	return n
}

func (l *load) lane(id int, model string, targets []int) ledger.LaneSetup {
	s := ledger.LaneSetup{ID: id, Name: laneName(id), Targets: targets, Pattern: l.pattern, Setting: l.setting}
	s.Setting.Model = model
	return s
}

// traced opens a lane for each model of the workload. Where the file names no
// model it is that of the first -m.
func (l *load) traced(wishes []wish, places []place) ([]ledger.LaneSetup, error) {
	if err := l.pins(wishes); err != nil {
		return nil, err
	}
	var out []ledger.LaneSetup
	for i, model := range l.work.Models {
		w := wish{model: model}
		switch at := slices.IndexFunc(wishes, func(w wish) bool { return w.model == model }); {
		case model == "" && len(wishes) == 0:
			return nil, refuse("-m NAME", "--trace: the file names no model, and neither does -m")
		case model == "":
			w = wishes[0]
		case at >= 0:
			w = wishes[at]
		}
		targets, err := targetsOf(w, places)
		if err != nil {
			return nil, err
		}
		lane := l.lane(i, w.model, targets)
		lane.Pattern.Trace = l.work.Traces[i]
		out = append(out, lane)
	}
	return out, nil
}

// pins refuses targets of -m that would change nothing: those of a model that the
// workload does not have, and a second one for the same model.
func (l *load) pins(wishes []wish) error {
	named := l.models()
	pinned := map[string]bool{}
	for _, w := range wishes {
		switch {
		case w.target == "" || len(named) == 0:
		case !slices.Contains(named, w.model):
			return refuse("the workload has "+strings.Join(named, ", "), "-m %s@%s: the workload has no model %q", pace.Brief(w.model), pace.Brief(w.target), pace.Brief(w.model))
		case pinned[w.model]:
			return refuse("one -m for each model", "-m %s@%s: the workload's %s goes to one target, or to all", pace.Brief(w.model), pace.Brief(w.target), pace.Brief(w.model))
		}
		pinned[w.model] = true
	}
	return nil
}

// inTrace says where in the workload a model stands that no server has.
func (p *plan) inTrace(err error) error {
	r, is := errors.AsType[*loadgen.Refusal](err)
	if !is || !r.NoModel || p.load.work == nil {
		return err
	}
	for i, model := range p.load.work.Models {
		if model != "" && strings.Contains(r.Error(), strconv.Quote(model)) {
			hint := r.Hint
			if strings.Contains(hint, "-m NAME") {
				hint = "name a model in the file that the server has"
			}
			return refuse(hint, "--trace: %s:%d: %w", p.setup.Workload, p.load.work.Lines[i], err)
		}
	}
	return err
}

// waiting reports whether no lane will send before its rate is changed.
func waiting(lanes []ledger.LaneSetup) bool {
	return !slices.ContainsFunc(lanes, func(l ledger.LaneSetup) bool {
		return l.Setting.Rate > 0 || l.Setting.Slots > 0 || l.Setting.Scale > 0 || l.Pattern.Count > 0
	})
}

// keyless refuses what only a key would send: all lanes, or the model of an -m.
func (p *plan) keyless() error {
	const none = "and there are no keys here"
	if waiting(p.setup.Lanes) {
		return refuse("-m NAME=10", "every lane waits for its key, %s", none)
	}
	for _, w := range p.wishes {
		if !slices.ContainsFunc(p.setup.Lanes, func(l ledger.LaneSetup) bool { return l.Setting.Model == w.model }) {
			model := pace.Brief(w.model)
			return refuse("a rate for each, -m "+model+"=10, or without it", "-m %s opens no lane, %s", model, none)
		}
	}
	return nil
}

// models are those that the workload names.
func (l *load) models() (names []string) {
	if l.work == nil {
		return nil
	}
	for _, m := range l.work.Models {
		if m != "" {
			names = append(names, m)
		}
	}
	return names
}

// modelsOf lists the models that the model key walks on a target.
func modelsOf(wishes []wish, target string) (models []string) {
	for _, w := range wishes {
		if (w.target == "" || w.target == target) && !slices.Contains(models, w.model) {
			models = append(models, w.model)
		}
	}
	return models
}

// laneName counts A … Z, A2 … .
func laneName(i int) string {
	name := string(rune('A' + i%26))
	if i >= 26 {
		name += strconv.Itoa(i/26 + 1)
	}
	return name
}

func targetsOf(w wish, places []place) ([]int, error) {
	var ids []int
	var names []string
	for i, p := range places {
		names = append(names, p.name)
		if w.target == "" || w.target == p.name {
			ids = append(ids, i)
		}
	}
	if len(ids) == 0 {
		return nil, refuse("the targets are "+strings.Join(names, ", "), "-m %s@%s: no target is called %q", pace.Brief(w.model), pace.Brief(w.target), pace.Brief(w.target))
	}
	return ids, nil
}
