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

// raster is the guard in front of ntcharts' braille grid: it has a size that
// is never empty, and only dots inside are set.
type raster struct {
	in   cells.Rect
	grid *runes.PatternDotsGrid
	used bool
}

func newRaster(in cells.Rect) *raster { return &raster{in: in} }

// column sets the dots from…to−1, counted from the ground, of half column x.
func (g *raster) column(x, from, to int) {
	from, to = max(from, 0), min(to, 4*g.in.H)
	if x < 0 || x >= 2*g.in.W || from >= to {
		return
	}
	if !g.used {
		g.used = true
		g.grid = runes.NewPatternDotsGrid(2*g.in.W, 4*g.in.H)
	}
	for d := from; d < to; d++ {
		g.grid.Set(x, 4*g.in.H-1-d)
	}
}

// draw puts the dots into the buffer. Where there are dots already, meet says
// what becomes of the cell.
func (g *raster) draw(b *cells.Buf, style func(y int) cells.Style, meet func(old, add cells.Cell) cells.Cell) {
	if !g.used {
		return
	}
	for y, row := range g.grid.BraillePatterns() {
		st := style(y)
		for x, r := range row {
			if !braille(r) {
				continue
			}
			c := cells.Cell{R: r, Style: st}
			if old := b.At(g.in.X+x, g.in.Y+y); braille(old.R) {
				c = meet(old, c)
			}
			b.Set(g.in.X+x, g.in.Y+y, c.R, c.Style)
		}
	}
}

// majority joins dots and takes the colour of which there are more.
func majority(old, add cells.Cell) cells.Cell {
	c := joined(old, add)
	if dots(old.R) > dots(add.R) {
		c.Style = old.Style
	}
	return c
}

// joined joins dots and takes the new colour.
func joined(old, add cells.Cell) cells.Cell {
	return cells.Cell{R: runes.CombineBraillePatterns(old.R, add.R), Style: add.Style}
}

func dots(r rune) int { return bits.OnesCount16(uint16(r & 0xff)) }
