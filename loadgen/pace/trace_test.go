package pace

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

func workload(t testing.TB, within Within, text string) *Workload {
	t.Helper()
	w, err := ReadWorkload(strings.NewReader(text), "workload.csv", within, 7)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func traced1(t testing.TB, within Within, text string) Spec {
	return Spec{Arrivals: Traced, Trace: workload(t, within, text).Traces[0]}
}

func TestTraceIsSentAsWritten(t *testing.T) {
	ms := func(at ...int) (dues []time.Duration) {
		for _, a := range at {
			dues = append(dues, time.Duration(a)*time.Millisecond)
		}
		return dues
	}
	tests := []struct {
		name   string
		within Within
		text   string
		factor float64
		want   []time.Duration
		end    time.Duration
	}{
		{"even", Even, "1,a,4\n3,a,2\n", 1, ms(0, 250, 500, 750, 2000, 2500), 3 * time.Second},
		{"at once", AtOnce, "1,a,2\n3,a,2\n4,a,0\n", 1, ms(0, 0, 2000, 2000), 4 * time.Second},
		{"twice as fast", Even, "1,a,4\n3,a,2\n", 2, ms(0, 125, 250, 375, 1000, 1250), 1500 * time.Millisecond},
		{"due times", Even, "due\n2.5\n0.25\n0\n0.25\n", 1, ms(0, 250, 250, 2500), 3 * time.Second},
		{"due times slowed down", Even, "0.25\n1\n", 0.1, ms(2500, 10000), 20 * time.Second},
		{"nothing", Even, "5,a,0\n", 1, nil, 5 * time.Second},
	}
	for _, tt := range tests {
		s := Start(traced1(t, tt.within, tt.text), tt.factor, 1)
		if got := until(s, time.Hour); !slices.Equal(got, tt.want) {
			t.Errorf("%s: due at %v, want %v", tt.name, got, tt.want)
		}
		if end, over := s.End(); !over || end != tt.end {
			t.Errorf("%s: over at %s, %t, want %s", tt.name, end, over, tt.end)
		}
	}
}

// A factor stretches time: each request of the file comes once, in its order.
func TestFactorOnATrace(t *testing.T) {
	for _, within := range []Within{Even, AtOnce, Random} {
		spec := traced1(t, within, "1,a,40\n2,a,3\n4,a,50\n5,b,1\n1,b,30\n2,b,90\n4,c,50\n")
		s := Start(spec, 1, 1)
		sent, pos, factor, last := 0, 0.0, 1.0, time.Duration(0)
		for i := range 400 {
			at := time.Duration(i) * 33 * time.Millisecond
			dues := until(s, at)
			for j, due := range dues {
				if due < last || j > 0 && due < dues[j-1] {
					t.Fatalf("%s: due at %s", within, due)
				}
			}
			sent += len(dues)
			pos += factor * (at - last).Seconds()
			if n, _ := spec.Trace.at(1e9 * min(5, pos)); math.Abs(s.Count(at)-n) > 1e-6 {
				t.Fatalf("%s: N(%s) = %g, want %g", within, at, s.Count(at), n)
			}
			factor, last = float64(i%5)/4, at
			s.SetRate(at, factor)
		}
		if end, over := s.End(); sent != 93 || !over || end > last {
			t.Errorf("%s: %d of 93 requests, over at %s, %t", within, sent, end, over)
		}
		end, _ := s.End()
		s.SetRate(time.Hour, 0.1)
		if again, over := s.End(); !over || again != end {
			t.Errorf("%s: a rate after the end at %s moved it to %s, %t", within, end, again, over)
		}
	}
}

func TestATraceStandsStillMeanwhile(t *testing.T) {
	s := Start(traced1(t, Even, "1,a,4\n2,a,4\n"), 1, 1)
	until(s, 600*time.Millisecond) // 0, 250, 500
	s.SetArrivals(600*time.Millisecond, Closed, 1)
	if due, any := s.Next(); any {
		t.Errorf("closed: due at %s", due)
	}
	s.SetArrivals(10600*time.Millisecond, Traced, 1)
	want := []time.Duration{10750, 11000, 11250, 11500, 11750}
	for i := range want {
		want[i] *= time.Millisecond
	}
	if got := until(s, time.Hour); !slices.Equal(got, want) {
		t.Errorf("after that due at %v, want %v", got, want)
	}
	if end, over := s.End(); !over || end != 12*time.Second {
		t.Errorf("over at %s, %t, want 12s", end, over)
	}
}

func TestTraceRateIsThatOfItsSecond(t *testing.T) {
	for _, text := range []string{"1,a,4\n3,a,2\n", "2.9,\n2\n0\n0.5\n.5\n.7\n"} {
		s := Start(traced1(t, Random, strings.ReplaceAll(text, ",\n", "\n")), 2, 1)
		for at, want := range map[time.Duration][2]float64{
			0:                       {8, 0},
			250 * time.Millisecond:  {8, 2},
			700 * time.Millisecond:  {0, 4},
			1250 * time.Millisecond: {4, 5},
			2 * time.Second:         {0, 6},
		} {
			if rate, n := s.Rate(at), s.Count(at); rate != want[0] || math.Abs(n-want[1]) > 1e-9 {
				t.Errorf("%q at %s: N' = %g and N = %g, want %g", text, at, rate, n, want)
			}
		}
	}
}

// Where a second's requests lie depends on the seed, the model and the second
// alone.
func TestPlacesAtRandom(t *testing.T) {
	dues := func(text, model string, seed uint64) []time.Duration {
		w, err := ReadWorkload(strings.NewReader(text), "w.csv", Random, seed)
		if err != nil {
			t.Fatal(err)
		}
		trace, _ := w.Trace(model)
		return until(Start(Spec{Arrivals: Traced, Trace: trace}, 1, 99), time.Hour)
	}
	a := dues("1,a,10\n2,a,500\n", "a", 1)
	if b := dues("1,b,3\n2,b,500\n1,a,70\n2,a,500\n", "a", 1); !slices.Equal(a[10:], b[70:]) {
		t.Error("another second or another model moved places")
	}
	if b := dues("1,b,10\n2,b,500\n", "b", 1); slices.Equal(a, b) {
		t.Error("two models have the same places")
	}
	if b := dues("1,a,10\n2,a,500\n", "a", 2); slices.Equal(a, b) {
		t.Error("two seeds gave the same places")
	}
	if counts := perWindow(a, time.Second, 2); !slices.IsSorted(a) || counts[0] != 10 || counts[1] != 500 {
		t.Errorf("by second %v", counts)
	}
}
