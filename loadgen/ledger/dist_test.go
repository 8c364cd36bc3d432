package ledger

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestDistIsExactUpToAThousand(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var d dist
	var all []time.Duration
	for range Exact {
		v := time.Duration(rng.IntN(10_000_000)) * time.Microsecond
		d.add(v)
		all = append(all, v)
	}
	slices.Sort(all)
	for _, q := range []float64{0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 1} {
		want := all[int(math.Ceil(q*Exact))-1]
		if got := Of(d.snapshot(), q).Value; got != want {
			t.Errorf("q%g = %s, want %s", q*100, got, want)
		}
	}
}

func TestDistKeepsThreeDigitsAbove(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var d dist
	var all []time.Duration
	var sum time.Duration
	for range 50_000 {
		v := time.Duration(math.Exp(rng.NormFloat64()*2+10)) * time.Microsecond
		d.add(v)
		sum += v
		all = append(all, v)
	}
	slices.Sort(all)
	v := d.snapshot()
	if v.Min() != all[0] || v.Max() != all[len(all)-1] || v.N() != 50_000 {
		t.Errorf("min %s max %s n %d are not exact", v.Min(), v.Max(), v.N())
	}
	if got, want := v.Mean().Seconds(), sum.Seconds()/50_000; math.Abs(got/want-1) > 1e-8 {
		t.Errorf("mean %g, want %g", got, want)
	}
	for _, q := range []float64{0.01, 0.5, 0.9, 0.99, 0.999} {
		want := all[int(math.Ceil(q*50_000))-1]
		got := v.Rank(rankOf(q, v.N()))
		if e := math.Abs(float64(got)/float64(want) - 1); e > 1.0/1000 {
			t.Errorf("q%g = %s, want %s: off by %.4f", q*100, got, want, e)
		}
	}
	var n int64
	for _, b := range v.Buckets() {
		n += b.Count
	}
	if n != v.N() {
		t.Errorf("buckets hold %d of %d", n, v.N())
	}
}

func TestMergeAddsUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	var all, sum dist
	for _, size := range []int{0, 1, 10, 900, 200, 5000} {
		var d dist
		for range size {
			v := time.Duration(rng.IntN(1e9))
			d.add(v)
			all.add(v)
		}
		sum.merge(d.snapshot())
	}
	got, want := sum.snapshot(), all.snapshot()
	if got.N() != want.N() || got.Mean() != want.Mean() || got.Min() != want.Min() || got.Max() != want.Max() {
		t.Errorf("merged %d %s %s %s, want %d %s %s %s", got.N(), got.Mean(), got.Min(), got.Max(), want.N(), want.Mean(), want.Min(), want.Max())
	}
	if g, w := got.Rank(3000), want.Rank(3000); g != w {
		t.Errorf("median %s, want %s", g, w)
	}
}

func TestEmptyDist(t *testing.T) {
	var d *Dist
	if d.N() != 0 || d.Mean() != 0 || d.Min() != 0 || d.Max() != 0 || d.Rank(1) != 0 || d.Below(1) != 0 || d.Buckets() != nil {
		t.Error("an empty distribution says something")
	}
	if q := Of(nil, 0.5); q.Bound != None {
		t.Errorf("its median is %+v", q)
	}
}

// Ranks are over ok, censored and open requests: an open request makes a
// quantile a lower bound, a timeout makes it absent with a bound beside it.
func TestQuantilesOfCensoredCohorts(t *testing.T) {
	var d dist
	for i := range 8 {
		d.add(time.Duration(i+1) * time.Second) // 1 … 8 s
	}
	ok := d.snapshot()
	tests := []struct {
		name string
		c    Cohort
		at   time.Duration
		q    float64
		want Quantile
	}{
		{"all ok", Cohort{Response: ok}, 0, 0.5, Quantile{Value: 4 * time.Second, Bound: Measure}},
		{"thin", Cohort{Response: ok}, 0, 0.99, Quantile{Value: 8 * time.Second, Bound: Measure, Thin: true}},
		{"below the timeouts", Cohort{Response: ok, Censored: 2, Over: 30 * time.Second}, 0, 0.8, Quantile{Value: 8 * time.Second, Bound: Measure}},
		{"among the timeouts", Cohort{Response: ok, Censored: 2, Over: 30 * time.Second}, 0, 0.9, Quantile{Value: 30 * time.Second, Bound: Over}},
		{"below the youngest open age", Cohort{Response: ok, Open: 2, Youngest: 10 * time.Second}, 15500 * ms, 0.5, Quantile{Value: 5 * time.Second, Bound: Measure}},
		{"at the open ones", Cohort{Response: ok, Open: 2, Youngest: 10 * time.Second}, 15500 * ms, 0.6, Quantile{Value: 5500 * ms, Bound: AtLeast}},
		{"above the open ones", Cohort{Response: ok, Open: 2, Youngest: 10 * time.Second}, 15500 * ms, 0.8, Quantile{Value: 6 * time.Second, Bound: AtLeast}},
		{"only open", Cohort{Open: 2, Youngest: 10 * time.Second}, 13 * time.Second, 0.5, Quantile{Value: 3 * time.Second, Bound: AtLeast}},
		{"nothing", Cohort{}, 0, 0.5, Quantile{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.c.Responses(tt.at).Quantile(tt.q); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}
