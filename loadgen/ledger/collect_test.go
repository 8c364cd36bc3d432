package ledger

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// It does not matter when a distribution was looked at, or sealed, on the way.
func TestDistIsTheSameHoweverOftenItWasSeen(t *testing.T) {
	for _, n := range []int{1, 500, Exact, Exact + 1, 5000} {
		t.Run(fmt.Sprint(n, " values"), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(7, uint64(n)))
			var seen, unseen, again dist
			again.add(time.Hour)
			again.reset()
			var kept []*Dist
			var said []string
			for i := range n {
				v := time.Duration(math.Exp(rng.NormFloat64()*2+8)) * time.Microsecond
				seen.add(v)
				unseen.add(v)
				again.add(v)
				if i%37 == 0 {
					s := seen.snapshot()
					kept, said = append(kept, s), append(said, fmt.Sprintf("%+v", *s))
				}
				if i%411 == 0 {
					seen.seal()
				}
			}
			seen.seal()
			for _, d := range []*dist{&unseen, &again} {
				if d := cmp.Diff(d.snapshot(), seen.snapshot(), whole); d != "" {
					t.Error(d)
				}
			}
			for i := range kept {
				if fmt.Sprintf("%+v", *kept[i]) != said[i] {
					t.Fatalf("view %d was written after it was published", i)
				}
			}
		})
	}
}

func TestCountersStandForTheirBuckets(t *testing.T) {
	for _, v := range []int64{0, 1, 2047, 2048, 2049, 4095, 4096, 1_000_000, 123_456_789, math.MaxInt64} {
		var c counts
		c.add(v, 3)
		if d := cmp.Diff([]Bucket{{bucketLow(v), 3}}, slices.Collect(c.pack().all())); d != "" {
			t.Errorf("%d: %s", v, d)
		}
	}
}

func TestRefsFindTheOldestAndTheYoungestOpenOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	var r refs
	open := map[int64]time.Duration{}
	isOpen := func(x ref) bool { _, ok := open[x.i]; return ok }
	for i := range int64(10_000) {
		due := time.Duration(i)*ms - time.Duration(rng.IntN(60)*rng.IntN(2))*ms
		r.add(ref{due: due, i: i})
		open[i] = due
		for n := range open {
			if len(open) > 20+int(i%200) {
				delete(open, n)
			}
		}
		if i%7 > 0 {
			continue
		}
		r.tidy(isOpen, int64(len(open)))
		var dues []time.Duration
		for _, due := range open {
			dues = append(dues, due)
		}
		slices.Sort(dues)
		if r.oldest() != dues[0] || r.youngest() != dues[len(dues)-1] {
			t.Fatalf("after %d: %s to %s, want %s to %s", i, r.oldest(), r.youngest(), dues[0], dues[len(dues)-1])
		}
		mid := dues[len(dues)/2]
		want := int64(len(dues) - slices.Index(dues, mid))
		if got := r.from(mid, isOpen); got != want {
			t.Fatalf("after %d: %d from %s on, want %d", i, got, mid, want)
		}
	}
	clear(open)
	r.tidy(isOpen, 0)
	if r.oldest() != Never || r.youngest() != Never {
		t.Error("without any open it has one")
	}
}

// A cohort that had settled takes what comes late all the same.
func TestASettledCohortTakesWhatIsLate(t *testing.T) {
	l := New(lanes(1))
	for i := range int64(1500) {
		mustApply(t, l, story{i: i, due: 0, sent: 0, done: time.Duration(i+1) * 100 * time.Microsecond}.events()...)
	}
	mustAdvance(t, l, 3*time.Second+Grace)
	if c := l.Snapshot().Total.Cohorts[0]; !c.Settled || c.Response.N() != 1500 {
		t.Fatalf("cohort %+v", c)
	}
	mustApply(t, l, story{i: 1500, due: 500 * ms, sent: 500 * ms, done: 700 * ms}.events()...)
	l.Stop(4*time.Second, 0)
	c := mustFinish(t, l).Total.Cohorts[0]
	if !c.Settled || c.Response.N() != 1501 || c.Response.Max() != 200*ms || c.Response.Min() != 100*time.Microsecond {
		t.Errorf("cohort %+v with %d responses up to %s", c, c.Response.N(), c.Response.Max())
	}
}

func TestWithoutATakerNoRequestIsKept(t *testing.T) {
	for _, keep := range []bool{true, false} {
		l := New(lanes(1))
		l.Keep(keep)
		if err := l.ApplyAll(story{i: 0, due: 0, sent: 0, done: ms}.events()); err != nil {
			t.Fatal(err)
		}
		mustAdvance(t, l, time.Second+Grace)
		out := l.Take()
		if (len(out.Done) == 1) != keep || len(out.Seconds) != 1 {
			t.Errorf("keep %v: %d requests and %d seconds", keep, len(out.Done), len(out.Seconds))
		}
	}
}
