package host

import (
	"math"
	"runtime"
	"runtime/metrics"
	"slices"
	"testing"
	"time"

	"dev.example/pileup/probes"
)

func hist(counts ...uint64) *metrics.Float64Histogram {
	buckets := []float64{math.Inf(-1), 0, 1e-6, 2e-6, 4.1e-6, math.Inf(1)}
	return &metrics.Float64Histogram{Counts: counts, Buckets: buckets[:len(counts)+1]}
}

func TestQuantile(t *testing.T) {
	none := hist(0, 0, 0, 0, 0)
	tests := []struct {
		name      string
		now, last *metrics.Float64Histogram
		q, want   float64
		ok        bool
	}{
		{"largest", hist(0, 1, 1, 0, 0), none, 1, 2e-6, true},
		{"up to a microsecond", hist(0, 1, 0, 1, 0), none, 1, 5e-6, true},
		{"99 of 100", hist(0, 99, 1, 0, 0), none, 0.99, 1e-6, true},
		{"98 of 100", hist(0, 98, 2, 0, 0), none, 0.99, 2e-6, true},
		{"few: the largest", hist(0, 9, 1, 0, 0), none, 0.99, 2e-6, true},
		{"only what came since", hist(0, 5, 0, 9, 0), hist(0, 4, 0, 9, 0), 1, 1e-6, true},
		{"beyond the last edge", hist(0, 0, 0, 0, 1), none, 1, 5e-6, true},
		{"below the first", hist(1, 0, 0, 0, 0), none, 1, 0, true},
		{"none", hist(0, 1, 0, 0, 0), hist(0, 1, 0, 0, 0), 1, 0, false},
		{"backwards", none, hist(0, 1, 0, 0, 0), 1, 0, false},
		{"other buckets", hist(0, 1), none, 1, 0, false},
		{"no histogram", nil, none, 1, 0, false},
		{"no buckets", &metrics.Float64Histogram{}, &metrics.Float64Histogram{}, 1, 0, false},
	}
	for _, tt := range tests {
		got, err := quantile(tt.now, tt.last, tt.q)
		if got != tt.want || (err == nil) != tt.ok {
			t.Errorf("%s: %v, %v, want %v, ok %v", tt.name, got, err, tt.want, tt.ok)
		}
	}
}

func FuzzQuantile(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3}, []byte{0, 0, 1, 1}, 0.99)
	f.Fuzz(func(t *testing.T, a, b []byte, q float64) {
		now, last := &metrics.Float64Histogram{}, &metrics.Float64Histogram{}
		for i := range min(len(a), len(b)) {
			now.Counts, last.Counts = append(now.Counts, uint64(a[i])+uint64(b[i])), append(last.Counts, uint64(b[i]))
		}
		for i := range len(now.Counts) + 1 {
			now.Buckets = append(now.Buckets, float64(i)*1e-6)
		}
		q = math.Mod(math.Abs(q), 1)
		if !(q >= 0) {
			q = 1
		}
		x, err := quantile(now, last, q)
		top, err2 := quantile(now, last, 1)
		if (err == nil) != (err2 == nil) || x > top || !(x >= 0) {
			t.Fatalf("quantile(%v) = %v, %v and the largest is %v, %v", q, x, err, top, err2)
		}
	})
}

// The metrics are what this package takes them for.
func TestRuntimeMetrics(t *testing.T) {
	known := metrics.All()
	for _, name := range asked {
		if !slices.ContainsFunc(known, func(d metrics.Description) bool { return d.Name == name }) {
			t.Errorf("this Go does not know %s", name)
		}
	}
	var r goRuntime
	r.read(new(sample))
	runtime.GC()
	runtime.GC()
	var s sample
	r.read(&s)
	own := s.Own
	if own.GCs.Or(0) < 2 || own.HeapLive.Or(0) <= 0 || own.Goroutines.Or(0) < 1 || own.CoresMax.Or(0) != float64(runtime.GOMAXPROCS(0)) {
		t.Errorf("after two collections: %+v", own)
	}
	if pause := own.GCPause.Or(0); pause <= 0 || pause > 10 {
		t.Errorf("longest pause %v s", pause)
	}
	if gc := own.GC.Or(0); gc <= 0 || gc > 100*float64(runtime.GOMAXPROCS(0)) {
		t.Errorf("collecting took %v %% of a core", gc)
	}
}

func TestAddRuntime(t *testing.T) {
	at := time.Now()
	last := counts{gc: 1, at: at, cycles: 5, pauses: hist(0, 1), waits: hist(0, 7)}
	tests := []struct {
		name string
		now  counts
		want probes.Process
		lack string
	}{
		{
			"a collection ended",
			counts{gc: 2, at: at.Add(4 * time.Second), cycles: 6, pauses: hist(0, 3), waits: hist(0, 8)},
			probes.Process{GC: probes.Of(25), GCs: probes.Of(1), GCPause: probes.Of(1e-6), SchedWait: probes.Of(1e-6)},
			"",
		},
		{
			"none ended",
			counts{gc: 1, at: at.Add(time.Second), cycles: 5, pauses: hist(0, 1), waits: hist(0, 7)},
			probes.Process{GC: probes.Of(0), GCs: probes.Of(0), GCPause: probes.Of(0)},
			"own goroutine waits",
		},
		{
			"more than one core of it",
			counts{gc: 4, at: at.Add(2 * time.Second), cycles: 6, pauses: hist(0, 1), waits: hist(0, 8)},
			probes.Process{GC: probes.Of(150), GCs: probes.Of(1), GCPause: probes.Of(0), SchedWait: probes.Of(1e-6)},
			"",
		},
	}
	for _, tt := range tests {
		var s sample
		s.addRuntime(tt.now, last)
		if s.Own != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, s.Own, tt.want)
		}
		if (len(s.Absent) > 0) != (tt.lack != "") || tt.lack != "" && s.Absent[0].What != tt.lack {
			t.Errorf("%s: absent %v, want %q", tt.name, s.Absent, tt.lack)
		}
	}
}
