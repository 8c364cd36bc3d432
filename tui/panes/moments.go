package panes

import (
	"strings"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
)

// momentsIn lists the marks and the bursts of the lane in view, which change no
// setting and so begin no segment: the notes tell of them.
func momentsIn(v *View, s *ledger.Snapshot) (out []change) {
	for i := range s.Notes {
		n := &s.Notes[i]
		var do ledger.Do
		switch lang.ID(n.ID) {
		case lang.NoteMark:
			do = ledger.DoMark
		case lang.NoteBurst:
			do = ledger.DoBurst
		default:
			continue
		}
		lane := argOf(n, "lane")
		if v.Lane >= 0 && v.Lane < len(s.Lanes) && lane != "" && lane != s.Lanes[v.Lane].Info.Name {
			continue
		}
		if len(s.Lanes) < 2 || v.Lane != ledger.All {
			lane = ""
		}
		text := strings.TrimSpace(lane + " " + v.Lang.Do(do))
		out = append(out, change{n.At, strings.TrimSpace(text + " " + argOf(n, "name") + argOf(n, "n"))})
	}
	return out
}

// argOf is a value of a note as text, "" if it has none of that name.
func argOf(n *ledger.Note, name string) string {
	for _, a := range n.Args {
		if a.Name == name && a.Value != nil {
			return lang.Value(a.Value)
		}
	}
	return ""
}
