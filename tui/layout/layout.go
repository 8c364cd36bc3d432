// Package layout says which pane stands where on a screen of any size. It is
// pure: rectangles out of two numbers.
//
// Left and right column share the borders of their rows, so the eye has few
// lines to follow, and charts on one time axis stand above each other:
//
//	 header                              header
//	 key figures                         key figures
//	╭─ 1 backlog ──────╮╭─ 4 cores ──╮  ╭─ 1 backlog ─╮╭─ 4 cores ─╮
//	│                  ││            │  │             ││           │
//	╰──────────────────╯╰────────────╯  ╰─────────────╯│           │
//	╭─ 2 response ─────╮╭─ 5 board ──╮  ╭─ 2 response ╮│   board   │
//	╰──────────────────╯╰────────────╯  ╰─────────────╯╰───────────╯
//	╭─ 6 ledger ───────╮╭─ 8 events ─╮  ╭─ 6 ledger ───────────────╮
//	╰──────────────────╯╰────────────╯  ╰──────────────────────────╯
//	 keys                                newest event
//	                                     keys
package layout

import "dev.example/pileup/tui/cells"

// A Pane is the digit of a pane.
type Pane int

// The panes. 0 is none.
const (
	Backlog  Pane = 1
	Response Pane = 2
	Cores    Pane = 4
	Board    Pane = 5
	Ledger   Pane = 6
	Lanes    Pane = 7 // shares the place of the events
	Events   Pane = 8
)

// All lists the panes in the order of their digits.
var All = []Pane{Backlog, Response, Cores, Board, Ledger, Lanes, Events}

// The smallest screen with panes.
const (
	MinW = 60
	MinH = 16
)

// A Plan is the division of one screen. An empty rectangle is not shown.
type Plan struct {
	W, H    int
	Small   bool // one column narrower, the board within the cores
	Plain   bool // too small for panes: Figures is the whole screen, Keys its last row
	Header  cells.Rect
	Figures cells.Rect
	Latest  cells.Rect // newest event, where the events have no pane
	Keys    cells.Rect
	Body    cells.Rect // where the panes stand, and a zoomed one alone
	panes   [9]cells.Rect
}

// Pane returns where a pane stands, empty if it is not shown.
func (p *Plan) Pane(n Pane) cells.Rect {
	if n < 0 || int(n) >= len(p.panes) {
		return cells.Rect{}
	}
	return p.panes[n]
}

// Shows reports whether the pane has a place.
func (p *Plan) Shows(n Pane) bool { r := p.Pane(n); return r.W > 0 && r.H > 0 }

// Of divides a screen of w by h cells. zoom is the pane that takes the whole
// body, 0 if none does.
func Of(w, h int, zoom Pane) Plan {
	p := Plan{W: w, H: h}
	if w < MinW || h < MinH {
		p.Plain = true
		w, h = max(w, 0), max(h, 0)
		p.Figures = cells.Rect{W: w, H: h}
		p.Body = cells.Rect{W: w, H: max(h-1, 0)}
		p.Keys = cells.Rect{Y: max(h-1, 0), W: w, H: min(h, 1)}
		return p
	}
	p.Small = w < 110 || h < 34
	p.Header = cells.Rect{W: w, H: 1}
	p.Figures = cells.Rect{Y: 1, W: w, H: 2}
	p.Keys = cells.Rect{Y: h - 1, W: w, H: 1}
	p.Body = cells.Rect{Y: 3, W: w, H: h - 4}
	switch {
	case zoom > 0:
		p.panes[zoom] = p.Body
	case p.Small:
		p.small()
	default:
		p.wide()
	}
	return p
}

// wide is three rows of two panes.
func (p *Plan) wide() {
	b := p.Body
	left := b.W * 62 / 100
	right := b.W - left
	top := b.H * 37 / 100
	mid := b.H * 27 / 100
	low := b.H - top - mid
	y := b.Y
	p.panes[Backlog] = cells.Rect{X: 0, Y: y, W: left, H: top}
	p.panes[Cores] = cells.Rect{X: left, Y: y, W: right, H: top}
	y += top
	p.panes[Response] = cells.Rect{X: 0, Y: y, W: left, H: mid}
	p.panes[Board] = cells.Rect{X: left, Y: y, W: right, H: mid}
	y += mid
	p.panes[Ledger] = cells.Rect{X: 0, Y: y, W: left, H: low}
	p.panes[Events] = cells.Rect{X: left, Y: y, W: right, H: low}
}

// ledgerSmall is four rows with their heading and borders.
const ledgerSmall = 7

// small is the backlog over the response with the cores beside them, and four
// rows of the ledger. What is too low goes: first the response, then rows.
func (p *Plan) small() {
	b := p.Body
	b.H--
	p.Latest = cells.Rect{Y: b.Y + b.H, W: b.W, H: 1}
	low := ledgerSmall
	if b.H > 30 {
		low = b.H * 36 / 100
	}
	low = min(low, b.H-6)
	top := b.H - low
	left := b.W * 63 / 100
	hero := top
	if top >= 11 {
		hero = top - max(5, top*42/100)
		p.panes[Response] = cells.Rect{X: 0, Y: b.Y + hero, W: left, H: top - hero}
	}
	p.panes[Backlog] = cells.Rect{X: 0, Y: b.Y, W: left, H: hero}
	p.panes[Cores] = cells.Rect{X: left, Y: b.Y, W: b.W - left, H: top}
	p.panes[Ledger] = cells.Rect{X: 0, Y: b.Y + top, W: b.W, H: low}
}
