package pace

import (
	"math"
	"strings"
	"testing"
	"time"
)

func shape(t testing.TB, s string) *Shape {
	t.Helper()
	sh, err := ParseShape(s)
	if err != nil {
		t.Fatal(err)
	}
	return sh
}

func TestShapesGoAsWritten(t *testing.T) {
	const s = time.Second
	tests := []struct {
		shape    string
		at       time.Duration
		rate     float64
		integral float64
	}{
		{"ramp 10..100 in 60s", 0, 10, 0},
		{"ramp 10..100 in 60s", 30 * s, 55, 975},
		{"ramp 10..100 in 60s", 60 * s, 100, 3300},
		{"ramp 10..100 in 60s", 100 * s, 100, 7300},
		{"ramp 100..10 in 60s", 30 * s, 55, 2325},
		{"ramp 0..10 in 1m", 6 * s, 1, 3},
		{"ramp 300/m..0 in 10s", time.Hour, 0, 25},
		{"step 10,50,100 every 10s", 0, 10, 0},
		{"step 10,50,100 every 10s", 10*s - 1, 10, 100},
		{"step 10,50,100 every 10s", 10 * s, 50, 100},
		{"step 10,50,100 every 10s", 25 * s, 100, 1100},
		{"step 10,50,100 every 10s", 100 * s, 100, 8600},
		{"step 1,2,3,4,5 every 100ms", 300 * time.Millisecond, 4, 0.6},
		{"step 5,0 every 2s", 9 * s, 0, 10},
		{"sine 10..100 every 60s", 0, 55, 0},
		{"sine 10..100 every 60s", 15 * s, 100, 55*15 + 45*60/(2*math.Pi)},
		{"sine 10..100 every 60s", 30 * s, 55, 55*30 + 45*60/math.Pi},
		{"sine 10..100 every 60s", 45 * s, 10, 55*45 + 45*60/(2*math.Pi)},
		{"sine 10..100 every 60s", 60 * s, 55, 3300},
		{"sine 100..10 every 60s", 615 * s, 100, 55*615 + 45*60/(2*math.Pi)},
		{"sine 7..7 every 1s", 3500 * time.Millisecond, 7, 24.5},
		{"sine 0..2 every 4s", -s, 1, 0},
	}
	for _, tt := range tests {
		sh := shape(t, tt.shape)
		if got := sh.Rate(tt.at); math.Abs(got-tt.rate) > 1e-6 {
			t.Errorf("%s: rate at %s is %.9g, want %.9g", tt.shape, tt.at, got, tt.rate)
		}
		if got := sh.Integral(tt.at); math.Abs(got-tt.integral) > 1e-6 {
			t.Errorf("%s: %.9g requests up to %s, want %.9g", tt.shape, got, tt.at, tt.integral)
		}
	}
}

// What was due by any instant is the integral, to one request; and each due
// time is the microsecond in which the integral reaches its number.
func TestDuesFollowTheShape(t *testing.T) {
	shapes := []string{
		"ramp 10..100 in 60s", "ramp 100..10 in 60s", "ramp 0..50 in 1m", "ramp 50..0 in 1m",
		"ramp 1e3..1000.001 in 1h", "ramp 7..7 in 1ms",
		"step 10,50,100 every 10s", "step 0,100,0,3 every 1500ms", "step 1,2 every 10000h",
		"sine 10..100 every 60s", "sine 0..100 every 7s", "sine 0..1000 every 1ms", "sine 9..10 every 10000h",
	}
	for _, text := range shapes {
		for _, factor := range []float64{1, 0.3, 20} {
			sh := shape(t, text)
			s := Start(Spec{Shape: sh}, factor, 1)
			for n := range 20_000 {
				due, any := s.Next()
				if !any || due > 3*time.Hour {
					if want := math.Ceil(factor * sh.Integral(3*time.Hour)); math.Abs(float64(n)-want) > 1 {
						t.Errorf("%s × %g: %d requests in 3 h, want %g", text, factor, n, want)
					}
					break
				}
				slack := 1e-9 + 1e-12*float64(n) + 1e-9*factor*sh.Rate(due) // of a nanosecond
				before, after := factor*sh.Integral(due), factor*sh.Integral(due+time.Microsecond)
				if before > float64(n)+slack || after < float64(n)-slack {
					t.Fatalf("%s × %g: request %d is due at %s, where ∫ is %.9f to %.9f", text, factor, n, due, before, after)
				}
				s.Take()
			}
		}
	}
}

// On a shape the rate is a factor, and changing it bends N like any rate.
func TestFactorOnAShape(t *testing.T) {
	sh := shape(t, "sine 0..40 every 5s")
	s := Start(Spec{Shape: sh}, 1, 1)
	sent, want, factor, last := 0, 0.0, 1.0, time.Duration(0)
	for i := range 300 {
		at := time.Duration(i) * 33 * time.Millisecond
		sent += len(until(s, at))
		want += factor * (sh.Integral(at) - sh.Integral(last))
		if math.Abs(float64(sent)-want) > 1 || math.Abs(s.Count(at)-want) > 1e-6 {
			t.Fatalf("at %s: sent %d, N = %g, want %g", at, sent, s.Count(at), want)
		}
		factor, last = float64(i%4)/2, at
		s.SetRate(at, factor)
		if got := s.Rate(at); math.Abs(got-factor*sh.Rate(at)) > 1e-9 {
			t.Fatalf("at %s: rate %g, want %g", at, got, factor*sh.Rate(at))
		}
	}
}

func TestParseShape(t *testing.T) {
	for in, want := range map[string]string{
		"ramp 10..100 in 60s":            "",
		"step 10,50,100 every 10s":       "",
		"sine 10/s..6000/m every 1h0m0s": "",
		"  step 1, 2 ,3\tevery  10s ":    "step 1,2,3 every 10s",
	} {
		if want == "" {
			want = in
		}
		if got := shape(t, in).String(); got != want {
			t.Errorf("%q prints %q, want %q", in, got, want)
		}
	}
	bad := map[string]string{
		"":                        "no shape: want ramp, step or sine",
		"saw 1..2 in 3s":          `unknown shape "saw"`,
		"ramp":                    `the word "in" is missing`,
		"ramp 10..100 every 60s":  `the word "in" is missing`,
		"ramp in 60s":             `no rates before "in"`,
		"ramp 10..100 in":         `want one duration after "in"`,
		"ramp 10..100 in 60s 70s": `want one duration after "in"`,
		"ramp 10..100 in 60":      `"60" is no duration`,
		"ramp 10..100 in -60s":    "out of range",
		"ramp 10..100 in 1us":     "out of range",
		"ramp 10-100 in 60s":      `"10-100" is not two rates`,
		"ramp 10...100 in 60s":    "is not two rates with .. between them",
		"ramp 10..x in 60s":       `"x" is no rate`,
		"ramp 10..1e7 in 60s":     "out of range",
		"ramp 0..0 in 60s":        "sends nothing",
		"sine 0..-0 every 1s":     "sends nothing",
		"step 0,0 every 1s":       "sends nothing",
		"step 1,,2 every 1s":      "rate 2 is missing",
		"step -1 every 1s":        "negative",
		"step " + strings.Repeat("1,", maxSteps) + "1 every 1s": "too many",
	}
	for in, want := range bad {
		_, err := ParseShape(in)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), " '") {
			t.Errorf("%.40q: %v, want %q and an example", in, err, want)
		}
	}
}
