package tui

import (
	"strings"
	"testing"

	"dev.example/pileup/loadgen/ledger"
)

// TestTheKeyLineOffersWhatWorks: no choice where there is none, or where a lane is
// to be chosen first.
func TestTheKeyLineOffersWhatWorks(t *testing.T) {
	oneModel := func(s *ledger.Snapshot) {
		setup := *s.Setup
		setup.Targets = append([]ledger.Target(nil), setup.Targets...)
		setup.Targets[0].Models = []string{"mobilenet_v1"}
		s.Setup = &setup
	}
	read := func(s *ledger.Snapshot) { // but not to be switched
		setup := *s.Setup
		setup.Boards = []ledger.Board{{Probe: "xavier"}}
		s.Setup = &setup
	}
	for _, c := range []struct {
		name  string
		snap  *ledger.Snapshot
		keys  string
		offer string
		want  bool
	}{
		{"a board", told()["calm"], "", "p power", true},
		{"no board", told()["noboard"], "", "p power", false},
		{"a board that cannot be switched", with(told()["calm"], read), "", "p power", false},
		{"models", told()["calm"], "", "m model", true},
		{"one model", with(told()["calm"], oneModel), "", "m model", false},
		{"all lanes", told()["lanes"], "", "m model", false},
		{"one of the lanes", told()["lanes"], "0", "m model", true},
		{"lanes with one dial", told()["lanes"], "", "r type rate", true},
		{"lanes with several dials", told()["dials"], "", "r type rate", false},
		{"one of them", told()["dials"], "0", "r type rate", true},
	} {
		m, _ := screen(c.snap, 200, 60, Options{})
		typed(m, c.keys)
		lines := strings.Split(text(m), "\n")
		if line := lines[len(lines)-1]; strings.Contains(line, c.offer) != c.want {
			t.Errorf("%s: %q in the key line is not %v: %q", c.name, c.offer, c.want, line)
		}
	}
}
