package panes

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dev.example/pileup/tui/cells"
)

// TestWordsAreNoKeys: the help names what stands in the driver's line, but not in
// the colour of keys.
func TestWordsAreNoKeys(t *testing.T) {
	b, v := cells.NewBuf(160, 40), view(t)
	Help(b, b.Rect(), v)
	for text, st := range map[string]cells.Style{"own ": v.Theme.Label, "wait ": v.Theme.Label, "esc ": v.Theme.KeyHint} {
		found := false
		for y, line := range strings.Split(b.String(), "\n") {
			if i := strings.Index(line, " "+text); i >= 0 {
				x := cells.Width(line[:i+1])
				found = found || b.At(x, y).Style == st
			}
		}
		if !found {
			t.Errorf("no %q in its colour in\n%s", text, b.String())
		}
	}
}

// TestHelpColumns: groups stay whole, in as few and then as low columns as it
// takes.
func TestHelpColumns(t *testing.T) {
	groups := make([][]helpLine, 4)
	for i, n := range []int{14, 6, 11, 6} {
		groups[i] = make([]helpLine, n)
	}
	for _, c := range []struct {
		h, most int
		want    []int // lines of each column
	}{
		{40, 3, []int{40}},
		{39, 3, []int{21, 18}},
		{20, 3, []int{14, 18, 6}},
		{18, 3, []int{14, 18, 6}},
		{17, 3, nil},
		{17, 4, []int{14, 6, 11, 6}},
		{13, 9, nil},
		{39, 1, nil},
		{40, 0, nil},
	} {
		var got []int
		for _, lines := range helpColumns(groups, c.h, c.most) {
			got = append(got, len(lines))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%d lines, %d columns (-want +got):\n%s", c.h, c.most, diff)
		}
	}
}
