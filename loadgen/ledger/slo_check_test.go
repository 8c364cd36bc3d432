package ledger

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// hundred are requests of lane 0, one every 10 ms, which took 1, 2 … 100 ms.
func hundred() (all []story) {
	for i := range 100 {
		due := time.Duration(i) * 10 * ms
		all = append(all, story{i: int64(i), due: due, sent: due, done: due + time.Duration(i+1)*ms})
	}
	return all
}

// with puts other stories in the place of the last ones.
func with(all []story, others ...story) []story {
	n := len(all) - len(others)
	for i := range others {
		others[i].i = all[n+i].i
	}
	return append(all[:n:n], others...)
}

func TestCheck(t *testing.T) {
	lost := story{due: 900 * ms, sent: 900 * ms, done: 1900 * ms, class: Timeout}
	cut := story{due: 990 * ms, sent: Never, done: 995 * ms, class: CutOff}
	broken := story{due: 900 * ms, sent: 900 * ms, done: 3 * time.Second, class: HTTP5xx}
	open := story{due: 500 * ms, sent: 500 * ms, done: 9 * time.Second}
	late := story{due: 1500 * ms, sent: 1500 * ms, done: 9 * time.Second} // after the cohort of the others
	kept, missed, unknown := [2]bool{true, true}, [2]bool{true, false}, [2]bool{false, false}
	const end = time.Duration(0)
	tests := []struct {
		name    string
		slo     string
		stories []story
		at      time.Duration // of the check, or the end
		want    [2]bool       // known, held
		value   float64
		bound   Bound
		n       int64
	}{
		{"kept", "p99<100ms", hundred(), end, kept, 0.099, Measure, 100},
		{"just missed", "p99<99ms", hundred(), end, missed, 0.099, Measure, 100},
		{"just kept", "p99<=99ms", hundred(), end, kept, 0.099, Measure, 100},
		{"too few to keep it", "p99.9<1s", hundred(), end, unknown, 0.1, Measure, 100},
		{"too few, but what is below it misses it", "p99.9<1ms", hundred(), end, missed, 0.099, AtLeast, 100},
		{"too few, and only the largest misses it", "p99.9<99.5ms", hundred(), end, unknown, 0.1, Measure, 100},
		{"too few, and just two miss it", "p99.9<99ms", hundred(), end, missed, 0.099, AtLeast, 100},
		{"too few, among open ones below it", "p99.9<1s", with(hundred(), open, open), 2 * time.Second, missed, 1.5, AtLeast, 100},
		{"too few, among timeouts below it", "p99.9<2s", with(hundred(), lost, lost), end, missed, 1, Over, 100},
		{"one is too few for anything", "p50<10ms", []story{open}, end, unknown, 8.5, Measure, 1},
		{"of two the smaller is below any", "p99<1s", with(hundred()[:2], open, late), end, missed, 7.5, AtLeast, 2},
		{"too few, among timeouts", "p99.9<1s", with(hundred(), lost), end, unknown, 1, Over, 100},
		{"below the timeouts", "p98<100ms", with(hundred(), lost, cut), end, kept, 0.098, Measure, 100},
		{"among the timeouts", "p99<2s", with(hundred(), lost, cut), end, missed, 0.098, Over, 100},
		{"among many timeouts", "p99<500ms", with(hundred(), lost, lost), end, missed, 1, Over, 100},
		{"other failures are not in it", "p98<100ms", with(hundred(), broken, broken), end, kept, 0.097, Measure, 98},
		{"while none is open", "p99<100ms", hundred(), 2 * time.Second, kept, 0.099, Measure, 100},
		{"before the first close", "p99<100ms", hundred(), 900 * ms, unknown, 0, None, 0},
		{"below the open ones", "p90<100ms", with(hundred(), open, open), 2 * time.Second, kept, 0.09, Measure, 100},
		{"among young open ones", "p99<2s", with(hundred(), open, open), 2 * time.Second, unknown, 1.5, AtLeast, 100},
		{"among open ones that are too old", "p99<2s", with(hundred(), open, open), 3 * time.Second, missed, 2.5, AtLeast, 100},
		{"at the limit that open ones have reached", "p99<2500ms", with(hundred(), open, open), 3 * time.Second, missed, 2.5, AtLeast, 100},
		{"in the end of the open ones", "p99<2s", with(hundred(), open, open), end, missed, 8.5, Measure, 100},

		{"mean", "mean<51ms", hundred(), end, kept, 0.0505, Measure, 100},
		{"mean missed", "mean<50ms", hundred(), end, missed, 0.0505, Measure, 100},
		{"mean with a timeout", "mean<10s", with(hundred(), lost), end, missed, 0.0595, AtLeast, 100},
		{"mean of the settled", "mean<60ms", append(hundred(), late), 2 * time.Second, kept, 0.0505, Measure, 100},
		{"mean that an open one spoils", "mean<60ms", append(hundred(), late), 4 * time.Second, missed, 7.55 / 101, AtLeast, 101},
		{"mean of which nothing is settled", "mean<100ms", with(hundred(), open), 2 * time.Second, unknown, 6.45 / 100, AtLeast, 100},
		{"max", "max<=100ms", hundred(), end, kept, 0.1, Measure, 100},
		{"max missed", "max<100ms", hundred(), end, missed, 0.1, Measure, 100},
		{"max with a timeout", "max<10s", with(hundred(), lost), end, missed, 1, Over, 100},
		{"max of the settled", "max<2s", append(hundred(), late), 2 * time.Second, kept, 0.1, Measure, 100},
		{"max that an open one spoils", "max<2s", append(hundred(), late), 4 * time.Second, missed, 2.5, AtLeast, 101},

		{"errors", "errors<=2%", with(hundred(), broken, cut), end, kept, 0.02, Measure, 100},
		{"errors missed", "errors<2%", with(hundred(), broken, cut), end, missed, 0.02, Measure, 100},
		{"errors so far", "errors<1%", with(hundred(), broken, cut), 2 * time.Second, missed, 1. / 100, AtLeast, 100},
		{"errors, and open ones may be more", "errors<2%", with(hundred(), open, cut), 2 * time.Second, unknown, 1. / 100, AtLeast, 100},
		{"errors, and open ones cannot be too many", "errors<=2%", with(hundred(), open, cut), 2 * time.Second, kept, 1. / 100, AtLeast, 100},
		{"no errors", "errors<=0%", hundred(), end, kept, 0, Measure, 100},
		{"backlog", "backlog<11", hundred(), end, kept, 10, Measure, 2},
		{"backlog missed", "backlog<10", hundred(), end, missed, 10, Measure, 2},
		{"backlog stays missed", "backlog<10", hundred(), 2 * time.Second, missed, 10, Measure, 2},
		{"throughput", "throughput>90", hundred(), end, kept, 100 / 1.09, Measure, 100},
		{"throughput missed", "throughput>=92/s", hundred(), end, missed, 100 / 1.09, Measure, 100},
		{"throughput so far", "throughput>49", hundred(), 2 * time.Second, unknown, 50, Measure, 100},

		{"a lane", "0:p99<100ms", hundred(), end, kept, 0.099, Measure, 100},
		{"a lane that did nothing", "1:p99<100ms", hundred(), end, missed, 0, None, 0},
		{"no lane", "B:p99<100ms", hundred(), end, missed, 0, None, 0},
		{"nothing", "p99<100ms", nil, end, missed, 0, None, 0},
		{"nothing yet", "p99<100ms", nil, 2 * time.Second, unknown, 0, None, 0},
		{"nothing has no errors", "errors<1%", nil, end, missed, 0, None, 0},
		{"nothing has no backlog", "backlog<9", nil, end, missed, 0, Measure, 1},
		{"all failed", "max<10s", []story{broken, cut}[:1], end, missed, 0, None, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			slo, err := ParseSLO(tt.slo)
			if err != nil {
				t.Fatal(err)
			}
			got := slo.Check(played(t, tt.stories, tt.at))
			want := Verdict{SLO: slo, Known: tt.want[0], Held: tt.want[1], Value: tt.value, Bound: tt.bound, N: tt.n}
			got.Thin = false
			if math.Abs(got.Value-want.Value) < 1e-9 {
				got.Value = want.Value
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// played is the account of two lanes at the close of a second, or at the end.
func played(t *testing.T, all []story, at time.Duration) *Snapshot {
	t.Helper()
	l := New(lanes(2))
	for _, e := range eventsOf(all) {
		if at == 0 || e.At() <= at {
			mustApply(t, l, e)
		}
	}
	if at > 0 {
		mustAdvance(t, l, at+Grace)
		return l.Snapshot()
	}
	l.Stop(time.Second, 0)
	l.Stop(time.Second, 1)
	return mustFinish(t, l)
}

func TestAThinQuantileSaysSo(t *testing.T) {
	for text, thin := range map[string]bool{"p99<1s": false, "p99.9<1s": true} {
		slo, err := ParseSLO(text)
		if err != nil {
			t.Fatal(err)
		}
		if v := slo.Check(played(t, hundred(), 0)); v.Thin != thin {
			t.Errorf("%s: %+v", text, v)
		}
	}
}

// The highest backlog is not forgotten when seconds are joined.
func TestThePeakOfTheBacklogIsKept(t *testing.T) {
	l := New(lanes(1))
	for i := range int64(7) {
		mustApply(t, l, story{i: i, due: 0, sent: 0, done: 1500 * ms}.events()...)
	}
	mustAdvance(t, l, time.Hour)
	if got := l.Snapshot().Total.PeakBacklog; got != 7 {
		t.Errorf("peak %d, want 7", got)
	}
}

// A lane's quantile is found among all its requests, each cohort's open ones
// at their own age: sorting them all finds the same.
func TestLaneQuantilesAgainstASort(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 3))
		l := New(lanes(1))
		at := 10 * time.Second
		for _, e := range eventsOf(stories(rng, 1, 450)) { // due to 9 s, done to 13.3 s
			if e.At() < at {
				mustApply(t, l, e)
			}
		}
		mustAdvance(t, l, at+Grace)
		s := l.Snapshot().AtClose
		var all []time.Duration
		lane, lost := &s.Total, s.Total.Censored
		for _, c := range lane.Cohorts {
			for r := range c.Response.N() {
				all = append(all, c.Response.Rank(r+1))
			}
			for range c.Open {
				all = append(all, s.At-c.Youngest)
			}
		}
		slices.Sort(all)
		for _, q := range []float64{0.01, 0.25, 0.5, 0.75, 0.9, 0.99} {
			r := rankOf(q, int64(len(all))+lost)
			got := lane.Responses(s.At).Quantile(q)
			if over := r > int64(len(all)); over != (got.Bound == Over) {
				t.Fatalf("seed %d q%g: %+v, over: %v", seed, q*100, got, over)
			}
			if got.Bound != Over && got.Value != all[r-1] {
				t.Errorf("seed %d q%g: got %+v, want %s", seed, q*100, got, all[r-1])
			}
		}
	}
}
