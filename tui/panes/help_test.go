package panes

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

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
