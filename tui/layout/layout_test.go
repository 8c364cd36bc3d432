package layout

import (
	"testing"

	"dev.example/pileup/tui/cells"
)

// cover marks every cell that r covers and reports cells covered twice or
// outside.
func cover(t *testing.T, seen []bool, w, h int, r cells.Rect) {
	t.Helper()
	if r.W == 0 || r.H == 0 {
		return
	}
	if r.X < 0 || r.Y < 0 || r.W < 0 || r.H < 0 || r.X+r.W > w || r.Y+r.H > h {
		t.Fatalf("%dx%d: %+v is outside", w, h, r)
	}
	for y := r.Y; y < r.Y+r.H; y++ {
		for x := r.X; x < r.X+r.W; x++ {
			if seen[y*w+x] {
				t.Fatalf("%dx%d: %+v covers %d,%d a second time", w, h, r, x, y)
			}
			seen[y*w+x] = true
		}
	}
}

func TestEveryCellBelongsToOnePart(t *testing.T) {
	for h := 1; h <= 90; h += 1 + h/30 {
		for w := 1; w <= 300; w += 1 + w/20 {
			checkCover(t, w, h, 0)
			checkCover(t, w, h, All[(w+h)%len(All)])
		}
	}
}

func checkCover(t *testing.T, w, h int, z Pane) {
	t.Helper()
	p := Of(w, h, z)
	seen := make([]bool, w*h)
	parts := []cells.Rect{p.Header, p.Figures, p.Latest, p.Keys}
	if p.Plain { // the last row is lent to questions and messages
		parts = parts[:3]
		cover(t, make([]bool, w*h), w, h, p.Keys)
	}
	for _, r := range parts {
		cover(t, seen, w, h, r)
	}
	for _, n := range All {
		cover(t, seen, w, h, p.Pane(n))
	}
	for i, ok := range seen {
		if !ok {
			t.Fatalf("%dx%d zoom %d: cell %d,%d belongs to nothing", w, h, z, i%w, i/w)
		}
	}
}

func TestChartsShareTheirColumns(t *testing.T) {
	for _, s := range [][2]int{{80, 24}, {120, 40}, {160, 45}, {200, 60}} {
		p := Of(s[0], s[1], 0)
		a, b := p.Pane(Backlog), p.Pane(Response)
		if a.X != b.X || a.W != b.W || !p.Shows(Response) {
			t.Errorf("%dx%d: backlog %+v, response %+v", s[0], s[1], a, b)
		}
	}
}

func TestWhatASmallScreenKeeps(t *testing.T) {
	for _, c := range []struct {
		w, h  int
		shown []Pane
	}{
		{59, 40, nil},
		{160, 15, nil},
		{60, 16, []Pane{Backlog, Cores, Ledger}},
		{80, 24, []Pane{Backlog, Response, Cores, Ledger}},
		{120, 40, []Pane{Backlog, Response, Cores, Board, Ledger, Events}}, // and the lanes, where there are several
	} {
		p := Of(c.w, c.h, 0)
		var got []Pane
		for _, n := range All {
			if p.Shows(n) {
				got = append(got, n)
			}
		}
		if len(got) != len(c.shown) {
			t.Errorf("%dx%d: shows %v, want %v", c.w, c.h, got, c.shown)
		}
	}
	p := Of(80, 24, 0)
	if rows := p.Pane(Ledger).H - 3; rows != 4 {
		t.Errorf("80x24 has %d ledger rows, want 4", rows)
	}
}
