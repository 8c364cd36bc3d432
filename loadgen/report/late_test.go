package report

import (
	"regexp"
	"slices"
	"strconv"
	"testing"

	"dev.example/pileup/loadgen/lang"
)

// Where requests were told of late, the seconds count them as due later than they
// were; no table says of them that more are open than were due.
func TestNoMoreAreOpenThanWereDue(t *testing.T) {
	s := *puzzle(t)
	sec := slices.Clone(s.Total.Seconds)
	sec[0].Due, sec[2].Due, sec[1].OldLeft = sec[0].Due-45, sec[2].Due+45, 9
	sec[0].InFlight, sec[0].ThisLeft = 3, 3
	s.Total.Seconds = sec
	s.Lanes = slices.Clone(s.Lanes)
	s.Lanes[0].Seconds = sec
	for _, m := range regexp.MustCompile(`\b(\d+)/(\d+)\b`).FindAllStringSubmatch(End(lang.English, &s), -1) {
		open, _ := strconv.Atoi(m[1])
		if due, _ := strconv.Atoi(m[2]); open > due {
			t.Errorf("%s", m[0])
		}
	}
}
