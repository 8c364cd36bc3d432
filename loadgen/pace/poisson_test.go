package pace

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// moments returns mean and variance.
func moments(xs []float64) (mean, variance float64) {
	for _, x := range xs {
		mean += x
	}
	mean /= float64(len(xs))
	for _, x := range xs {
		variance += (x - mean) * (x - mean)
	}
	return mean, variance / float64(len(xs)-1)
}

// near says whether mean and variance are those of n Poisson numbers, within
// four standard errors; the seeds are fixed.
func near(xs []float64, want float64) bool {
	mean, variance := moments(xs)
	n := float64(len(xs))
	return math.Abs(mean-want) <= 4*math.Sqrt(want/n) &&
		math.Abs(variance-want) <= 4*math.Sqrt((2*want*want+want)/n)
}

func TestPoissonNumbers(t *testing.T) {
	for _, mean := range []float64{0.5, 9.9, 10, 50, 5000, 1e6} {
		rng := stream(uint64(mean))
		xs := make([]float64, 50_000)
		for i := range xs {
			xs[i] = float64(poisson(mean, rng))
		}
		if !near(xs, mean) {
			m, v := moments(xs)
			t.Errorf("λ = %g: mean %.4f, variance %.4f", mean, m, v)
		}
	}
	if n := poisson(0, stream(1)); n != 0 {
		t.Errorf("λ = 0 drew %d", n)
	}
}

// Every number comes as often as its probability says, on both sides of where
// the method changes.
func TestPoissonNumbersOneByOne(t *testing.T) {
	const n = 200_000
	for _, mean := range []float64{3, 9.99, 10, 40} {
		rng := stream(7)
		seen := map[int64]float64{}
		for range n {
			seen[poisson(mean, rng)]++
		}
		chi, cells := 0.0, 0.0
		for k := range int64(200) {
			g, _ := math.Lgamma(float64(k) + 1)
			if want := n * math.Exp(float64(k)*math.Log(mean)-mean-g); want >= 5 {
				chi += (seen[k] - want) * (seen[k] - want) / want
				cells++
			}
		}
		if z := (chi - cells) / math.Sqrt(2*cells); z > 4 {
			t.Errorf("λ = %g: χ² = %.1f over %g numbers", mean, chi, cells)
		}
	}
}

func TestPoissonCounts(t *testing.T) {
	const seconds = 3000
	for _, within := range []Within{Even, AtOnce, Random} {
		for _, rate := range []float64{0.3, 4, 60} {
			dues := until(Start(Spec{Arrivals: PoissonCounts, Within: within}, rate, 11), seconds*time.Second)
			counts := perWindow(dues, time.Second, seconds)
			xs := make([]float64, seconds)
			for i, c := range counts {
				xs[i] = float64(c)
			}
			if !near(xs, rate) {
				m, v := moments(xs)
				t.Errorf("%s %g/s: mean %.3f, variance %.3f", within, rate, m, v)
			}
			if !slices.IsSorted(dues) {
				t.Errorf("%s %g/s: due times fall", within, rate)
			}
			if within != Random {
				placed(t, within, dues, counts)
			}
		}
	}
}

// placed holds due times to where they belong in their second.
func placed(t *testing.T, within Within, dues []time.Duration, counts []int) {
	t.Helper()
	for second, n := range counts {
		for k := range n {
			want := time.Duration(second) * time.Second
			if within == Even {
				want += (time.Second * time.Duration(k) / time.Duration(n)).Truncate(time.Microsecond)
			}
			if dues[k] != want {
				t.Fatalf("%s: request %d of %d of second %d is due at %s, want %s", within, k, n, second+1, dues[k], want)
			}
		}
		dues = dues[n:]
	}
}

// However often and wherever the rate changes, PoissonCounts sends ∫ rate on
// average: a change neither brings a request nor takes one.
func TestBendKeepsTheCountOfPoissonCounts(t *testing.T) {
	const runs = 1000
	for _, within := range []Within{Even, AtOnce, Random} {
		for _, tt := range []struct {
			high  float64       // requests per second
			every time.Duration // most between changes
		}{{3, 66 * time.Millisecond}, {40, 66 * time.Millisecond}, {0.7, 3 * time.Second}} {
			var off []float64
			sent, brought, expected := 0, 0, 0.0
			for seed := range uint64(runs) {
				rng := rand.New(rand.NewPCG(seed, 2))
				s := Start(Spec{Arrivals: PoissonCounts, Within: within}, tt.high, seed)
				n, at := 0, time.Duration(0)
				for range 60 {
					at += time.Duration(rng.Int64N(int64(tt.every))).Truncate(time.Microsecond)
					n += len(until(s, at))
					s.SetRate(at, tt.high*rng.Float64())
					if due, any := s.Next(); any && due == at && within == Even {
						brought++
					}
				}
				// At the end of a window nothing is sent ahead of N.
				s.SetRate(at, tt.high)
				at = at.Truncate(time.Second) + 20*time.Second
				n += len(until(s, at))
				off = append(off, float64(n)-s.Count(at))
				sent += n
				expected += s.Count(at)
			}
			if brought > 60*runs/1000 { // some are due in that microsecond by chance
				t.Errorf("up to %g/s: %d of %d changes brought a request at once", tt.high, brought, 60*runs)
			}
			mean, variance := moments(off)
			if math.Abs(mean) > 4*math.Sqrt(variance/runs) {
				t.Errorf("%s up to %g/s: sent %d where %.0f are expected", within, tt.high, sent, expected)
			}
			if variance > 1.15*expected/runs+1 {
				t.Errorf("%s up to %g/s: variance %.1f where %.1f are expected", within, tt.high, variance, expected/runs)
			}
		}
	}
}

// The thresholds of a Poisson process are in N, so over any shape it is a
// Poisson process with that rate.
func TestPoissonOverAShape(t *testing.T) {
	s := shape(t, "sine 0..20 every 10s")
	const runs = 1000
	counts := make([][]float64, 20) // by half second
	for seed := range uint64(runs) {
		now := make([]float64, len(counts))
		for _, due := range until(Start(Spec{Arrivals: Poisson, Shape: s}, 2, seed), 10*time.Second) {
			now[due/(500*time.Millisecond)]++
		}
		for i, n := range now {
			counts[i] = append(counts[i], n)
		}
	}
	for i, xs := range counts {
		from, to := time.Duration(i)*500*time.Millisecond, time.Duration(i+1)*500*time.Millisecond
		if want := 2 * (s.Integral(to) - s.Integral(from)); !near(xs, want) {
			m, v := moments(xs)
			t.Errorf("from %s: mean %.3f, variance %.3f, want %.3f", from, m, v, want)
		}
	}
}
