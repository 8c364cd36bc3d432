// Package format turns numbers into the text of the screen.
//
// The one idea: a number never changes its width while it is watched, so that
// columns stand and few bytes flow. Every function gives three significant
// digits in at most [NumWidth] cells and the unit apart in at most [UnitWidth],
// for the screen dims units. What is not known (NaN, infinite, no value) is
// [None], without a unit; it is never shown as zero.
//
// It knows no language: words are in loadgen/lang.
package format

import (
	"math"
	"strconv"
	"strings"
)

// None stands for a number there is none of.
const None = "–"

// The most cells a number and a unit take. A sign or a mark (-, ≥, >) in front
// of the number takes one more, and so does a span in two units ("41m48s"),
// which has none behind it.
const (
	NumWidth  = 5
	UnitWidth = 4
)

// Count is a number of things: "7", "1234", "12.3k", "1.23M".
func Count(n int64) string {
	if n < 0 {
		if n == math.MinInt64 {
			n++
		}
		return "-" + Count(-n)
	}
	if n < 10_000 {
		return strconv.FormatInt(n, 10)
	}
	return scaled(float64(n))
}

// Number is three significant digits: "0.35", "6.83", "42.1", "823", "1.23k".
// Below one it keeps two decimals. A negative one has its sign in front.
func Number(v float64) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return None
	case v < 0:
		s := Number(-v)
		if strings.Trim(s, "0.") == "" {
			return s
		}
		return "-" + s
	case v < 999.5:
		return digits(v)
	}
	return scaled(v)
}

// digits writes 0 ≤ v < 999.5 with three significant digits.
func digits(v float64) string {
	switch {
	case v < 9.995:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case v < 99.95:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}

// scaled writes v ≥ 999.5 with a letter for the power of a thousand.
func scaled(v float64) string {
	const letters = "kMGTPE"
	for i := range letters {
		v /= 1000
		if v < 999.5 {
			return digits(v) + letters[i:i+1]
		}
	}
	return ">999E"
}

// Setting is a number somebody set, or that was made of such: "30", "2.5", "0.05",
// "49.17", "12500", up to four digits, of a whole part all, and no zeros at its end.
func Setting(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return None
	}
	switch a := math.Abs(v); {
	case a >= 1e6 || a != 0 && a < 1e-4:
		return Number(v)
	case a >= 1000:
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// Rate is a number per second.
func Rate(v float64) (num, unit string) { return with(Number(v), "/s") }

// Percent is a share of 0…100: "0", "43", "100".
func Percent(v float64) (num, unit string) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return None, ""
	}
	if v = math.Round(v); math.Abs(v) >= 1000 {
		return Number(v), "%"
	}
	return strconv.FormatFloat(v+0, 'f', 0, 64), "%"
}

// Watts is an electrical power.
func Watts(v float64) (num, unit string) { return with(Number(v), "W") }

// Temp is a temperature in degrees Celsius.
func Temp(v float64) (num, unit string) { return with(Number(v), "°C") }

// Hz is a clock rate given in hertz: "958 MHz", "1.38 GHz".
func Hz(v float64) (num, unit string) { return prefixed(v, "Hz") }

// Bytes is an amount of bytes, in powers of a thousand: "812 B", "3.16 MB".
func Bytes(v float64) (num, unit string) { return prefixed(v, "B") }

// BytesPerSec is a flow of bytes: "117 MB/s".
func BytesPerSec(v float64) (num, unit string) { return prefixed(v, "B/s") }

func prefixed(v float64, unit string) (string, string) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return None, ""
	}
	sign := ""
	if v < 0 {
		sign, v = "-", -v
	}
	if v < 999.5 {
		s := strconv.FormatFloat(v, 'f', 0, 64)
		if s == "0" {
			sign = ""
		}
		return sign + s, unit
	}
	s := scaled(v)
	if n := len(s) - 1; s[0] != '>' {
		return sign + s[:n], s[n:] + unit
	}
	return sign + ">999", "E" + unit
}

func with(num, unit string) (string, string) {
	if num == None {
		return num, ""
	}
	return num, unit
}

// Join puts number and unit together as they are read: "6.83 s", "30.0/s",
// "43%", "2m05s".
func Join(num, unit string) string {
	if unit == "" || unit[0] == '/' || unit == "%" {
		return num + unit
	}
	return num + " " + unit
}
