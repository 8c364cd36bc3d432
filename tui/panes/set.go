package panes

import (
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/layout"
)

// Set is one of each pane that needs room of its own between two frames.
type Set struct {
	backlog  Backlog
	response Response
	cores    Cores
	board    Board
	table    Table
	events   Events
	lanes    Lanes
}

// Draw draws every pane that the plan shows. s is nil before there is any.
func (p *Set) Draw(b *cells.Buf, plan *layout.Plan, v *View, s *ledger.Snapshot) {
	for _, n := range layout.All {
		if !plan.Shows(n) {
			continue
		}
		r := plan.Pane(n)
		if n == layout.Events {
			var lanes cells.Rect
			if lanes, r = p.lanes.split(r, v, s); !lanes.Empty() {
				p.lanes.Draw(b, lanes, v, s)
			}
		}
		p.one(n).Draw(b, r, v, s)
	}
	askedBelow(b, plan.Pane(layout.Backlog), v)
	Latest(b, plan.Latest, v, s)
}

type drawer interface {
	Draw(*cells.Buf, cells.Rect, *View, *ledger.Snapshot)
}

func (p *Set) one(n layout.Pane) drawer {
	switch n {
	case layout.Backlog:
		return &p.backlog
	case layout.Response:
		return &p.response
	case layout.Cores:
		return &p.cores
	case layout.Board:
		return &p.board
	case layout.Ledger:
		return &p.table
	case layout.Lanes:
		return &p.lanes
	}
	return &p.events
}
