package loadgen

import (
	"testing"
	"testing/synctest"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

// slow is a sender that takes its time to start a request.
type slow struct {
	*starter
	each time.Duration
}

func newSlow(each time.Duration) slow {
	return slow{&starter{serve: takes(time.Millisecond), idle: 1 << 20}, each}
}

func (s slow) Start(r Reply) Started {
	time.Sleep(s.each)
	return s.starter.Start(r)
}

// soFar counts the steps that the engine has reported.
func soFar(e *Engine, into map[ledger.Kind]int) {
	for _, ev := range e.Drain(nil) {
		into[ev.Kind]++
	}
}

// A driver that can start a hundredth of what is due says all the same what is
// due, from the first second on, and how late each request is.
func TestADriverThatIsLateKnowsWhatIsDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const each = 100 * time.Millisecond
		e := New(Options{Zero: time.Now(), Limit: 1 << 20, Length: 2 * time.Second, Lanes: lanesAt(1, 1000, newSlow(each))})
		done := make(chan struct{})
		go func() { e.Run(t.Context()); close(done) }()
		n := map[ledger.Kind]int{}
		frontier := make([]time.Duration, 1)
		for at := each; at < 2*time.Second; at += each {
			time.Sleep(each - time.Microsecond) // 1 µs before another one is started
			synctest.Wait()
			e.Frontier(frontier)
			soFar(e, n)
			if got, least := n[ledger.Due], int((at-2*each)/time.Millisecond); got < least {
				t.Errorf("at %s: %d due, want %d or more", at, got, least)
			}
			if open := e.Open(); open != n[ledger.Due]-n[ledger.Done] {
				t.Errorf("at %s: %d are open of %d due and %d done", at, open, n[ledger.Due], n[ledger.Done])
			}
			if frontier[0] < at-3*each {
				t.Errorf("at %s: the frontier is at %s", at, frontier[0])
			}
			time.Sleep(time.Microsecond)
		}
		if sent := n[ledger.Sent]; sent < 15 || sent > 25 {
			t.Errorf("%d were sent meanwhile", sent)
		}
		<-done
		if end, _ := e.Ended(0); end != 2*time.Second {
			t.Errorf("the lane ended at %s", end)
		}
		soFar(e, n)
		if n[ledger.Due] != 2000 || n[ledger.Sent] != 2000 || n[ledger.Done] != 2000 {
			t.Errorf("%d due, %d sent, %d done", n[ledger.Due], n[ledger.Sent], n[ledger.Done])
		}
	})
}

// What is taken up late is started in order of due, each with the lag that it had
// then; a start within a millisecond is no step of its own.
func TestLateRequestsAreStartedInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const each = 700 * time.Microsecond
		burst := Lane{Arrivals: pace.Burst, Pattern: pace.Spec{Count: 300, Once: true}, Outlets: []Outlet{{Sender: newSlow(each)}}}
		var last int64 = -1
		starts := 0
		for _, ev := range run(t, Options{Lanes: []Lane{burst}, Fixed: true}, nil) {
			switch ev.Kind {
			case ledger.Sent:
				if ev.I != last+1 {
					t.Fatalf("request %d was sent after %d", ev.I, last)
				}
				last = ev.I
				if want := time.Duration(ev.I) * each; ev.Lag() != want || ev.Sent != ev.Started+each {
					t.Errorf("request %d: lag %s, want %s; sent %s after", ev.I, ev.Lag(), want, ev.Sent-ev.Started)
				}
			case ledger.Started:
				if starts++; !ev.Late() || ev.Sent != ledger.Never {
					t.Errorf("a step for a start after %s", ev.Lag())
				}
			case ledger.Due:
				if ev.Late() {
					t.Errorf("request %d is known to be started %s late when it becomes due", ev.I, ev.Lag())
				}
			}
		}
		if last != 299 || starts != 298 {
			t.Errorf("%d sent, %d starts told apart", last+1, starts)
		}
	})
}

// A change, a cut and the bound on what is open find a lane that is behind as
// they find any other.
func TestALaneThatIsBehind(t *testing.T) {
	const each = 100 * time.Millisecond
	t.Run("takes a change", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			rate, took := 10.0, time.Duration(0)
			events := run(t, Options{Length: 3 * time.Second, Lanes: lanesAt(1, 1000, newSlow(each))}, func(e *Engine) {
				time.Sleep(time.Second)
				took, _ = e.Apply(time.Second, map[int]Change{0: {Rate: &rate}})
			})
			if took > 1100*time.Millisecond {
				t.Errorf("the rate changed at %s", took)
			}
			after := 0
			for _, due := range dues(events) {
				if due >= took {
					after++
				}
			}
			if want := int((3*time.Second - took) / each); after < want-1 || after > want+1 {
				t.Errorf("%d were due after the change, want about %d", after, want)
			}
		})
	})
	t.Run("is cut", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			e := New(Options{Zero: time.Now(), Limit: 1 << 20, Lanes: lanesAt(1, 1000, newSlow(each))})
			done := make(chan struct{})
			go func() { e.Run(t.Context()); close(done) }()
			time.Sleep(time.Second)
			e.Cut()
			<-done
			got := balance(t, e, 1)
			if got.Due < 900 || got.Due > 1101 || got.Fail[ledger.CutOff] < 850 || got.OK+got.Failed != got.Due {
				t.Errorf("%d due, %d ok, %d failed", got.Due, got.OK, got.Failed)
			}
		})
	})
	t.Run("is full", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			e := New(Options{Zero: time.Now(), Limit: 1 << 20, Open: 500, Lanes: lanesAt(1, 1000, newSlow(each))})
			e.Run(t.Context())
			if got := balance(t, e, 1); !e.Full() || got.Due < 500 || got.Due > 520 || got.OK != got.Due {
				t.Errorf("full: %t; %d due, %d ok", e.Full(), got.Due, got.OK)
			}
		})
	})
}
