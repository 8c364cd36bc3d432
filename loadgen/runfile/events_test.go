package runfile

import (
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"dev.example/pileup/loadgen/ledger"
)

func TestEventsInOrder(t *testing.T) {
	done := []ledger.Event{
		// Done before the next one, though it became due after it.
		{Kind: ledger.Done, I: 1, Due: 20 * ms, Started: 21 * ms, Sent: 22 * ms, First: 30 * ms, Done: 40 * ms, Up: 5, Down: 6, Peer: "p"},
		{Kind: ledger.Done, I: 0, Due: 0, Started: ms, Sent: 2 * ms, First: ledger.Never, Done: time.Second, Failure: ledger.Failure{Class: ledger.Reset}},
		// Never sent, and told so late that it counts in second 3.
		{Kind: ledger.Done, Lane: 1, I: 0, Due: 0, Started: 0, Sent: ledger.Never, First: ledger.Never, Done: 50 * ms, Failure: ledger.Failure{Class: ledger.Connect}, Booked: [...]int{ledger.Done: 3}},
		// All late: a step never comes before the one it follows.
		{Kind: ledger.Done, Lane: 1, I: 1, Due: 900 * ms, Started: 902 * ms, Sent: 950 * ms, First: ledger.Never, Done: 960 * ms, Booked: [...]int{ledger.Due: 2, ledger.Done: 2}},
	}
	type step struct {
		Lane int
		I    int64
		Kind ledger.Kind
	}
	var got []step
	for e := range Events(done) {
		got = append(got, step{e.Lane, e.I, e.Kind})
	}
	same(t, got, []step{
		{0, 0, ledger.Due},
		{1, 0, ledger.Due},
		{0, 0, ledger.Sent},
		{0, 1, ledger.Due},
		{0, 1, ledger.Sent},
		{0, 1, ledger.Done},
		{1, 1, ledger.Due}, // second 2 from here
		{1, 1, ledger.Started},
		{1, 1, ledger.Sent},
		{1, 1, ledger.Done},
		{0, 0, ledger.Done},
		{1, 0, ledger.Done}, // second 3
	})
}

func TestEventsKnowNothingOfTheFuture(t *testing.T) {
	e := ledger.Event{
		Kind: ledger.Done, Lane: 1, Target: 1, I: 9, Due: 20 * ms, Started: 21001 * us, Sent: 22 * ms, First: 30 * ms,
		Done: 40 * ms, Up: 5, Down: 6, Peer: "p", Failure: ledger.Failure{Class: ledger.BadBody, Text: "x"}, Booked: [...]int{ledger.Done: 2},
	}
	due, started, sent := e, e, e
	due.Kind, due.Started, due.Sent, due.First, due.Done = ledger.Due, ledger.Never, ledger.Never, ledger.Never, ledger.Never
	started.Kind, started.Sent, started.First, started.Done = ledger.Started, ledger.Never, ledger.Never, ledger.Never
	sent.Kind, sent.First, sent.Done = ledger.Sent, ledger.Never, ledger.Never
	for _, s := range []*ledger.Event{&due, &started, &sent} {
		s.Up, s.Down, s.Peer, s.Failure = 0, 0, "", ledger.Failure{}
	}
	same(t, slices.Collect(Events([]ledger.Event{e})), []ledger.Event{due, started, sent, e})

	due, sent = e, e // and of what was taken up in time
	e.Started = 21 * ms
	due.Kind, due.Started, due.Sent, due.First, due.Done = ledger.Due, e.Started, ledger.Never, ledger.Never, ledger.Never
	sent.Kind, sent.Started, sent.First, sent.Done = ledger.Sent, e.Started, ledger.Never, ledger.Never
	for _, s := range []*ledger.Event{&due, &sent} {
		s.Up, s.Down, s.Peer, s.Failure = 0, 0, "", ledger.Failure{}
	}
	same(t, slices.Collect(Events([]ledger.Event{e})), []ledger.Event{due, sent, e})
}

func TestEventsStop(t *testing.T) {
	for range Events(requests()) {
		break
	}
	if n := len(slices.Collect(Events(nil))); n != 0 {
		t.Errorf("%d events of no requests", n)
	}
}

func TestUnknown(t *testing.T) {
	file := written(t, func(w *Writer) {
		w.Second(ledger.All, &ledger.Second{K: 1, Span: 1, Due: 9})
		w.Second(0, &ledger.Second{K: 1, Span: 1, Due: 3})
		w.Second(0, &ledger.Second{K: 2, Span: 1, Due: 3})
		for i, e := range []ledger.Event{
			{Due: 0, Done: ms},
			{Due: time.Second, Done: 2 * time.Second},
			{Due: 1999 * ms, Done: 2 * time.Second, Booked: [...]int{ledger.Due: 3, ledger.Done: 0}}, // counted later
			{Due: 2 * time.Second, Done: 3 * time.Second},                                            // in a second not written
		} {
			e.I, e.Started, e.Sent, e.First = int64(i), e.Due, ledger.Never, ledger.Never
			w.Request(&e)
		}
	})
	if got, want := load(t, file).Unknown(), int64(4); got != want {
		t.Errorf("got %d unknown, want %d", got, want)
	}
}

func BenchmarkRequest(b *testing.B) {
	w := NewWriter(io.Discard, nil)
	e := requests()[0]
	b.ReportAllocs()
	for b.Loop() {
		w.Request(&e)
	}
}

func BenchmarkRequestFailed(b *testing.B) {
	w := NewWriter(io.Discard, nil)
	e := requests()[1]
	b.ReportAllocs()
	for b.Loop() {
		w.Request(&e)
	}
}

func BenchmarkLoad(b *testing.B) {
	var file strings.Builder
	w := NewWriter(&file, nil)
	w.Header(setup())
	e := requests()[0]
	for range 10000 {
		w.Request(&e)
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Load(strings.NewReader(file.String())); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10000, "ns/line")
}
