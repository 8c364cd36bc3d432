package probes

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dev.example/pileup/loadgen/guard"
	"github.com/google/go-cmp/cmp"
)

// fake reads by a function of how many reads there were before.
type fake struct {
	reads int
	began []time.Duration // of every read, since start
	start time.Time
	read  func(ctx context.Context, n int) (Sample, error)
}

func (f *fake) Name() string { return "board" }

func (f *fake) Read(ctx context.Context) (Sample, error) {
	n := f.reads
	f.reads++
	f.began = append(f.began, time.Since(f.start))
	return f.read(ctx, n)
}

// seen is a Reading on the test's clock.
type seen struct {
	At, Came time.Duration
	What     string // "sample" or the error
}

// watch runs r for d and returns what it handed out and what Run returned.
func watch(t *testing.T, r Runner, d time.Duration) ([]seen, error) {
	t.Helper()
	start := time.Now()
	if f, ok := r.Probe.(*fake); ok {
		f.start = start
	}
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	out := make(chan Reading)
	var (
		err error
		got []seen
		g   guard.Group
	)
	g.Go("runner", func() { err = r.Run(ctx, out); close(out) })
	for x := range out {
		if x.Probe != "board" {
			t.Errorf("reading of %q, want board", x.Probe)
		}
		s := seen{At: x.At.Sub(start), Came: time.Since(start), What: "sample"}
		if x.Err != nil {
			s.What = x.Err.Error()
		}
		if (x.Sample == nil) != (x.Err != nil) {
			t.Errorf("reading %+v: want a sample or an error", x)
		}
		got = append(got, s)
	}
	g.Wait()
	return got, err
}

const ms, sec = time.Millisecond, time.Second

// after answers with a sample of its own middle, d after it was asked.
func after(d time.Duration) (Sample, error) {
	at := time.Now().Add(d / 2)
	time.Sleep(d)
	return Sample{At: at}, nil
}

// asked is after, but gives up when it is told to.
func asked(ctx context.Context, d time.Duration) (Sample, error) {
	at := time.Now().Add(d / 2)
	select {
	case <-time.After(d):
		return Sample{At: at}, nil
	case <-ctx.Done():
		return Sample{}, context.Cause(ctx)
	}
}

// runs are what Run makes of probes of all kinds in the first d.
var runs = []struct {
	name  string
	r     Runner
	read  func(ctx context.Context, n int) (Sample, error)
	d     time.Duration
	want  []seen
	began []time.Duration // not compared if nil
}{{
	name: "first at once, then on the grid whatever a read takes",
	read: func(_ context.Context, n int) (Sample, error) {
		return after([]time.Duration{100 * ms, 700 * ms, 0, 20 * ms}[n])
	},
	d: 3500 * ms,
	want: []seen{
		{50 * ms, 100 * ms, "sample"}, {1350 * ms, 1700 * ms, "sample"}, {2 * sec, 2 * sec, "sample"}, {3010 * ms, 3020 * ms, "sample"},
	},
	began: []time.Duration{0, sec, 2 * sec, 3 * sec},
}, {
	name: "another period",
	r:    Runner{Every: 250 * ms},
	read: func(context.Context, int) (Sample, error) { return after(0) },
	d:    600 * ms,
	want: []seen{{0, 0, "sample"}, {250 * ms, 250 * ms, "sample"}, {500 * ms, 500 * ms, "sample"}},
}, {
	name: "an error is a reading",
	read: func(_ context.Context, n int) (Sample, error) {
		if n == 1 {
			time.Sleep(200 * ms)
			return Sample{}, errors.New("no such file")
		}
		return after(0)
	},
	d:    2500 * ms,
	want: []seen{{0, 0, "sample"}, {1200 * ms, 1200 * ms, "no such file"}, {2 * sec, 2 * sec, "sample"}},
}, {
	name: "a panic is a reading",
	read: func(_ context.Context, n int) (Sample, error) {
		if n == 0 {
			panic("index out of range")
		}
		return after(0)
	},
	d:    1500 * ms,
	want: []seen{{0, 0, "panic: index out of range"}, {sec, sec, "sample"}},
}, {
	name: "a read that leaves its goroutine is a reading",
	read: func(context.Context, int) (Sample, error) { runtime.Goexit(); return Sample{}, nil },
	d:    500 * ms,
	want: []seen{{0, 0, "the read ended without an answer"}},
}, {
	name: "a read that hears its ctx is asked again, and the silence adds up",
	read: func(ctx context.Context, n int) (Sample, error) {
		if n < 2 {
			return asked(ctx, time.Hour)
		}
		return after(0)
	},
	d:     4500 * ms,
	want:  []seen{{sec, sec, "no answer for 1 s"}, {3 * sec, 3 * sec, "no answer for 3 s"}, {4 * sec, 4 * sec, "sample"}},
	began: []time.Duration{0, 2 * sec, 4 * sec},
}, {
	name: "a stuck read is told each period, goes on alone, and its fresh sample counts",
	read: func(_ context.Context, n int) (Sample, error) {
		if n == 1 {
			time.Sleep(3300 * ms)
		}
		return after(0)
	},
	d: 5500 * ms,
	want: []seen{
		{0, 0, "sample"},
		{2 * sec, 2 * sec, "no answer for 1 s"},
		{3 * sec, 3 * sec, "no answer for 2 s"},
		{4 * sec, 4 * sec, "no answer for 3 s"},
		{4300 * ms, 4300 * ms, "sample"},
		{5 * sec, 5 * sec, "sample"},
	},
	began: []time.Duration{0, sec, 5 * sec},
}, {
	name: "a late sample from before the last failure is too old",
	read: func(_ context.Context, n int) (Sample, error) {
		if n == 0 {
			return after(1500 * ms)
		}
		return after(0)
	},
	d:    2500 * ms,
	want: []seen{{sec, sec, "no answer for 1 s"}, {1500 * ms, 1500 * ms, "the answer took 1.5 s"}, {2 * sec, 2 * sec, "sample"}},
}, {
	name: "the error of a read that was told to stop is its own doing no more",
	read: func(_ context.Context, n int) (Sample, error) {
		if n == 0 {
			time.Sleep(1500 * ms)
			return Sample{}, errors.New("signal: killed")
		}
		return after(0)
	},
	d:    2500 * ms,
	want: []seen{{sec, sec, "no answer for 1 s"}, {2 * sec, 2 * sec, "sample"}},
}, {
	name: "a late panic is told",
	read: func(_ context.Context, n int) (Sample, error) {
		time.Sleep(1500 * ms)
		panic("nil map")
	},
	d:    1800 * ms,
	want: []seen{{sec, sec, "no answer for 1 s"}, {1500 * ms, 1500 * ms, "panic: nil map"}},
}, {
	name:  "a deadline above the period skips instants without a word",
	r:     Runner{Deadline: 3 * sec},
	read:  func(context.Context, int) (Sample, error) { return after(2500 * ms) },
	d:     5900 * ms,
	want:  []seen{{1250 * ms, 2500 * ms, "sample"}, {4250 * ms, 5500 * ms, "sample"}},
	began: []time.Duration{0, 3 * sec},
}, {
	name: "a deadline below the period is told when it passes and at each instant after it",
	r:    Runner{Every: 10 * sec, Deadline: sec},
	read: func(context.Context, int) (Sample, error) { return after(25 * sec) },
	d:    26 * sec,
	want: []seen{
		{sec, sec, "no answer for 1 s"},
		{10 * sec, 10 * sec, "no answer for 10 s"},
		{20 * sec, 20 * sec, "no answer for 20 s"},
		{25 * sec, 25 * sec, "the answer took 25 s"},
	},
	began: []time.Duration{0},
}, {
	name: "a sample without a time is dated at the middle of its read",
	read: func(context.Context, int) (Sample, error) { time.Sleep(400 * ms); return Sample{}, nil },
	d:    900 * ms,
	want: []seen{{200 * ms, 400 * ms, "sample"}},
}}

func TestRun(t *testing.T) {
	for _, tt := range runs {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{read: tt.read}
				tt.r.Probe = f
				got, err := watch(t, tt.r, tt.d)
				if err != nil {
					t.Errorf("Run = %v, want nil", err)
				}
				if d := cmp.Diff(tt.want, got); d != "" {
					t.Errorf("readings (-want +got):\n%s", d)
				}
				if tt.began != nil && !slices.Equal(f.began, tt.began) {
					t.Errorf("reads began at %v, want %v", f.began, tt.began)
				}
			})
		})
	}
}

// An hour at one a second stays on the grid.
func TestRunDoesNotDrift(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{read: func(_ context.Context, n int) (Sample, error) { return after(time.Duration(n%7) * ms) }}
		got, _ := watch(t, Runner{Probe: f}, time.Hour-1)
		if len(got) != 3600 {
			t.Fatalf("%d readings, want 3600", len(got))
		}
		for n, began := range f.began {
			if want := time.Duration(n) * sec; began != want {
				t.Fatalf("read %d began at %v, want %v", n, began, want)
			}
		}
	})
}

func TestRunOutFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		f := &fake{start: start, read: func(context.Context, int) (Sample, error) { return after(0) }}
		out := make(chan Reading)
		ctx, cancel := context.WithCancel(t.Context())
		var g guard.Group
		g.Go("runner", func() {
			if err := (Runner{Probe: f}).Run(ctx, out); err != nil {
				t.Errorf("Run = %v, want nil", err)
			}
		})
		<-out
		time.Sleep(3500 * ms) // the reading of second 1 waits meanwhile
		r := <-out
		if got := r.At.Sub(start); got != sec {
			t.Errorf("the reading that waited is of %v, want 1s", got)
		}
		r = <-out
		if got := r.At.Sub(start); got != 4*sec {
			t.Errorf("the next reading is of %v, want 4s: missed instants are left out", got)
		}
		time.Sleep(1500 * ms)
		cancel() // nobody receives any more
		g.Wait()
		if want := []time.Duration{0, sec, 4 * sec, 5 * sec}; !slices.Equal(f.began, want) {
			t.Errorf("reads began at %v, want %v", f.began, want)
		}
	})
}

func TestRunEnds(t *testing.T) {
	tests := []struct {
		name string
		read func(ctx context.Context, n int) (Sample, error)
		took time.Duration // from the end of ctx to the return of Run
		err  string
	}{
		{"idle", func(context.Context, int) (Sample, error) { return after(0) }, 0, ""},
		{"a read that hears its ctx", func(ctx context.Context, _ int) (Sample, error) { return asked(ctx, time.Hour) }, 0, ""},
		{"a read that takes a little longer", func(context.Context, int) (Sample, error) { return after(900 * ms) }, 400 * ms, ""},
		{
			"a read that ignores its ctx", func(context.Context, int) (Sample, error) { return after(time.Minute) }, sec,
			"probe board: a read that began 1.5 s ago does not end",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				_, err := watch(t, Runner{Probe: &fake{read: tt.read}}, 500*ms)
				if took := time.Since(start) - 500*ms; took != tt.took {
					t.Errorf("Run ended %v after its ctx, want %v", took, tt.took)
				}
				if got := errText(err); got != tt.err {
					t.Errorf("Run = %q, want %q", got, tt.err)
				}
				time.Sleep(time.Minute) // the read that was left behind ends
			})
		})
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestPanicKeepsItsTrace(t *testing.T) {
	answers := make(chan answer, 1)
	read(t.Context(), &fake{read: func(context.Context, int) (Sample, error) { panic("boom") }}, answers)
	var p Panic
	if a := <-answers; !errors.As(a.err, &p) || !strings.Contains(string(p.Stack), "runner_test.go") {
		t.Errorf("answer %v, want a Panic with the trace of the probe", a.err)
	}
}

func TestSeconds(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 ms", 250 * ms: "250 ms", 999*ms + 700*time.Microsecond: "1 s", 3*sec + 400*time.Microsecond: "3 s",
		1500 * ms: "1.5 s", 2 * time.Hour: "7200 s",
	} {
		if got := seconds(d); got != want {
			t.Errorf("seconds(%v) = %q, want %q", d, got, want)
		}
	}
}
