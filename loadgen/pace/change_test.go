package pace

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// From any pattern to any other: nothing falls, nothing comes before the
// change, and the new one goes on at its rate.
func TestChangesOfArrivals(t *testing.T) {
	all := patterns(t)
	trace := all["trace"].Trace
	for from := Constant; from <= Traced; from++ {
		for to := Constant; to <= Traced; to++ {
			if from == to {
				continue
			}
			s := Start(Spec{Arrivals: from, Trace: trace}, speed(Spec{Arrivals: from}), 1)
			at := 2300 * time.Millisecond
			until(s, at)
			n := s.Count(at)
			s.SetRate(at, 5)
			s.SetArrivals(at, to, 2)
			if got := s.Count(at); math.Abs(got-n) > 1e-9 {
				t.Errorf("%s to %s: N went from %g to %g", from, to, n, got)
			}
			dues := until(s, at+20*time.Second)
			for i, due := range dues {
				if due < at || i > 0 && due < dues[i-1] {
					t.Errorf("%s to %s: due at %s", from, to, due)
				}
			}
			want, slack := 100.0, 40.0
			switch {
			case to == Closed:
				want, slack = 0, 0
			case to == Traced:
				want, slack = 75_000, 1300 // 5 × as fast, three quarters of its seconds are full
			case from == Burst: // 700 were sent ahead
				want = 0
			}
			if got := float64(len(dues)); math.Abs(got-want) > slack {
				t.Errorf("%s to %s: %g requests in 20 s, want %g", from, to, got, want)
			}
		}
	}
}

// However often the pattern changes, N is kept: what windows sent in advance
// is not sent twice, and no pattern is put off for ever.
func TestTogglingKeepsTheCount(t *testing.T) {
	const rate, toggles, runs = 50.0, 200, 30
	for a := Constant; a <= Burst; a++ {
		for b := Constant; b <= Burst; b++ {
			if a == b {
				continue
			}
			var off []float64
			for seed := range uint64(runs) {
				rng := rand.New(rand.NewPCG(seed, 3))
				s := Start(Spec{Arrivals: a}, rate, seed)
				sent, at := 0, time.Duration(0)
				for i := range toggles {
					at += time.Duration(rng.IntN(500_000)) * time.Microsecond
					sent += len(until(s, at))
					s.SetArrivals(at, []Arrivals{b, a}[i%2], seed*1000+uint64(i))
				}
				off = append(off, float64(sent)-s.Count(at))
			}
			// Of 2500 requests and 200 changes. A burst is ahead by up to a window.
			low, high := 0.0, 0.0
			if a == Burst || b == Burst {
				high = rate
			}
			mean, variance := moments(off)
			if slack := 4 * math.Sqrt(variance/runs); mean < low-slack || mean > high+slack {
				t.Errorf("%s and %s by turns: %.1f requests too many", a, b, mean)
			}
		}
	}
}

func TestAnEarlierInstantIsTheLastChange(t *testing.T) {
	for name, spec := range patterns(t) {
		s := Start(spec, speed(spec), 1)
		until(s, 1500*time.Millisecond)
		s.SetRate(1500*time.Millisecond, 3)
		n := s.Count(1500 * time.Millisecond)
		s.SetRate(time.Second, 4)
		if got := s.Count(0); math.Abs(got-n) > 1e-9 {
			t.Errorf("%s: N fell from %g to %g", name, n, got)
		}
		if due, any := s.Next(); any && due < 1500*time.Millisecond {
			t.Errorf("%s: due at %s, before the change", name, due)
		}
	}
}

func TestOneSeedOneScheduleOfAnyPattern(t *testing.T) {
	drive := func(spec Spec, seed uint64) (dues []time.Duration) {
		s := Start(spec, speed(spec), seed)
		for i := range 15 {
			at := time.Duration(i) * 333 * time.Millisecond
			dues = append(dues, until(s, at)...)
			s.SetRate(at, speed(spec)*float64(1+i%5)/4)
		}
		return dues
	}
	for name, spec := range patterns(t) {
		a, b, c := drive(spec, 5), drive(spec, 5), drive(spec, Seed(5, "arrivals", 1, 0))
		same := func(x, y []time.Duration) bool {
			for i := range x {
				if i >= len(y) || x[i] != y[i] {
					return false
				}
			}
			return len(x) == len(y)
		}
		if !same(a, b) {
			t.Errorf("%s: one seed gave two schedules", name)
		}
		chance := spec.Arrivals == Poisson || spec.Arrivals == PoissonCounts || spec.Arrivals == Uniform
		if same(a, c) == chance {
			t.Errorf("%s: chance is %t, but another seed gave the same: %t", name, chance, !chance)
		}
	}
}
