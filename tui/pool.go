package tui

import (
	"fmt"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/format"
	"dev.example/pileup/tui/panes"
)

// askTarget lists the targets that the lanes in view can be sent to, with what
// is open at each: one of them alone, or all of the pool as at the start.
func (m *Model) askTarget() {
	if m.over() {
		return
	}
	lane := m.view.Lane
	all := panes.TargetsFor(m.snap, lane)
	if len(all) < 2 {
		name := ""
		if len(all) == 1 {
			name = all[0].Name
		}
		m.tell(ledger.Info, lang.SayOneTarget, lang.With("target", name))
		return
	}
	p := &pick{
		title: m.say(lang.PaneTargets),
		fresh: func(m *Model) []panes.Item { items, _ := m.targetItems(lane); return items },
	}
	items, names := m.targetItems(lane)
	p.items = items
	p.taken = func(m *Model, i int) {
		m.do(ledger.Command{Do: ledger.DoTarget, Lane: lane, Name: names[i]})
	}
	for i := range items {
		if items[i].Now {
			p.at = i
		}
	}
	m.open(p)
}

// targetItems are the lines of the list and the names they stand for: all of a
// pool of several, then one target after the other.
func (m *Model) targetItems(lane int) (items []panes.Item, names []string) {
	pool := panes.PoolOf(m.snap, lane)
	whole := panes.OnlyTarget(m.snap, lane, "")
	add := func(text, name string, open int64, now bool) *panes.Item {
		note := fmt.Sprintf("%5s %s", format.Count(open), m.say(lang.HeadOpen))
		items, names = append(items, panes.Item{Text: text, Note: note, Now: now}), append(names, name)
		return &items[len(items)-1]
	}
	if len(pool) > 1 {
		open := int64(0)
		for i := range pool {
			open += pool[i].Open
		}
		add(m.say(lang.SayAllTargets), "", open, whole)
	}
	for _, t := range panes.TargetsFor(m.snap, lane) {
		now := panes.OnlyTarget(m.snap, lane, t.Name) || whole && len(pool) == 1 && t.Name == pool[0].Name
		item := add(t.Name, t.Name, t.Open, now)
		if t.Gone {
			item.Bad = "▲ " + m.say(lang.SayGone)
		}
		if t.Spare {
			item.Note += "  " + m.say(lang.SayNotInPool)
		}
	}
	return items, names
}
