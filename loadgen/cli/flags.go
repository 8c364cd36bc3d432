package cli

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
	"dev.example/pileup/loadgen/payload"
	"dev.example/pileup/loadgen/target/httpconn"
	"dev.example/pileup/themes"
)

// driveFlags are the flags of a run as they were written.
type driveFlags struct {
	loadFlags
	poolFlags
	models             []string
	length             time.Duration
	requests           int64
	limit, connections int
	noKeepAlive        bool
	timeout, drain     time.Duration
	input, image, body string
	headers            []string
	seed               uint64
	slos               []string
	keepGoing          bool
	record             string
	force, plain, json bool
	theme, color       string
	fps                int
}

func (f *driveFlags) register(c *cobra.Command) {
	p := c.Flags()
	p.SortFlags = false
	p.StringArrayVarP(&f.models, "model", "m", nil, "`MODEL`[:VERSION][@TARGET][=RATE], repeatable; each with a rate opens a lane, without any the first does at -r, the others are for the key m; with @TARGET only that target gets it, by its NAME=, or HOST:PORT (of port 8501 HOST)")
	f.loadFlags.register(p)
	f.poolFlags.register(p)
	p.DurationVarP(&f.length, "duration", "d", 0, "stop sending after this `time`; what is open is still waited for")
	p.Int64VarP(&f.requests, "requests", "n", 0, "stop sending after this `number` of requests of each lane")
	p.IntVar(&f.limit, "max-in-flight", 0, "most requests in flight at once, more are held (default: what the descriptor limit allows)")
	p.IntVar(&f.connections, "connections", 0, "most connections to one target; requests beyond are held in order of due")
	p.BoolVar(&f.noKeepAlive, "no-keepalive", false, "a new connection for each request")
	p.DurationVar(&f.drain, "drain", 0, "longest `time` to wait for what is open when sending has ended (default: until it is done)")
	p.DurationVar(&f.timeout, "timeout", 5*time.Minute, "how long an answer may take, from sent; 0 is for ever")
	p.StringVar(&f.input, "input-data", "random", "what is sent: random or zero")
	p.StringVar(&f.image, "image", "", "send this picture `FILE`, resized to the model's input")
	p.StringVar(&f.body, "body", "", "send this `FILE` as it is")
	p.StringArrayVarP(&f.headers, "header", "H", nil, "`'NAME: VALUE'` of every request, repeatable")
	p.StringArrayVar(&f.slos, "slo", nil, "what is `ASKED` of the run: 'p99<500ms', 'mean<1s', 'max<2s', 'errors<1%', 'backlog<100', 'throughput>30' (ok per second until the last is done), for lane A 'A:p95<1s'; repeatable; exit code 99 if it is not kept")
	p.BoolVar(&f.keepGoing, "keep-going", false, "go on when the first requests all fail alike, as if something were wrong with them")
	p.Uint64Var(&f.seed, "seed", 0, "of everything random (default: drawn, and printed)")
	p.StringVarP(&f.record, "record", "o", "", "record the run to `FILE`")
	p.BoolVar(&f.force, "force", false, "overwrite the file of --record")
	p.BoolVar(&f.plain, "plain", false, "lines and tables instead of a screen; by itself when the output is no terminal")
	p.BoolVar(&f.json, "json", false, "one JSON object at the end, nothing else")
	p.StringVar(&f.theme, "theme", "", "colours of the screen: "+strings.Join(themes.Names(), ", ")+" (default dark)")
	p.StringVar(&f.color, "color", "auto", "how many colours: auto, truecolor, 256, 16, none")
	p.IntVar(&f.fps, "fps", 10, "most frames a second")
}

// plan is what the flags come to.
type plan struct {
	setup   ledger.Setup
	places  []place
	payload payload.Options
	http    httpconn.Options
	own     bool // the demo's own server is driven
	limited bool // a limit of requests in flight was given
	load    *load
	pool    *pool
	// choose opens the lanes once a server has said which models it has; nil
	// if they were named.
	choose func(models []string) error
	wishes []wish // the -m as written
}

// plan checks everything that can be checked without asking a server. It says to
// tell what takes long, and what is to be known.
func (f *driveFlags) plan(tell io.Writer, set *pflag.FlagSet, args []string) (*plan, error) {
	p := &plan{}
	commands := []string{"demo", "workload", "selftest", "help", "completion"}
	var err error
	if p.places, err = parsePlaces(args, commands); err != nil {
		return nil, err
	}
	for _, name := range []string{"body", "image"} {
		if set.Changed(name) && set.Lookup(name).Value.String() == "" {
			return nil, refuse("--"+name+" FILE", "--%s without a file", name)
		}
	}
	if err := f.content(p); err != nil {
		return nil, err
	}
	if err := f.bounds(set, &p.setup); err != nil {
		return nil, err
	}
	p.limited = f.limit > 0
	wishes, err := f.wishes()
	if err != nil {
		return nil, err
	}
	p.wishes = wishes
	rated := slices.ContainsFunc(wishes, func(w wish) bool { return w.rated })
	if p.load, err = f.load(tell, set, f.requests, f.length, rated, p.setup.Seed); err != nil {
		return nil, err
	}
	p.setup.Requests = p.load.limit
	if p.load.work != nil {
		p.setup.Workload, p.setup.Hash = filepath.Base(f.trace), p.load.work.Hash
	}
	if p.pool, err = f.pool(tell, set, p.places); err != nil {
		return nil, err
	}
	return p, p.addLanes(wishes)
}

func (f *driveFlags) wishes() ([]wish, error) {
	wishes := make([]wish, 0, len(f.models))
	for _, m := range f.models {
		w, err := parseWish(m)
		if err != nil {
			return nil, err
		}
		wishes = append(wishes, w)
	}
	return wishes, nil
}

// content reads what is sent.
func (f *driveFlags) content(p *plan) (err error) {
	if f.image != "" && f.body != "" {
		return refuse("leave one of them away", "--image beside --body says two things")
	}
	p.payload = payload.Options{Image: f.image, Body: f.body}
	if p.payload.Input, err = payload.ParseInput(pace.Brief(f.input)); err != nil {
		return refuse("--input-data random", "--input-data: %w", err)
	}
	for _, h := range f.headers {
		name, value, err := httpconn.ParseHeader(h)
		if err == nil {
			err = sendable(name, value)
		}
		if err != nil {
			return refuse("-H 'NAME: VALUE'", "-H: %w", err)
		}
		if p.http.Header == nil {
			p.http.Header = http.Header{}
		}
		p.http.Header.Add(name, value)
	}
	return nil
}

// sendable refuses a header that HTTP has no way to write. It quotes of it no
// more than one character: it may be a secret, all of it where the colon was
// forgotten.
func sendable(name, value string) error {
	const others = "!#$%&'*+-.^_`|~"
	for _, r := range name {
		if r >= utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(others, r) {
			return fmt.Errorf("a header's name holds %q: it may hold letters, digits and %s", r, others)
		}
	}
	for _, r := range value {
		if r < ' ' && r != '\t' || r == 0x7f {
			return fmt.Errorf("the value of header %s holds %q, a control character", pace.Brief(name), r)
		}
	}
	return nil
}

// bounds reads how much is sent.
func (f *driveFlags) bounds(set *pflag.FlagSet, s *ledger.Setup) error {
	for _, d := range []struct {
		flag string
		time time.Duration
	}{{"-d", f.length}, {"--timeout", f.timeout}, {"--drain", f.drain}} {
		if d.time > pace.Longest {
			return refuse("at most "+d.flag+" 10000h, or leave it away", "%s: %s is too long", d.flag, d.time)
		}
	}
	switch {
	case f.length < 0 || set.Changed("duration") && f.length == 0:
		return refuse("-d 10s", "a duration of %s", f.length)
	case f.requests < 0 || set.Changed("requests") && f.requests == 0:
		return refuse("-n 100", "%d requests", f.requests)
	case f.timeout < 0:
		return refuse("--timeout 30s, or --timeout 0 for none", "a timeout of %s", f.timeout)
	case f.drain < 0:
		return refuse("--drain 30s, or without it as long as it takes", "a drain of %s", f.drain)
	case f.connections < 0 || set.Changed("connections") && f.connections == 0:
		return refuse("--connections 8", "%d connections would send nothing", f.connections)
	case f.limit < 0 || set.Changed("max-in-flight") && f.limit == 0:
		return refuse("--max-in-flight 100", "at most %d requests in flight would send nothing", f.limit)
	case f.limit > mostLimit():
		return refuse("raise the limit of descriptors (ulimit -n), or leave it away",
			"--max-in-flight %d: each takes a descriptor, and %d are free for them", f.limit, mostLimit())
	case f.fps < 1 || f.fps > 60:
		return refuse("--fps 10", "%d frames a second", f.fps)
	}
	if _, err := themes.Load(pace.Brief(f.themeName())); err != nil {
		return refuse("--theme "+themes.Names()[0], "--theme: %w", err)
	}
	if !set.Changed("seed") {
		f.seed = rand.Uint64N(1 << 32) // short enough to be typed again
	}
	s.Seed, s.Length, s.Timeout, s.Limit = f.seed, f.length, f.timeout, f.limit
	s.Connections, s.Drain, s.NoKeepAlive = f.connections, f.drain, f.noKeepAlive
	if set.Changed("drain") && f.drain == 0 {
		s.Drain = time.Microsecond // at once
	}
	if s.Limit == 0 {
		s.Limit = defaultLimit()
	}
	return nil
}

func (f *driveFlags) themeName() string {
	if f.theme == "" {
		return "dark"
	}
	return f.theme
}

// addLanes opens the lanes and lists the targets.
func (p *plan) addLanes(wishes []wish) error {
	if len(p.places) == 0 {
		return p.demo(wishes)
	}
	switch {
	case len(wishes) > 0 || len(p.load.models()) > 0:
		return p.open(wishes)
	case !p.load.said():
		return refuse(p.load.rateHint("-m NAME "), "no rate: say how many requests a second")
	case p.load.mix != nil:
		return refuse("-m NAME for each of its rates", "--mix without a model")
	}
	p.choose = func(models []string) error {
		for _, m := range models {
			wishes = append(wishes, wish{model: m})
		}
		return p.open(wishes)
	}
	return nil
}

// open opens the lanes that were wished for, on the targets of the command line.
func (p *plan) open(wishes []wish) (err error) {
	if p.setup.Lanes, err = p.load.lanes(wishes, p.places); err != nil {
		return err
	}
	p.pool.apply(p.setup.Lanes)
	for i, at := range p.places {
		models := modelsOf(wishes, at.name)
		for _, m := range p.load.models() {
			if !slices.Contains(models, m) {
				models = append(models, m)
			}
		}
		p.setup.Targets = append(p.setup.Targets, ledger.Target{
			ID: i, Name: at.name, URL: at.addr.String(), Protocol: at.addr.Scheme(), Models: models,
		})
	}
	return nil
}
