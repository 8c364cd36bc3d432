package report

import (
	"encoding/json"
	"io"
	"math"
	"strconv"
	"time"

	"dev.example/pileup/loadgen/ledger"
)

// Number is a number that may be absent; absent ones leave no key behind. It
// is written with at most six decimals. The zero Number is absent.
type Number struct {
	x     float64
	known bool
}

// number is x; NaN and infinities are absent.
func number(x float64) Number {
	if x-x != 0 {
		return Number{}
	}
	return Number{x, true}
}

// seconds is a span or stamp in seconds; Never is absent.
func seconds(d time.Duration) Number {
	if d == ledger.Never {
		return Number{}
	}
	return Number{d.Seconds(), true}
}

// Get returns the number and whether there is one.
func (n Number) Get() (x float64, known bool) { return n.x, n.known }

// IsZero makes ",omitzero" leave out what is absent.
func (n Number) IsZero() bool { return !n.known }

func (n Number) MarshalJSON() ([]byte, error) {
	if !n.known {
		return []byte("null"), nil
	}
	x := n.x
	if r := math.Round(x*1e6) / 1e6; r-r == 0 {
		x = r
	}
	return strconv.AppendFloat(nil, x, 'f', -1, 64), nil
}

// Stats are numbers by name, in order.
type Stats []Stat

// A Stat is one of them.
type Stat struct {
	Key   string
	Value Number
}

func (s Stats) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for _, m := range s {
		if !m.Value.known {
			continue
		}
		value, err := m.Value.MarshalJSON()
		if err != nil {
			return nil, err
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = strconv.AppendQuote(b, m.Key)
		b = append(append(b, ':'), value...)
	}
	return append(b, '}'), nil
}

// add appends a number, if there is one.
func (s *Stats) add(key string, n Number) {
	if n.known {
		*s = append(*s, Stat{key, n})
	}
}

// quantile adds what is known of a quantile: its value, or a bound under a key
// that says so.
func (s *Stats) quantile(key string, q ledger.Quantile) {
	switch q.Bound {
	case ledger.Measure:
		s.add(key, seconds(q.Value))
	case ledger.AtLeast:
		s.add(key+"_at_least", seconds(q.Value))
	case ledger.Over:
		s.add(key+"_over", seconds(q.Value))
	}
}

// mean adds the mean, under a key that says so where requests that are open or
// were given up are in it with what bounds them, and the smallest value of an ok
// one.
func (s *Stats) mean(t ledger.Times) {
	mean, atLeast := t.Mean()
	if atLeast {
		s.add("mean_at_least", seconds(mean))
	} else {
		s.add("mean", seconds(mean))
	}
	if t.OK().N() > 0 {
		s.add("min", seconds(t.OK().Min()))
	}
}

// largest adds the largest value of the ok requests, whose key never changes, for
// what is not ok has no value; and where there are others what is the least that
// the largest of all can be.
func (s *Stats) largest(t ledger.Times) {
	if t.OK().N() > 0 {
		s.add("max", seconds(t.OK().Max()))
	}
	if most, atLeast := t.Max(); atLeast {
		s.add("max_at_least", seconds(most))
	}
}

// WriteJSON writes the summary of a run as one object on one line. header is
// the first line of its recording, which becomes "run"; nil leaves it out. asked
// is how it stands with what was asked of it.
func WriteJSON(w io.Writer, s *ledger.Snapshot, header []byte, asked ...ledger.Verdict) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(Summarize(s, header, asked...))
}
