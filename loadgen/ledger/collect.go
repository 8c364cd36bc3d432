package ledger

import (
	"math/bits"
	"slices"
	"time"
)

// dist collects values; its views are immutable. Up to [Exact] values it is
// the view, which has them sorted, and those that came since; above that it
// counts them, and the view is nil while it is not of the present state.
type dist struct {
	n, sum   int64
	min, max int64
	since    []int64
	counts   counts
	view     *Dist
}

func (d *dist) add(t time.Duration) {
	v := max(0, int64(t/time.Microsecond))
	if d.n == 0 || v < d.min {
		d.min = v
	}
	if d.n == 0 || v > d.max {
		d.max = v
	}
	d.n++
	d.sum += v
	if d.n <= Exact {
		d.since = append(d.since, v)
		return
	}
	d.spill()
	d.counts.add(v, 1)
	d.view = nil
}

// spill turns the list of values, or a view that was sealed, into counts.
func (d *dist) spill() {
	if d.counts.used > 0 {
		return
	}
	if d.view != nil {
		d.counts.merge(d.view)
	}
	for _, v := range d.since {
		d.counts.add(v, 1)
	}
	d.since, d.view = nil, nil
}

// merge adds all values of v.
func (d *dist) merge(v *Dist) {
	if v.N() == 0 {
		return
	}
	if d.n == 0 || v.min < d.min {
		d.min = v.min
	}
	if d.n == 0 || v.max > d.max {
		d.max = v.max
	}
	d.n += v.n
	d.sum += v.sum
	if d.n <= Exact {
		d.since = append(d.since, v.values...)
		return
	}
	d.spill()
	d.counts.merge(v)
	d.view = nil
}

// snapshot returns the present state as an immutable Dist, nil if empty.
func (d *dist) snapshot() *Dist {
	switch {
	case d.n == 0:
		return nil
	case d.counts.used > 0 && d.view == nil:
		d.view = &Dist{n: d.n, sum: d.sum, min: d.min, max: d.max, packed: d.counts.pack()}
	case len(d.since) > 0:
		d.view = d.exact()
	}
	return d.view
}

// exact merges what came since the last view into a new one.
func (d *dist) exact() *Dist {
	slices.Sort(d.since)
	v := &Dist{n: d.n, sum: d.sum, min: d.min, max: d.max, values: make([]int64, 0, d.n)}
	var old []int64
	if d.view != nil {
		old = d.view.values
	}
	for _, x := range d.since {
		i, _ := slices.BinarySearch(old, x)
		v.values = append(append(v.values, old[:i]...), x)
		old = old[i:]
	}
	v.values = append(v.values, old...)
	d.since = d.since[:0]
	return v
}

// seal gives back what only more values would need.
func (d *dist) seal() {
	d.snapshot()
	d.since, d.counts = nil, counts{}
}

// reset begins anew and keeps the memory.
func (d *dist) reset() {
	d.counts.reset()
	*d = dist{since: d.since[:0], counts: d.counts}
}

// counts is a histogram of three digits, dense only where there are values.
type counts struct {
	pages []*page
	used  int // counters that are not 0
}

// page holds the counters of so many buckets next to each other.
type page [64]int64

// add counts a value n times.
func (c *counts) add(v, n int64) {
	s := max(0, bits.Len64(uint64(v))-11)
	i := s<<10 + int(v>>s)
	p := i / len(page{})
	if p >= len(c.pages) {
		c.pages = append(c.pages, make([]*page, p+1-len(c.pages))...)
	}
	if c.pages[p] == nil {
		c.pages[p] = new(page)
	}
	counter := &c.pages[p][i%len(page{})]
	if *counter == 0 {
		c.used++
	}
	*counter += n
}

func (c *counts) merge(v *Dist) {
	for _, x := range v.values {
		c.add(x, 1)
	}
	for b := range v.packed.all() {
		c.add(b.Low, b.Count)
	}
}

// lowOf is the lowest value that is counted in the i-th counter.
func lowOf(i int) int64 {
	s := max(0, i>>10-1)
	return int64(i-s<<10) << s
}

func (c *counts) reset() {
	for _, p := range c.pages {
		if p != nil {
			*p = page{}
		}
	}
	c.used = 0
}
