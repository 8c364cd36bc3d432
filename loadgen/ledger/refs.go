package ledger

import (
	"cmp"
	"container/heap"
	"slices"
	"time"
)

// ref names a request and when it was due.
type ref struct {
	lane int
	i    int64
	due  time.Duration
}

// refs finds the oldest of the open requests, or the youngest. Requests that
// are done stay in it until they come to the top or are too many.
type refs struct {
	list     []ref // a heap
	youngest bool
}

func (r *refs) Len() int      { return len(r.list) }
func (r *refs) Swap(i, j int) { r.list[i], r.list[j] = r.list[j], r.list[i] }

// Less orders by due, then lane and number, so that the top does not depend on
// the order of arrival.
func (r *refs) Less(i, j int) bool {
	a, b := &r.list[i], &r.list[j]
	c := cmp.Or(cmp.Compare(a.due, b.due), cmp.Compare(a.lane, b.lane), cmp.Compare(a.i, b.i))
	if r.youngest {
		return c > 0
	}
	return c < 0
}

func (r *refs) Push(x any) { r.list = append(r.list, x.(ref)) }
func (r *refs) Pop() any {
	last := len(r.list) - 1
	x := r.list[last]
	r.list = r.list[:last]
	return x
}

func (r *refs) add(x ref) {
	r.list = append(r.list, x)
	heap.Fix(r, len(r.list)-1)
}

// top returns the due of the first open request, or Never. open says how many
// there are.
func (r *refs) top(isOpen func(ref) bool, open int64) time.Duration {
	for len(r.list) > 0 && !isOpen(r.list[0]) {
		heap.Pop(r)
	}
	if int64(len(r.list)) > 2*open+1024 {
		r.list = slices.DeleteFunc(slices.Clone(r.list), func(x ref) bool { return !isOpen(x) })
		heap.Init(r)
	}
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
