package chart

import (
	"math/bits"

	"dev.example/pileup/tui/cells"
	"github.com/NimbleMarkets/ntcharts/canvas/runes"
)

// dot is the row of dots, counted from the ground, of a part of the axis.
func dot(f float64, rows int) int {
	return min(max(int(f*float64(4*rows-1)+0.5), 0), 4*rows-1)
}

func braille(r rune) bool { return r > 0x2800 && r <= 0x28ff }

// raster is the guard in front of ntcharts' braille grid: only dots inside the
// plot are kept, and the grid is made just large enough for them.
type raster struct {
	in      cells.Rect
	strokes []dots
}

// dots are those from…to−1, counted from the ground, of half column x.
type dots struct{ x, from, to int }

func newRaster(in cells.Rect) *raster { return &raster{in: in} }

// set sets the dots from…to−1 of half column x.
func (g *raster) set(x, from, to int) {
	from, to = max(from, 0), min(to, 4*g.in.H)
	if x >= 0 && x < 2*g.in.W && from < to {
		g.strokes = append(g.strokes, dots{x, from, to})
	}
}

// band sets the dots from…to−1 of half column x, or every other one.
func (g *raster) band(x, from, to int, sparse bool) {
	if !sparse {
		g.set(x, from, to)
		return
	}
	for k := from; k < to; k++ {
		if (x+k)%2 == 0 {
			g.set(x, k, k+1)
		}
	}
}

// patterns returns the characters of the dots and the place of the first.
func (g *raster) patterns() (at cells.Rect, rows [][]rune) {
	if len(g.strokes) == 0 {
		return at, nil
	}
	left, right, low, high := 2*g.in.W, 0, 4*g.in.H, 0
	for _, d := range g.strokes {
		left, right = min(left, d.x), max(right, d.x+1)
		low, high = min(low, d.from), max(high, d.to)
	}
	x, top := left/2, (4*g.in.H-high)/4
	at = cells.Rect{
		X: g.in.X + x, Y: g.in.Y + top,
		W: (right+1)/2 - x, H: g.in.H - low/4 - top,
	}
	grid := runes.NewPatternDotsGrid(2*at.W, 4*at.H)
	for _, d := range g.strokes {
		for k := d.from; k < d.to; k++ {
			grid.Set(d.x-2*x, 4*(g.in.H-top)-1-k)
		}
	}
	return at, grid.BraillePatterns()
}

// draw puts the dots into the buffer. Where there are dots already, meet says
// what becomes of the cell.
func (g *raster) draw(b *cells.Buf, style func(y int) cells.Style, meet func(x int, old, add cells.Cell) cells.Cell) {
	at, rows := g.patterns()
	for y, row := range rows {
		st := style(at.Y - g.in.Y + y)
		for x, r := range row {
			if !braille(r) {
				continue
			}
			c := cells.Cell{R: r, Style: st}
			if old := b.At(at.X+x, at.Y+y); braille(old.R) {
				c = meet(x, old, c)
			}
			b.Set(at.X+x, at.Y+y, c.R, c.Style)
		}
	}
}

// majority joins dots and takes the colour of which there are more, of as many
// the new one.
func majority(_ int, old, add cells.Cell) cells.Cell {
	c := cells.Cell{R: runes.CombineBraillePatterns(old.R, add.R), Style: add.Style}
	if count(old.R) > count(add.R) {
		c.Style = old.Style
	}
	return c
}

// inTurn is [majority] for lines: of as many dots, in every other column that
// of the old one, so that two lines on each other are both seen.
func inTurn(x int, old, add cells.Cell) cells.Cell {
	c := majority(x, old, add)
	if x%2 == 0 && count(old.R) == count(add.R) {
		c.Style = old.Style
	}
	return c
}

func count(r rune) int { return bits.OnesCount16(uint16(r & 0xff)) }
