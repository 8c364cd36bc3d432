package study

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/demo"
	"dev.example/pileup/loadgen/guard"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/target/httpconn"
	"dev.example/pileup/loadgen/target/tfserving"
	"dev.example/pileup/probes"
	"dev.example/pileup/probes/host"
)

func TestSearch(t *testing.T) {
	for name, c := range map[string]struct {
		limit float64 // what can be kept
		want  []float64
	}{
		"nothing":    {0, []float64{2500, 1200, 600, 300}},
		"little":     {700, []float64{2500, 1200, 600, 900}},
		"as usual":   {4000, []float64{2500, 5000, 3700, 4300}},
		"much":       {8000, []float64{2500, 5000, 7500, 8700}},
		"everything": {1e9, []float64{2500, 5000, 7500, 8700}},
	} {
		var got []float64
		err := search(10_000, len(c.want), func(rate float64) (bool, error) {
			got = append(got, rate)
			return rate <= c.limit, nil
		})
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: tried %v (%v), want %v", name, got, err, c.want)
		}
	}
	broken := errors.New("broken")
	if err := search(10, 4, func(float64) (bool, error) { return true, broken }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

func TestHeld(t *testing.T) {
	good := stepped{due: 10_000, lag99: time.Millisecond, lagLimit: time.Millisecond}
	for name, c := range map[string]struct {
		spoil func(*stepped)
		want  bool
	}{
		"in time":                {func(*stepped) {}, true},
		"late":                   {func(s *stepped) { s.lag99 += time.Microsecond }, false},
		"late for a slow server": {func(s *stepped) { s.lag99, s.lagLimit = 2*time.Millisecond, 2*time.Millisecond }, true},
		"a failure":              {func(s *stepped) { s.failed = 1 }, false},
		"a few open":             {func(s *stepped) { s.left = 100 }, true},
		"a heap":                 {func(s *stepped) { s.left = 101 }, false},
		"nothing due":            {func(s *stepped) { s.due = 0 }, false},
	} {
		s := good
		c.spoil(&s)
		if got := s.held(64); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// endpoint answers every request after the same time, or with a failure.
type endpoint struct {
	service time.Duration
	failure ledger.Failure
	closed  *int
}

func (e *endpoint) Prepare(context.Context, string) (loadgen.Sender, error) { return e, nil }

func (e *endpoint) Send(ctx context.Context, s loadgen.Stamps) loadgen.Answer {
	s.Sent()
	select {
	case <-time.After(e.service):
		s.First()
		return loadgen.Answer{Failure: e.failure}
	case <-ctx.Done():
		return loadgen.Answer{Failure: ledger.Failure{Class: ledger.Reset}}
	}
}

func (e *endpoint) BodyBytes() int64 { return 2000 }
func (e *endpoint) Payload() string  { return "nothing" }
func (e *endpoint) Close() error     { *e.closed++; return nil }

// busy is a machine whose two cores are busy, one of them by this process.
type busy struct{ began time.Time }

func (*busy) Name() string { return "driver" }

func (b *busy) Read(context.Context) (probes.Sample, error) {
	core := probes.Core{Online: true, Busy: probes.Of(100)}
	return probes.Sample{
		Cores: []probes.Core{core, core}, Steal: probes.Of(25),
		Own: probes.Process{CPU: probes.Of(time.Since(b.began).Seconds())},
	}, nil
}

// onEndpoint is a bench of one path, with one model, on which time is not real.
func onEndpoint(e *endpoint) *Bench {
	e.closed = new(int)
	return &Bench{
		Paths:  []Path{{"p", "path", func() (loadgen.Target, error) { return e, nil }}},
		Models: []string{"m"}, Step: time.Second, Slots: 4, Limit: 500,
		Probe: &busy{time.Now()}, Pacing: loadgen.TimerPacing,
	}
}

// A self-test has one closed loop and one search on each way, and says what they
// came to.
func TestBench(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{service: 10 * time.Millisecond}
		b := onEndpoint(e)
		b.Paths = append(b.Paths, Path{"q", "another", b.Paths[0].Target})
		s := New("pileup", Machine{Cores: 2}, b.Step)
		var each []Way
		if err := b.Run(t.Context(), s, func(w *Way) { each = append(each, *w) }); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(s.Ways, each); diff != "" || len(each) != 2 {
			t.Errorf("handed over %+v\n%s", each, diff)
		}
		for i, w := range each {
			if w.Path != b.Paths[i].Name || w.Protocol != b.Paths[i].Protocol || w.Body != 2000 {
				t.Errorf("way %d: %+v", i, w)
			}
			c := w.Closed
			if c.Slots != 4 || c.Requests != 400 || math.Abs(c.PerSecond-400) > 5 || math.Abs(c.CPU-2.5) > 0.1 {
				t.Errorf("closed loop %+v", c)
			}
			o := *w.Open // 100, 200, 300 and 350 are all kept
			if o.PerSecond < 340 || o.PerSecond > 350 || float64(o.Requests) != o.PerSecond || o.Lag99 != 0 || o.Service != 0.010 {
				t.Errorf("open loop %+v", o)
			}
		}
		if math.Abs(s.Others-0.5) > 0.01 { // of two cores we have one, and a hypervisor half of one
			t.Errorf("others %v", s.Others)
		}
		if *e.closed != 2*Steps {
			t.Errorf("%d targets were closed, of %d", *e.closed, 2*Steps)
		}
	})
}

// What the driver sends late is not kept, but for what is nothing beside the
// service: the limit is the one that runs are judged by.
func TestBenchOfALateDriver(t *testing.T) {
	for _, c := range []struct {
		late, service time.Duration
		held          bool
	}{
		{2 * time.Millisecond, 10 * time.Millisecond, false},
		{2 * time.Millisecond, 190 * time.Millisecond, false},
		{2 * time.Millisecond, 200 * time.Millisecond, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			b := onEndpoint(&endpoint{service: c.service})
			b.Slots = 100
			timer := loadgen.TimerPacing()
			late := func(ctx context.Context, until time.Time, wake <-chan struct{}) {
				timer(ctx, until.Add(c.late), wake)
			}
			b.Pacing = func() loadgen.Wait { return late }
			s := New("pileup", Machine{Cores: 2}, b.Step)
			if err := b.Run(t.Context(), s, func(*Way) {}); err != nil {
				t.Fatal(err)
			}
			if o := s.Ways[0].Open; (o != nil) != c.held {
				t.Errorf("%s late for %s: %+v", c.late, c.service, o)
			}
		})
	}
}

// What is no ceiling of this machine is an error.
func TestBenchFails(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*Bench, *endpoint)
		want  string
	}{
		"failures":  {func(_ *Bench, e *endpoint) { e.failure = ledger.Failure{Class: ledger.HTTP5xx, Code: 500, Text: "no"} }, "path with m: "},
		"no answer": {func(_ *Bench, e *endpoint) { e.service = time.Hour }, "path with m: none of 4 requests was answered"},
		"no target": {func(b *Bench, _ *endpoint) {
			b.Paths[0].Target = func() (loadgen.Target, error) { return nil, errors.New("none") }
		}, "path with m: none"},
		"no machine": {func(b *Bench, _ *endpoint) { b.Probe = &readings{make([]probes.Sample, 1)} }, "path with m: this machine does not say"},
		"given up":   {nil, "context canceled"},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			e := &endpoint{service: time.Millisecond}
			b := onEndpoint(e)
			if c.spoil == nil {
				cancel()
			} else {
				c.spoil(b, e)
			}
			s := New("pileup", Machine{Cores: 2}, b.Step)
			err := b.Run(ctx, s, func(w *Way) { t.Errorf("%s: %+v", name, w) })
			if err == nil || !strings.Contains(err.Error(), c.want) || len(s.Ways) > 0 {
				t.Errorf("%s: %v, want %q; %+v", name, err, c.want, s.Ways)
			}
		})
	}
}

// A step counts every request, open loop and closed, on real connections.
func TestStep(t *testing.T) {
	var group guard.Group
	defer group.Wait()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ln, err := demo.Listen(ctx, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	group.Go("null server", func() {
		_ = demo.NewNull(demo.Model{Name: "2kB", Input: "x", Shape: []int{100}}).Serve(ctx, ln)
	})
	for _, netHTTP := range []bool{false, true} {
		path := Path{Target: func() (loadgen.Target, error) {
			return tfserving.New(tfserving.Options{URL: "tfs+http://" + ln.Addr().String(), HTTP: httpconn.Options{NetHTTP: netHTTP, Connections: 64}})
		}}
		b := &Bench{Step: 100 * time.Millisecond, Slots: 8, Limit: 64, Probe: host.New(host.Options{})}
		for _, rate := range []float64{0, 200} {
			m := &meter{probe: b.Probe}
			got, err := step{b, path, "2kB", rate}.run(ctx, m)
			if err != nil {
				t.Fatal(err)
			}
			if got.failure != "" || got.body < 1900 || got.body > 2100 || got.cpu < 0 {
				t.Errorf("net/http %v at %v/s: %+v, %+v", netHTTP, rate, got, m)
			}
			if want := int64(rate / 10); got.due == 0 || rate > 0 && got.due != want {
				t.Errorf("net/http %v at %v/s: %d due, want %d", netHTTP, rate, got.due, want)
			}
		}
	}
}
