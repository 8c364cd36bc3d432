package ledger

import (
	"math/rand/v2"
	"testing"
)

// The set says what a map would say, in whatever order numbers come and go.
func TestOpenSetIsAMap(t *testing.T) {
	tests := map[string]func(rng *rand.Rand, n int64) int64{ // the n-th number
		"one after another": func(_ *rand.Rand, n int64) int64 { return n },
		"jittered":          func(rng *rand.Rand, n int64) int64 { return n + rng.Int64N(50) },
		"each hundredth":    func(_ *rand.Rand, n int64) int64 { return 100 * n },
		"backwards":         func(_ *rand.Rand, n int64) int64 { return 100_000 - n },
		"with far ones":     func(rng *rand.Rand, n int64) int64 { return n + rng.Int64N(2)*rng.Int64N(2)<<40 },
		"a far one first":   func(_ *rand.Rand, n int64) int64 { return (n + 1<<40) % (1 << 40) },
	}
	for name, number := range tests {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 2))
			var set openSet
			want := map[int64]int32{}
			for n := range int64(20_000) {
				if i := number(rng, n); want[i] == 0 {
					set.put(i, request{target: int32(n + 1)})
					want[i] = int32(n + 1)
				}
				most := 400
				if n%5000 > 4000 {
					most = 3 // it drains now and then
				}
				for i := range want {
					if len(want) <= most {
						break
					}
					set.remove(i)
					delete(want, i)
				}
				if set.len() != len(want) {
					t.Fatalf("after %d: %d are open, want %d", n, set.len(), len(want))
				}
				if n%97 == 0 {
					sameOpen(t, &set, want)
				}
			}
			sameOpen(t, &set, want)
		})
	}
}

func sameOpen(t *testing.T, set *openSet, want map[int64]int32) {
	t.Helper()
	for i := range want {
		for j := i - 2; j <= i+2; j++ {
			switch r := set.get(j); {
			case (r != nil) != (want[j] != 0):
				t.Fatalf("request %d is open: %v, want %v", j, r != nil, want[j] != 0)
			case r != nil && r.target != want[j]:
				t.Fatalf("request %d is another one", j)
			}
		}
	}
}

// One request that stays open does not make the window grow over all that come
// and go after it.
func TestOpenSetIsBoundedByWhatIsOpen(t *testing.T) {
	var set openSet
	set.put(0, request{})
	for i := int64(1); i < 1_000_000; i++ {
		set.put(i, request{})
		if i > 100 {
			set.remove(i - 100)
		}
	}
	if len(set.slots) > minSlots || len(set.old) != 1 || set.get(0) == nil {
		t.Errorf("%d slots, %d in the map, for %d open requests", len(set.slots), len(set.old), set.len())
	}
}

func TestOpenSetGivesALargeWindowBack(t *testing.T) {
	var set openSet
	for i := range int64(200_000) {
		set.put(i, request{})
	}
	for i := range int64(200_000) {
		set.remove(i)
	}
	if set.len() != 0 || set.slots != nil {
		t.Errorf("%d slots for no request", len(set.slots))
	}
	if set.put(7, request{target: 3}); set.get(7) == nil || set.get(7).target != 3 {
		t.Error("it takes no more")
	}
}

// A request whose number was far ahead of the others is found when they catch up.
func TestOpenSetCatchesUpWithAFarNumber(t *testing.T) {
	var set openSet
	want := map[int64]int32{}
	put := func(i int64) {
		set.put(i, request{target: int32(i + 1)})
		want[i] = int32(i + 1)
	}
	put(0)
	put(5000)
	for i := int64(1); i < 5000; i++ {
		put(i)
	}
	put(5001)
	sameOpen(t, &set, want)
	for _, i := range []int64{5000, 4999, 0} {
		set.remove(i)
		delete(want, i)
	}
	if sameOpen(t, &set, want); set.len() != len(want) {
		t.Errorf("%d are open, want %d", set.len(), len(want))
	}
}
