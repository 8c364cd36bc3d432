package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

// loadFlags say when requests are due, as written.
type loadFlags struct {
	rate     string
	slots    int
	arrivals string
	within   string
	every    time.Duration
	shape    string
	mix      string
	trace    string
}

func (f *loadFlags) register(p *pflag.FlagSet) {
	p.StringVarP(&f.rate, "rate", "r", "", "requests a second: `50`, 50/s, 300/m; max is a closed loop")
	p.IntVarP(&f.slots, "concurrency", "c", 0, "closed loop: `number` of requests open at once, the next when one is done (latency hides stalls then)")
	p.StringVar(&f.arrivals, "arrivals", "constant", "when requests are due: "+strings.Join(openArrivals(), ", ")+
		"; or MLPerf's single-stream, server, offline")
	p.StringVar(&f.within, "within", "even", "where poisson-counts and --trace place the requests of a second: "+strings.Join(pace.WithinNames(), ", "))
	p.DurationVar(&f.every, "every", time.Second, "the window of uniform and burst; -n is per window then")
	p.StringVar(&f.shape, "shape-rate", "", "a rate that changes, `SHAPE`: 'ramp 10..100 in 60s', 'step 10,50 every 10s', 'sine 10..100 every 60s'")
	p.StringVar(&f.mix, "mix", "", "`RATES` for each -m in turn: '(10,10,20,1)'")
	p.StringVar(&f.trace, "trace", "", "what is due, from a CSV `FILE`: second,model,count or due,model")
}

// openArrivals are those that --arrivals takes.
func openArrivals() (names []string) {
	for _, n := range pace.Names() {
		if n != pace.Closed.String() && n != pace.Traced.String() {
			names = append(names, n)
		}
	}
	return names
}

// load is when requests are due.
type load struct {
	setting ledger.Setting // of every lane, but for model and rate
	pattern pace.Spec
	rate    *float64 // of the lane that -m opens without one
	mix     []float64
	work    *pace.Workload
	limit   int64  // requests per lane; 0 is no end
	word    string // the arrivals as written
}

// said reports whether something says how many requests are due without a rate
// on -m.
func (l *load) said() bool {
	return l.rate != nil || l.mix != nil || l.work != nil || l.setting.Slots > 0 || l.pattern.Shape != nil || l.pattern.Count > 0
}

// rateHint says what to write where nothing says how many requests are due.
// model is an -m where that is missing too.
func (l *load) rateHint(model string) string {
	rate := model + "-r 10"
	switch l.setting.Arrivals {
	case pace.Burst:
		return rate + ", or " + model + "-n 100 for so many at once"
	case pace.Uniform:
		return rate + ", or " + model + "-n 100 for so many in all"
	}
	return rate
}

// defaultSlots is what -r max opens.
const defaultSlots = 64

// load reads the flags. requests is -n, length -d, rated whether a rate stands
// on an -m.
func (f *loadFlags) load(tell io.Writer, set *pflag.FlagSet, requests int64, length time.Duration, rated bool, seed uint64) (*load, error) {
	l := &load{limit: requests, word: f.arrivals}
	if err := f.alone(set, rated); err != nil {
		return nil, err
	}
	for _, read := range []func(*pflag.FlagSet, *load) error{f.readArrivals, f.readRate, f.readShape, f.readMix} {
		if err := read(set, l); err != nil {
			return nil, err
		}
	}
	if err := f.readTrace(tell, l, seed); err != nil {
		return nil, err
	}
	if a := l.setting.Arrivals; (a == pace.Uniform || a == pace.Burst) && l.rate == nil && l.mix == nil && !rated && requests > 0 {
		l.count(requests, length, set.Changed("every"))
	}
	return l, f.fits(set, l)
}

// count makes -n the number of requests of a window: of each, or without
// --every of the only one, which for uniform is as long as -d.
func (l *load) count(n int64, length time.Duration, windows bool) {
	l.pattern.Count, l.limit = n, 0
	if windows {
		l.setting.Rate = float64(n) / l.pattern.Every.Seconds()
		return
	}
	l.pattern.Once = true
	if l.setting.Arrivals == pace.Uniform && length > 0 {
		l.pattern.Every = length
	}
}

// alone refuses flags that say how much is sent in two ways.
func (f *loadFlags) alone(set *pflag.FlagSet, rated bool) error {
	ways := []struct {
		name    string
		written bool
	}{
		{"-r", set.Changed("rate") && f.rate != "max"},
		{f.closed(set), f.closed(set) != ""},
		{"--arrivals offline", f.arrivals == "offline"},
		{"-m MODEL=RATE", rated},
		{"--mix", set.Changed("mix")},
		{"--shape-rate", set.Changed("shape-rate")},
		{"--trace", set.Changed("trace")},
	}
	var first string
	for _, w := range ways {
		switch {
		case !w.written:
		case first != "":
			return refuse("leave one of them away", "%s beside %s says two things", first, w.name)
		default:
			first = w.name
		}
	}
	return nil
}

// closed is how a closed loop was asked for, "" if it was not.
func (f *loadFlags) closed(set *pflag.FlagSet) string {
	switch {
	case f.arrivals == "single-stream":
		return "--arrivals single-stream"
	case f.rate == "max":
		return "-r max"
	case set.Changed("concurrency"):
		return "-c"
	}
	return ""
}

func (f *loadFlags) readArrivals(set *pflag.FlagSet, l *load) (err error) {
	s := &l.setting
	switch f.arrivals {
	case "single-stream":
		s.Arrivals, s.Slots = pace.Closed, 1
	case "server":
		s.Arrivals = pace.Poisson
	case "offline":
		s.Arrivals = pace.Burst
		if !set.Changed("requests") {
			return refuse("-n 100", "--arrivals offline sends all requests at once: say how many")
		}
	default:
		if s.Arrivals, err = pace.Parse(f.arrivals); err != nil || !slices.Contains(openArrivals(), f.arrivals) {
			return f.noArrivals()
		}
	}
	if l.pattern.Within, err = pace.ParseWithin(f.within); err != nil {
		return refuse("--within even", "--within: %w", err)
	}
	if set.Changed("every") {
		if f.every < time.Millisecond || f.every > pace.Longest {
			return refuse("--every 1s", "--every: a window of %s: want 1ms to 10000h", f.every)
		}
		l.pattern.Every = f.every
	}
	return nil
}

func (f *loadFlags) noArrivals() error {
	switch f.arrivals {
	case pace.Closed.String():
		return refuse("-c 8", "--arrivals closed: a closed loop is asked for by how many requests are open")
	case pace.Traced.String():
		return refuse("--trace FILE", "--arrivals trace: what is due comes from a file")
	}
	return refuse("--arrivals constant", "--arrivals: unknown arrivals %q: want %s, single-stream, server or offline",
		pace.Brief(f.arrivals), strings.Join(openArrivals(), ", "))
}

func (f *loadFlags) readRate(set *pflag.FlagSet, l *load) error {
	switch {
	case f.rate == "max" && !set.Changed("concurrency"):
		f.slots = defaultSlots
		fallthrough
	case set.Changed("concurrency"):
		switch {
		case f.slots < 1:
			return refuse("-c 8", "-c: a closed loop of %d", f.slots)
		case f.slots > loadgen.MaxSlots:
			return refuse("-c 8", "-c: a closed loop of %s; at most %s", grouped(float64(f.slots)), grouped(loadgen.MaxSlots))
		}
		if set.Changed("arrivals") {
			return refuse("leave one of them away", "%s beside --arrivals says two things", f.closed(set))
		}
		l.setting.Arrivals, l.setting.Slots = pace.Closed, f.slots
		return nil
	case !set.Changed("rate"):
		return nil
	}
	r, err := pace.ParseRate(f.rate)
	switch {
	case err != nil:
		return refuse("-r 10, -r 10/s or -r 600/m", "-r: %w", err)
	case r == 0:
		return refuse("-m MODEL=0 is a lane that waits for its key", "-r 0 would send nothing")
	}
	l.rate = &r
	return nil
}

func (f *loadFlags) readShape(set *pflag.FlagSet, l *load) (err error) {
	if !set.Changed("shape-rate") {
		return nil
	}
	if l.pattern.Shape, err = pace.ParseShape(f.shape); err != nil {
		return refuse("--shape-rate 'ramp 10..100 in 60s'", "--shape-rate: %w", err)
	}
	l.setting.Scale = 1
	return nil
}

func (f *loadFlags) readMix(set *pflag.FlagSet, l *load) (err error) {
	if !set.Changed("mix") {
		return nil
	}
	if l.mix, err = pace.ParseMix(f.mix); err != nil {
		return refuse("-m a -m b --mix '(10,1)'", "--mix: %w", err)
	}
	return nil
}

// linesHint says how the lines of a trace look.
const linesHint = "lines are second,model,count such as 1,yolo_v5,10, or due,model such as 0.25,yolo_v5"

// traceHint says how to get a trace.
const traceHint = "make one: pileup workload make --mix '(10,1)' -m a -m b -d 10s -o FILE"

// longestTrace is the largest file of a trace, which holds 100 million lines of
// 40 bytes.
const longestTrace = 4 << 30

func (f *loadFlags) readTrace(tell io.Writer, l *load, seed uint64) error {
	if f.trace == "" {
		return nil
	}
	file, err := open(tell, "--trace", f.trace, longestTrace)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return refuse(traceHint, "%w", err)
	case err != nil:
		return err
	}
	defer file.Close()
	l.work, err = pace.ReadWorkloadUpTo(file, filepath.Base(f.trace), l.pattern.Within, seed, loadgen.MaxOpen)
	var syntax *pace.SyntaxError
	switch {
	case errors.As(err, &syntax) && syntax.AtOnce:
		return refuse("spread them, or leave --within burst away", "--trace: %w", err)
	case errors.As(err, &syntax) && strings.Contains(syntax.Text, "want lines"): // it has said how they look
		return refuse(traceHint, "--trace: %w", err)
	case errors.As(err, &syntax):
		return refuse(linesHint, "--trace: %w", err)
	case err != nil:
		return refuse("--trace FILE.csv", "--trace: %w", err)
	case l.work.Total == 0:
		return refuse(linesHint, "--trace: nothing is due in %s: all its counts are 0", filepath.Base(f.trace))
	}
	l.setting.Arrivals, l.setting.Scale = pace.Traced, 1
	return nil
}

// fits refuses flags that would change nothing.
func (f *loadFlags) fits(set *pflag.FlagSet, l *load) error {
	a := l.setting.Arrivals
	windows := a == pace.Uniform || a == pace.Burst
	switch {
	case set.Changed("every") && f.arrivals == "offline":
		return refuse("--arrivals burst -n 100 --every 1s", "--every beside --arrivals offline, which sends all at once")
	case set.Changed("trace") && f.trace == "":
		return refuse("--trace FILE.csv", "--trace without a file")
	case set.Changed("every") && !windows:
		return refuse("--arrivals uniform --every 1s", "--every is the window of uniform and burst arrivals")
	case set.Changed("within") && a != pace.PoissonCounts && a != pace.Traced:
		return refuse("--arrivals poisson-counts --within even", "--within is for poisson-counts and --trace")
	case set.Changed("arrivals") && (l.work != nil):
		return refuse("leave one of them away", "--arrivals beside --trace says two things")
	case l.pattern.Shape != nil && a != pace.Constant && a != pace.Poisson:
		return refuse("--arrivals constant or poisson", "--shape-rate has no meaning with %s arrivals", a)
	}
	return nil
}
