package loadgen

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

func TestParseBalance(t *testing.T) {
	for _, n := range Balances() {
		b, err := ParseBalance(n)
		if err != nil || b.String() != n {
			t.Errorf("ParseBalance(%q) = %v, %v", n, b, err)
		}
	}
	if _, err := ParseBalance("fair"); err == nil {
		t.Error(`ParseBalance("fair") found one`)
	}
}

// deals lists the targets of n requests that are never done.
func deals(d *dealer, n int) (order string) {
	for range n {
		order += string(rune('A' + d.pick().Target))
	}
	return order
}

func weighed(w ...float64) (out []Outlet) {
	for i, w := range w {
		out = append(out, Outlet{Target: i, Weight: w})
	}
	return out
}

func TestRequestsAreDealt(t *testing.T) {
	tests := []struct {
		balance Balance
		weights []float64
		want    string
	}{
		{RoundRobin, []float64{1, 1, 1}, "ABCABCABC"},
		{RoundRobin, []float64{5, 1, 1}, "ABCABCABC"},
		{Weighted, []float64{3, 1}, "AABAAABA"},
		{Weighted, []float64{5, 1, 1}, "AABACAAAABACAA"},
		{Weighted, []float64{0, 0}, "ABAB"},
		{LeastBacklog, []float64{9, 1, 1}, "ABCABC"},
		// As if it were done at 38/s and 12/s, one request is 26 and 83 ms.
		{LeastWait, []float64{38, 12}, "AAABAAABAAA"},
	}
	for _, tt := range tests {
		d := &dealer{balance: tt.balance, loads: make([]load, 3)}
		d.use(weighed(tt.weights...))
		if got := deals(d, len(tt.want)); got != tt.want {
			t.Errorf("%s %v: %s, want %s", tt.balance, tt.weights, got, tt.want)
		}
	}
}

// Requests of a lane that knows no capacity count by the dealing lane's.
func TestOpenRequestsOfOthersCountForTheWait(t *testing.T) {
	for _, tt := range []struct {
		other float64 // capacity of the other lane at A
		want  string
	}{
		{0, "BAABAAABA"}, {38, "BAABAAABA"}, {380, "AABAAABAA"},
	} {
		loads := make([]load, 2)
		other := &dealer{loads: loads}
		other.use(weighed(tt.other))
		deals(other, 4)
		d := &dealer{balance: LeastWait, loads: loads}
		d.use(weighed(38, 12))
		if got := deals(d, len(tt.want)); got != tt.want {
			t.Errorf("beside a lane of %g/s: %s, want %s", tt.other, got, tt.want)
		}
	}
}

func TestWeightsAreSharesInTheLongRun(t *testing.T) {
	d := &dealer{balance: Weighted, loads: make([]load, 3)}
	d.use(weighed(38, 12.5, 0.5))
	n := map[rune]int{}
	for _, c := range deals(d, 5100) {
		n[c]++
	}
	if got, want := fmt.Sprint(n['A'], n['B'], n['C']), "3800 1250 50"; got != want {
		t.Errorf("dealt %s, want %s", got, want)
	}
}

// Two boards of which one is slow: by turns the slow one holds nearly all that
// is open, by wait it does not.
func TestBalanceMovesTheBacklog(t *testing.T) {
	tests := []struct {
		balance  Balance
		min, max float64 // share of the slow one in what is open
	}{
		{RoundRobin, 0.99, 1}, {LeastBacklog, 0.45, 0.55}, {LeastWait, 0.07, 0.12}, {Weighted, 0.07, 0.12},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			// One after the other at each: 100/s and 10/s; 150/s are due.
			out := []Outlet{{Target: 0, Weight: 100, Sender: queue(10 * time.Millisecond)}, {Target: 1, Weight: 10, Sender: queue(100 * time.Millisecond)}}
			lane := Lane{Arrivals: pace.Constant, Rate: 150, Balance: tt.balance, Outlets: out}
			events := run(t, Options{Lanes: []Lane{lane}, Length: 10 * time.Second}, nil)
			var open, slow int
			for _, e := range events {
				if e.Kind == ledger.Done && e.Done > 10*time.Second {
					open++
					slow += e.Target
				}
			}
			if share := float64(slow) / float64(max(open, 1)); share < tt.min || share > tt.max {
				t.Errorf("%s: %d of %d open at the end are of the slow one", tt.balance, slow, open)
			}
		})
	}
}

// A target that is gone has no backlog, and is not dealt everything for it.
func TestATargetThatFailsAtOnceIsNotPreferred(t *testing.T) {
	for _, b := range []Balance{LeastBacklog, LeastWait} {
		synctest.Test(t, func(t *testing.T) {
			lane := Lane{Arrivals: pace.Constant, Rate: 50, Balance: b, Outlets: []Outlet{
				{Target: 0, Sender: refusing{}, Weight: 20}, {Target: 1, Sender: takes(100 * time.Millisecond), Weight: 20},
			}}
			var done, failed int
			for _, ev := range run(t, Options{Zero: time.Now(), Limit: 100, Length: 10 * time.Second, Lanes: []Lane{lane}}, nil) {
				if ev.Kind == ledger.Done {
					done++
					if ev.Failure.Class != ledger.OK {
						failed++
					}
				}
			}
			if done != 500 || failed < 5 || failed > 100 {
				t.Errorf("%s: %d of %d were dealt to a target that is gone", b, failed, done)
			}
		})
	}
}

// A lane with one target never asks how much is open there; its failures are
// forgotten all the same.
func TestDoubtsPass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := dealer{balance: LeastBacklog, loads: make([]load, 1)}
		d.use([]Outlet{{Sender: takes(0)}})
		for range 10_000 {
			d.undo(d.pick(), ledger.Timeout)
			time.Sleep(10 * time.Millisecond)
		}
		if n := len(d.loads[0].doubtful); n > 101 || d.loads[0].open.Load() != int64(n) {
			t.Errorf("%d failures are kept, %d open", n, d.loads[0].open.Load())
		}
	})
}

// queue serves one request after the other.
func queue(each time.Duration) Sender {
	free := make(chan struct{}, 1)
	return queued{free, each}
}

type queued struct {
	free chan struct{}
	each time.Duration
}

func (q queued) BodyBytes() int64 { return 1 }
func (q queued) Payload() string  { return "" }
func (q queued) Send(_ context.Context, s Stamps) Answer {
	s.Sent()
	q.free <- struct{}{}
	time.Sleep(q.each)
	<-q.free
	return Answer{}
}

// What is over one target's limit is held, and does not hold up the others.
func TestALimitForEachTarget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := []Outlet{{Target: 0, Sender: takes(0)}, {Target: 1, Sender: takes(time.Second)}}
		lane := Lane{Arrivals: pace.Constant, Rate: 20, Outlets: out}
		events := run(t, Options{Lanes: []Lane{lane}, Connections: 2, Length: 4 * time.Second}, nil)
		open, last := map[int]int{}, int64(-1)
		for _, e := range events {
			switch e.Kind {
			case ledger.Sent:
				if open[e.Target]++; open[e.Target] > 2 {
					t.Fatalf("%d in flight at target %d", open[e.Target], e.Target)
				}
				if e.Target == 0 && e.Sent != e.Due {
					t.Errorf("request %d of the fast one was held for %s", e.I, e.Sent-e.Due)
				}
				if e.Target == 1 && e.I < last {
					t.Errorf("request %d was sent after %d", e.I, last)
				} else if e.Target == 1 {
					last = e.I
				}
			case ledger.Done:
				open[e.Target]--
			}
		}
		if end := events[len(events)-1].Done; end != 20150*time.Millisecond {
			t.Errorf("40 requests of 1 s, two at once, from 50 and 150 ms on, took until %s", end)
		}
	})
}
