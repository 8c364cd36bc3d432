package ledger

import (
	"math"
	"math/bits"
	"slices"
	"time"
)

// Exact is up to how many values a [Dist] keeps each one; above that it is a
// histogram of three digits.
const Exact = 1000

// A Dist is an immutable distribution of spans of time. N, Mean, Min and Max
// are always exact; quantiles are exact up to [Exact] values and within one
// part in 2000 above. A nil Dist is empty.
type Dist struct {
	n        int64
	sum      int64 // µs
	min, max int64 // µs
	values   []int64
	packed   packed // used once values are too many
}

// A Bucket counts the values from Low up to the next three-digit boundary.
type Bucket struct {
	Low   int64 // µs
	Count int64
}

// bucketLow cuts v to eleven significant bits: with v < 2^11 µs exact, above
// at most 1/1024 below v.
func bucketLow(v int64) int64 {
	s := max(0, bits.Len64(uint64(v))-11)
	return v >> s << s
}

// bucketWidth is the width in µs of the bucket that begins at low.
func bucketWidth(low int64) int64 {
	return 1 << max(0, bits.Len64(uint64(low))-11)
}

// N is the number of values.
func (d *Dist) N() int64 {
	if d == nil {
		return 0
	}
	return d.n
}

// Mean is the arithmetic mean, 0 if there are no values.
func (d *Dist) Mean() time.Duration {
	mean, _, _ := meanOf([]*Dist{d})
	return mean
}

// Min is the smallest value, 0 if there are none.
func (d *Dist) Min() time.Duration {
	if d.N() == 0 {
		return 0
	}
	return us(d.min)
}

// Max is the largest value, 0 if there are none.
func (d *Dist) Max() time.Duration {
	if d.N() == 0 {
		return 0
	}
	return us(d.max)
}

// Buckets returns the distribution as a histogram, lowest first.
func (d *Dist) Buckets() []Bucket {
	if d == nil {
		return nil
	}
	if d.packed != nil {
		return slices.Collect(d.packed.all())
	}
	var b []Bucket
	for _, v := range d.values {
		low := bucketLow(v)
		if n := len(b); n > 0 && b[n-1].Low == low {
			b[n-1].Count++
			continue
		}
		b = append(b, Bucket{low, 1})
	}
	return b
}

// Rank returns the r-th smallest value, counted from 1; r is clamped to 1…N.
// It returns 0 if there are none.
func (d *Dist) Rank(r int64) time.Duration {
	if d.N() == 0 {
		return 0
	}
	r = min(max(r, 1), d.n)
	if d.packed == nil {
		return us(d.values[r-1])
	}
	switch r { // both ends are known exactly
	case 1:
		return us(d.min)
	case d.n:
		return us(d.max)
	}
	for b := range d.packed.all() {
		if r -= b.Count; r <= 0 {
			return us(min(max(b.Low+bucketWidth(b.Low)/2, d.min), d.max))
		}
	}
	return us(d.max)
}

// Below returns how many values are smaller than limit; above [Exact] values
// the bucket that holds limit is counted as not below.
func (d *Dist) Below(limit time.Duration) int64 {
	if d == nil {
		return 0
	}
	l := int64(limit / time.Microsecond)
	if d.packed == nil {
		i, _ := slices.BinarySearch(d.values, l)
		return int64(i)
	}
	var n int64
	for b := range d.packed.all() {
		if b.Low+bucketWidth(b.Low) > l {
			break
		}
		n += b.Count
	}
	return n
}

// Rank of quantile q among n values: ⌈q·n⌉, at least 1.
func rankOf(q float64, n int64) int64 {
	return max(1, int64(math.Ceil(q*float64(n)-1e-9)))
}

func us(v int64) time.Duration { return time.Duration(v) * time.Microsecond }
