package ledger

import (
	"cmp"
	"slices"
	"testing"
	"time"
)

// sends books n requests due in second k, late of them taken up by the lag, all
// answered after the service, and closes the second.
func sends(t *testing.T, l *Ledger, k int, n, late int64, lag, service time.Duration) {
	t.Helper()
	for i := range n {
		due := time.Duration(k-1)*time.Second + time.Duration(i)*time.Second/time.Duration(n)
		e := Event{I: int64(k)*1_000_000 + i, Due: Cut(due), Started: Cut(due), First: Never, Done: Never}
		if i < late {
			e.Started += lag
		}
		e.Sent = Never
		for _, kind := range []Kind{Due, Sent, Done} {
			e.Kind = kind
			switch kind {
			case Sent:
				e.Sent = e.Started
			case Done:
				e.Done = e.Sent + service
			}
			if err := l.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := l.Advance(time.Duration(k)*time.Second+Grace, []time.Duration{time.Duration(k) * time.Second}); err != nil {
		t.Fatal(err)
	}
}

func TestTheDriverIsJudgedByItsLag(t *testing.T) {
	type second struct {
		n, late int64
		lag     time.Duration
	}
	ms := time.Millisecond
	tests := []struct {
		name    string
		service time.Duration
		seconds []second
		late    bool // in the end
		notes   string
	}{
		{"on time", ms, []second{{100, 0, 0}, {100, 0, 0}}, false, ""},
		{"one in a hundred is allowed", ms, []second{{100, 1, 9 * ms}, {100, 1, 9 * ms}}, false, ""},
		{"more is not", ms, []second{{100, 3, 2 * ms}}, true, "driver-late "},
		{"a single one proves nothing", ms, []second{{10, 1, 90 * ms}, {10, 0, 0}}, false, ""},
		{"1 % of a long service is allowed", 900 * ms, []second{{100, 0, 0}, {100, 30, 8 * ms}}, false, ""},
		{"but not more", 500 * ms, []second{{100, 0, 0}, {100, 30, 8 * ms}}, true, "driver-late "},
		{"nor with the limit that follows from it", 900 * ms, []second{{100, 30, 5 * ms}}, true, "driver-late "},
		{"it passes", ms, append([]second{{100, 50, 5 * ms}}, slices.Repeat([]second{{100, 0, 0}}, 10)...), false, "driver-late driver-on-time "},
		{"where nothing is due nothing is judged", ms, append([]second{{100, 50, 5 * ms}}, make([]second, 30)...), true, "driver-late "},
		{"nor does it begin there", ms, append(append([]second{{400, 0, 0}, {100, 4, 5 * ms}}, slices.Repeat([]second{{1, 0, 0}}, 8)...), make([]second, 10)...), false, ""},
	}
	for _, tt := range tests {
		l := New(&Setup{Lanes: []LaneSetup{{Targets: []int{0}}}, Targets: []Target{{}}})
		for i, s := range tt.seconds {
			sends(t, l, i+1, s.n, s.late, s.lag, tt.service)
		}
		s, notes := l.Snapshot(), ""
		for _, n := range s.Notes {
			notes += n.ID + " "
			if n.ID == "driver-late" && n.Args[0].Value != slices.MaxFunc(tt.seconds, func(a, b second) int { return cmp.Compare(a.lag, b.lag) }).lag {
				t.Errorf("%s: noted a lag of %v", tt.name, n.Args[0].Value)
			}
			if n.ID == "driver-late" && n.Args[0].Value.(time.Duration) <= n.Args[1].Value.(time.Duration) {
				t.Errorf("%s: noted a lag of %v above %v", tt.name, n.Args[0].Value, n.Args[1].Value)
			}
		}
		if s.Lateness.Late != tt.late || notes != tt.notes {
			t.Errorf("%s: %+v, noted %q", tt.name, s.Lateness, notes)
		}
	}
}

func TestLagLimit(t *testing.T) {
	if got := LagLimit(nil); got != time.Millisecond {
		t.Errorf("without an answer %s", got)
	}
	var d dist
	for range 3 {
		d.add(2 * time.Second)
	}
	if got := LagLimit(d.snapshot()); got != 20*time.Millisecond {
		t.Errorf("of a service of 2 s: %s", got)
	}
}
