package cli

import (
	"context"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/spf13/cobra"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/demo"
	"dev.example/pileup/loadgen/guard"
	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/pace"
	"dev.example/pileup/loadgen/study"
	"dev.example/pileup/loadgen/target/httpconn"
	"dev.example/pileup/loadgen/target/tfserving"
	"dev.example/pileup/probes/host"
)

// selfTestFlags are the flags of selftest as they were written.
type selfTestFlags struct {
	json   bool
	length time.Duration
}

func selfTestCommand(std streams, code *int) *cobra.Command {
	var f selfTestFlags
	c := &cobra.Command{
		Use:   "selftest",
		Short: "Find out what this machine can drive at most, and keep it for later runs",
		Long: `Find out what this machine can drive at most: with each way of sending HTTP, and
with small and large bodies, against a server in this process that does nothing.

The result is kept, and a run that asks for more than half of it is warned: what
such a run measures may be its driver.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return refuse("pileup selftest", "selftest takes no words, only flags: %q", pace.Brief(args[0]))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			*code, err = f.run(cmd.Context(), std)
			return err
		},
	}
	p := c.Flags()
	p.SortFlags = false
	p.BoolVar(&f.json, "json", false, "one JSON object at the end, nothing else")
	p.DurationVarP(&f.length, "duration", "d", 3*time.Second, fmt.Sprintf("`time` of each of its %d steps; shorter than %s, the result is not kept", steps(), lang.Span(study.ShortestKept)))
	return c
}

func (f *selfTestFlags) run(ctx context.Context, std streams) (int, error) {
	if f.length < 20*time.Millisecond || f.length > time.Minute {
		return exitOK, refuse("-d 3s", "steps of %s: want 20ms to 1m", f.length)
	}
	if selfTestLimit() < defaultSlots {
		return exitOK, refuse("raise the limit of descriptors: ulimit -n 4096",
			"too few descriptors: a self-test keeps %d connections, and is at both ends of each", defaultSlots)
	}
	collectLess()
	defer loadgen.Reserve(1)()
	ctx, stop := onSignal(ctx)
	defer stop()
	t := study.New("pileup "+Version, thisCPU(ctx), f.length)
	var show selfTestShow = &selfTestTable{out: std.out}
	if f.json {
		show = selfTestJSON{std.out}
	}
	short := t.Fitness() == study.Short // known before anything is measured
	if short {
		tellKept(std.err, t)
	}
	fmt.Fprintf(std.err, "pileup: takes about %s; interrupt to give it up\n", lang.Span(f.length*time.Duration(steps())))
	show.head(t)
	err := measure(ctx, t, f.length, show.row)
	if code := signalCode(ctx); code != exitOK {
		return code, nil
	}
	if err != nil {
		return exitOK, err
	}
	show.foot(t)
	if !short {
		tellKept(std.err, t)
	}
	return exitOK, nil
}

// A selfTestShow prints a self-test as it goes on.
type selfTestShow interface {
	head(*study.SelfTest)
	row(*study.Way)
	foot(*study.SelfTest)
}

type selfTestJSON struct{ out io.Writer }

func (selfTestJSON) head(*study.SelfTest) {}
func (selfTestJSON) row(*study.Way)       {}

func (s selfTestJSON) foot(t *study.SelfTest) {
	_ = t.Write(s.out) // a reader that has gone wants nothing
}

// The bodies of a self-test: inputs of so many floats, which take 20 bytes each.
var selfTestModels = []demo.Model{
	{Name: "2kB", Input: "x", Shape: []int{100}},
	{Name: "600kB", Input: "x", Shape: []int{29600}},
}

// measure drives a server in this process, and hands over what is found as it is
// done.
func measure(ctx context.Context, t *study.SelfTest, length time.Duration, each func(*study.Way)) error {
	var group guard.Group
	defer group.Wait()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	url, err := serveNull(ctx, &group)
	if err != nil {
		return err
	}
	return bench(url, length).Run(ctx, t, each)
}

// bench is what a self-test against a null server runs on.
func bench(url string, length time.Duration) *study.Bench {
	b := &study.Bench{
		Step: length, Slots: defaultSlots, Limit: selfTestLimit(),
		Probe: host.New(host.Options{}), Pacing: loadgen.PrecisePacing,
	}
	for _, m := range selfTestModels {
		b.Models = append(b.Models, m.Name)
	}
	for _, name := range httpPaths {
		b.Paths = append(b.Paths, study.Path{Protocol: "tfs+http", Name: name, Target: func() (loadgen.Target, error) {
			http := httpconn.Options{NetHTTP: name == httpconn.ViaNetHTTP, Connections: selfTestLimit()}
			return tfserving.New(tfserving.Options{URL: url, HTTP: http})
		}})
	}
	return b
}

// httpPaths are the ways of sending that a self-test measures.
var httpPaths = []string{httpconn.ViaRaw, httpconn.ViaNetHTTP}

// steps are all of a self-test.
func steps() int { return len(httpPaths) * len(selfTestModels) * study.Steps }

// selfTestLimit is how many requests are in flight at once. Both ends of each
// connection are ours, and what piles up of a rate too high should not make
// thousands of them: the system would still be busy closing these when the next
// step has begun.
func selfTestLimit() int { return min(512, defaultLimit()/2) }

// serveNull serves the bodies of a self-test until ctx is done.
func serveNull(ctx context.Context, group *guard.Group) (url string, err error) {
	var c net.ListenConfig
	ln, err := c.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	group.Go("null server", func() {
		_ = demo.NewNull(selfTestModels...).Serve(ctx, ln) // if it ends early requests fail
	})
	return "tfs+http://" + ln.Addr().String(), nil
}
