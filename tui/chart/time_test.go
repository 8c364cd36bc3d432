package chart

import (
	"math"
	"strings"
	"testing"
	"time"
)

const sec = time.Second

func TestFollow(t *testing.T) {
	for _, tt := range []struct {
		now, window, from time.Duration
	}{
		{0, 30 * sec, 0},
		{10 * sec, 30 * sec, 0},
		{30 * sec, 30 * sec, 0},
		{30*sec + 1, 30 * sec, 5 * sec},
		{35 * sec, 30 * sec, 5 * sec},
		{35*sec + 1, 30 * sec, 10 * sec},
		{61 * sec, time.Minute, 10 * sec},
		{121 * sec, 2 * time.Minute, 20 * sec},
		{301 * sec, 5 * time.Minute, time.Minute},
		{901 * sec, 15 * time.Minute, 3 * time.Minute},
		{-5 * sec, 30 * sec, 0},
	} {
		a := Follow(tt.now, tt.window, 80)
		if a.From != tt.from || a.To != tt.from+tt.window || a.Cols != 80 {
			t.Errorf("Follow(%v, %v) = %v, want it to begin at %v", tt.now, tt.window, a, tt.from)
		}
	}
}

// TestNothingMoves holds that from one second to the next no instant changes
// its column, except once every sixth of the window.
func TestNothingMoves(t *testing.T) {
	for _, w := range Windows {
		moves := 0
		prev := Follow(0, w, 100)
		for now := sec; now <= 3*w; now += sec {
			a := Follow(now, w, 100)
			if now < a.From || now > a.To {
				t.Fatalf("window %v: %v is not on %v", w, now, a)
			}
			if a != prev {
				moves++
			}
			prev = a
		}
		if moves > 12 {
			t.Errorf("window %v moved %d times in two windows, want at most 12", w, moves)
		}
	}
}

func TestCol(t *testing.T) {
	a := TimeAxis{10 * sec, 40 * sec, 60}
	for _, tt := range []struct {
		at   time.Duration
		want int
		ok   bool
	}{
		{10 * sec, 0, true},
		{10*sec + 499*time.Millisecond, 0, true},
		{10*sec + 500*time.Millisecond, 1, true},
		{39 * sec, 58, true},
		{40 * sec, 59, true},
		{9 * sec, 0, false},
		{41 * sec, 0, false},
		{math.MinInt64, 0, false},
		{math.MaxInt64, 0, false},
	} {
		got, ok := a.Col(tt.at)
		if got != tt.want || ok != tt.ok {
			t.Errorf("Col(%v) = %d, %v; want %d, %v", tt.at, got, ok, tt.want, tt.ok)
		}
	}
	if _, ok := (TimeAxis{}).Col(0); ok {
		t.Error("an axis without columns has one")
	}
}

func TestTicks(t *testing.T) {
	for _, tt := range []struct {
		a    TimeAxis
		want string
	}{
		{TimeAxis{0, 30 * sec, 80}, "0s 5s 10s 15s 20s 25s 30s"},
		{TimeAxis{0, 30 * sec, 40}, "0s 10s 20s 30s"},
		{TimeAxis{20 * sec, 80 * sec, 90}, "20s 30s 40s 50s 1m 1m10s 1m20s"},
		{TimeAxis{0, 5 * time.Minute, 90}, "0s 1m 2m 3m 4m 5m"},
		{TimeAxis{3 * time.Minute, 18 * time.Minute, 40}, "5m 10m 15m"},
		{TimeAxis{0, 30 * sec, 8}, "0s 30s"},
		{TimeAxis{59 * time.Minute, 64 * time.Minute, 90}, "59m 1h 1h01m 1h02m 1h03m 1h04m"},
		{TimeAxis{101 * time.Minute, 102 * time.Minute, 60}, "1h41m 1h41m20s 1h41m40s 1h42m"},
		{TimeAxis{0, 30 * sec, 2}, "0s"},
		{TimeAxis{0, 30 * sec, 0}, ""},
		{TimeAxis{30 * sec, 30 * sec, 50}, ""},
	} {
		var got []string
		end := -1
		for _, k := range tt.a.Ticks() {
			if k.X <= end || k.X < 0 || k.X+len(k.Label) > tt.a.Cols {
				t.Errorf("%v: label %q at %d", tt.a, k.Label, k.X)
			}
			end = k.X + len(k.Label)
			got = append(got, k.Label)
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%v: labels %q, want %q", tt.a, s, tt.want)
		}
	}
}

func TestTrace(t *testing.T) {
	nan := math.NaN()
	at := func(s, v float64) Point { return Point{At: time.Duration(s * float64(sec)), V: v} }
	pale := func(s, v float64) Point { p := at(s, v); p.Pale = true; return p }
	for _, tt := range []struct {
		name   string
		points []Point
		want   string // a digit a half column; ' ' nothing, '~' not joined to the left, ! a pale one
	}{
		{"nothing", nil, "          "},
		{"one point", []Point{at(2.5, 4)}, "  4       "},
		{"a straight line", []Point{at(0, 0), at(10, 10)}, "0123456789"},
		{"a gap", []Point{at(0, 2), at(3, 2), at(4, nan), at(6, 5), at(8, 5)}, "2222  555 "},
		{"infinite is a gap", []Point{at(0, 2), at(3, math.Inf(1)), at(6, 5), at(8, 5)}, "2     555 "},
		{"a spike is at the end of the axis", []Point{at(2, 1e300)}, "  9       "},
		{"back in time is left out", []Point{at(4, 3), at(2, 9), at(6, 3)}, "    333   "},
		{"from before the axis", []Point{at(-10, 4), at(3.5, 4)}, "4444      "},
		{"beyond the axis", []Point{at(7, 4), at(1e6, 4)}, "       444"},
		{"across the axis", []Point{at(-1e6, 4), at(1e6, 4)}, "4444444444"},
		{"all before", []Point{at(-9, 4), at(-2, 4)}, "          "},
		{"all after", []Point{at(12, 4), at(20, 4)}, "          "},
		{"pale", []Point{at(1, 3), pale(4, 3), at(6, 3)}, " 3!!!!3   "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := TimeAxis{0, 10 * sec, 5}
			s := Scale{Max: 10}
			var got []byte
			for _, c := range a.trace(tt.points, s.frac) {
				switch {
				case !c.has:
					got = append(got, ' ')
				case c.pale:
					got = append(got, '!')
				default:
					got = append(got, byte('0'+min(int(c.lo*10), 9)))
				}
			}
			if string(got) != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}
