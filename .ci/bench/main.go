// Bench compares pileup with other load generators, on one machine, by what an
// independent sink saw: .ci/bench/run builds and starts it.
//
// A round runs every tool once under every load, one after another, each
// against a sink of its own, and begins with another tool each time. A tool is
// compared with what another one did in the same round, and the median over the
// rounds is judged: a shared machine's speed moves by half, but not so fast.
//
//   - Deviation is |t − (c + k/rate)| of arrival k, t being the kernel's stamp
//     of its first segment and c the median residual, over all arrivals.
//   - CPU is user and system of the tool's whole life, as wait4 tells it.
//   - The true response of a request is counted from when it was due,
//     c + k/rate, until the sink has answered it.
//
// A run is disturbed if other processes used more than 0.08 cores meanwhile, the
// hypervisor more than 0.05, or 0.01 where the p99 of a schedule, or with the
// screen, is judged, or the clock was set. It begins when the machine is quieter
// than that, or has been waited for long enough. If it is judged it is repeated, at
// most six times, and twenty times in a round; disturbed rounds count only if half
// of them or more are.
//
// It refuses to send anywhere but to 127.0.0.1, to compare latencies that the
// tools define differently, and to tell what it did not measure. It ends no
// process that it did not start.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"bench/sink"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "sink" {
		exit(sink.Main(os.Args[2:], os.Stdin, os.Stdout))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	b, err := parse(os.Args[1:])
	if err == nil {
		err = b.main(ctx)
	}
	exit(err)
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// bench is a comparison.
type bench struct {
	pileup, commit  string // the program, and what it was built of
	cache, out      string // directories
	rounds, seconds int
	groups          []string // that are judged
	loads           []load
	patience        patience // with each round

	small, large string            // files of the bodies
	binaries     map[string]string // by tool
	results      *os.File
	notes        []string
	runs         []*run
}

func parse(args []string) (*bench, error) {
	b := &bench{binaries: map[string]string{}, patience: patience{repeats: 20, wait: 60 * time.Second}}
	f := flag.NewFlagSet("bench", flag.ExitOnError)
	f.StringVar(&b.pileup, "pileup", "", "the program (run says it)")
	f.StringVar(&b.commit, "commit", "unknown", "what it was built of (run says it)")
	f.StringVar(&b.cache, "cache", "", "where tools are installed (run says it)")
	f.StringVar(&b.out, "out", "", "directory of the results (default: one in the cache)")
	f.IntVar(&b.rounds, "rounds", 7, "how often each is measured; the screen twice more")
	dur := f.Duration("dur", 10*time.Second, "how long each sends, in whole seconds")
	only := f.String("only", strings.Join(groups, ","), "what is judged")
	quick := f.Bool("quick", false, "see that everything works: one round, 3 s each, no repeats")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if *quick {
		b.rounds, *dur, b.patience = 1, 3*time.Second, patience{}
	}
	b.seconds, b.groups = int(dur.Seconds()), strings.Split(*only, ",")
	for _, g := range b.groups {
		if !slices.Contains(groups, g) {
			return nil, fmt.Errorf("-only %s: there is %s", g, strings.Join(groups, ", "))
		}
	}
	if b.rounds < 1 || b.seconds < 1 || f.NArg() > 0 || b.pileup == "" || b.cache == "" {
		return nil, fmt.Errorf("start it by .ci/bench/run [-quick] [-rounds 7] [-dur 10s] [-only schedule,…] [-out DIR]")
	}
	b.loads = chosen(b.groups)
	for i := range b.loads {
		if *quick {
			b.loads[i].more = 0
		}
	}
	if b.out == "" {
		b.out = filepath.Join(b.cache, "results", time.Now().Format("20060102-150405"))
	}
	return b, nil
}

func (b *bench) main(ctx context.Context) (err error) {
	if b.out, err = filepath.Abs(b.out); err != nil {
		return err
	}
	if err := os.MkdirAll(b.out, 0o755); err != nil {
		return err
	}
	if err := b.install(ctx); err != nil {
		return err
	}
	bodyDir, err := os.MkdirTemp("", "bench-bodies-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(bodyDir)
	if b.small, b.large, err = bodies(bodyDir); err != nil {
		return err
	}
	b.results, err = os.Create(filepath.Join(b.out, "results.jsonl"))
	if err != nil {
		return err
	}
	defer b.results.Close()
	m := b.machine()
	if err := b.write("machine", m); err != nil {
		return err
	}
	if err := b.all(ctx); err != nil {
		return err
	}
	return b.report(m)
}

func (b *bench) machine() machine {
	m := thisMachine()
	m.Rounds, m.Dur = b.rounds, fmt.Sprintf("%d s", b.seconds)
	for name, binary := range b.binaries {
		m.Tools[name] = versionOf(binary)
		if binary == b.pileup {
			m.Tools[name] = b.commit
		}
	}
	return m
}

// all runs all rounds.
func (b *bench) all(ctx context.Context) error {
	most := 0
	for _, l := range b.loads {
		most = max(most, b.rounds+l.more)
	}
	for round := range most {
		left := b.patience
		for _, l := range b.loads {
			if round >= b.rounds+l.more {
				continue
			}
			for _, name := range l.turn(round) {
				if err := b.undisturbed(ctx, l, name, round, &left); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// undisturbed runs a tool, and again if that was disturbed and is judged.
func (b *bench) undisturbed(ctx context.Context, l load, name string, round int, left *patience) error {
	t := tools[slices.IndexFunc(tools, func(t tool) bool { return t.name == name })]
	for try := range 7 {
		left.quiet(ctx, l)
		r := b.one(ctx, l, t, round, try)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		b.runs = append(b.runs, r)
		if err := b.write("run", r); err != nil {
			return err
		}
		b.tell(r)
		if !r.Disturbed || r.Err != "" || left.repeats == 0 || !slices.Contains(l.judged, name) {
			break
		}
		left.repeats--
	}
	return nil
}
