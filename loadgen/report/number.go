package report

import (
	"strconv"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
)

// scale is the unit of a column or table of times.
type scale struct {
	name     string
	unit     time.Duration
	decimals int
}

// clock is the scale of instants and stretches of the run, whatever their size:
// rows are numbered in seconds, and 130 is looked for in row 131, not 2m10s.
var clock = scale{"s", time.Second, 3}

// measured is a stretch of the run for a sentence, to the millisecond as in
// the tables; nothing for Never.
func measured(d time.Duration) any {
	if d == ledger.Never {
		return nil
	}
	return clock.format(d) + " " + clock.name
}

// chosen is a limit of the run for a sentence: "30 s", for it was not measured.
func chosen(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + " " + clock.name
}

// scaleFor is the unit in which the longest of the times reads well.
func scaleFor(longest time.Duration) scale {
	switch {
	case longest >= time.Second:
		return clock
	case longest >= 100*time.Millisecond:
		return scale{"ms", time.Millisecond, 1}
	case longest >= time.Millisecond:
		return scale{"ms", time.Millisecond, 3}
	}
	return scale{"µs", time.Microsecond, 1}
}

// format writes d in the unit.
func (s scale) format(d time.Duration) string {
	if d == ledger.Never {
		return lang.Nothing
	}
	return strconv.FormatFloat(float64(d)/float64(s.unit), 'f', s.decimals, 64)
}

// quantile writes a quantile with the marks of what it is.
func (s scale) quantile(q ledger.Quantile) string {
	text := s.format(q.Value)
	switch q.Bound {
	case ledger.None:
		return lang.Nothing
	case ledger.AtLeast:
		text = "≥" + text
	case ledger.Over:
		text = ">" + text
	}
	if q.Thin {
		return "(" + text + ")"
	}
	return text
}

// smallest writes the smallest of the times of ok requests, nothing without any.
func (s scale) smallest(t ledger.Times) string {
	if t.OK().N() == 0 {
		return lang.Nothing
	}
	return s.format(t.OK().Min())
}

// bound writes an instant or a span; atLeast marks it as a lower bound.
func (s scale) bound(d time.Duration, atLeast bool) string {
	if atLeast && d != ledger.Never {
		return "≥" + s.format(d)
	}
	return s.format(d)
}

func count(n int64) string { return strconv.FormatInt(n, 10) }

// ratio writes open of due.
func ratio(open, due int64) string { return count(open) + "/" + count(due) }

// span names the second k, or the seconds that were joined in it.
func span(k, length int) string {
	if length > 1 {
		return strconv.Itoa(k-length+1) + "–" + strconv.Itoa(k)
	}
	return strconv.Itoa(k)
}
