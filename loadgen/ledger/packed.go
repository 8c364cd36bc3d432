package ledger

import (
	"encoding/binary"
	"iter"
)

// packed is a histogram as it is kept: of each counter that is not 0, lowest
// first, how far its number is from the one before, and its count, as varints.
// That takes some three bytes where a [Bucket] takes sixteen, and a second of
// thousands of requests has thousands of counters.
type packed []byte

// pack lists the counters that are not 0.
func (c *counts) pack() packed {
	out := make(packed, 0, 3*c.used)
	last := 0
	for p, page := range c.pages {
		if page == nil {
			continue
		}
		for i, n := range page {
			if n > 0 {
				number := p*len(page) + i
				out = binary.AppendUvarint(out, uint64(number-last))
				out = binary.AppendUvarint(out, uint64(n))
				last = number
			}
		}
	}
	return append(make(packed, 0, len(out)), out...)
}

// all yields the buckets, lowest first.
func (p packed) all() iter.Seq[Bucket] {
	return func(yield func(Bucket) bool) {
		number := 0
		for rest := p; len(rest) > 0; {
			step, n := binary.Uvarint(rest)
			count, m := binary.Uvarint(rest[n:])
			rest = rest[n+m:]
			number += int(step)
			if !yield(Bucket{lowOf(number), int64(count)}) {
				return
			}
		}
	}
}
