package ledger

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"time"
)

// stamps are some instants or spans of which only the mean is known.
type stamps struct{ n, sum int64 } // µs

func (s *stamps) add(at time.Duration) { s.n, s.sum = s.n+1, s.sum+int64(at/time.Microsecond) }

func (s *stamps) remove(at time.Duration) { s.n, s.sum = s.n-1, s.sum-int64(at/time.Microsecond) }

func (s *stamps) merge(t stamps) { s.n, s.sum = s.n+t.n, s.sum+t.sum }

// about are n of that mean, Never if n is 0.
func about(n int64, mean time.Duration) stamps {
	if n == 0 {
		return stamps{}
	}
	return stamps{n, int64(math.Round(float64(n) * float64(mean) / 1e3))}
}

// before is how long before an instant they are on average, 0 without any.
func (s *stamps) before(at time.Duration) time.Duration {
	if s.n == 0 {
		return 0
	}
	return at - us(s.sum/s.n) - us(s.sum%s.n)/time.Duration(s.n)
}

// ref names a request and when it was due.
type ref struct {
	due  time.Duration
	i    int64
	lane int
}

// refs finds the oldest and the youngest of the open requests of a cohort.
// Requests become due nearly in order, so that it is a list that is sorted when
// it is asked. Those that are done stay in it until they come to an end of it
// or are too many.
type refs struct {
	list   []ref
	sorted int // so many, from the first, are in order of due
}

func (r *refs) add(x ref) {
	if n := len(r.list); r.sorted == n && (n == 0 || r.list[n-1].due <= x.due) {
		r.sorted++
	}
	r.list = append(r.list, x)
}

// tidy puts the list in order and takes away what is done at both ends. open
// says how many are open.
func (r *refs) tidy(isOpen func(ref) bool, open int64) {
	r.sort()
	n := len(r.list)
	for n > 0 && !isOpen(r.list[n-1]) {
		n--
	}
	first := 0
	for first < n && !isOpen(r.list[first]) {
		first++
	}
	r.list = r.list[first:n]
	if int64(len(r.list)) > 2*open+1024 {
		r.list = slices.DeleteFunc(r.list, func(x ref) bool { return !isOpen(x) })
	}
	r.sorted = len(r.list)
}

// sort puts the list in order: only the end of it is not.
func (r *refs) sort() {
	tail := r.list[r.sorted:]
	if len(tail) == 0 {
		return
	}
	byDue := func(a, b ref) int { return cmp.Compare(a.due, b.due) }
	first := slices.MinFunc(tail, byDue).due
	i := sort.Search(r.sorted, func(i int) bool { return r.list[i].due > first })
	slices.SortFunc(r.list[i:], byDue)
	r.sorted = len(r.list)
}

// youngest returns the due of the youngest, of a list that is tidy, or Never.
func (r *refs) youngest() time.Duration {
	if len(r.list) == 0 {
		return Never
	}
	return r.list[len(r.list)-1].due
}

// oldest returns the due of the oldest, of a list that is tidy, or Never.
func (r *refs) oldest() time.Duration {
	if len(r.list) == 0 {
		return Never
	}
	return r.list[0].due
}

// from counts the open requests due at or after an instant.
func (r *refs) from(at time.Duration, isOpen func(ref) bool) (n int64) {
	for _, x := range r.list {
		if x.due >= at && isOpen(x) {
			n++
		}
	}
	return n
}
