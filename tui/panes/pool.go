package panes

import (
	"slices"
	"strings"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
)

// A Member is a target of a pool, and how the lanes in view stand with it.
type Member struct {
	Name, URL string
	Open      int64 // at the end of the last closed second
	Gone      bool
	Spare     bool // no lane in view has it by itself: it can be chosen alone
}

// PoolOf returns the targets of a lane, or of all lanes together, in the order
// of the setup.
func PoolOf(s *ledger.Snapshot, lane int) (out []Member) {
	return slices.DeleteFunc(TargetsFor(s, lane), func(m Member) bool { return m.Spare })
}

// ModelsFor lists what a lane, the first one for all, can be sent, by the targets it
// has.
func ModelsFor(s *ledger.Snapshot, lane int) (out []string) {
	if len(s.Lanes) == 0 {
		return nil
	}
	for _, id := range s.Lanes[min(max(lane, 0), len(s.Lanes)-1)].Info.Targets {
		for i := range s.Setup.Targets {
			if s.Setup.Targets[i].ID != id {
				continue
			}
			for _, name := range s.Setup.Targets[i].Models {
				if !slices.Contains(out, name) {
					out = append(out, name)
				}
			}
		}
	}
	return out
}

// TargetsFor returns the targets that a lane, or all lanes, can be sent to.
func TargetsFor(s *ledger.Snapshot, lane int) (out []Member) {
	for i := range s.Setup.Targets {
		g := &s.Setup.Targets[i]
		m := Member{Name: g.Name, URL: g.URL, Spare: true}
		for k := range s.Lanes {
			l := &s.Lanes[k]
			if lane != ledger.All && lane != k {
				continue
			}
			if slices.Contains(l.Info.Targets, g.ID) {
				m.Spare = false
			}
			m.Gone = m.Gone || tallyOf(l, g.ID).Gone
			if c := closed(s); k < len(c.Lanes) {
				m.Open += tallyOf(&c.Lanes[k], g.ID).Open
			}
		}
		out = append(out, m)
	}
	return out
}

// tallyOf is the account of a lane with a target.
func tallyOf(l *ledger.Lane, target int) (t ledger.Tally) {
	if i := slices.IndexFunc(l.Targets, func(t ledger.Tally) bool { return t.Target == target }); i >= 0 {
		return l.Targets[i]
	}
	return t
}

// OnlyTarget reports whether all lanes in question are sent to the target of
// that name alone, or with "" to all they have.
func OnlyTarget(s *ledger.Snapshot, lane int, name string) bool {
	for i := range s.Lanes {
		if (lane == ledger.All || lane == i) && s.Lanes[i].Setting.Target != name {
			return false
		}
	}
	return true
}

// target names what the lanes in view are sent to; while the run drains, of
// several, those that have not answered all.
func target(h *wordLine, v *View, s *ledger.Snapshot) {
	t := v.Theme
	all, pool := TargetsFor(s, v.Lane), PoolOf(s, v.Lane)
	if len(all) > 1 && s.Phase == ledger.Draining && stillOut(h, v, all) {
		return
	}
	names, url, of := joined(v, pool), "", ""
	if len(pool) == 1 {
		url = pool[0].URL
	}
	for _, m := range all {
		switch {
		case !OnlyTarget(s, v.Lane, m.Name):
			continue
		case m.Spare:
			of = v.say(lang.SayNotInPool)
		case len(pool) > 1:
			of = v.say(lang.SayOneOf, lang.With("n", len(pool)))
		}
		names, url = m.Name, m.URL
	}
	h.put(cells.Cut(names, longestName), t.Text.With(cells.Bold), 2)
	if of != "" {
		h.x--
		h.put(of, t.Label, 2)
	}
	if url != "" && h.end-h.x > 84 {
		h.x--
		h.put(cells.Cut(short(url), 34), t.Label, 2)
	}
}

// longestName is how much of the header the names of targets get.
const longestName = 24

// joined are the names of a pool, or how many there are.
func joined(v *View, pool []Member) string {
	var names []string
	for i := range pool {
		names = append(names, pool[i].Name)
	}
	text := strings.Join(names, " ")
	if len(pool) > 1 && cells.Width(text) > longestName {
		return v.say(lang.SayTargets, lang.With("n", len(pool)))
	}
	return text
}
