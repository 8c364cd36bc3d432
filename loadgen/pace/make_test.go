package pace

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestMake(t *testing.T) {
	models, mix := []string{"mobilenet_v1", "mobilenet_v2", "inception_v3", "yolo_v5"}, []float64{10, 10, 20, 1}
	w, err := Make(mix, models, 2000*time.Second, PoissonCounts, 7)
	if err != nil {
		t.Fatal(err)
	}
	for i, trace := range w.Traces {
		xs := make([]float64, 2000)
		for k := range xs {
			xs[k] = float64(trace.second(int64(k + 1)).n)
		}
		if !near(xs, mix[i]) {
			m, v := moments(xs)
			t.Errorf("%s: mean %.3f, variance %.3f, want %g", w.Models[i], m, v, mix[i])
		}
	}
	text := written(t, w)
	back := workload(t, Even, text)
	if !slices.Equal(tallies(back), tallies(w)) || !slices.Equal(back.Models, w.Models) || back.Total != w.Total || back.Length != w.Length || back.Hash != w.Hash {
		t.Error("read back it is another workload")
	}
	again, _ := Make(mix, models, 2000*time.Second, PoissonCounts, 7)
	other, _ := Make(mix, models, 2000*time.Second, PoissonCounts, 8)
	if again.Hash != w.Hash || other.Hash == w.Hash {
		t.Error("one seed, one file")
	}
	more, _ := Make([]float64{5, 1, 20}, []string{"new", "yolo_v5", "inception_v3"}, 2000*time.Second, PoissonCounts, 7)
	same := func(a, b tally) bool { return a.second == b.second && a.n == b.n && a.before == b.before }
	if !slices.EqualFunc(more.Traces[1].seconds, w.Traces[3].seconds, same) || !slices.EqualFunc(more.Traces[2].seconds, w.Traces[2].seconds, same) {
		t.Error("another model changed counts")
	}
	steady, err := Make([]float64{2.5, 0, 0.1}, []string{"a", "b", "c"}, 10*time.Second, Constant, 1)
	if err != nil || steady.Total != 26 {
		t.Fatalf("%d requests, %v", steady.Total, err)
	}
	if round, _ := Make([]float64{0.29}, []string{"a"}, 100*time.Second, Constant, 1); round.Total != 29 {
		t.Errorf("0.29/s for 100 s: %d requests", round.Total)
	}
	if got := fmt.Sprint(steady.Traces[0].seconds[:3], steady.Traces[2].seconds); got != "[{1 2 0 2 0} {2 3 2 3 0} {3 2 5 2 0}] [{10 1 0 4 3}]" {
		t.Errorf("constant counts %s", got)
	}
}

func TestMakeRefuses(t *testing.T) {
	two, s := []string{"a", "b"}, time.Second
	tests := []struct {
		mix    []float64
		models []string
		length time.Duration
		counts Arrivals
		want   string
	}{
		{[]float64{1}, two, s, Constant, "1 rates for 2 models (a, b): want one rate for each"},
		{[]float64{1, -1}, two, s, Constant, "rate 2 of the mix is -1"},
		{[]float64{math.NaN(), 1}, two, s, Constant, "rate 1 of the mix is NaN"},
		{[]float64{0, 0}, two, s, Constant, "sends nothing"},
		{nil, nil, s, Constant, "sends nothing"},
		{[]float64{1, 1}, two, 2500 * time.Millisecond, Constant, "want whole seconds"},
		{[]float64{1, 1}, two, 0, Constant, "want whole seconds"},
		{[]float64{1, 1}, two, s, Burst, "counts cannot be burst: want poisson-counts or constant"},
		{[]float64{1e6, 1}, two, 100 * s, Constant, "more than 100000000 requests in all"},
		{[]float64{1e6, 0}, two, 100 * s, PoissonCounts, "more than 100000000 requests in all"},
		{[]float64{1, 1}, []string{"a", "a"}, s, Constant, "each one once"},
		{[]float64{1, 1}, []string{"a", " b"}, s, Constant, "without spaces around it"},
		{[]float64{1, 1}, []string{"a", "b\t"}, s, Constant, "control character"},
		{make([]float64, 1001), make([]string, 1001), s, Constant, "1001 models are too many"},
	}
	for _, tt := range tests {
		if _, err := Make(tt.mix, tt.models, tt.length, tt.counts, 2); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Make of %.3v: %v, want %s", tt.mix, err, tt.want)
		}
	}
}
