package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dev.example/pileup/loadgen/guard"
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
		if got := s.held(); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// readings is a machine that says one sample after another.
type readings struct{ all []probes.Sample }

func (*readings) Name() string { return "driver" }

func (r *readings) Read(context.Context) (s probes.Sample, _ error) {
	s, r.all = r.all[0], r.all[1:]
	return s, nil
}

// What a hypervisor takes keeps no core busy, and no other program either.
func TestMeter(t *testing.T) {
	of := probes.Of
	two := func(cpu, busy, steal float64) probes.Sample {
		return probes.Sample{
			Own: probes.Process{CPU: of(cpu)}, Steal: of(steal),
			Cores: []probes.Core{{Online: true, Busy: of(busy)}, {Online: true, Busy: of(busy)}},
		}
	}
	unread := two(0, 0, 0)
	unread.Cores[1].Busy = probes.Value{}
	for name, c := range map[string]struct {
		after probes.Sample
		want  float64 // cores
	}{
		"alone":          {two(2, 100, 0), 0},
		"another":        {two(1, 75, 0), 0.5},
		"a hypervisor":   {two(1, 75, 25), 0},
		"both":           {two(1, 100, 25), 0.5},
		"a core unknown": {unread, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := meter{probe: &readings{[]probes.Sample{{Own: probes.Process{CPU: of(0)}}, c.after}}}
			if err := m.start(t.Context()); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			used, err := m.stop(t.Context())
			if want := c.after.Own.CPU.Or(0); err != nil || used != want || math.Abs(m.others()-c.want) > 1e-9 {
				t.Errorf("%s: used %v s, others %v cores, %v; want %v and %v", name, used, m.others(), err, want, c.want)
			}
		})
	}
	m := meter{probe: &readings{make([]probes.Sample, 1)}}
	if err := m.start(t.Context()); err == nil {
		t.Error("no error of a machine that says nothing")
	}
}

// A very short self-test, with everything real: what it came to hangs together,
// whatever the machine is doing.
func TestSelfTest(t *testing.T) {
	if testing.Short() {
		t.Skip("drives as much as the machine can")
	}
	s := newSelfTest(t.Context(), 50*time.Millisecond)
	var rows []string
	err := s.run(t.Context(), 50*time.Millisecond, func(w *way) {
		rows = append(rows, fmt.Sprintf("%s %s %d", w.Protocol, w.Path, w.Body/1000))
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"tfs+http raw 2", "tfs+http raw 600", "tfs+http net/http 2", "tfs+http net/http 600"}; !slices.Equal(rows, want) {
		t.Errorf("measured %q, want %q", rows, want)
	}
	if s.Machine.Cores != runtime.NumCPU() || s.Others < 0 || s.Others > float64(s.Machine.Cores) {
		t.Errorf("%+v, others %v", s.Machine, s.Others)
	}
	for _, w := range s.Ways {
		if w.Closed.Slots != defaultSlots || w.Closed.Requests == 0 || w.Closed.PerSecond <= 0 || w.Closed.CPU < 0 {
			t.Errorf("%s, %d bytes: closed %+v", w.Path, w.Body, w.Closed)
		}
		o := w.Open
		if o == nil {
			continue // the machine is busy
		}
		if o.PerSecond > w.Closed.PerSecond || o.Requests == 0 || o.Lag50 > o.Lag99 || o.Lag99 > max(0.001, o.Service/100) {
			t.Errorf("%s, %d bytes: open %+v beside closed %+v", w.Path, w.Body, o, w.Closed)
		}
	}
}

// A step counts every request, open loop and closed.
func TestStep(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var group guard.Group
	defer group.Wait()
	defer stop()
	url, err := serveNull(ctx, &group)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range httpPaths {
		for _, rate := range []float64{0, 200} {
			m := &meter{probe: host.New(host.Options{})}
			got, err := step{path: path, url: url, model: "2kB", length: 100 * time.Millisecond, rate: rate}.run(ctx, m)
			if err != nil {
				t.Fatal(err)
			}
			if got.failure != "" || got.body < 1900 || got.body > 2100 || got.cpu < 0 || m.wall <= 0 {
				t.Errorf("%s at %v/s: %+v, %+v", path.name, rate, got, m)
			}
			if want := int64(rate / 10); got.due == 0 || rate > 0 && got.due != want {
				t.Errorf("%s at %v/s: %d due, want %d", path.name, rate, got.due, want)
			}
		}
	}
}

// A server that is gone is an error and no ceiling.
func TestSelfTestWithoutServer(t *testing.T) {
	if _, err := httpPaths[0].measure(t.Context(), &meter{probe: host.New(host.Options{})}, "tfs+http://127.0.0.1:1", "2kB", time.Second); err == nil {
		t.Error("no error")
	}
}

func TestSelfTestInterrupted(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		ctx, cancel := context.WithCancelCause(t.Context())
		var out, errs bytes.Buffer
		f := selfTestFlags{json: asJSON, length: time.Minute}
		time.AfterFunc(100*time.Millisecond, func() { cancel(killed{os.Interrupt}) })
		code, err := f.run(ctx, streams{out: &out, err: &errs})
		if code != exitCut || err != nil {
			t.Errorf("exit code %d, %v", code, err)
		}
		if asJSON && out.Len() > 0 || strings.Contains(errs.String(), "kept") {
			t.Errorf("it says %q and %q", out.String(), errs.String())
		}
	}
}

func TestSelfTestTable(t *testing.T) {
	var out bytes.Buffer
	table := selfTestTable{&out}
	s := &selfTest{Tool: "pileup 0.1.0", Machine: machine{"Some CPU", 2}, Others: 1.25, Ways: []way{
		{Path: "raw", Body: 2043, Closed: closedLoop{PerSecond: 61234.5}, Open: &openLoop{1, 23000, 0.000011, 0.00041, 0.00015, 0.031}},
		{Path: "net/http", Body: 600_080, Closed: closedLoop{PerSecond: 999.9}},
	}}
	table.head(s)
	for i := range s.Ways {
		table.row(&s.Ways[i])
	}
	table.foot(s)
	_, got, _ := strings.Cut(out.String(), "\n\n")
	want := `path         body  closed loop  open loop  lag p50  lag p99  service p50  CPU per 1000
                           1/s        1/s       ms       ms           ms            ms
raw       2.04 kB        61234      23000   0.0110    0.410        0.150          31.0
net/http   600 kB         1000          –        –        –            –             –

  closed loop: 64 requests open at once, the next when one is done
  open loop: the highest rate found whose lag p99 stays within 1 ms, or 1 % of the
  service p50; what is behind it is of that rate; CPU is driver and server
  Driver and server share this machine, so each rate is a floor.
  –: at none of the rates that were tried was all sent in time
  Other programs kept 1.25 of 2 cores busy meanwhile: a calm machine can do more.
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
