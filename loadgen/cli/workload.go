package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dev.example/pileup/loadgen/demo"
	"dev.example/pileup/loadgen/pace"
)

// makeHint is the whole command that makes a workload.
const makeHint = "pileup workload make --mix '(10,10,20,1)' -d 10s"

func workloadCommand(std streams, code *int) *cobra.Command {
	c := &cobra.Command{
		Use:   "workload",
		Short: "Make a file of what is due, so that every server gets the same",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return refuse(makeHint, "workload has no command %q", pace.Brief(args[0]))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	c.AddCommand(makeCommand(std, code))
	return c
}

// makeFlags are the flags of workload make as they were written.
type makeFlags struct {
	mix      string
	models   []string
	length   time.Duration
	arrivals string
	seed     uint64
	file     string
	force    bool
}

func makeCommand(std streams, code *int) *cobra.Command {
	var f makeFlags
	c := &cobra.Command{
		Use:   "make --mix '(RATE,…)' -d TIME",
		Short: "Draw a workload: for each second and model a count, as CSV",
		Long: `Draw a workload: for each second and model a count, as CSV.

  pileup workload make --mix '(10,10,20,1)' -d 10s --seed 7 -o work.csv
  pileup --trace work.csv tfs+http://xavier:8501

One seed makes one file, byte for byte, and a further model changes no count of
the others. A run that is driven by a file records its SHA-256, the one that is
printed here.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return refuse(makeHint, "workload make takes no words, only flags: %q", pace.Brief(args[0]))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			*code, err = f.run(cmd.Context(), std, cmd.Flags().Changed("seed"))
			return err
		},
	}
	p := c.Flags()
	p.SortFlags = false
	p.StringVar(&f.mix, "mix", "", "requests a second of each model in turn: `'(10,10,20,1)'`")
	p.StringArrayVarP(&f.models, "model", "m", nil, "`MODEL[:VERSION]` of each rate in turn, repeatable (default: the demo's)")
	p.DurationVarP(&f.length, "duration", "d", 0, "length, in whole seconds of `time`")
	p.StringVar(&f.arrivals, "arrivals", pace.PoissonCounts.String(), "counts of the seconds: "+strings.Join(countArrivals, ", "))
	p.Uint64Var(&f.seed, "seed", 0, "of the counts (default: drawn, and printed)")
	p.StringVarP(&f.file, "output", "o", "", "write to `FILE` (default: standard output)")
	p.BoolVar(&f.force, "force", false, "overwrite the file of -o")
	return c
}

// countArrivals are those that can be made as counts.
var countArrivals = []string{pace.PoissonCounts.String(), pace.Constant.String()}

func (f *makeFlags) run(ctx context.Context, std streams, seeded bool) (int, error) {
	if f.file != "" && !f.force {
		if _, err := os.Lstat(f.file); err == nil {
			return exitOK, exists(f.file)
		}
	}
	if !seeded {
		f.seed = rand.Uint64N(1 << 32) // short enough to be typed again
	}
	w, err := f.workload()
	if err != nil {
		return exitOK, err
	}
	if !seeded && f.arrivals != pace.Constant.String() {
		fmt.Fprintf(std.err, "pileup: --seed %d\n", f.seed)
	}
	if code, err := f.write(ctx, w, std.out); code != exitOK || err != nil {
		return code, err
	}
	fmt.Fprintf(std.err, "pileup: %s\n", oneLine(made(w)))
	return exitOK, nil
}

// workload draws what the flags ask for.
func (f *makeFlags) workload() (*pace.Workload, error) {
	if f.mix == "" {
		return nil, refuse(makeHint, "no --mix: say how many requests a second each model gets")
	}
	mix, err := pace.ParseMix(f.mix)
	if err != nil {
		return nil, refuse(makeHint, "--mix: %w", err)
	}
	each, err := pace.Parse(f.arrivals)
	if err != nil || each != pace.PoissonCounts && each != pace.Constant {
		return nil, refuse("--arrivals "+countArrivals[0], "--arrivals: counts cannot be %q: want %s", pace.Brief(f.arrivals), strings.Join(countArrivals, " or "))
	}
	models, err := f.named()
	switch {
	case err != nil:
		return nil, err
	case len(models) != len(mix):
		return nil, refuse("-m for each rate in turn, such as "+example(len(mix)), "--mix has %d rates for %d models (%s)",
			len(mix), len(models), pace.Brief(strings.Join(models, ", ")))
	case f.length == 0:
		return nil, refuse("-d 10s", "no length: say for how long")
	}
	w, err := pace.Make(mix, models, f.length, each, f.seed)
	if err != nil {
		return nil, refuse(makeHint, "%w", err)
	}
	return w, nil
}

// example names so many models.
func example(n int) string {
	words := make([]string, 0, n)
	for i := range min(n, 4) {
		words = append(words, "-m "+string(rune('a'+i)))
	}
	if n > 4 {
		words = append(words, "…")
	}
	return strings.Join(words, " ")
}

// named are the models of -m, or the demo's.
func (f *makeFlags) named() (names []string, err error) {
	for _, m := range f.models {
		w, err := parseWish(m)
		switch {
		case err != nil:
			return nil, err
		case w.rated:
			return nil, refuse("-m "+w.model+", and its rate in --mix", "-m %s: rates come from --mix", pace.Brief(m))
		case w.target != "":
			return nil, refuse("-m "+w.model, "-m %s: a workload is of no target", pace.Brief(m))
		}
		names = append(names, w.model)
	}
	if len(names) > 0 {
		return names, nil
	}
	for _, m := range demo.Models() {
		names = append(names, m.Name)
	}
	return names, nil
}

// write writes the workload to where it was asked for: to a file whole or not
// at all, for its beginning would pass for a shorter workload.
func (f *makeFlags) write(ctx context.Context, w *pace.Workload, out io.Writer) (int, error) {
	if f.file == "" {
		return exitOK, w.WriteCSV(out)
	}
	ctx, stop := onSignal(ctx)
	defer stop()
	write := func(to io.Writer) error { return w.WriteCSV(until{ctx, to}) }
	var err error
	if f.force {
		err = replaceFile(f.file, write)
	} else {
		err = newFile(f.file, write)
	}
	switch code := signalCode(ctx); {
	case err == nil:
		return exitOK, nil
	case code != exitOK:
		return code, nil
	case errors.Is(err, os.ErrExist):
		return exitOK, exists(f.file)
	}
	if none, is := errors.AsType[*noFile](err); is {
		return exitOK, refuse("-o FILE, where you may write", "%w", none)
	}
	return exitOK, err
}

// newFile writes a file that was not there, whole or not at all.
func newFile(name string, write func(io.Writer) error) error {
	err := writeTo(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, write)
	if _, is := errors.AsType[*noFile](err); err != nil && !is {
		_ = os.Remove(name) // err says more
	}
	return err
}

// until writes until ctx is done.
type until struct {
	ctx context.Context
	to  io.Writer
}

func (u until) Write(p []byte) (int, error) {
	if u.ctx.Err() != nil {
		return 0, context.Cause(u.ctx)
	}
	return u.to.Write(p)
}

// made says what was made: "41 requests in 10 s: a 10, b 31; sha256 0f…".
func made(w *pace.Workload) string {
	parts := make([]string, len(w.Models))
	for i, m := range w.Models {
		parts[i] = fmt.Sprintf("%s %d", m, w.Traces[i].Total())
	}
	return fmt.Sprintf("%d requests in %.0f s: %s; sha256 %s", w.Total, w.Length.Seconds(), strings.Join(parts, ", "), w.Hash)
}
