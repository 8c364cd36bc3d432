package chart

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func g(v float64) string { return fmt.Sprintf("%.4g", v) }

func labels(s Scale) string {
	var out []string
	for _, t := range s.Ticks {
		out = append(out, t.Label)
	}
	return strings.Join(out, " ")
}

func TestNice(t *testing.T) {
	for _, tt := range []struct{ v, want float64 }{
		{1, 1},
		{1.2, 1.5},
		{1.6, 2},
		{2.1, 3},
		{3.5, 4},
		{4.5, 5},
		{5.1, 6},
		{7, 8},
		{9, 10},
		{10, 10},
		{163, 200},
		{0.034, 0.04},
		{999, 1000},
		{1e-300, 1e-300},
		{0, 1},
		{-5, 1},
		{math.NaN(), 1},
		{math.Inf(1), 1},
		{1e300, 1e15},
	} {
		if got := Nice(tt.v); math.Abs(got-tt.want) > tt.want*1e-9 {
			t.Errorf("Nice(%v) = %v, want %v", tt.v, got, tt.want)
		}
	}
}

func TestLinear(t *testing.T) {
	for _, tt := range []struct {
		top   float64
		rows  int
		whole bool
		want  string
	}{
		{163, 14, true, "0 50 100 150 200"},
		{163, 8, true, "0 100 200"},
		{163, 4, true, "0 200"},
		{220, 14, true, "0 100 200 300"},
		{1, 14, true, "0 1"},
		{1, 16, false, "0 0.2 0.4 0.6 0.8 1"},
		{2, 14, true, "0 1 2"},
		{1.2, 14, true, "0 1 2"},
		{5, 20, true, "0 1 2 3 4 5"},
		{0, 10, true, "0 1"},
		{math.NaN(), 10, false, "0 0.5 1"},
		{50, 1, true, "0 50"},
		{50, 0, true, "0 50"},
		{1500, 12, true, "0 500 1000 1500"},
		{100, 11, true, "0 50 100"},
	} {
		s := Linear(tt.top, tt.rows, tt.whole, g)
		if got := labels(s); got != tt.want {
			t.Errorf("Linear(%v, %d, %v): %q, want %q", tt.top, tt.rows, tt.whole, got, tt.want)
		}
	}
}

func TestLogScale(t *testing.T) {
	for _, tt := range []struct {
		lo, hi float64
		rows   int
		want   string
	}{
		{0.062, 5.2, 20, "0.05 0.1 1 10"},
		{0.062, 5.2, 30, "0.05 0.1 1 10"},
		{0.062, 5.2, 8, "0.05 1 10"},
		{0.01, 100, 17, "0.01 0.1 1 10 100"},
		{0.01, 100, 4, "0.01 100"},
		{0.3, 0.4, 12, "0.2 1 2"},
		{0, 0, 12, "1 10"},
		{math.NaN(), math.Inf(1), 12, "1 10"},
		{5, 1, 12, "5 10 50"},
		{-3, 40, 12, "1 10 50"},
	} {
		s := LogScale(tt.lo, tt.hi, tt.rows, g)
		if got := labels(s); got != tt.want {
			t.Errorf("LogScale(%v, %v, %d): %q, want %q", tt.lo, tt.hi, tt.rows, got, tt.want)
		}
		if s.Max < s.Min*9.9 || !finite(s.Max) || s.Min <= 0 {
			t.Errorf("LogScale(%v, %v) spans %v to %v", tt.lo, tt.hi, s.Min, s.Max)
		}
	}
}

func TestFrac(t *testing.T) {
	lin, lg := Scale{Max: 200}, Scale{Min: 0.01, Max: 100, Log: true}
	for _, tt := range []struct {
		s       Scale
		v, want float64
	}{
		{lin, 0, 0},
		{lin, 50, 0.25},
		{lin, 200, 1},
		{lin, 1e9, 1},
		{lin, -1, 0},
		{lg, 0.01, 0},
		{lg, 1, 0.5},
		{lg, 100, 1},
		{lg, 0, 0},
		{lg, -4, 0},
		{lg, 1e9, 1},
		{Scale{}, 3, 0},
	} {
		if got := tt.s.frac(tt.v); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%v: frac(%v) = %v, want %v", tt.s, tt.v, got, tt.want)
		}
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := lin.frac(v); got == got {
			t.Errorf("frac(%v) = %v, want none", v, got)
		}
	}
	if got := lg.value(0.5); math.Abs(got-1) > 1e-9 {
		t.Errorf("the middle of the log scale is %v, want 1", got)
	}
}
