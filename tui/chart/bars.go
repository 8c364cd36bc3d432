package chart

import "dev.example/pileup/tui/cells"

// Bar draws a share of 0…1 as a thin bar of w cells on a rail, to half a cell.
// NaN is a broken rail: not known looks unlike nothing.
func Bar(b *cells.Buf, x, y, w int, share float64, on, rail cells.Style) {
	known := finite(share)
	n := 0
	if known {
		n = int(min(max(share, 0), 1)*float64(2*max(w, 0)) + 0.5)
		if share > 0 && n == 0 {
			n = 1
		}
	}
	for i := range max(w, 0) {
		switch {
		case !known:
			b.Set(x+i, y, '╌', rail)
		case n >= 2*i+2:
			b.Set(x+i, y, '━', on)
		case n == 2*i+1:
			b.Set(x+i, y, '╸', on)
		default:
			b.Set(x+i, y, '─', rail)
		}
	}
}

// Sparkline draws the last values as columns in eighths of a cell, the newest
// at the right edge of r, from 0 to top. NaN leaves its column blank; what is
// there shows at least the lowest step.
func Sparkline(b *cells.Buf, r cells.Rect, values []float64, top float64, style func(share float64) cells.Style) {
	r = r.Clip(b.Rect())
	if r.Empty() {
		return
	}
	if len(values) > r.W {
		values = values[len(values)-r.W:]
	}
	x := r.Right() - len(values)
	for i, v := range values {
		if !finite(v) {
			continue
		}
		share := 0.0
		if top > 0 {
			share = min(max(v/top, 0), 1)
		}
		n := max(1, int(share*float64(8*r.H)+0.5))
		for row := range r.H {
			if k := min(n-8*row, 8); k > 0 {
				b.Set(x+i, r.Bottom()-1-row, '▁'+rune(k-1), style(share))
			}
		}
	}
}
