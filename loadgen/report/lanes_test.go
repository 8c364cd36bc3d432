package report

import (
	"strings"
	"testing"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
)

// A lane that ends before another neither pauses nor drains meanwhile: its time and
// its rates are its own.
func TestALaneHasItsOwnEnd(t *testing.T) {
	var all []request
	for i := range int64(100) { // 50/s for 2 s, the last one done at 4 s
		due := time.Duration(i) * 20 * ms
		all = append(all, request{due: due, sent: due, done: due + 2020*ms})
	}
	for i := range int64(100) { // 10/s for 10 s, the last one done at 29.9 s
		due := time.Duration(i) * 100 * ms
		all = append(all, request{lane: 1, due: due, sent: due, done: due + 20*time.Second})
	}
	setup := oneLane()
	setup.Lanes = lanesOf([]int{0}, 50, 10)
	s := finished(t, told(t, setup, all, 30*time.Second, func(l *ledger.Ledger, at time.Duration) {
		switch at {
		case 2 * time.Second:
			l.Stop(at, 0)
		case 10 * time.Second:
			l.Stop(at, 1)
		}
	}))
	text := End(lang.English, s)
	for _, want := range []string{
		"4.000 s: 2.000 s sending, 2.000 s draining\n",
		"29.900 s: 10.000 s sending, 19.900 s draining\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "paused") {
		t.Errorf("nothing was paused:\n%s", text)
	}
	m := decoded(t, s)
	if got := at(m, "lanes", 0, "total", "throughput"); got != 25.0 {
		t.Errorf("100 answers in 4 s are %v per second", got)
	}
	if got := at(m, "lanes", 0, "total", "throughput_draining"); got != 50.0 {
		t.Errorf("100 answers in a drain of 2 s are %v per second", got)
	}
	if got := at(m, "total", "throughput"); got != 6.688963 {
		t.Errorf("200 answers in 29.9 s are %v per second", got)
	}
}
