package chart

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"dev.example/pileup/tui/cells"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, b *cells.Buf) {
	t.Helper()
	path := filepath.Join("testdata", filepath.Base(t.Name())+".golden")
	got := b.String()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got\n%s", path, got)
	}
}

func whole(v float64) string { return fmt.Sprintf("%.0f", v) }

func seconds(v float64) string {
	if v < 1 {
		return fmt.Sprintf("%.3g ms", v*1e3)
	}
	return fmt.Sprintf("%.3g s", v)
}

func style(c cells.Color) func(float64) cells.Style {
	return func(float64) cells.Style { return cells.Style{Fg: c} }
}

var red, blue = cells.RGB(255, 0, 0), cells.RGB(0, 0, 255)

// pileUp is a run of 10 s at 50/s on an endpoint that does 30/s.
func pileUp() (at []time.Duration, inFlight, held []float64, response, floor []Point) {
	for k := range 14 {
		at = append(at, time.Duration(k)*sec)
		n := float64(min(20*k, 200) - max(0, k-10)*55)
		inFlight, held = append(inFlight, min(n, 140)), append(held, max(0, n-140))
	}
	for k := range 10 {
		mid := time.Duration(k)*sec + sec/2
		response = append(response, Point{mid, 0.8 + 0.45*float64(k), k > 7})
		floor = append(floor, Point{mid, 0.06 + 0.02*float64(k*k), k > 7})
	}
	return at, inFlight, held, response, floor
}

func TestArea(t *testing.T) {
	b := cells.NewBuf(72, 12)
	p := Plot{Buf: b, R: b.Rect(), Time: Follow(13*sec, 30*sec, Cols(72))}
	at, inFlight, held, _, _ := pileUp()
	s := Linear(200, p.Rows(), true, whole)
	p.Frame(s)
	p.Mark(10*sec, '│', cells.Style{})
	p.Area(s, at, Layer{V: inFlight, Style: style(blue)}, Layer{V: held, Style: style(red)})
	golden(t, b)
	x, _ := p.Time.Col(10 * sec)
	if c := b.At(Margin+x-1, 1); c.Fg != red {
		t.Errorf("what is held on top is drawn in %v: %+v", c.Fg, c)
	}
	if c := b.At(Margin+x-1, 9); c.Fg != blue {
		t.Errorf("what is in flight below is drawn in %v: %+v", c.Fg, c)
	}
}

func TestLines(t *testing.T) {
	b := cells.NewBuf(72, 14)
	p := Plot{Buf: b, R: b.Rect(), Time: Follow(13*sec, 30*sec, Cols(72))}
	_, _, _, response, floor := pileUp()
	s := LogScale(0.06, 6, p.Rows(), seconds)
	p.Frame(s)
	p.Ranges(s, []Range{{5500 * time.Millisecond, 0.3, 5}, {6 * sec, math.NaN(), 1}}, cells.Style{})
	p.Lines(s, Series{Points: floor}, Series{Points: response, Style: cells.Style{Fg: blue}, Pale: cells.Style{Fg: red}})
	golden(t, b)
}

// TestMeeting holds what becomes of a cell that two things fall into.
func TestMeeting(t *testing.T) {
	b := cells.NewBuf(Margin+10, 3)
	p := Plot{Buf: b, R: b.Rect(), Time: TimeAxis{0, 10 * sec, 10}}
	s := Scale{Max: 7}
	first, later, behind := cells.Style{Fg: red}, cells.Style{Fg: blue}, cells.Style{Attr: cells.Dim}
	flat := func(v float64) []Point { return []Point{{0, v, false}, {10 * sec, v, false}} }
	all := []Range{{2 * sec, 0, 7}}
	x := Margin + 2
	p.Ranges(s, all, behind)
	p.Lines(s, Series{Points: flat(7), Style: first}, Series{Points: flat(6), Style: later})
	p.Ranges(s, all, behind)
	for i, st := range []cells.Style{first, later} {
		if got, want := b.At(x+i, 0), (cells.Cell{R: '⠛', Style: st}); got != want {
			t.Errorf("two lines over a range give %q %+v, want %q in the style of the %d.", got.R, got.Style, want.R, i+1)
		}
	}
	if got := b.At(x, 1); got.Style != behind || !braille(got.R) {
		t.Errorf("a range alone gives %q %+v", got.R, got.Style)
	}
}

// TestSameSecondSameColumn draws the end of the same second in two plots of
// different height and finds it in the same column.
func TestSameSecondSameColumn(t *testing.T) {
	b := cells.NewBuf(90, 30)
	axis := Follow(40*sec, time.Minute, Cols(90))
	top := Plot{Buf: b, R: cells.Rect{X: 0, Y: 0, W: 90, H: 12}, Time: axis}
	low := Plot{Buf: b, R: cells.Rect{X: 0, Y: 12, W: 90, H: 6}, Time: axis}
	s := Scale{Max: 10}
	top.Area(s, []time.Duration{20 * sec, 33 * sec}, Layer{V: []float64{10, 10}, Style: style(blue)})
	low.Lines(s, Series{Points: []Point{{20 * sec, 10, false}, {33 * sec, 10, false}}})
	edge := func(y int) (x int) {
		for x = b.W - 1; x > 0 && !braille(b.At(x, y).R); x-- {
		}
		return x
	}
	if a, c := edge(0), edge(12); a != c || a < Margin {
		t.Errorf("second 33 ends in columns %d and %d", a, c)
	}
}

func TestMark(t *testing.T) {
	b := cells.NewBuf(30, 5)
	p := Plot{Buf: b, R: b.Rect(), Time: TimeAxis{0, 10 * sec, Cols(30)}}
	if p.Mark(11*sec, '│', cells.Style{}) || p.Mark(-1, '│', cells.Style{}) {
		t.Error("a mark off the axis was drawn")
	}
	if !p.Mark(5*sec, '│', cells.Style{}) {
		t.Error("a mark on the axis was not drawn")
	}
	for y := range 4 {
		if r := b.At(Margin+11, y).R; r != '│' {
			t.Errorf("row %d of the mark is %q", y, r)
		}
	}
	if r := b.At(Margin+11, 4).R; r != 0 {
		t.Errorf("the mark runs into the times: %q", r)
	}
}

// TestBounds: what is only bounded from below is a mark a second, joined to
// nothing; it neither leaves the axis nor stands at its foot.
func TestBounds(t *testing.T) {
	b := cells.NewBuf(Margin+10, 5)
	p := Plot{Buf: b, R: b.Rect(), Time: TimeAxis{0, 10 * sec, 10}, Bare: true}
	s := LogScale(1, 10, p.Rows(), whole)
	points := []Point{{1 * sec, 99, false}, {4 * sec, 3, false}, {6 * sec, 0.2, false}, {8 * sec, math.NaN(), false}}
	p.Bounds(s, points, '▵', cells.Style{})
	want := "        ▵\n\n           ▵\n\n\n"
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestDashes: without colours lines and layers are told apart by their dots.
func TestDashes(t *testing.T) {
	draw := func(d Dash, sparse bool) string {
		b := cells.NewBuf(Margin+6, 1)
		p := Plot{Buf: b, R: b.Rect(), Time: TimeAxis{0, 6 * sec, 6}, Bare: true}
		s := Scale{Max: 7}
		if sparse {
			p.Area(s, []time.Duration{0, 6 * sec}, Layer{V: []float64{7, 7}, Style: style(red), Sparse: true})
		} else {
			p.Lines(s, Series{Points: []Point{{0, 0, false}, {6 * sec, 0, false}}, Dash: d})
		}
		return b.String()
	}
	seen := map[string]bool{draw(Solid, false): true, draw(Dashed, false): true, draw(Dotted, false): true, draw(Solid, true): true}
	if len(seen) != 4 {
		t.Errorf("of three lines and a sparse layer %d look different: %v", len(seen), seen)
	}
}

// TestTicksAreEvenlyApart at every height and top.
func TestTicksAreEvenlyApart(t *testing.T) {
	for rows := 2; rows < 40; rows++ {
		for _, top := range []float64{1, 7, 12, 163, 220, 1500, 42} {
			s := Linear(top, rows, true, whole)
			for i := 2; i < len(s.Ticks); i++ {
				a, b, c := s.row(s.Ticks[i-2].V, rows), s.row(s.Ticks[i-1].V, rows), s.row(s.Ticks[i].V, rows)
				if a-b != b-c {
					t.Fatalf("%v on %d rows: ticks in rows %d, %d, %d", top, rows, a, b, c)
				}
			}
			if s.frac(top) < 0.5 && top > 1 && rows > 3 {
				t.Errorf("%v fills %.2f of %d rows", top, s.frac(top), rows)
			}
		}
	}
}

func TestBar(t *testing.T) {
	for _, tt := range []struct {
		share float64
		want  string
	}{
		{0, "────────"},
		{0.5, "━━━━────"},
		{0.56, "━━━━╸───"},
		{1, "━━━━━━━━"},
		{7, "━━━━━━━━"},
		{-1, "────────"},
		{0.001, "╸───────"},
		{math.NaN(), "╌╌╌╌╌╌╌╌"},
		{math.Inf(1), "╌╌╌╌╌╌╌╌"},
	} {
		b := cells.NewBuf(8, 1)
		Bar(b, 0, 0, 8, tt.share, cells.Style{}, cells.Style{})
		if got := b.String(); got != tt.want+"\n" {
			t.Errorf("a bar of %v is %q, want %q", tt.share, got, tt.want)
		}
	}
	b := cells.NewBuf(3, 1)
	Bar(b, 2, 0, -4, 0.5, cells.Style{}, cells.Style{})
	if got := b.String(); got != "\n" {
		t.Errorf("a bar of negative width is %q", got)
	}
}

func TestSparkline(t *testing.T) {
	b := cells.NewBuf(8, 2)
	v := []float64{99, 99, 0, 1, 4, math.NaN(), 8, 12, 16, 1e300}
	Sparkline(b, cells.Rect{X: 1, Y: 0, W: 7, H: 2}, v, 16, style(blue))
	if got, want := b.String(), "     ▄██\n ▁▄ ████\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	b = cells.NewBuf(4, 1)
	Sparkline(b, b.Rect(), []float64{1, 2, 3}, 0, style(blue))
	Sparkline(b, cells.Rect{X: 9, Y: 9, W: -3, H: 2}, v, 1, style(blue))
	if got, want := b.String(), " ▁▁▁\n"; got != want {
		t.Errorf("without a top: got %q, want %q", got, want)
	}
}

// FuzzDraw gives the charts any size, any place and any numbers, and looks
// that nothing is drawn outside of the rectangle.
func FuzzDraw(f *testing.F) {
	f.Add(60, 12, 1, 1, uint64(1), 10.0, 1e9, int64(30e9))
	f.Add(0, 0, 0, 0, uint64(2), math.NaN(), math.Inf(1), int64(0))
	f.Add(-4, 3, -2, 70, uint64(3), -1e300, 1e-300, int64(math.MinInt64))
	f.Add(9, 2, 0, 0, uint64(4), math.MaxFloat64, 0.0, int64(math.MaxInt64))
	f.Add(8, 3, 60, 10, uint64(5), 1e6, 5.0, int64(-1))
	f.Fuzz(func(t *testing.T, w, h, x, y int, seed uint64, v1, v2 float64, ns int64) {
		b := cells.NewBuf(80, 24)
		r := cells.Rect{X: x % 100, Y: y % 40, W: w % 120, H: h % 40}
		rnd := rand.New(rand.NewPCG(seed, 7))
		odd := []float64{v1, v2, math.NaN(), math.Inf(-1), 0, 1, 17, -v1}
		when := []time.Duration{time.Duration(ns), 0, sec, 30 * sec, -sec, math.MaxInt64, math.MinInt64}
		for range 4 {
			drawAll(Plot{
				Buf: b, R: r, Bare: rnd.IntN(2) == 0,
				Time: Follow(when[rnd.IntN(len(when))], when[rnd.IntN(len(when))], Cols(r.W)+rnd.IntN(9)-4),
			}, rnd, odd, when)
		}
		for cy := range b.H {
			for cx := range b.W {
				inside := cx >= r.X && cx < r.Right() && cy >= r.Y && cy < r.Bottom()
				if b.At(cx, cy) != (cells.Cell{}) && !inside {
					t.Fatalf("drawn at %d,%d, outside of %+v", cx, cy, r)
				}
			}
		}
	})
}

func drawAll(p Plot, rnd *rand.Rand, odd []float64, when []time.Duration) {
	var at []time.Duration
	var v, u []float64
	var points []Point
	var spans []Range
	pick := func() float64 { return odd[rnd.IntN(len(odd))] }
	for i := range 40 {
		a := time.Duration(i) * sec
		if rnd.IntN(6) == 0 {
			a = when[rnd.IntN(len(when))]
		}
		at, v, u = append(at, a), append(v, pick()), append(u, pick())
		points = append(points, Point{a, pick(), rnd.IntN(3) == 0})
		spans = append(spans, Range{a, pick(), pick()})
	}
	for _, s := range []Scale{
		Linear(pick(), p.Rows(), rnd.IntN(2) == 0, whole),
		LogScale(pick(), pick(), p.Rows(), seconds),
		{Min: pick(), Max: pick(), Log: rnd.IntN(2) == 0},
	} {
		p.Frame(s)
		p.Mark(when[rnd.IntN(len(when))], '│', cells.Style{})
		p.Area(s, at, Layer{V: v, Style: style(red)}, Layer{V: u[:rnd.IntN(len(u))], Style: style(blue)})
		p.Ranges(s, spans, cells.Style{})
		p.Bounds(s, points, '▵', cells.Style{})
		p.Lines(s, Series{Points: points, Dash: Dash(rnd.IntN(3))})
	}
	Bar(p.Buf, p.R.X, p.R.Y, min(p.R.W, p.R.W*p.R.H), pick(), cells.Style{}, cells.Style{})
	Sparkline(p.Buf, p.R, v, pick(), style(red))
}

// BenchmarkPlots draws the two charts of a full screen with 15 minutes of data.
func BenchmarkPlots(b *testing.B) {
	buf := cells.NewBuf(160, 45)
	const n = 900
	var at []time.Duration
	var v, u []float64
	points := make([]Point, n)
	for i := range n {
		at = append(at, time.Duration(i)*sec)
		v, u = append(v, float64(i%200)), append(u, float64(i%50))
		points[i] = Point{at[i], 0.05 + float64(i%300)/60, i > n-5}
	}
	axis := Follow(n*sec, 2*time.Minute, Cols(97))
	b.ReportAllocs()
	for b.Loop() {
		p := Plot{Buf: buf, R: cells.Rect{X: 1, Y: 3, W: 97, H: 15}, Time: axis}
		s := Linear(250, p.Rows(), true, whole)
		p.Frame(s)
		p.Area(s, at, Layer{V: v, Style: style(blue)}, Layer{V: u, Style: style(red)})
		p.R.Y = 18
		l := LogScale(0.05, 6, p.Rows(), seconds)
		p.Frame(l)
		p.Lines(l, Series{Points: points}, Series{Points: points}, Series{Points: points})
	}
}
