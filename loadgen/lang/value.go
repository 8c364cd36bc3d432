package lang

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"dev.example/pileup/loadgen/ledger"
)

// Nothing stands where there is no value.
const Nothing = "–"

// Value formats a value as it stands inside a sentence.
func Value(v any) string {
	switch v := v.(type) {
	case nil:
		return Nothing
	case string:
		return v
	case float64:
		return Number(v)
	case time.Duration:
		return Span(v)
	default:
		return fmt.Sprint(v)
	}
}

// Number formats x with three significant digits, without idle zeros at the
// end and without ever rounding the part before the point: 50, 37.2, 0.05,
// 1234.
func Number(x float64) string {
	s := Digits(x)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "-0" {
		return "0"
	}
	return s
}

// Digits formats x with three significant digits and keeps zeros at the end,
// as a column of measured values wants it: 50.0, 37.2, 0.0500, 1234.
func Digits(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return Nothing
	}
	decimals := 2
	if x != 0 {
		decimals = 2 - int(math.Floor(math.Log10(math.Abs(x))+1e-12))
	}
	s := strconv.FormatFloat(x, 'f', min(max(decimals, 0), 9), 64)
	// Rounding may have carried into one more digit: 9.999 is 10.0, not 10.00.
	if up := strings.TrimLeft(s, "-0."); decimals > 0 && len(strings.ReplaceAll(up, ".", "")) > 3 {
		s = strconv.FormatFloat(x, 'f', max(decimals-1, 0), 64)
	}
	return s
}

// Span formats a span of time with three digits and its unit, in whole minutes
// and seconds from two minutes on: "312 µs", "3.40 s", "30 s", "2m10s", "1h05m".
func Span(d time.Duration) string {
	switch {
	case d == ledger.Never:
		return Nothing
	case d < 0:
		return "-" + Span(-d)
	case d == 0:
		return "0 s"
	case d < time.Millisecond:
		return unit(float64(d)/1e3, "µs")
	case d < time.Second:
		return unit(float64(d)/1e6, "ms")
	case d < 2*time.Minute:
		return unit(d.Seconds(), "s")
	}
	d = d.Round(time.Second)
	h, m, s := int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60
	switch {
	case h > 0:
		return fmt.Sprintf("%dh%02dm", h, m)
	case s == 0:
		return fmt.Sprintf("%dm", m)
	}
	return fmt.Sprintf("%dm%02ds", m, s)
}

// unit leaves the decimals of whole numbers away: a limit of 30 s is not a
// measured 30.0 s.
func unit(x float64, name string) string {
	if x == math.Trunc(x) {
		return strconv.FormatFloat(x, 'f', 0, 64) + " " + name
	}
	return Digits(x) + " " + name
}

// Bytes formats a number of bytes in decimal units: "812 B", "3.16 MB".
func Bytes(n int64) string {
	x, units := float64(n), []string{"B", "kB", "MB", "GB", "TB"}
	for math.Abs(x) >= 999.5 && len(units) > 1 {
		x, units = x/1000, units[1:]
	}
	return unit(x, units[0])
}
