package format

import (
	"fmt"
	"strconv"
	"time"

	"dev.example/pileup/loadgen/ledger"
)

// Dur is a span of time: "46 µs", "1.20 ms", "823 ms", "6.83 s", "2m05s",
// "3h07m", "12d04h". A span is not negative: one that is (ledger.Never among
// them) is [None].
func Dur(d time.Duration) (num, unit string) {
	us := float64(d) / 1e3
	switch {
	case d < 0:
		return None, ""
	case us < 999.5:
		return strconv.FormatFloat(us, 'f', 0, 64), "µs"
	case us < 999.5e3:
		return digits(us / 1e3), "ms"
	case us < 99.95e6:
		return digits(us / 1e6), "s"
	}
	return long(d), ""
}

// long writes 100 s and more in two units.
func long(d time.Duration) string {
	const day = 24 * time.Hour
	two := func(big time.Duration, b string, small time.Duration, s string) string {
		n := (d + small/2) / small * small
		return fmt.Sprintf("%d%s%02d%s", n/big, b, n%big/small, s)
	}
	switch {
	case d < time.Hour-time.Second/2:
		return two(time.Minute, "m", time.Second, "s")
	case d < day-time.Minute/2:
		return two(time.Hour, "h", time.Minute, "m")
	case d < 10*day-time.Hour/2:
		return two(day, "d", time.Hour, "h")
	case d < 9999*day:
		return strconv.FormatInt(int64((d+day/2)/day), 10) + "d"
	}
	return ">27y"
}

// Clock is an instant of the run's clock: "00:13", "62:05", "-00:02"; from 100
// minutes on "1:40:00".
func Clock(at time.Duration) string {
	if at <= ledger.Never {
		return None
	}
	if at < 0 {
		return "-" + Clock(-at)
	}
	s := int64(at / time.Second)
	if s < 6000 {
		return fmt.Sprintf("%02d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}

// Quantile is a quantile as it is known: "≥6.83 s" if open requests can only
// raise it, ">30.0 s" if it falls among timeouts, [None] if there is nothing to
// rank. thin says that too few requests stand behind it: it is drawn dim.
func Quantile(q ledger.Quantile) (num, unit string, thin bool) {
	num, unit = Dur(q.Value)
	switch {
	case q.Bound == ledger.None || num == None:
		return None, "", q.Thin
	case q.Bound == ledger.AtLeast:
		num = "≥" + num
	case q.Bound == ledger.Over:
		num = ">" + num
	}
	return num, unit, q.Thin
}

// Mean is a mean of responses; over censored data it is a lower bound and says
// so.
func Mean(d time.Duration, censored bool) (num, unit string) {
	num, unit = Dur(d)
	if censored && num != None {
		num = "≥" + num
	}
	return num, unit
}
