package cli

import (
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

// poolFlags say how requests are dealt to several targets, as written.
type poolFlags struct{ balance, weights string }

func (f *poolFlags) register(p *pflag.FlagSet) {
	p.StringVar(&f.balance, "balance", "round-robin", "how requests are dealt to several targets: "+strings.Join(loadgen.Balances(), ", "))
	p.StringVar(&f.weights, "weights", "", "shares or capacities for it, `LIST`: xavier=38,tx2=12, or auto:FILE, what a recorded run got done at each target of the same name, in ok requests per second of the time in which it was busy: had any open")
}

// pool is how requests are dealt to several targets.
type pool struct {
	balance loadgen.Balance
	weights weights
}

// weights by target, nil without any.
type weights interface {
	of(target int, model string) (float64, error)
}

// fixed are weights by target, whatever the model.
type fixed []float64

func (w fixed) of(target int, _ string) (float64, error) { return w[target], nil }

// pool reads the flags.
func (f *poolFlags) pool(tell io.Writer, set *pflag.FlagSet, places []place) (p *pool, err error) {
	p = &pool{}
	if p.balance, err = loadgen.ParseBalance(pace.Brief(f.balance)); err != nil {
		return nil, refuse("--balance round-robin", "--balance: %w", err)
	}
	needs := p.balance == loadgen.Weighted || p.balance == loadgen.LeastWait
	switch {
	case len(places) < 2 && (set.Changed("balance") || set.Changed("weights")):
		return nil, refuse("x=URL y=URL", "--balance and --weights are for several targets")
	case f.weights == "" && needs:
		return nil, refuse("--weights NAME=38,NAME=12, or auto:FILE", "--balance %s needs what each target is worth", p.balance)
	case f.weights == "":
		return p, nil
	case !needs:
		return nil, refuse("--balance weighted", "--weights has no meaning with --balance %s", p.balance)
	}
	if file, ok := strings.CutPrefix(f.weights, "auto:"); ok {
		p.weights, err = recordedWeights(tell, file, places)
		return p, err
	}
	p.weights, err = parseWeights(f.weights, places)
	return p, err
}

// maxWeight bounds a weight; as a capacity it is in requests per second.
const maxWeight = 1e6

func parseWeights(s string, places []place) (fixed, error) {
	hint := "a number for each target: --weights xavier=38,tx2=12"
	out := make(fixed, len(places))
	for i, part := range strings.Split(s, ",") {
		number := part
		if name, n, named := strings.Cut(part, "="); named {
			number = n
			if i = slices.IndexFunc(places, func(p place) bool { return p.name == strings.TrimSpace(name) }); i < 0 {
				return nil, refuse(hint, "--weights: no target is called %q", pace.Brief(name))
			}
		}
		w, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		switch {
		case i >= len(out):
			return nil, refuse(hint, "--weights: more than the %d targets", len(out))
		case out[i] != 0:
			return nil, refuse(hint, "--weights: two for %s", places[i].name)
		case err != nil || math.IsNaN(w) || w < 1e-3 || w > maxWeight:
			return nil, refuse(hint, "--weights: %q is no weight from 0.001 to 1000000", pace.Brief(part))
		}
		out[i] = w
	}
	if i := slices.Index(out, 0); i >= 0 {
		return nil, refuse(hint, "--weights: none for %s", places[i].name)
	}
	return out, nil
}

// apply says to every lane of several targets how to deal.
func (p *pool) apply(lanes []ledger.LaneSetup) {
	for i := range lanes {
		if len(lanes[i].Targets) > 1 {
			lanes[i].Balance = p.balance.String()
		}
	}
}

// weigh is how the run asks for weights, nil without any.
func (p *pool) weigh() func(target int, model string) (float64, error) {
	if p.weights == nil {
		return nil
	}
	return p.weights.of
}
