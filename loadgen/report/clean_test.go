package report

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
)

// strange is a name that would turn, hide or break a line of a terminal.
const strange = "a\u202eb\u2066c\u200ed\u061ce\x1b[31mf\u009bg\u200dh\ufeffi\u00adj\u2028k\ufe0fl\nm\rn\x00o"

// TestNoNameReachesTheTerminalRaw: whatever targets, lanes and models are called
// and servers said.
func TestNoNameReachesTheTerminalRaw(t *testing.T) {
	s := *pooled(t)
	setup := *s.Setup
	setup.Targets, setup.Lanes = slices.Clone(setup.Targets), slices.Clone(setup.Lanes)
	setup.Workload, setup.Payload = strange, []string{strange}
	for i := range setup.Targets {
		setup.Targets[i].Name += strange
		setup.Targets[i].URL += strange
	}
	for i := range setup.Lanes {
		setup.Lanes[i].Name += strange
		setup.Lanes[i].Setting.Model += strange
	}
	s.Setup, s.Lanes = &setup, slices.Clone(s.Lanes)
	s.Lanes = append(s.Lanes, s.Lanes[0])
	for i := range s.Lanes {
		s.Lanes[i].Info.Name += strange
	}
	s.Total.Failures = []ledger.FailureGroup{{Class: ledger.HTTP5xx, Code: 500, Count: 1, First: ledger.FailureSample{Text: strange}}}
	note := ledger.Note{ID: string(lang.NoteRecordFailed), Args: []ledger.Arg{lang.With("why", strange)}}
	for what, got := range map[string]string{
		"start":   Start(lang.English, s.Setup),
		"seconds": Seconds(lang.English, &s, 0, note),
		"end":     End(lang.English, &s),
	} {
		if !strings.Contains(got, "b�c") {
			t.Errorf("%s: no strange name in\n%s", what, got)
		}
		for _, r := range got {
			if r != '\n' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)) {
				t.Errorf("%s: %U in\n%q", what, r, got)
			}
		}
		if strings.Contains(got, "\nm�n") {
			t.Errorf("%s: a name breaks its line in\n%s", what, got)
		}
	}
	for _, plain := range []string{"mobilenet_v1", "모델", "naïve – “x” …\n"} {
		if got := Clean(plain); got != plain {
			t.Errorf("%q became %q", plain, got)
		}
	}
}
