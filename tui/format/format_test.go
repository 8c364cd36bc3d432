package format

import (
	"math"
	"strings"
	"testing"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
)

var inf, nan = math.Inf(1), math.NaN()

func TestCount(t *testing.T) {
	for _, tt := range []struct {
		n    int64
		want string
	}{
		{0, "0"},
		{7, "7"},
		{1234, "1234"},
		{9999, "9999"},
		{10_000, "10.0k"},
		{12_345, "12.3k"},
		{99_950, "100k"},
		{999_499, "999k"},
		{999_500, "1.00M"},
		{1_234_567, "1.23M"},
		{math.MaxInt64, "9.22E"},
		{-12, "-12"},
		{-12_345, "-12.3k"},
		{math.MinInt64, "-9.22E"},
	} {
		if got := Count(tt.n); got != tt.want {
			t.Errorf("Count(%d) = %q, want %q", tt.n, got, tt.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, tt := range []struct {
		name string
		f    func(float64) (string, string)
		v    float64
		want string
	}{
		{"rate", Rate, 0, "0.00/s"},
		{"rate", Rate, 0.35, "0.35/s"},
		{"rate", Rate, 9.994, "9.99/s"},
		{"rate", Rate, 9.996, "10.0/s"},
		{"rate", Rate, 32, "32.0/s"},
		{"rate", Rate, 99.96, "100/s"},
		{"rate", Rate, 999.6, "1.00k/s"},
		{"rate", Rate, 12_345, "12.3k/s"},
		{"rate", Rate, -4.8, "-4.80/s"},
		{"rate", Rate, -0.001, "0.00/s"},
		{"rate", Rate, 1e30, ">999E/s"},
		{"rate", Rate, nan, "–"},
		{"rate", Rate, inf, "–"},
		{"percent", Percent, 0, "0%"},
		{"percent", Percent, -0.2, "0%"},
		{"percent", Percent, 42.5, "43%"},
		{"percent", Percent, 100, "100%"},
		{"percent", Percent, 12345, "12.3k%"},
		{"percent", Percent, nan, "–"},
		{"watts", Watts, 40.93, "40.9 W"},
		{"temperature", Temp, 61, "61.0 °C"},
		{"temperature", Temp, -3.2, "-3.20 °C"},
		{"hertz", Hz, 958e6, "958 MHz"},
		{"hertz", Hz, 1.377e9, "1.38 GHz"},
		{"bytes", Bytes, 0, "0 B"},
		{"bytes", Bytes, 812, "812 B"},
		{"bytes", Bytes, 3.16e6, "3.16 MB"},
		{"bytes", Bytes, 999.6e3, "1.00 MB"},
		{"bytes", Bytes, -2500, "-2.50 kB"},
		{"bytes", Bytes, 1e30, ">999 EB"},
		{"bytes", Bytes, -inf, "–"},
		{"flow", BytesPerSec, 117.4e6, "117 MB/s"},
	} {
		if got := Join(tt.f(tt.v)); got != tt.want {
			t.Errorf("%s %v is %q, want %q", tt.name, tt.v, got, tt.want)
		}
	}
}

func TestSetting(t *testing.T) {
	for _, tt := range []struct {
		v    float64
		want string
	}{{30, "30"}, {2.5, "2.5"}, {0.05, "0.05"}, {0, "0"}, {1e6, "1.00M"}, {100.0 / 3, "33.33"}, {59 * 50 / 60.0, "49.17"}, {59.0 / 6, "9.833"}, {12500, "12500"}, {12345.6, "12346"}, {999.96, "1000"}, {999999.6, "1000000"}, {nan, "–"}, {1e-9, "0.00"}} {
		if got := Setting(tt.v); got != tt.want {
			t.Errorf("Setting(%v) = %q, want %q", tt.v, got, tt.want)
		}
	}
}

func TestSpans(t *testing.T) {
	const day = 24 * time.Hour
	for _, tt := range []struct {
		d          time.Duration
		dur, clock string
	}{
		{0, "0 µs", "00:00"},
		{499, "0 µs", "00:00"},
		{46 * time.Microsecond, "46 µs", "00:00"},
		{999499, "999 µs", "00:00"},
		{999500, "1.00 ms", "00:00"},
		{1200 * time.Microsecond, "1.20 ms", "00:00"},
		{12345 * time.Microsecond, "12.3 ms", "00:00"},
		{823 * time.Millisecond, "823 ms", "00:00"},
		{999600 * time.Microsecond, "1.00 s", "00:00"},
		{6830 * time.Millisecond, "6.83 s", "00:06"},
		{42100 * time.Millisecond, "42.1 s", "00:42"},
		{99940 * time.Millisecond, "99.9 s", "01:39"},
		{100 * time.Second, "1m40s", "01:40"},
		{125 * time.Second, "2m05s", "02:05"},
		{5 * time.Minute, "5m00s", "05:00"},
		{313 * time.Second, "5m13s", "05:13"},
		{3599600 * time.Millisecond, "1h00m", "59:59"},
		{65 * time.Minute, "1h05m", "65:00"},
		{2 * time.Hour, "2h00m", "2:00:00"},
		{day - time.Second, "1d00h", "23:59:59"},
		{9*day + 4*time.Hour, "9d04h", "220:00:00"},
		{12 * day, "12d", "288:00:00"},
		{math.MaxInt64, ">27y", "2562047:47:16"},
		{-2 * time.Second, "–", "-00:02"},
		{ledger.Never, "–", "–"},
	} {
		if got := Join(Dur(tt.d)); got != tt.dur {
			t.Errorf("Dur(%d) = %q, want %q", tt.d, got, tt.dur)
		}
		if got := Clock(tt.d); got != tt.clock {
			t.Errorf("Clock(%v) = %q, want %q", tt.d, got, tt.clock)
		}
	}
}

func TestQuantile(t *testing.T) {
	s := 6830 * time.Millisecond
	for _, tt := range []struct {
		q    ledger.Quantile
		want string
		thin bool
	}{
		{ledger.Quantile{}, "–", false},
		{ledger.Quantile{Value: s, Bound: ledger.Measure}, "6.83 s", false},
		{ledger.Quantile{Value: s, Bound: ledger.AtLeast, Thin: true}, "≥6.83 s", true},
		{ledger.Quantile{Value: 30 * time.Second, Bound: ledger.Over}, ">30.0 s", false},
		{ledger.Quantile{Value: ledger.Never, Bound: ledger.Over}, "–", false},
	} {
		num, unit, thin := Quantile(tt.q)
		if got := Join(num, unit); got != tt.want || thin != tt.thin {
			t.Errorf("%+v is %q, thin %v; want %q, %v", tt.q, got, thin, tt.want, tt.thin)
		}
	}
	if got := Join(Mean(s, true)); got != "≥6.83 s" {
		t.Errorf("a censored mean is %q", got)
	}
	if got := Join(Mean(ledger.Never, true)); got != "–" {
		t.Errorf("no mean is %q", got)
	}
}

func FuzzWidths(f *testing.F) {
	for _, v := range []float64{0, 0.005, 9.995, 99.95, 999.5, 999.4999, 1e15, -1e-9, nan, inf, -inf, math.MaxFloat64} {
		f.Add(v, int64(v))
	}
	f.Add(1.0, int64(math.MinInt64))
	f.Add(1.0, int64(41*time.Minute+48*time.Second))
	f.Fuzz(func(t *testing.T, v float64, n int64) {
		check := func(name, num, unit string) {
			t.Helper()
			limit := NumWidth
			if strings.ContainsAny(num[:1], "-+") || strings.HasPrefix(num, "≥") || strings.HasPrefix(num, ">") {
				limit++
			}
			if unit == "" && strings.HasSuffix(num, "s") {
				limit++
			}
			if w := cells.Width(num); w > limit || w == 0 || cells.Width(unit) > UnitWidth {
				t.Errorf("%s of %v, %d is %q %q: too wide", name, v, n, num, unit)
			}
			if strings.Contains(num, "NaN") || strings.Contains(num, "Inf") || strings.Contains(num, "e+") || num == "-0" {
				t.Errorf("%s of %v is %q", name, v, num)
			}
			if num == None && unit != "" {
				t.Errorf("%s of %v: no number, but a unit %q", name, v, unit)
			}
		}
		check("Count", Count(n), "")
		check("Number", Number(v), "")
		for name, fn := range map[string]func(float64) (string, string){
			"Rate": Rate, "Percent": Percent, "Watts": Watts, "Temp": Temp,
			"Hz": Hz, "Bytes": Bytes, "BytesPerSec": BytesPerSec,
		} {
			num, unit := fn(v)
			check(name, num, unit)
		}
		d := time.Duration(n)
		num, unit := Dur(d)
		check("Dur", num, unit)
		for b := ledger.None; b <= ledger.Over; b++ {
			num, unit, _ := Quantile(ledger.Quantile{Value: d, Bound: b})
			check("Quantile", num, unit)
		}
		_, _ = Clock(d), Setting(v)
	})
}
