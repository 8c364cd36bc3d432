package pace

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// until takes everything due before end and returns the due times.
func until(s *Schedule, end time.Duration) (dues []time.Duration) {
	for {
		due, any := s.Next()
		if !any || due >= end {
			return dues
		}
		dues = append(dues, due)
		s.Take()
	}
}

func TestConstantIsExact(t *testing.T) {
	tests := []struct {
		rate float64
		d    time.Duration
		want int
	}{
		{7, time.Hour, 25200},
		{50, 10 * time.Second, 500},
		{5000, time.Minute, 300000},
		{0.1, time.Hour, 360},
		{300.0 / 60, time.Minute, 300},
		{1.0 / 3, 30 * time.Second, 10},
	}
	for _, tt := range tests {
		if got := len(until(Start(Spec{}, tt.rate, 1), tt.d)); got != tt.want {
			t.Errorf("%g/s for %s: %d requests, want %d", tt.rate, tt.d, got, tt.want)
		}
	}
	for i, due := range until(Start(Spec{}, 50, 1), 10*time.Second) {
		if want := time.Duration(i) * 20 * time.Millisecond; due != want {
			t.Fatalf("request %d is due at %s, want %s", i, due, want)
		}
	}
}

func TestPoissonMeanAndVariance(t *testing.T) {
	const rate, seconds = 50.0, 2000
	counts := make([]float64, seconds)
	for _, due := range until(Start(Spec{Arrivals: Poisson}, rate, 42), seconds*time.Second) {
		counts[due/time.Second]++
	}
	var sum, sq float64
	for _, c := range counts {
		sum += c
		sq += c * c
	}
	mean := sum / seconds
	variance := sq/seconds - mean*mean
	// The standard error of the mean is √(50/2000) = 0.16, of the variance
	// about 50·√(2/2000) = 1.6; the seed is fixed.
	if math.Abs(mean-rate) > 0.5 || math.Abs(variance-rate) > 5 {
		t.Errorf("counts per second have mean %.2f and variance %.2f, want %g for both", mean, variance, rate)
	}
	first, _ := Start(Spec{Arrivals: Poisson}, rate, 42).Next()
	if first == 0 {
		t.Error("the first gap was not drawn")
	}
}

func TestOneSeedOneSchedule(t *testing.T) {
	a := until(Start(Spec{Arrivals: Poisson}, 30, Seed(7, "arrivals", 0, 0)), time.Minute)
	b := until(Start(Spec{Arrivals: Poisson}, 30, Seed(7, "arrivals", 0, 0)), time.Minute)
	c := until(Start(Spec{Arrivals: Poisson}, 30, Seed(7, "arrivals", 1, 0)), time.Minute)
	if len(a) != len(b) || a[len(a)-1] != b[len(b)-1] {
		t.Error("the same seed gave two schedules")
	}
	if len(a) == len(c) && a[0] == c[0] {
		t.Error("two lanes have the same schedule")
	}
}

// Thirty changes of rate within a second must send ∫ rate, not one request
// more for each change.
func TestBendKeepsTheCount(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		rate := 1 + 99*rng.Float64()
		s := Start(Spec{}, rate, seed)
		sent, integral, last := 0, 0.0, time.Duration(0)
		at := time.Duration(0)
		for range 30 {
			at += time.Duration(rng.IntN(66_000)) * time.Microsecond
			for _, due := range until(s, at) {
				if due < last {
					t.Fatalf("seed %d: due %s after %s", seed, due, last)
				}
				last = due
				sent++
			}
			integral += rate * (at - s.from).Seconds()
			rate = 100 * rng.Float64()
			s.SetRate(at, rate)
		}
		if math.Abs(float64(sent)-integral) > 1 {
			t.Errorf("seed %d: sent %d, ∫ rate = %.2f", seed, sent, integral)
		}
	}
}

func TestBendSaysWhenTheNextIsDue(t *testing.T) {
	s := Start(Spec{}, 10, 1)
	until(s, 250*time.Millisecond) // 0, 100, 200 ms; N = 2.5
	s.SetRate(250*time.Millisecond, 50)
	if due, _ := s.Next(); due != 260*time.Millisecond { // (1 − 0.5)/50 s on
		t.Errorf("next due at %s, want 260ms", due)
	}
	s.SetRate(250*time.Millisecond, 0)
	if due, any := s.Next(); any {
		t.Errorf("at rate 0 a request is due at %s", due)
	}
	s.SetRate(10*time.Second, 1)
	if due, _ := s.Next(); due != 10500*time.Millisecond {
		t.Errorf("next due at %s, want 10.5s: N must stand still at rate 0", due)
	}
}

func TestNothingIsDueAtRateZero(t *testing.T) {
	late, err := ParseShape("step 0,10 every 10s")
	if err != nil {
		t.Fatal(err)
	}
	for a := Constant; a <= Traced; a++ {
		if due, any := Start(Spec{Arrivals: a}, 0, 1).Next(); any {
			t.Errorf("%s at rate 0: due at %s", a, due)
		}
	}
	if due, _ := Start(Spec{Shape: late}, 1, 1).Next(); due != 10*time.Second {
		t.Errorf("a shape that begins with rate 0: due at %s", due)
	}
	// N may stand on a mark.
	s := Start(Spec{}, 10, 1)
	until(s, time.Second+time.Microsecond)
	s.SetRate(1100*time.Millisecond, 0)
	if due, any := s.Next(); any {
		t.Errorf("stopped on a mark: due at %s", due)
	}
	s.SetRate(2*time.Second, 10)
	if due, _ := s.Next(); due != 2*time.Second {
		t.Errorf("started again on a mark: due at %s", due)
	}
}

func TestArrivalsChangeAndKeepTheCount(t *testing.T) {
	s := Start(Spec{}, 100, 1)
	n := len(until(s, time.Second))
	s.SetArrivals(time.Second, Poisson, 9)
	n += len(until(s, 11*time.Second))
	s.SetArrivals(11*time.Second, Constant, 0)
	rest := until(s, 12*time.Second)
	if n < 1000 || n > 1200 {
		t.Errorf("%d requests in 11 s at 100/s", n)
	}
	if len(rest) < 99 || len(rest) > 101 || rest[1]-rest[0] != 10*time.Millisecond {
		t.Errorf("constant again: %d in a second, gap %s", len(rest), rest[1]-rest[0])
	}
	// Toggling may not put requests off for ever.
	s = Start(Spec{}, 2, 1)
	for i := range 40 {
		at := time.Duration(i) * 250 * time.Millisecond
		until(s, at)
		s.SetArrivals(at, Arrivals(i%2), uint64(i))
	}
	if due, _ := s.Next(); due > 12*time.Second {
		t.Errorf("after 40 toggles in 10 s the next request is due at %s", due)
	}
}

func TestParse(t *testing.T) {
	for _, n := range Names() {
		a, err := Parse(n)
		if err != nil || a.String() != n {
			t.Errorf("Parse(%q) = %v, %v", n, a, err)
		}
	}
	if _, err := Parse("often"); err == nil {
		t.Error(`Parse("often") found arrivals`)
	}
}
