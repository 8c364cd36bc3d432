package cli

import (
	"context"
	"encoding/json"
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
	p.DurationVarP(&f.length, "duration", "d", 3*time.Second, fmt.Sprintf("`time` of each of its %d steps", steps()))
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
	t := newSelfTest(ctx, f.length)
	var show selfTestShow = &selfTestTable{out: std.out}
	if f.json {
		show = selfTestJSON{std.out}
	}
	fmt.Fprintf(std.err, "pileup: takes about %s; interrupt to give it up\n", lang.Span(f.length*time.Duration(steps())))
	show.head(t)
	err := t.run(ctx, f.length, show.row)
	if code := signalCode(ctx); code != exitOK {
		return code, nil
	}
	if err != nil {
		return exitOK, err
	}
	show.foot(t)
	t.tellKept(std.err)
	return exitOK, nil
}

// A selfTestShow prints a self-test as it goes on.
type selfTestShow interface {
	head(*selfTest)
	row(*way)
	foot(*selfTest)
}

type selfTestJSON struct{ out io.Writer }

func (selfTestJSON) head(*selfTest) {}
func (selfTestJSON) row(*way)       {}

func (s selfTestJSON) foot(t *selfTest) {
	e := json.NewEncoder(s.out)
	e.SetEscapeHTML(false)
	_ = e.Encode(t) // a reader that has gone wants nothing
}

// The bodies of a self-test: inputs of so many floats, which take 20 bytes each.
var selfTestModels = []demo.Model{
	{Name: "2kB", Input: "x", Shape: []int{100}},
	{Name: "600kB", Input: "x", Shape: []int{29600}},
}

// run measures every path with every body, and hands each over as it is done.
func (t *selfTest) run(ctx context.Context, length time.Duration, each func(*way)) error {
	var group guard.Group
	defer group.Wait()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	url, err := serveNull(ctx, &group)
	if err != nil {
		return err
	}
	m := &meter{probe: host.New(host.Options{})}
	for _, path := range httpPaths {
		for _, model := range selfTestModels {
			w, err := path.measure(ctx, m, url, model.Name, length)
			if err != nil {
				return fmt.Errorf("%s with %s: %w", path.name, model.Name, err)
			}
			t.Ways = append(t.Ways, *w)
			each(w)
		}
	}
	t.Others = round(m.others())
	return nil
}

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
