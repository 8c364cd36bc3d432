package pace

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// perWindow counts due times by window.
func perWindow(dues []time.Duration, every time.Duration, windows int) []int {
	counts := make([]int, windows)
	for _, due := range dues {
		counts[due/every]++
	}
	return counts
}

func TestWindowsHoldWhatIsAsked(t *testing.T) {
	const s = time.Second
	tests := []struct {
		name string
		spec Spec
		rate float64
		want []int // by window
	}{
		{"a whole rate", Spec{Arrivals: Uniform}, 50, []int{50, 50, 50, 50}},
		{"fractions are carried over", Spec{Arrivals: Uniform}, 7.4, []int{7, 7, 8, 7, 8, 7, 7, 8}},
		{"a long window", Spec{Arrivals: Uniform, Every: 20 * s}, 5, []int{100, 100, 100}},
		{"a short window", Spec{Arrivals: Burst, Every: 100 * time.Millisecond}, 10, []int{1, 1, 1, 1, 1}},
		{"no float noise", Spec{Arrivals: Burst, Every: 290 * time.Millisecond}, 100, []int{29, 29, 29, 29, 29, 29}},
		{"less than one a window", Spec{Arrivals: Burst}, 0.25, []int{0, 0, 0, 1, 0, 0, 0, 1}},
		{"a number", Spec{Arrivals: Uniform, Count: 9, Every: 700 * time.Millisecond}, 0, []int{9, 9, 9, 9}},
		{"a number whatever the rate", Spec{Arrivals: Burst, Count: 9}, 1000, []int{9, 9, 9, 9}},
		{"once", Spec{Arrivals: Uniform, Count: 100, Every: 20 * s, Once: true}, 0, []int{100, 0}},
		{"once by rate", Spec{Arrivals: Burst, Once: true}, 30, []int{30, 0, 0}},
		{"steps", Spec{Arrivals: Burst, Shape: shape(t, "step 10,0,5 every 2s")}, 1, []int{10, 10, 0, 0, 5, 5}},
		{"half a ramp", Spec{Arrivals: Uniform, Shape: shape(t, "ramp 0..40 in 4s")}, 0.5, []int{2, 8, 12, 18, 20, 20}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			every := max(tt.spec.Every, 0)
			if every == 0 {
				every = s
			}
			dues := until(Start(tt.spec, tt.rate, 3), every*time.Duration(len(tt.want)))
			if got := perWindow(dues, every, len(tt.want)); !slices.Equal(got, tt.want) {
				t.Errorf("by window %v, want %v", got, tt.want)
			}
			if !slices.IsSorted(dues) {
				t.Error("due times fall")
			}
			for _, due := range dues {
				if tt.spec.Arrivals == Burst && due%every != 0 {
					t.Fatalf("%s is no window's start", due)
				}
			}
		})
	}
}

func TestOnceEnds(t *testing.T) {
	tests := []struct {
		name string
		spec Spec
		rate float64
		n    int
		end  time.Duration
	}{
		{"random", Spec{Arrivals: Uniform, Count: 100, Every: 20 * time.Second, Once: true}, 0, 100, 20 * time.Second},
		{"concurrency", Spec{Arrivals: Burst, Count: 100, Once: true}, 0, 100, 0},
		{"nothing", Spec{Arrivals: Uniform, Once: true}, 0, 0, time.Second},
	}
	for _, tt := range tests {
		s := Start(tt.spec, tt.rate, 1)
		n := 0
		for {
			end, over := s.End()
			if _, any := s.Next(); any == over {
				t.Fatalf("%s: a request is due: %t, over: %t", tt.name, any, over)
			}
			if over {
				if n != tt.n || end != tt.end {
					t.Errorf("%s: over at %s after %d, want %s after %d", tt.name, end, n, tt.end, tt.n)
				}
				break
			}
			s.Take()
			n++
		}
		s.Take() // does nothing
		s.SetRate(time.Minute, 1000)
		if _, any := s.Next(); any {
			t.Errorf("%s: a rate raised it from the dead", tt.name)
		}
		if got, want := s.Count(time.Hour), s.Count(time.Minute); got != want || s.Rate(time.Hour) != 0 {
			t.Errorf("%s: N rises from %g to %g after the end", tt.name, want, got)
		}
		s.SetArrivals(2*time.Minute, Constant, 1)
		if due, any := s.Next(); !any || due <= 2*time.Minute {
			t.Errorf("%s: with other arrivals next at %s, %t", tt.name, due, any)
		}
		if _, over := s.End(); over {
			t.Errorf("%s: over with other arrivals", tt.name)
		}
	}
	for _, a := range []Arrivals{Constant, Poisson, PoissonCounts, Uniform, Burst, Closed} {
		s := Start(Spec{Arrivals: a}, 5, 1)
		until(s, time.Minute)
		if end, over := s.End(); over {
			t.Errorf("%s ends at %s", a, end)
		}
	}
}

// Places in a window are uniform, and those of neighbours independent.
func TestUniformIsUniform(t *testing.T) {
	const windows, n = 20000, 5
	dues := until(Start(Spec{Arrivals: Uniform}, n, 5), windows*time.Second)
	var sums [n]float64
	var all []float64
	for i, due := range dues {
		u := (due % time.Second).Seconds()
		sums[i%n] += u
		all = append(all, u)
	}
	for k, sum := range sums { // the mean of the k-th of n is (k+1)/(n+1)
		if got, want := sum/windows, float64(k+1)/(n+1); math.Abs(got-want) > 0.005 {
			t.Errorf("place %d has mean %.4f, want %.4f", k, got, want)
		}
	}
	slices.Sort(all) // Kolmogorov and Smirnov: 1.95/√N is the 0.1 % bound
	for i, u := range all {
		if d := math.Abs(u - (float64(i)+0.5)/float64(len(all))); d > 1.95/math.Sqrt(float64(len(all))) {
			t.Fatalf("the distribution is off by %.5f at %.4f", d, u)
		}
	}
}

// A window costs nothing by the number of its requests.
func TestHugeWindow(t *testing.T) {
	s := Start(Spec{Arrivals: Uniform, Every: time.Hour}, 1e6, 1)
	var last time.Duration
	if allocs := testing.AllocsPerRun(1e5, func() {
		last, _ = s.Next()
		s.Take()
	}); allocs != 0 {
		t.Errorf("%g allocations a request", allocs)
	}
	if last < 95*time.Millisecond || last > 105*time.Millisecond {
		t.Errorf("100,000 of 3.6e9 requests lie in the first %s of an hour", last)
	}
}

// A rate that changes thirty times a second keeps N: the number of requests is
// never further off than a window of the highest rate, however long this goes
// on, and what a window was to hold it holds once the changes are over.
func TestBendKeepsTheCountOfWindows(t *testing.T) {
	const high = 100.0
	for _, every := range []time.Duration{100 * time.Millisecond, time.Second, 7 * time.Second} {
		for _, a := range []Arrivals{Uniform, Burst} {
			for seed := range uint64(60) {
				rng := rand.New(rand.NewPCG(seed, 1))
				s := Start(Spec{Arrivals: a, Every: every}, high*rng.Float64(), seed)
				sent, worst := 0, 0.0
				at := time.Duration(0)
				for range 600 {
					at += time.Duration(rng.IntN(66_000)) * time.Microsecond
					sent += len(until(s, at))
					worst = max(worst, math.Abs(float64(sent)-s.Count(at)))
					s.SetRate(at, max(0, high*(1.5*rng.Float64()-0.5)))
				}
				if bound := 1 + high*every.Seconds(); worst > bound {
					t.Errorf("%s every %s, seed %d: off by %.1f, want at most %.1f", a, every, seed, worst, bound)
				}
				s.SetRate(at, high) // a fall that came too late is made up for
				end := (at/every + 4) * every
				sent += len(until(s, end))
				if want := math.Floor(s.Count(end) + 1e-6); float64(sent) != want {
					t.Errorf("%s every %s, seed %d: sent %d at the end of a window, want ⌊N⌋ = %g", a, every, seed, sent, want)
				}
			}
		}
	}
}

func TestBurstPaysARiseAtTheNextStart(t *testing.T) {
	s := Start(Spec{Arrivals: Burst}, 10, 1)
	until(s, 400*time.Millisecond)
	s.SetRate(400*time.Millisecond, 100)
	got := perWindow(until(s, 3*time.Second), time.Second, 3)
	if want := []int{0, 154, 100}; !slices.Equal(got, want) { // 0.6 s × 90 more, then 100
		t.Errorf("after the rise %v, want %v", got, want)
	}
	s = Start(Spec{Arrivals: Burst}, 100, 1)
	until(s, 400*time.Millisecond)
	s.SetRate(400*time.Millisecond, 10)
	got = perWindow(until(s, 8*time.Second), time.Second, 8)
	if want := []int{0, 0, 0, 0, 0, 0, 6, 10}; !slices.Equal(got, want) { // 54 too many
		t.Errorf("after the fall %v, want %v", got, want)
	}
	s = Start(Spec{Arrivals: Burst}, 100, 1)
	until(s, 2*time.Second)
	s.SetRate(2*time.Second, 7) // before the burst that is due at this instant
	if got := len(until(s, 2500*time.Millisecond)); got != 7 {
		t.Errorf("a burst of %d at the instant of the change, want 7", got)
	}
}

// A burst of which some were taken is not taken back.
func TestABurstThatHasBegunGoesOn(t *testing.T) {
	for _, a := range []Arrivals{Burst, PoissonCounts} {
		s := Start(Spec{Arrivals: a, Within: AtOnce}, 50, 6)
		all := len(until(Start(Spec{Arrivals: a, Within: AtOnce}, 50, 6), time.Microsecond))
		for range 20 {
			s.Take()
		}
		s.SetRate(0, 10)
		if got := 20 + len(until(s, time.Microsecond)); got != all {
			t.Errorf("%s: a burst of %d, want %d", a, got, all)
		}
	}
}

func TestCountIgnoresTheRate(t *testing.T) {
	for _, a := range []Arrivals{Uniform, Burst} {
		spec := Spec{Arrivals: a, Count: 20, Every: 2 * time.Second}
		plain, changed := Start(spec, 1, 4), Start(spec, 1, 4)
		var got []time.Duration
		for at := time.Duration(0); at < 20*time.Second; at += 130 * time.Millisecond {
			got = append(got, until(changed, at)...)
			changed.SetRate(at, float64(at%7))
		}
		got = append(got, until(changed, 20*time.Second)...)
		if want := until(plain, 20*time.Second); !slices.Equal(got, want) {
			t.Errorf("%s: changes of the rate changed due times", a)
		}
		if got := changed.Count(30 * time.Second); got != 300 || changed.Rate(0) != 10 {
			t.Errorf("%s: N(30 s) = %g, N' = %g, want 300 and 10", a, got, changed.Rate(0))
		}
	}
}
