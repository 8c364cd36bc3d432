package ledger

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// same makes n requests of lane 0 out of one.
func same(n int, s story) (all []story) {
	for i := range n {
		s.i = int64(i)
		all = append(all, s)
	}
	return all
}

// peaks are those of the tenths of a second.
func peaks(s *Second) (out []int32) {
	for _, t := range s.Tenths {
		out = append(out, t.Peak)
	}
	return out
}

func TestThePeakIsOfAnyInstant(t *testing.T) {
	burst := same(30, story{due: 0, sent: ms, done: 600 * ms})
	tests := []struct {
		name    string
		stories []story
		peak    int64 // of the first second
		tenths  []int32
	}{
		{"a burst that is answered within the second", burst, 30, []int32{30, 30, 30, 30, 30, 30, 0, 0, 0, 0}},
		{"one that is never sent", same(3, story{due: 250 * ms, sent: Never, done: 310 * ms, class: Connect}), 3, []int32{0, 0, 3, 3, 0, 0, 0, 0, 0, 0}},
		{"what is due at the beginning of a tenth", same(1, story{due: 300 * ms, sent: 300 * ms, done: 400 * ms}), 1, []int32{0, 0, 0, 1, 0, 0, 0, 0, 0, 0}},
		{"shorter than a tenth", same(2, story{due: 999998 * time.Microsecond, sent: 999998 * time.Microsecond, done: 999999 * time.Microsecond}), 2, []int32{0, 0, 0, 0, 0, 0, 0, 0, 0, 2}},
		{"without a length", same(2, story{due: 500 * ms, sent: 500 * ms, done: 500 * ms}), 0, make([]int32, 10)},
		{
			"done and due at one instant",
			[]story{{due: 0, sent: 0, done: 500 * ms}, {i: 1, due: 500 * ms, sent: 500 * ms, done: 800 * ms}},
			1,
			[]int32{1, 1, 1, 1, 1, 1, 1, 1, 0, 0},
		},
		{"open all the time", same(7, story{due: 0, sent: 0, done: 9 * time.Second}), 7, []int32{7, 7, 7, 7, 7, 7, 7, 7, 7, 7}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := played(t, tt.stories, 0)
			first := &s.Total.Seconds[0]
			if d := cmp.Diff(tt.tenths, peaks(first)); d != "" || first.Peak != tt.peak || s.Total.PeakBacklog != tt.peak {
				t.Errorf("peak %d, of the lane %d, want %d; tenths %s", first.Peak, s.Total.PeakBacklog, tt.peak, d)
			}
		})
	}
}

// What was open is not forgotten because it was answered before the second
// ended.
func TestABurstMissesABacklog(t *testing.T) {
	s := played(t, same(30, story{due: 0, sent: ms, done: 600 * ms}), 0)
	if s.Total.Seconds[0].Backlog() != 0 {
		t.Fatal("nothing is to be open at the end of the second")
	}
	for text, held := range map[string]bool{"backlog<25": false, "backlog<30": false, "backlog<=30": true} {
		slo, err := ParseSLO(text)
		if err != nil {
			t.Fatal(err)
		}
		if v := slo.Check(s); !v.Known || v.Held != held || v.Value != 30 {
			t.Errorf("%s: %+v", text, v)
		}
	}
}

// In a closed loop each request becomes due when another is done.
func TestAClosedLoopHasNoMoreThanItsSlots(t *testing.T) {
	const slots = 64
	rng := rand.New(rand.NewPCG(1, 64))
	var all []story
	for range slots {
		for due := time.Duration(0); due < 3*time.Second; {
			done := due + Cut(time.Duration(20+rng.IntN(200))*ms)
			all = append(all, story{i: int64(len(all)), due: due, sent: due, done: done})
			due = done
		}
	}
	l := New(lanes(1))
	for _, s := range all {
		mustApply(t, l, s.events()...)
	}
	l.Stop(3*time.Second, 0)
	for i, sec := range mustFinish(t, l).Total.Seconds[:3] {
		if got := peaks(&sec); slices.Min(got) != slots || slices.Max(got) != slots || sec.Peak != slots {
			t.Errorf("second %d: %v", i+1, got)
		}
	}
}

// What is booked late counts from the beginning of the second it is booked in;
// what was said of the seconds before stays.
func TestALateRequestCountsFromTheSecondItIsBookedIn(t *testing.T) {
	l := New(lanes(1))
	mustAdvance(t, l, 2*time.Second+Grace)
	mustApply(t, l, story{due: 500 * ms, sent: 600 * ms, done: 2350 * ms}.events()...)
	mustApply(t, l, story{i: 1, due: 700 * ms, sent: Never, done: 800 * ms, class: Connect}.events()...)
	l.Stop(3*time.Second, 0)
	s := mustFinish(t, l)
	var got [][]int32
	for i := range s.Total.Seconds {
		got = append(got, peaks(&s.Total.Seconds[i]))
	}
	want := [][]int32{make([]int32, 10), make([]int32, 10), {1, 1, 1, 1, 0, 0, 0, 0, 0, 0}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestHeldAtTheEndsOfTenths(t *testing.T) {
	s := played(t, []story{
		{due: 0, sent: 350 * ms, done: 2 * time.Second},
		{i: 1, due: 150 * ms, sent: Never, done: 500 * ms, class: Connect},
		{i: 2, due: 950 * ms, sent: 1050 * ms, done: 2 * time.Second},
	}, 0)
	var got []int32
	for _, sec := range s.Total.Seconds[:2] {
		for _, one := range sec.Tenths {
			got = append(got, one.Held)
		}
		if last := int64(sec.Tenths[9].Held); last != sec.Held {
			t.Errorf("second %d ends with %d held, its last tenth with %d", sec.K, sec.Held, last)
		}
	}
	if want := []int32{1, 2, 2, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Of joined seconds the peak is the highest of any, and no tenths are known.
func TestJoinedSecondsKeepTheirPeak(t *testing.T) {
	l := New(lanes(1))
	for i, s := range same(7, story{due: 2300 * ms, sent: 2300 * ms, done: 2400 * ms}) {
		s.i = int64(i)
		mustApply(t, l, s.events()...)
	}
	mustAdvance(t, l, 1200*time.Second)
	first := l.Snapshot().Total.Seconds[0]
	if first.Span != 10 || first.Peak != 7 || first.Tenths != [10]Tenth{} {
		t.Errorf("got %+v", first)
	}
}

// The order in which steps are told within a second does not matter, and all
// lanes together have what was open at once: both are held to a count of every
// microsecond at which something happened.
func TestPeaksAgainstACount(t *testing.T) {
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 4))
		l := New(lanes(2))
		all := stories(rng, 2, 150) // due to 3 s, done to 7.3 s
		for i := range all {
			all[i].done += time.Duration(rng.IntN(1000)) * time.Microsecond
		}
		for _, i := range rng.Perm(len(all)) {
			mustApply(t, l, all[i].events()...)
		}
		l.Stop(3*time.Second, 0)
		l.Stop(3*time.Second, 1)
		s := mustFinish(t, l)
		for lane := -1; lane < 2; lane++ {
			book := &s.Total
			if lane >= 0 {
				book = &s.Lanes[lane]
			}
			for i := range book.Seconds {
				sec := &book.Seconds[i]
				if d := cmp.Diff(countPeaks(all, lane, sec.K), peaks(sec)); d != "" {
					t.Fatalf("seed %d, lane %d, second %d: %s", seed, lane, sec.K, d)
				}
				if want := int64(slices.Max(peaks(sec))); sec.Peak != want || sec.Peak < sec.Backlog() {
					t.Errorf("seed %d, lane %d, second %d: peak %d, want %d; %d open at its end", seed, lane, sec.K, sec.Peak, want, sec.Backlog())
				}
			}
		}
	}
}

// countPeaks counts, at every instant at which something happened and at the
// beginning of each tenth, what was due by then and not done.
func countPeaks(all []story, lane, k int) []int32 {
	out := make([]int32, 10)
	for i := range out {
		from := time.Duration(k-1)*time.Second + time.Duration(i)*tenth
		at := []time.Duration{from}
		for _, s := range all {
			if s.due > from && s.due < from+tenth {
				at = append(at, s.due)
			}
		}
		for _, now := range at {
			n := int32(0)
			for _, s := range all {
				if (lane < 0 || s.lane == lane) && s.due <= now && s.done > now {
					n++
				}
			}
			out[i] = max(out[i], n)
		}
	}
	return out
}
