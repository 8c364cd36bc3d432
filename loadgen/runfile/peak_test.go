package runfile

import (
	"testing"
	"time"

	"dev.example/pileup/loadgen/ledger"
)

// The highest backlog of each second is in the file, and comes again from the
// requests, also where one was told late; so do the tenths, which are not.
func TestPeaksComeAgainFromTheRequests(t *testing.T) {
	l := ledger.New(setup())
	tell := func(i int64, lane int, due, sent, done time.Duration) {
		e := ledger.Event{Lane: lane, Target: 1, I: i, Due: due, Started: due, Sent: ledger.Never, First: ledger.Never, Done: ledger.Never}
		steps := []ledger.Event{e, e, e}
		steps[1].Kind, steps[1].Sent = ledger.Sent, sent
		steps[2].Kind, steps[2].Sent, steps[2].Done = ledger.Done, sent, done
		for _, e := range steps {
			if err := l.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range int64(30) {
		tell(i, 0, 0, ms, 600*ms+time.Duration(i)*20*ms)
		tell(i, 1, 0, time.Duration(i)*50*ms, 2*time.Second)
	}
	frontier := []time.Duration{1500 * ms, 1500 * ms}
	if err := l.Advance(1500*ms, frontier); err != nil {
		t.Fatal(err)
	}
	tell(30, 0, 900*ms, 900*ms, 1700*ms) // late
	l.Stop(2*time.Second, 0)
	l.Stop(2*time.Second, 1)
	if err := l.Finish(); err != nil {
		t.Fatal(err)
	}
	out, end := l.Take(), l.Snapshot()
	run := load(t, written(t, func(w *Writer) {
		for i := range out.Done {
			w.Request(&out.Done[i])
		}
		for i := range out.Seconds {
			w.Second(out.Seconds[i].Lane, &out.Seconds[i].Second)
		}
		w.End(end.At, "done")
	}))
	var got *ledger.Snapshot
	for s, err := range run.Feed() {
		if err != nil {
			t.Fatal(err)
		}
		got = s
	}
	if got.Total.PeakBacklog != 60 || got.Total.Late != 2 || got.Lanes[0].Seconds[1].Peak != 10 {
		t.Errorf("peak %d, %d late; of A in second 2 %d", got.Total.PeakBacklog, got.Total.Late, got.Lanes[0].Seconds[1].Peak)
	}
	same(t, got.Total.Seconds, end.Total.Seconds)
	for _, s := range run.Seconds {
		again := got.Lanes[s.Lane].Seconds[s.K-1]
		same(t, s.Peak, again.Peak)
		same(t, again, end.Lanes[s.Lane].Seconds[s.K-1])
	}
}
