package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/pflag"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/demo"
	"dev.example/pileup/loadgen/guard"
	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
	"dev.example/pileup/loadgen/run"
	"dev.example/pileup/loadgen/target/tfserving"
	"dev.example/pileup/probes"
	"dev.example/pileup/probes/host"
	"dev.example/pileup/tui"
	"dev.example/pileup/tui/term"
)

// drive drives the targets of the command line, or the demo.
func drive(ctx context.Context, std streams, f *driveFlags, set *pflag.FlagSet, args []string) (int, error) {
	if err := enoughFiles(); err != nil {
		return exitOK, err
	}
	hears := listen(ctx)
	defer hears.stop()
	code, err := f.drive(hears, std, set, args)
	return endedBy(hears, std.err, code, err)
}

// endedBy makes the outcome of a command that a signal has ended that of the
// signal, and says to w what went wrong besides.
func endedBy(hears *ear, w io.Writer, code int, err error) (int, error) {
	if by, is := errors.AsType[killed](err); is {
		return by.code(), nil
	}
	if by := signalCode(hears.ctx); err != nil && by != exitOK {
		fail(w, err)
		return by, nil
	}
	return code, err
}

func (f *driveFlags) drive(hears *ear, std streams, set *pflag.FlagSet, args []string) (int, error) {
	var p *plan
	err := hears.during("plan", func() (err error) {
		p, err = f.plan(std.err, set, args)
		return err
	})
	if err != nil {
		return exitOK, err
	}
	if err := f.checkRecord(set); err != nil {
		return exitOK, err
	}
	want, err := parseSLOs(f.slos)
	if err != nil {
		return exitOK, err
	}
	show, err := f.shower(std, want)
	if err != nil {
		return exitOK, err
	}
	p.setup.Tool, p.setup.Driver = "pileup "+Version, thisMachine()
	collectLess()
	defer loadgen.Reserve(openLanes(p.setup.Lanes))()

	var group guard.Group
	defer group.Wait()
	ctx, stop := context.WithCancel(hears.ctx)
	defer stop()
	boards, err := p.serve(ctx, &group)
	if err != nil {
		return exitOK, err
	}
	targets, err := p.targets()
	if err != nil {
		return exitOK, err
	}
	defer closeAll(targets)
	if err := p.askModels(ctx, targets[0]); err != nil {
		return exitOK, err
	}
	if !show.stays() {
		if err := p.keyless(); err != nil {
			return exitOK, err
		}
	}
	if err := want.fit(&p.setup); err != nil {
		return exitOK, err
	}
	loop := run.New(run.Options{
		Setup: p.setup, Targets: targets, Weigh: p.pool.weigh(),
		Probes: append(boards, host.New(host.Options{Name: "driver"})),
		Record: f.recorder(), Say: lang.English.Note,
		Stay: show.stays(), KeepGoing: f.keepGoing, Pacing: loadgen.PrecisePacing,
	})
	code, err := prepareAndShow(hears, loop, show, func() { warn(ctx, std.err, loop, f.json) })
	return code, p.inTrace(err)
}

// prepareAndShow prepares the run and shows it. warn is called between the two.
func prepareAndShow(hears *ear, loop prepared, show shower, warn func()) (int, error) {
	if err := hears.during("preparation", func() error { return loop.Prepare(hears.ctx) }); err != nil {
		return exitOK, err
	}
	warn()
	return show.run(hears, loop)
}

// warn says that a run asks for much of this machine: to err where nothing
// else is said, else among the events.
func warn(ctx context.Context, err io.Writer, loop *run.Loop, silent bool) {
	much := ceiling(ctx, loop.Snapshot().Setup)
	switch {
	case much == "":
	case silent:
		fmt.Fprintf(err, "pileup: warning: %s\n", much)
	default:
		loop.Tell(ledger.Note{Level: ledger.Attention, ID: string(lang.NoteNearCeiling), Args: []ledger.Arg{{Name: "text", Value: much}}})
	}
}

// runner is a run to be shown: a run.Loop.
type runner interface {
	tui.Source
	Run(context.Context) error
}

// prepared is a run that is asked whether it can begin before it does.
type prepared interface {
	runner
	Prepare(context.Context) error
}

// shower is a way to show a run.
type shower interface {
	// stays reports whether the run's end is looked at until somebody leaves.
	stays() bool
	// run runs the loop and shows it; it returns the exit code.
	run(hears *ear, loop runner) (int, error)
}

// shower chooses how the run is shown.
func (f *driveFlags) shower(std streams, want asked) (shower, error) {
	if f.json && f.plain {
		return nil, refuse("leave one of them away", "--json beside --plain says two things")
	}
	out, isFile := asFile(std.out)
	in, inFile := asFile(std.in)
	var colors int
	if isFile {
		n, err := term.Colors(pace.Brief(f.color), out, os.Environ())
		if err != nil {
			return nil, refuse("--color auto", "--color: %w", err)
		}
		colors = n
	}
	switch {
	case f.json:
		return &jsonShow{std, want}, nil
	case f.plain || !isFile || !inFile || !term.IsTerminal(out) || !term.IsTerminal(in) || os.Getenv("TERM") == "dumb":
		return &plainShow{std: std, lang: lang.English, asked: want}, nil
	}
	return &screenShow{std: std, in: in, out: out, colors: colors, theme: f.themeName(), fps: f.fps, lang: lang.English, asked: want}, nil
}

// collectLess lets garbage grow to four times what is alive before it is
// collected, unless GOGC says otherwise: each collection makes some requests
// late, and little is alive. With a million requests open much is: above 2 GiB it
// is collected as often as it takes to stay below, unless GOMEMLIMIT says
// otherwise.
func collectLess() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(2 << 30)
	}
}

// openLanes is how many lanes wait for instants of a schedule.
func openLanes(lanes []ledger.LaneSetup) (n int) {
	for _, l := range lanes {
		if l.Setting.Arrivals != pace.Closed {
			n++
		}
	}
	return n
}

func thisMachine() ledger.Driver {
	name, err := os.Hostname()
	if err != nil {
		name = ""
	}
	return ledger.Driver{Host: name, CPUs: runtime.NumCPU()}
}

// serve starts the demo's server if it is to be driven, and fills in its address.
func (p *plan) serve(ctx context.Context, group *guard.Group) ([]probes.Probe, error) {
	if !p.own {
		return nil, nil
	}
	ln, err := listenDemo(ctx, "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	server := demo.New(demo.Config{})
	group.Go("demo server", func() {
		_ = server.Serve(ctx, ln) // a server that ends early is a target that is gone, and seen as one
	})
	p.places[0].raw = "tfs+http://" + ln.Addr().String()
	p.setup.Targets[0].URL = p.places[0].raw
	if !p.limited {
		p.setup.Limit /= 2 // both ends of each connection are ours
	}
	return []probes.Probe{server.Board()}, nil
}

// targets makes what speaks to each place.
func (p *plan) targets() (map[int]loadgen.Target, error) {
	out := map[int]loadgen.Target{}
	p.payload.Seed = p.setup.Seed
	p.http.Connections, p.http.NoKeepAlive = p.setup.Limit, p.setup.NoKeepAlive
	for i, at := range p.places {
		t, err := tfserving.New(tfserving.Options{URL: at.raw, Payload: p.payload, HTTP: p.http})
		if err != nil {
			return nil, err
		}
		out[i] = t
	}
	return out, nil
}

// lister is a target whose protocol may list the server's models.
type lister interface {
	Models(context.Context) ([]string, error)
}

// askModels asks the first target for its models if none were named.
func (p *plan) askModels(ctx context.Context, t loadgen.Target) error {
	if p.choose == nil {
		return nil
	}
	hint := "-m NAME"
	l, ok := t.(lister)
	if !ok {
		return refuse(hint, "no model: this protocol does not list models")
	}
	models, err := l.Models(ctx)
	switch {
	case err != nil:
		return refuse(hint, "no model was named, and %w", err)
	case len(models) == 0:
		return refuse(hint, "no model was named, and %s has none", p.places[0].name)
	}
	return p.choose(models)
}

// closeAll closes the connections that targets keep.
func closeAll(targets map[int]loadgen.Target) {
	for _, t := range targets {
		if c, ok := t.(io.Closer); ok {
			_ = c.Close() // nothing is open any more that could fail
		}
	}
}

// recorder opens run files: FILE, then FILE-2 and so on for restarts.
func (f *driveFlags) recorder() func(int) (run.File, error) {
	if f.record == "" {
		return nil
	}
	return func(n int) (run.File, error) {
		name := numbered(f.record, n)
		// O_NONBLOCK: a pipe that nobody reads is an error and not a wait.
		flags := os.O_WRONLY | os.O_CREATE | syscall.O_NONBLOCK
		old, err := os.Stat(name)
		if !f.force {
			flags = os.O_WRONLY | os.O_CREATE | os.O_EXCL
		}
		overwrites := f.force && err == nil
		file, err := os.OpenFile(name, flags, 0o644)
		if errors.Is(err, os.ErrExist) {
			return run.File{}, exists(name)
		}
		if err != nil {
			return run.File{}, refuse("-o FILE, where you may write", "record: %w", err)
		}
		if overwrites {
			return run.File{WriteCloser: &overwritten{File: file, regular: old.Mode().IsRegular()}, Name: name}, nil
		}
		return run.File{WriteCloser: file, Name: name, Remove: func() error { return os.Remove(name) }}, nil
	}
}

// overwritten is a file that keeps what was in it until it is written.
type overwritten struct {
	*os.File
	regular, begun bool
}

func (o *overwritten) Write(p []byte) (int, error) {
	if !o.begun && o.regular {
		if err := o.Truncate(0); err != nil {
			return 0, err
		}
	}
	o.begun = true
	return o.File.Write(p)
}

// numbered puts the number of a restarted run before the file's extensions.
func numbered(name string, n int) string {
	if n < 2 {
		return name
	}
	dir, base := filepath.Split(name)
	stem, ext := base, ""
	if i := strings.IndexByte(base, '.'); i > 0 {
		stem, ext = base[:i], base[i:]
	}
	return fmt.Sprintf("%s%s-%d%s", dir, stem, n, ext)
}

// checkRecord finds out what stands in the way of a recording before any server
// is asked.
func (f *driveFlags) checkRecord(set *pflag.FlagSet) error {
	if set.Changed("record") && f.record == "" {
		return refuse("-o run.jsonl", "-o without a file")
	}
	if f.record == "" {
		return nil
	}
	if ext := filepath.Ext(f.record); ext == ".gz" || ext == ".zst" {
		return refuse("-o "+strings.TrimSuffix(f.record, ext), "recordings are not compressed: %s", f.record)
	}
	if _, err := os.Lstat(f.record); err == nil && !f.force {
		return exists(f.record)
	}
	if info, err := os.Stat(filepath.Dir(f.record)); err != nil || !info.IsDir() {
		return refuse("make the directory first", "record: %s is no directory", filepath.Dir(f.record))
	}
	return nil
}

func exists(name string) error {
	return refuse("choose another name, or overwrite it with --force", "%s exists", name)
}
