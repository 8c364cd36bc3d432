package pace

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// patterns are all there are, each in one or two forms, with the rate or the
// factor at which it sends about 1000 requests a second.
func patterns(t testing.TB) map[string]Spec {
	var text strings.Builder // three of four seconds are full
	for k := range 1000 {
		fmt.Fprintf(&text, "%d,,%d\n", k+1, min(k%4, 1)*1000)
	}
	w, err := ReadWorkload(strings.NewReader(text.String()), "w.csv", Random, 1)
	if err != nil {
		t.Fatal(err)
	}
	shaped := func(a Arrivals, s string) Spec { return Spec{Arrivals: a, Shape: shape(t, s)} }
	return map[string]Spec{
		"constant":              {},
		"constant, ramp":        shaped(Constant, "ramp 100..1900 in 60s"),
		"constant, step":        shaped(Constant, "step 500,1500,0,1000 every 3s"),
		"constant, sine":        shaped(Constant, "sine 0..2000 every 7s"),
		"poisson":               {Arrivals: Poisson},
		"poisson, sine":         shaped(Poisson, "sine 500..1500 every 60s"),
		"poisson-counts":        {Arrivals: PoissonCounts},
		"poisson-counts, burst": {Arrivals: PoissonCounts, Within: AtOnce},
		"poisson-counts, any":   {Arrivals: PoissonCounts, Within: Random},
		"poisson-counts, ramp":  shaped(PoissonCounts, "ramp 100..1900 in 60s"),
		"uniform":               {Arrivals: Uniform},
		"uniform, count":        {Arrivals: Uniform, Count: 1000, Every: 700 * time.Millisecond},
		"uniform, sine":         shaped(Uniform, "sine 0..2000 every 7s"),
		"burst":                 {Arrivals: Burst},
		"burst, often":          {Arrivals: Burst, Every: time.Millisecond},
		"burst, count":          {Arrivals: Burst, Count: 1000},
		"burst, step":           shaped(Burst, "step 500,1500,0,1000 every 3s"),
		"once":                  {Arrivals: Uniform, Once: true, Count: 1000},
		"once at once":          {Arrivals: Burst, Once: true},
		"closed":                {Arrivals: Closed},
		"trace":                 {Arrivals: Traced, Trace: w.Traces[0]},
		"no trace":              {Arrivals: Traced},
	}
}

// speed is the rate or the factor of a pattern.
func speed(s Spec) float64 {
	if s.Shape != nil || s.Arrivals == Traced {
		return 1
	}
	return 1000
}

func BenchmarkSchedule(b *testing.B) {
	for name, spec := range patterns(b) {
		b.Run(strings.ReplaceAll(name, " ", ""), func(b *testing.B) {
			s := Start(spec, speed(spec), 1)
			b.ReportAllocs()
			for b.Loop() {
				if _, any := s.Next(); !any {
					s = Start(spec, speed(spec), 1)
				}
				s.Take()
			}
		})
	}
}

func BenchmarkPoisson(b *testing.B) {
	rng := stream(1)
	for name, mean := range map[string]float64{"9": 9, "11": 11, "1e6": 1e6} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				poisson(mean, rng)
			}
		})
	}
}
