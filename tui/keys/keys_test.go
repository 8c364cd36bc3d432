package keys

import (
	"slices"
	"strings"
	"testing"

	"dev.example/pileup/loadgen/lang"
)

func TestEveryActionIsBoundOnce(t *testing.T) {
	seen := map[string]Action{}
	bound := map[Action]bool{}
	for _, b := range table {
		bound[b.Action] = true
		for _, k := range b.Keys() {
			if other, twice := seen[k]; twice {
				t.Errorf("%q does both %d and %d", k, other, b.Action)
			}
			seen[k] = b.Action
		}
	}
	for a := None + 1; a < actions; a++ {
		if !bound[a] {
			t.Errorf("action %d has no key", a)
		}
	}
}

func TestEndsOfEscapeSequencesAreUnbound(t *testing.T) {
	for _, k := range []string{"A", "B", "C", "D", "F", "H", "O", "["} {
		if a := Find(k); a != None {
			t.Errorf("%q does %d, want nothing", k, a)
		}
	}
}

func TestKoreanKeyboard(t *testing.T) {
	for _, c := range []struct {
		typed string
		want  []string
	}{
		{"ㅂ", []string{"q"}},
		{"ㄲ", []string{"R"}},
		{"ㅡㅐ", []string{"m", "o"}},
		{"+++", []string{"+", "+", "+"}},
		{"11;rgb:1e1e/", nil},
		{"[200~s", nil},
		{"[24;80R", nil},
		{"[5~", nil},
		{"]0;s", nil},
		{"OP", nil},
		{"[", []string{"["}},
	} {
		if got := Split([]rune(c.typed)); !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.typed, got, c.want)
		}
	}
	for _, pair := range []string{"mM", "lL"} {
		if Find(pair[:1]) != None && Find(pair[1:]) != None {
			t.Errorf("%q and %q are one key on a Korean keyboard", pair[:1], pair[1:])
		}
	}
}

func TestKeyLineBeginsWithTheRate(t *testing.T) {
	line := Line(Sends)
	if line[0].Name != "rate" || line[len(line)-1].Action != Quit {
		t.Errorf("key line from %s to %s, want rate to quit", line[0].Name, line[len(line)-1].Name)
	}
	for _, b := range append(line, Line(Drains)...) {
		if b.Help().Key == "" {
			t.Errorf("%s shows no key", b.Name)
		}
	}
}

func TestEveryLanguageHasTheWords(t *testing.T) {
	for _, c := range lang.Catalogues() {
		for _, b := range append(Line(Sends), table...) {
			for _, kind := range []string{"key-", "help-"} {
				if id := lang.ID(kind + b.Name); !c.Has(id) {
					t.Errorf("%s lacks %s", c.Tag, id)
				}
			}
		}
		for _, g := range Groups {
			if id := lang.ID("group-" + g); !c.Has(id) {
				t.Errorf("%s lacks %s", c.Tag, id)
			}
		}
	}
}

func TestKeyLineOffersWhatCanBeDone(t *testing.T) {
	has := func(s Stage, a Action) bool {
		return slices.ContainsFunc(Line(s), func(b Binding) bool { return b.Action == a })
	}
	for _, c := range []struct {
		stage  Stage
		action Action
		want   bool
	}{
		{Sends, Stop, true},
		{Sends, Cut, false},
		{Drains, Cut, true},
		{Drains, Pause, false},
		{Over, Cut, false},
		{Over, Restart, true},
		{Over, Quit, true},
	} {
		if got := has(c.stage, c.action); got != c.want {
			t.Errorf("stage %d action %d: got %v, want %v", c.stage, c.action, got, c.want)
		}
	}
}

func TestGroupsHoldEveryAction(t *testing.T) {
	in := map[string]bool{}
	for _, g := range Groups {
		for _, b := range Of(g) {
			in[b.Name] = true
		}
	}
	for _, b := range table {
		if !in[b.Name] {
			t.Errorf("the help says nothing about %s", b.Name)
		}
	}
}

// TestShownDigitsArePanes: the key line offers the panes there are.
func TestShownDigitsArePanes(t *testing.T) {
	var digits []string
	for part := range strings.FieldsSeq(byKey[Panes[0]].Help().Key) {
		for c := part[0]; c <= part[len(part)-1]; c++ {
			digits = append(digits, string(rune(c)))
		}
	}
	if !slices.Equal(digits, Panes) {
		t.Errorf("shown are %q, want %q", digits, Panes)
	}
}
