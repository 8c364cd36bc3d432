package panes

import (
	"strings"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
)

// momentsIn lists the marks and the bursts of the lane in view, and when a target
// of it went and came back. They change no setting and so begin no segment: the
// notes tell of them.
func momentsIn(v *View, s *ledger.Snapshot) (out []change) {
	for i := range s.Notes {
		n := &s.Notes[i]
		var do ledger.Do
		switch lang.ID(n.ID) {
		case lang.NoteTargetGone, lang.NoteTargetBack:
			if text := turned(v, s, n); text != "" {
				out = append(out, change{n.At, n.ID, text})
			}
			continue
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
		out = append(out, change{n.At, n.ID, strings.TrimSpace(text + " " + argOf(n, "name") + argOf(n, "n"))})
	}
	return out
}

// turned says that a target went or came back, and which, if there are several;
// "" of one that no lane in view has.
func turned(v *View, s *ledger.Snapshot, n *ledger.Note) string {
	word := v.say(lang.SayGone)
	if lang.ID(n.ID) == lang.NoteTargetBack {
		word = v.say(lang.SayReturned)
	}
	name := argOf(n, "target")
	for _, m := range TargetsFor(s, v.Lane) {
		switch {
		case m.Name != name:
		case m.Spare && v.Lane != ledger.All:
			return ""
		case len(s.Setup.Targets) > 1:
			return name + " " + word
		}
	}
	return word
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
