package ledger

import (
	"testing"
	"time"
)

// What each target answered, of all lanes.
func TestWhatEachTargetAnswered(t *testing.T) {
	const sec = time.Second
	l := New(boards(2, 3))
	send := func(target, lane int, i int64, due, took time.Duration, class Class) {
		mustApply(t, l, at(target, story{lane: lane, i: i, due: due, sent: due, done: due + took, class: class})...)
	}
	for i := range int64(4) {
		send(0, int(i%2), i/2, time.Duration(i)*100*ms, time.Duration(i+1)*100*ms, OK) // 100 to 400 ms
	}
	send(1, 0, 10, 0, 4*sec, OK)
	send(1, 0, 11, sec, 2*sec, Timeout)
	send(1, 1, 10, 1500*ms, sec, HTTP5xx)
	send(1, 1, 11, 2*sec, 3*sec, CutOff)
	mustAdvance(t, l, 2*sec+Grace)
	now := l.Snapshot().AtClose
	if got := now.Targets[1]; got.Response.N() != 0 || got.LastDone != Never || got.Open != 3 || got.LastDue != 1500*ms {
		t.Errorf("at 2 s: %+v", got)
	}
	if got := now.Targets[1].Responses(now.At).Quantile(0.5); got != (Quantile{Value: 500 * ms, Bound: AtLeast}) {
		t.Errorf("at 2 s at least what the youngest has taken: %+v", got)
	}
	l.Stop(3*sec, 0)
	l.Stop(3*sec, 1)
	s := mustFinish(t, l)
	fast, slow, none := &s.Targets[0], &s.Targets[1], &s.Targets[2]
	if fast.Response.N() != 4 || fast.Response.Mean() != 250*ms || fast.LastDone != 700*ms || fast.Censored != 0 || fast.Over != Never {
		t.Errorf("fast: %+v", fast)
	}
	if got := fast.Responses(s.At).Quantile(0.5); got != (Quantile{Value: 200 * ms, Bound: Measure}) {
		t.Errorf("p50 of the fast one: %+v", got)
	}
	if slow.Response.N() != 1 || slow.LastDone != 5*sec || slow.Censored != 2 || slow.Over != 2*sec || slow.Cut != 1 {
		t.Errorf("slow: %+v", slow)
	}
	if got := slow.Responses(s.At).Quantile(0.5); got.Bound != Over || got.Value != 4*sec {
		t.Errorf("p50 of the slow one: %+v, want above all that was seen", got)
	}
	if none.Response.N() != 0 || none.LastDone != Never || none.LastDue != Never || none.Responses(s.At).Quantile(0.5).Bound != None {
		t.Errorf("one that was not asked: %+v", none)
	}
	if n := fast.Response.N() + slow.Response.N(); n != s.Total.Response.N() {
		t.Errorf("%d responses of targets, %d in all", n, s.Total.Response.N())
	}
}
