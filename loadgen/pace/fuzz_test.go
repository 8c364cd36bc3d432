package pace

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// A fuzzer drives one schedule and holds it to what is always true.
type fuzzer struct {
	t    *testing.T
	s    *Schedule
	last time.Duration // of the last request or change
	n    float64       // N at the last change
}

// until takes what is due before at, but no more than 40, and returns up to
// where all is taken.
func (f *fuzzer) until(at time.Duration) time.Duration {
	for range 40 {
		due, any := f.s.Next()
		if !any || due >= at {
			return at
		}
		if due < f.last || due%time.Microsecond != 0 {
			f.t.Fatalf("due %s after %s", due, f.last)
		}
		f.last = due
		f.s.Take()
	}
	if due, any := f.s.Next(); any && due < at {
		return due
	}
	return at
}

// change makes one of the changes there are.
func (f *fuzzer) change(at time.Duration, what byte, rate float64) {
	switch {
	case what < 180:
		f.s.SetRate(at, rate*float64(what%6))
	default:
		f.s.SetArrivals(at, Arrivals(what%8), uint64(what))
	}
	n, later, rate := f.s.Count(at), f.s.Count(at+time.Hour), f.s.Rate(at)
	if lost := 1e-9 + 1e-12*n; !(n >= f.n-lost) || !(later >= n-lost) || math.IsInf(later, 0) || !(rate >= 0) {
		f.t.Fatalf("N goes from %g to %g and %g an hour later, N' = %g", f.n, n, later, rate)
	}
	f.n, f.last = n, max(f.last, at)
	if end, over := f.s.End(); over {
		if due, any := f.s.Next(); any || end < 0 {
			f.t.Fatalf("over at %s, and due at %s", end, due)
		}
	}
}

func FuzzSchedule(f *testing.F) {
	f.Add(uint8(0), 50.0, int64(0), int64(0), uint64(1), []byte{1, 2, 3})
	f.Add(uint8(1), 1e-9, int64(1), int64(5), uint64(2), []byte{200, 7})
	f.Add(uint8(10), 1e6, int64(time.Hour), int64(0), uint64(3), []byte{5, 0, 255, 17, 200, 30})
	f.Add(uint8(99), 1e300, int64(-5), int64(1e18), uint64(4), []byte{181, 182, 183, 184, 185, 186, 187, 188})
	f.Add(uint8(60), math.NaN(), int64(math.MaxInt64), int64(-1), uint64(5), []byte("abcdefg"))
	shapes := []*Shape{nil, shape(f, "ramp 5..0 in 1s"), shape(f, "step 0,1e6,0.001 every 1ms"), shape(f, "sine 0..50 every 1s")}
	const counts = "1,a,3\n1,b,50\n2,b,1000\n4,a,2\n90,a,1\n"
	traces := append(workload(f, Random, counts).Traces, workload(f, Even, counts).Traces...)
	f.Fuzz(func(t *testing.T, kind uint8, rate float64, every, count int64, seed uint64, script []byte) {
		spec := Spec{
			Arrivals: Arrivals(kind % 7), Within: Within(kind % 3), Every: time.Duration(every), Count: count,
			Once: kind > 200, Shape: shapes[kind/7%4], Trace: traces[kind%4],
		}
		z := &fuzzer{t: t, s: Start(spec, rate, seed)}
		for i, b := range script[:min(len(script), 40)] {
			step := time.Duration(1) << (b % 48) // up to 39 hours
			at := z.until(z.last + step)
			z.change(at, b, math.Abs(rate)/float64(1+i))
		}
		z.until(never)
	})
}

func FuzzParseShape(f *testing.F) {
	for _, s := range []string{"ramp 10..100 in 60s", "step 10,50,100 every 10s", "sine 10..100 every 60s", "ramp 300/m..0 in 1ms", "sine 0..1e6 every 9999h", "step 0,0,.1 every 1us", "ramp"} {
		f.Add(s, int64(time.Minute))
	}
	f.Fuzz(func(t *testing.T, text string, at int64) {
		s, err := ParseShape(text)
		if err != nil {
			return
		}
		again, err := ParseShape(s.String())
		if err != nil || again.String() != s.String() {
			t.Fatalf("%q prints %q, which is %v, %v", text, s, again, err)
		}
		when := time.Duration(at) % never
		n := s.Integral(when)
		if !(s.Rate(when) >= 0) || !(n >= 0) || s.Integral(when+time.Second) < n-1e-9*n {
			t.Fatalf("%s at %s: rate %g, ∫ %g", s, when, s.Rate(when), n)
		}
		if t0, any := s.reach(n, 0); n > 0 && any && math.Abs(s.integral(t0)-n) > 1e-9+1e-9*n {
			t.Fatalf("%s reaches %g at %g s, where it is %g", s, n, t0, s.integral(t0))
		}
	})
}

func FuzzReadWorkload(f *testing.F) {
	for _, s := range []string{
		"second,model,count\n1,a,3\n2,b,0\n", "due,model\n0.5,a\n.25,b\n", "due\n9\n1\n", "# x\n\ufeff1,a,1\n",
		"1,\"a\"\"b\",2\r\n\r\n3,,1\n", "0,a,1\n", "1,50\n", "10000000,a,10000000\n", "9999999.9999999,7\n",
	} {
		f.Add(s, uint8(0))
	}
	f.Fuzz(func(t *testing.T, text string, within uint8) {
		w, err := ReadWorkload(strings.NewReader(text), "w.csv", Within(within%3), 1)
		if err != nil {
			if _, is := errors.AsType[*SyntaxError](err); !is {
				t.Fatal(err)
			}
			return
		}
		back, err := ReadWorkload(strings.NewReader(written(t, w)), "w.csv", Even, 1)
		if err != nil || back.Total != w.Total || back.Length != w.Length || !slices.Equal(back.Models, w.Models) || !slices.Equal(tallies(back), tallies(w)) {
			t.Fatalf("read back it is another workload: %v", err)
		}
		for _, trace := range w.Traces {
			if Within(within%3) == Even && w.Total > 1e6 {
				break // a lane walks over the requests of all models
			}
			z := &fuzzer{t: t, s: Start(Spec{Arrivals: Traced, Trace: trace}, 1, 1)}
			z.until(trace.Length())
			if due, any := z.s.Next(); any && due >= trace.Length() {
				t.Fatalf("due at %s, after the end at %s", due, trace.Length())
			}
		}
	})
}
