package pace

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// duesOf drives every model of a file of counts by itself.
func duesOf(t testing.TB, text string, within Within, seed uint64, factor float64) map[string][]time.Duration {
	t.Helper()
	w, err := ReadWorkload(strings.NewReader(text), "w.csv", within, seed)
	if err != nil {
		t.Fatal(err)
	}
	dues := map[string][]time.Duration{}
	for i, model := range w.Models {
		dues[model] = until(Start(Spec{Arrivals: Traced, Trace: w.Traces[i]}, factor, uint64(i)), never)
	}
	return dues
}

func equal(a, b map[string][]time.Duration) bool {
	for model := range a {
		if !slices.Equal(a[model], b[model]) {
			return false
		}
	}
	return len(a) == len(b)
}

// The models share the slots j/n of a second: each slot goes to one of them,
// and each model gets as many as it has requests.
func TestModelsShareTheSlots(t *testing.T) {
	for name, counts := range map[string][][]int{ // by second and model
		"the lab's":       {{10, 10, 20, 1}, {8, 13, 25, 0}, {0, 0, 0, 2}, {0, 0, 0, 0}, {1, 1, 1, 1}},
		"equals":          {{500, 500}, {500, 500}},
		"a rare one":      {{0, 9999, 1}, {1, 0, 5000}},
		"one by itself":   {{40}, {0}, {7}},
		"each in its own": {{0, 3}, {3, 0}},
		"less than 1 µs":  {{300_000, 1, 800_000}},
	} {
		var text strings.Builder
		for k, second := range counts {
			for model, n := range second {
				fmt.Fprintf(&text, "%d,m%d,%d\n", k+1, model, n)
			}
		}
		for _, factor := range []float64{1, 0.25} {
			var all, want []time.Duration
			dues := duesOf(t, text.String(), Even, 3, factor)
			stretched := func(at float64) time.Duration {
				return time.Duration(math.Round(math.Round(at) / factor)).Truncate(time.Microsecond)
			}
			for k, second := range counts {
				n, from, to := 0, stretched(1e9*float64(k)), stretched(1e9*float64(k+1))
				for model, own := range second {
					n += own
					dues := dues[fmt.Sprint("m", model)]
					first, _ := slices.BinarySearch(dues, from)
					last, _ := slices.BinarySearch(dues, to)
					if last-first != own {
						t.Errorf("%s: model %d has %d in second %d, want %d", name, model, last-first, k+1, own)
					}
				}
				for j := range n {
					want = append(want, stretched(1e9*float64(k)+math.Round(1e9*float64(j)/float64(n))))
				}
			}
			for _, dues := range dues {
				all = append(all, dues...)
			}
			slices.Sort(all)
			if !slices.Equal(all, want) {
				t.Errorf("%s, ×%g: together the models do not fill the slots", name, factor)
			}
		}
	}
}

// The shuffle depends on the seed, the second and its counts alone.
func TestOneSeedOneShuffle(t *testing.T) {
	lines := []string{"1,a,10\n", "1,b,10\n", "1,c,20\n", "1,d,1\n", "2,a,10\n", "2,b,10\n", "2,c,20\n", "2,d,1\n", "3,c,5\n"}
	want := duesOf(t, strings.Join(lines, ""), Even, 1, 1)
	if again := duesOf(t, strings.Join(lines, ""), Even, 1, 1); !equal(again, want) {
		t.Error("one seed gave two shuffles")
	}
	if other := duesOf(t, strings.Join(lines, ""), Even, 2, 1); equal(other, want) {
		t.Error("two seeds gave one shuffle")
	}
	for i := range 20 {
		rng := rand.New(rand.NewPCG(uint64(i), 1))
		rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		if got := duesOf(t, "1,a,0\n"+strings.Join(lines, ""), Even, 1, 1); !equal(got, want) {
			t.Fatalf("lines in the order %q moved requests", lines)
		}
	}
	if got := duesOf(t, strings.Join(lines, "")+"1,aa,0\n3,b,4\n3,a,70\n4,a,9\n", Even, 1, 1); !slices.Equal(got["d"], want["d"]) || !slices.Equal(got["b"][:20], want["b"]) {
		t.Error("what is in another second moved requests")
	}
	first, second := want["c"][:20], want["c"][20:40]
	if slices.EqualFunc(first, second, func(a, b time.Duration) bool { return a+time.Second == b }) {
		t.Error("two seconds are shuffled alike")
	}
}

// No model is ahead of others: each slot goes to each as often as it has
// requests.
func TestTheShuffleIsFair(t *testing.T) {
	const seconds = 4000
	counts := []int{10, 10, 20, 1}
	var text strings.Builder
	for k := range seconds {
		for model, n := range counts {
			fmt.Fprintf(&text, "%d,m%d,%d\n", k+1, model, n)
		}
	}
	dues := duesOf(t, text.String(), Even, 5, 1)
	for model, n := range counts {
		slots, sum := make([]float64, 41), 0.0
		for _, due := range dues[fmt.Sprint("m", model)] {
			j := math.Round((due % time.Second).Seconds() * 41)
			slots[int(j)]++
			sum += j
		}
		// Of n slots of 41 the mean has a variance of (41²−1)/12 · (41−n)/40 ÷ n.
		total := float64(n) * seconds
		if slack := 4 * math.Sqrt(float64(42*(41-n))/12/total); math.Abs(sum/total-20) > slack {
			t.Errorf("model %d has the mean slot %.3f ± %.3f of 0 to 40", model, sum/total, slack/4)
		}
		p, chi := float64(n)/41, 0.0 // of 41 slots that are not independent
		for _, got := range slots {
			chi += (got - seconds*p) * (got - seconds*p) / (seconds * p * (1 - p)) * 40 / 41
		}
		if z := (chi - 40) / math.Sqrt(2*40); z > 4 {
			t.Errorf("model %d: χ² = %.1f over 41 slots", model, chi)
		}
	}
}

// Every order of the requests comes as often as any other.
func TestEveryOrderComesAsOften(t *testing.T) {
	const seconds = 60_000
	for _, counts := range [][]int32{{1, 1}, {1, 1, 1, 1}, {3, 1, 1}, {2, 2, 1}, {2, 1, 2}, {1, 6}} {
		seen := map[string]float64{}
		n, ways := int32(0), 1.0
		for _, c := range counts {
			for i := range c {
				n++
				ways *= float64(n) / float64(i+1)
			}
		}
		for second := range seconds {
			order, first := make([]byte, n), int32(0)
			for model, c := range counts {
				u := newUrn(tally{n: c, first: first, of: n}, Seed(9, "place", second, 0))
				for range c {
					order[u.next()] = 'a' + byte(model)
				}
				first += c
			}
			seen[string(order)]++
		}
		chi, want := 0.0, seconds/ways
		for _, got := range seen {
			chi += (got - want) * (got - want) / want
		}
		if z := (chi - ways + 1) / math.Sqrt(2*ways); len(seen) != int(math.Round(ways)) || z > 4 {
			t.Errorf("%v: %d orders of %g, χ² = %.1f", counts, len(seen), ways, chi)
		}
	}
}

// Factors stretch time, and each request keeps its slot.
func TestFactorsKeepTheShuffle(t *testing.T) {
	const text = "1,a,40\n1,b,70\n2,b,5\n3,a,8\n3,b,8\n"
	for model, want := range duesOf(t, text, Even, 7, 1) {
		trace, _ := workload(t, Even, text).Trace(model)
		s := Start(Spec{Arrivals: Traced, Trace: trace}, 1, 1)
		rng := rand.New(rand.NewPCG(4, 4))
		pos, factor, last := 0.0, 1.0, time.Duration(0)
		for at := time.Duration(0); len(want) > 0; {
			at += time.Duration(rng.IntN(100_000)) * time.Microsecond
			for _, due := range until(s, at) {
				if got := pos + factor*(due-last).Seconds(); math.Abs(got-want[0].Seconds()) > 5e-6 {
					t.Fatalf("%s: sent at %.6f s of the trace, want %s", model, got, want[0])
				}
				want = want[1:]
			}
			pos += factor * (at - last).Seconds()
			factor, last = 0.1+2*rng.Float64(), at
			s.SetRate(at, factor)
		}
	}
}

func TestSharingTakesNoMemory(t *testing.T) {
	s := Start(traced1(t, Even, "1,a,100000\n1,b,300000\n"), 1, 1)
	if allocs := testing.AllocsPerRun(1e4, s.Take); allocs != 0 {
		t.Errorf("%g allocations a request", allocs)
	}
}
