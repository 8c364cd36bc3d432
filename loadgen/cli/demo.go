package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"dev.example/pileup/loadgen/demo"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
	"dev.example/pileup/loadgen/target/httpconn"
)

// What the demo does unless told otherwise: calm, below what the board can do.
const (
	demoModel = "mobilenet_v1"
	demoRate  = 30.0
	demoName  = "demo"
)

func demoCommand(std streams, code *int) *cobra.Command {
	var listen string
	c := &cobra.Command{
		Use:   "demo --listen ADDR",
		Short: "Run only the demo's server, for this or any other client",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return refuse("pileup demo --listen 127.0.0.1:8501", "demo takes no words, only flags: %q", pace.Brief(args[0]))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := enoughFiles(); err != nil {
				return err
			}
			ctx, stop := onSignal(cmd.Context())
			defer stop()
			if err := serveDemo(ctx, std, listen); err != nil {
				return err
			}
			*code = signalCode(ctx)
			if *code == exitCut { // an interrupt is how this command ends
				*code = exitOK
			}
			return nil
		},
	}
	c.Flags().StringVar(&listen, "listen", "127.0.0.1:8501", "`ADDR` to listen at, HOST:PORT")
	return c
}

func serveDemo(ctx context.Context, std streams, listen string) error {
	ln, err := listenDemo(ctx, listen)
	if err != nil {
		return err
	}
	fmt.Fprintf(std.out, "demo server at tfs+http://%s, on a simulated board\n", ln.Addr())
	for _, m := range demo.Models() {
		fmt.Fprintf(std.out, "  -m %s\n", m.Name)
	}
	return demo.New(demo.Config{}).Serve(ctx, ln)
}

func listenDemo(ctx context.Context, listen string) (net.Listener, error) {
	hint := "--listen 127.0.0.1:0 takes a free port"
	if _, _, err := net.SplitHostPort(listen); err != nil {
		return nil, refuse(hint, "--listen %q: want HOST:PORT", pace.Brief(listen))
	}
	ln, err := demo.Listen(ctx, listen)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, refuse(hint, "something listens at %s already", listen)
	case err != nil:
		return nil, refuse(hint, "listen at %s: %w", pace.Brief(listen), err)
	}
	return ln, nil
}

// demo makes the plan for the demo's own server. Its address is filled in when
// it listens.
func (p *plan) demo(wishes []wish) error {
	var names []string
	for _, m := range demo.Models() {
		names = append(names, m.Name)
	}
	p.places = []place{{name: demoName, addr: httpconn.Address{Protocol: "tfs", Transport: "http", Host: "127.0.0.1"}}}
	switch {
	case len(wishes) == 0 && p.load.mix != nil:
		for _, n := range names {
			wishes = append(wishes, wish{model: n})
		}
	case len(wishes) == 0:
		wishes = []wish{{model: demoModel}}
	}
	if !p.load.said() && !slices.ContainsFunc(wishes, func(w wish) bool { return w.rated }) {
		r := demoRate
		p.load.rate = &r
	}
	var err error
	if p.setup.Lanes, err = p.load.lanes(wishes, p.places); err != nil {
		return err
	}
	p.setup.Targets = []ledger.Target{{Name: demoName, Protocol: "tfs+http", Models: names}}
	p.own = true
	return nil
}
