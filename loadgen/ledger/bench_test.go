package ledger

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"dev.example/pileup/loadgen/pace"
)

// tempo is one second of a steady load of n requests a second, each done 30 to
// 130 ms after it was due and in another order than it was due: what is
// repeated, shifted, second after second.
// It is told as an engine tells it: what happened in 100 ms, from one of eight
// shards after the other.
type tempo struct {
	lanes int
	n     int64 // requests a second, all lanes together
	steps []beat
	fail  bool // every third request, each with a text of its own
}

// beat is one step; i counts within the second, from before it where a request
// was due in the second before.
type beat struct {
	kind            Kind
	i               int64
	due, sent, done time.Duration
}

func (b *beat) at() time.Duration {
	switch b.kind {
	case Due:
		return b.due
	case Sent:
		return b.sent
	}
	return b.done
}

func newTempo(lanes int, n int64) *tempo {
	t := &tempo{lanes: lanes, n: n}
	for i := range n {
		due := Cut(time.Duration(i) * time.Second / time.Duration(n))
		b := beat{due: due, sent: due + 50*time.Microsecond}
		b.done = b.sent + 30*ms + time.Duration(i*7919%100_000)*time.Microsecond
		for _, kind := range []Kind{Due, Sent, Done} {
			b.kind, b.i = kind, i
			t.add(b)
		}
	}
	slices.SortFunc(t.steps, func(a, b beat) int {
		return cmp.Or(cmp.Compare(a.at()/(100*ms), b.at()/(100*ms)), cmp.Compare(a.i&7, b.i&7), cmp.Compare(a.at(), b.at()), cmp.Compare(a.i, b.i), cmp.Compare(a.kind, b.kind))
	})
	return t
}

// add puts a step into the second [0, 1 s), where the load is steady.
func (t *tempo) add(b beat) {
	if b.at() >= time.Second {
		b.i -= t.n
		b.due, b.sent, b.done = b.due-time.Second, b.sent-time.Second, b.done-time.Second
	}
	t.steps = append(t.steps, b)
}

// play tells l of n requests, advances it every 100 ms of stamps, takes what is
// final and makes a snapshot each time.
func (t *tempo) play(b *testing.B, l *Ledger, n int) {
	reached := make([]time.Duration, t.lanes)
	e := Event{First: Never, Up: 600_000, Peer: "10.0.0.7:8501"}
	next := 100 * ms
	for second := int64(0); ; second++ {
		for i := range t.steps {
			s := &t.steps[i]
			number := second*t.n + s.i
			if number < 0 {
				continue
			}
			shift := time.Duration(second) * time.Second
			e.Kind, e.Lane, e.I = s.kind, int(number)%t.lanes, number/int64(t.lanes)
			e.Due, e.Started, e.Sent, e.Done = s.due+shift, s.due+shift+9*time.Microsecond, Never, Never
			if s.kind >= Sent {
				e.Sent = s.sent + shift
			}
			if s.kind == Done {
				e.Done = s.done + shift
				e.Failure = t.end(number)
			}
			at := s.at() + shift
			for at >= next {
				for i := range reached {
					reached[i] = next
				}
				if err := l.Advance(next, reached); err != nil {
					b.Fatal(err)
				}
				l.Take()
				l.Snapshot()
				next += 100 * ms
			}
			if err := l.Apply(e); err != nil {
				b.Fatal(err)
			}
			if s.kind == Done {
				if n--; n <= 0 {
					return
				}
			}
		}
	}
}

func (t *tempo) end(number int64) Failure {
	if !t.fail || number%3 > 0 {
		return Failure{}
	}
	return Failure{Class: Rejected, Code: 503, Text: texts[number/3%int64(len(texts))]}
}

// texts are more than are remembered.
var texts = func() (list []string) {
	for i := range 2 * keepTexts {
		list = append(list, fmt.Sprintf("request %08x: the queue of %d is full", i*7919, i))
	}
	return list
}()

// BenchmarkFailingRequests is the same where every third one fails.
func BenchmarkFailingRequests(b *testing.B) {
	t := newTempo(1, 50_000)
	t.fail = true
	b.ReportAllocs()
	b.ResetTimer()
	t.play(b, New(lanes(1)), b.N)
}

// BenchmarkARequest is what the account of one request costs: due, sent, done,
// and its part of what is done every 100 ms.
func BenchmarkARequest(b *testing.B) {
	for _, n := range []int{1, 4} {
		for _, rate := range []int64{1000, 5000, 50_000} {
			b.Run(fmt.Sprintf("lanes=%d/rate=%d", n, rate), func(b *testing.B) {
				t := newTempo(n, rate)
				setup := lanes(n)
				for i := range setup.Lanes {
					setup.Lanes[i].Setting = Setting{Model: "m", Arrivals: pace.Constant, Rate: float64(rate) / float64(n)}
				}
				b.ReportAllocs()
				b.ResetTimer()
				t.play(b, New(setup), b.N)
			})
		}
	}
}

// BenchmarkSnapshotOfAMillion is one snapshot while 1,000,000 requests are open,
// due in 900 seconds, and one of each was done since the last.
func BenchmarkSnapshotOfAMillion(b *testing.B) {
	const seconds, each = 900, 1112
	l := New(lanes(1))
	send := func(k, n int, kind Kind) {
		due := time.Duration(k)*time.Second + time.Duration(n)*500*time.Microsecond
		e := Event{Kind: kind, I: int64(k*each + n), Due: due, Started: due, Sent: due, First: Never, Done: Never}
		if kind == Due {
			e.Sent = Never
		}
		if kind == Done {
			e.Done = seconds * time.Second
		}
		if err := l.Apply(e); err != nil {
			b.Fatal(err)
		}
	}
	for k := range seconds {
		for n := range each {
			send(k, n, Due)
			send(k, n, Sent)
		}
		at := time.Duration(k+1) * time.Second
		if err := l.Advance(at+Grace, []time.Duration{at}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		if i < each {
			for k := range seconds {
				send(k, i*719%each, Done)
			}
		}
		s := l.Snapshot()
		s.Total.Responses(s.At).Quantile(0.99)
	}
}
