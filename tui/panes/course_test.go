package panes

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/chart"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const ms = time.Millisecond

// span is when a request was due and when it was done.
type span struct{ due, done time.Duration }

// several are n requests that are due at once, done one after another.
func several(n int, due, first, apart time.Duration) (out []span) {
	for i := range n {
		out = append(out, span{due, due + first + time.Duration(i)*apart})
	}
	return out
}

// slots is a closed loop of n requests of that length.
func slots(n int, from, to, length time.Duration) (out []span) {
	for range n {
		for at := from; at < to; at += length {
			out = append(out, span{at, at + length})
		}
	}
	return out
}

// ran is a run of these requests, ended or at the instant at.
func ran(t *testing.T, stop, at time.Duration, requests ...[]span) *ledger.Snapshot {
	t.Helper()
	l := ledger.New(&ledger.Setup{Lanes: []ledger.LaneSetup{{Name: "A"}}, Targets: []ledger.Target{{}}})
	n := int64(0)
	for _, list := range requests {
		for _, r := range list {
			e := ledger.Event{I: n, Due: r.due, Started: r.due, Sent: ledger.Never, First: ledger.Never, Done: ledger.Never}
			n++
			for _, kind := range []ledger.Kind{ledger.Due, ledger.Sent, ledger.Done} {
				switch e.Kind = kind; kind {
				case ledger.Sent:
					e.Sent = r.due
				case ledger.Done:
					e.Done = r.done
				}
				if at > 0 && e.At() > at {
					break
				}
				if err := l.Apply(e); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if stop > 0 {
		l.Stop(stop, 0)
	}
	err := l.Advance(max(at, stop), []time.Duration{max(at, stop)})
	if at == 0 {
		err = l.Finish()
	}
	if err != nil {
		t.Fatal(err)
	}
	return l.Snapshot()
}

// TestBacklogRises where requests became due, and ends where the run did.
func TestBacklogRises(t *testing.T) {
	const sec = time.Second
	var out strings.Builder
	for _, tt := range []struct {
		name   string
		s      *ledger.Snapshot
		window time.Duration
	}{
		{"a burst of 30 at 0, done in 0.6 s", ran(t, sec/10, 0, several(30, 0, 300*ms, 10*ms)), 0},
		{"a burst of 100 at 0", ran(t, sec/10, 0, several(100, 0, 800*ms, 25*ms)), 0},
		{"a burst by key at 4.3 s", ran(t, 0, 9*sec+200*ms, slots(2, 0, 9*sec, 250*ms), several(40, 4300*ms, 100*ms, 10*ms)), 0},
		{"a closed loop of 10, 20 and 10", ran(t, 12*sec, 0, slots(10, 0, 12*sec, 270*ms), slots(10, 4*sec, 8*sec, 200*ms)), 0},
		{"cut at 7.45 s", ran(t, 6*sec, 0, several(80, 0, 7450*ms, 0), several(60, 3*sec, 4450*ms, 0)), 0},
		{"a burst in a window of 15 minutes", ran(t, 0, 700*sec, several(90, 333*sec+400*ms, 300*ms, 0)), 15 * time.Minute},
		{"a burst in joined seconds", ran(t, 0, 1000*sec+200*ms, several(90, 25*sec+400*ms, 300*ms, 0), several(50, 800*sec, 300*ms, 0)), time.Hour},
	} {
		for _, size := range [][2]int{{72, 13}, {48, 6}} {
			b := cells.NewBuf(size[0], size[1])
			v := view(t)
			v.Window = tt.window
			(&Backlog{}).Draw(b, b.Rect(), v, tt.s)
			fmt.Fprintf(&out, "%s\n%s\n", tt.name, b.String())
		}
	}
	const path = "testdata/backlog.golden"
	if *update {
		if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("%s differs; got\n%s", path, out.String())
	}
}

// TestCourseIsOfTenths where they are known; what is not known is a gap, and
// after the end there is nothing.
func TestCourseIsOfTenths(t *testing.T) {
	fine := ledger.Second{K: 2, Span: 1, InFlight: 2, Peak: 5}
	fine.Tenths[3].Peak, fine.Tenths[9].Peak = 5, 2
	l := &ledger.Lane{Seconds: []ledger.Second{
		{K: 1, Span: 1, InFlight: 4}, fine, {K: 14, Span: 10, Peak: 9, InFlight: 1},
	}}
	var p course
	v := view(t)
	p.fill(l, chart.TimeAxis{To: time.Minute, Cols: 60}, 13*time.Second, v.away)
	got := fmt.Sprint(p.at, p.peak)
	want := "[0s 1s 1.1s 1.2s 1.3s 1.4s 1.5s 1.6s 1.7s 1.8s 1.9s 2s 4s 13s] [4 0 0 0 5 0 0 0 0 0 2 NaN 9]"
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	p.fill(l, chart.TimeAxis{From: 2 * time.Second, To: time.Minute, Cols: 60}, 1, v.away)
	if len(p.at) > 0 || len(p.inFlight) > 0 {
		t.Errorf("after the end: %v %v", p.at, p.inFlight)
	}
	v.Away = []Stretch{{900 * ms, 2 * time.Second}}
	p.fill(l, chart.TimeAxis{To: time.Minute, Cols: 60}, 13*time.Second, v.away)
	if got, want := fmt.Sprint(p.at, p.peak), "[0s 1s 4s 13s] [4 NaN 9]"; got != want {
		t.Errorf("suspended in the second second: got %s, want %s", got, want)
	}
}

// TestHeldLasts: every request is held for a moment, and that is not said.
func TestHeldLasts(t *testing.T) {
	s := ledger.Second{K: 1, Span: 1, Peak: 9}
	for i, held := range []int32{0, 3, 0, 0, 2, 4, 1, 0, 0, 0} {
		s.Tenths[i] = ledger.Tenth{Peak: 9, Held: held}
	}
	var p course
	p.fill(&ledger.Lane{Seconds: []ledger.Second{s}}, chart.TimeAxis{To: time.Minute, Cols: 60}, time.Minute, view(t).away)
	if got, want := fmt.Sprint(p.held), "[0 0 0 0 2 4 4 1 0 0]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for i := range p.held {
		if p.held[i]+p.inFlight[i] != 9 {
			t.Errorf("tenth %d: %v held and %v in flight of 9", i, p.held[i], p.inFlight[i])
		}
	}
}

// TestWhatIsInForceIsNamed, and the end of sending, whatever stands before it and
// however high the data are there.
func TestWhatIsInForceIsNamed(t *testing.T) {
	const sec = time.Second
	loop := func(stop, at time.Duration) *ledger.Snapshot {
		s := ran(t, stop, at, slots(4, 0, 12*sec, 250*ms), slots(11, 6*sec, 12*sec, 200*ms))
		for i, n := range []int{4, 5, 15} {
			from := max(0, time.Duration(4+i)*sec*time.Duration(min(i, 1)))
			s.Segments = append(s.Segments[:i], ledger.Segment{ID: i, From: from, By: "rate", Settings: []ledger.Setting{{Slots: n}}})
		}
		s.Lanes[0].Setting.Slots, s.Lanes[0].Info.Setting.Slots = 15, 4
		return s
	}
	for _, size := range [][2]int{{48, 6}, {48, 7}, {72, 13}} {
		for want, s := range map[string]*ledger.Snapshot{
			"┊15 slots": loop(0, 9*sec),
			"ended":     loop(12*sec, 0),
		} {
			b, v := cells.NewBuf(size[0], size[1]), view(t)
			v.Lane = 0
			(&Backlog{}).Draw(b, b.Rect(), v, s)
			if got := b.String(); !strings.Contains(got, want) {
				t.Errorf("%v: no %q in\n%s", size, want, got)
			}
		}
	}
}
