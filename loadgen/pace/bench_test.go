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
	var own, more strings.Builder // three of four seconds are full
	for k := range 1000 {
		fmt.Fprintf(&own, "%d,,%d\n", k+1, min(k%4, 1)*1000)
		fmt.Fprintf(&more, "%d,other,%d\n", k+1, k%3*1000)
	}
	alone := workload(t, Random, own.String()).Traces[0]
	shared := workload(t, Even, own.String()+more.String()).Traces[0]
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
		"trace":                 {Arrivals: Traced, Trace: alone},
		"trace, shared":         {Arrivals: Traced, Trace: shared},
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

// What a lane pays for the other models of its seconds: by itself, in the lab's
// mix, in thick traffic, as a rare model in it, and at what a workload may hold.
func BenchmarkTrace(b *testing.B) {
	for _, mix := range []struct {
		name string
		own  int
		rest []int // requests of the other models
	}{
		{"alone", 1000, nil},
		{"lab", 10, []int{10, 20, 1}},
		{"lab-rare", 1, []int{10, 10, 20}},
		{"1e4", 2500, []int{2500, 2500, 2500}},
		{"1e5-rare", 10, []int{99_990}},
		{"1e7", 2_500_000, []int{7_500_000}},
		{"1e7-rare", 1, []int{9_999_999}},
	} {
		var text strings.Builder
		for k := range 9 {
			fmt.Fprintf(&text, "%d,own,%d\n", k+1, mix.own)
			for i, n := range mix.rest {
				fmt.Fprintf(&text, "%d,m%d,%d\n", k+1, i, n)
			}
		}
		for _, within := range []Within{Even, AtOnce, Random} {
			trace := workload(b, within, text.String()).Traces[0]
			spec := Spec{Arrivals: Traced, Trace: trace}
			b.Run(mix.name+"/"+within.String(), func(b *testing.B) {
				s := Start(spec, 1, 1)
				b.ReportAllocs()
				for b.Loop() {
					if _, any := s.Next(); !any {
						s = Start(spec, 1, 1)
					}
					s.Take()
				}
			})
		}
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
