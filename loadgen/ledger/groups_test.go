package ledger

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestPattern(t *testing.T) {
	tests := []struct {
		name       string
		same       []string // texts of one pattern
		want, isNo string   // and one of another
	}{
		{"a number", []string{"queue of 3 is full", "queue of 1024 is full"}, "queue of # is full", "queue is full"},
		{"several", []string{"shape 3 != 4", "shape 224 != 1"}, "shape # != #", "shape 3 == 4"},
		{"decimals", []string{"took 0.25 s", "took 12 s"}, "took # s", "took 12 ms"},
		{"a unit", []string{"after 500ms", "after 12ms"}, "after #ms", "after 12s"},
		{"an address", []string{"connect 10.0.0.7:8501: refused", "connect 192.168.1.20:80: refused"}, "connect #: refused", "connect [::1]:80: refused"},
		{"IPv6", []string{"[fe80::1]:80", "[2001::7]:8501"}, "[#::#]:#", "[::1]:80"},
		{"an address in hex", []string{"at 0x7ffe12", "at 0xa0"}, "at #", "at x"},
		{"an id", []string{"request 4f2a9c is lost", "request 77b1e0d4 is lost"}, "request # is lost", "request four is lost"},
		{"a UUID", []string{"9b1deb4d-3b7d-bada-9bdd-2b0d7b3dcb6d", "00000000-0000-4000-8000-000000000000"}, "#", "x"},
		{"a date", []string{"2026-12-01 10:00:00 gone", "1999-01-31 23:59:59 gone"}, "# # gone", "10:00 gone"},
		{"in a name", []string{"worker12 died", "worker7 died"}, "worker# died", "walker7 died"},
		{"short names are no ids", []string{"model a1", "model a22"}, "model a#", "model b1"},
		{"words of hexadecimal letters", []string{"bad face"}, "bad face", "bad cafe"},
		{"not a number", []string{"µs 5 한글1", "µs 6 한글22"}, "µs # 한글#", "us 5"},
		{"nothing", []string{""}, "", "0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, s := range tt.same {
				if got := Pattern(s); got != tt.want {
					t.Errorf("%q: got %q, want %q", s, got, tt.want)
				}
			}
			if Pattern(tt.isNo) == tt.want {
				t.Errorf("%q falls under %q", tt.isNo, tt.want)
			}
		})
	}
}

func FuzzPattern(f *testing.F) {
	f.Add("connect 10.0.0.7:8501: refused 0x7f 9b1d-beef-4c worker12")
	f.Add("#.#:1-a0")
	f.Fuzz(func(t *testing.T, text string) {
		p := Pattern(text)
		if len(p) > len(text) || strings.ContainsAny(p, "0123456789") {
			t.Errorf("%q: pattern %q", text, p)
		}
	})
}

// fail is the end of a request that was sent when it was due.
func fail(lane int, i int64, done time.Duration, f Failure) []Event {
	ev := story{lane: lane, i: i, due: done - ms, sent: done - ms, done: done, class: f.Class}.events()
	ev[2].Failure = f
	return ev
}

func TestFailuresAreGroupedByKind(t *testing.T) {
	l := New(lanes(2))
	full := func(n int) Failure {
		return Failure{Class: Rejected, Code: 503, Text: fmt.Sprintf("queue of %d is full", n)}
	}
	at := func(k int) time.Duration { return time.Duration(k) * 100 * ms }
	mustApply(t, l, fail(0, 1, at(3), full(30))...) // told in another order
	mustApply(t, l, fail(0, 0, at(2), full(20))...)
	mustApply(t, l, fail(1, 0, at(1), full(10))...)
	mustApply(t, l, fail(0, 2, at(4), Failure{Class: HTTP5xx, Code: 503, Text: "queue of 40 is full"})...)
	mustApply(t, l, fail(0, 3, at(5), Failure{Class: Rejected, Code: 429, Text: "queue of 50 is full"})...)
	mustApply(t, l, fail(0, 4, at(6), Failure{Class: CutOff})...)
	mustApply(t, l, story{i: 5, due: at(6), sent: at(6), done: at(7)}.events()...)
	if got := l.Snapshot().Total.Failures; got != nil {
		t.Errorf("before the close there are %+v", got)
	}
	mustAdvance(t, l, time.Second+Grace)
	sample := func(k, lane int, i int64, text string) FailureSample {
		return FailureSample{At: at(k), Lane: lane, I: i, Text: text}
	}
	one := func(class Class, code int, s FailureSample) FailureGroup {
		return FailureGroup{Class: class, Code: code, Count: 1, First: s, Last: s}
	}
	rest := []FailureGroup{
		one(HTTP5xx, 503, sample(4, 0, 2, "queue of 40 is full")),
		one(Rejected, 429, sample(5, 0, 3, "queue of 50 is full")),
		one(CutOff, 0, sample(6, 0, 4, "")),
	}
	group := func(n int64, first, last FailureSample) []FailureGroup {
		return append([]FailureGroup{{Rejected, 503, n, first, last}}, rest...)
	}
	first, middle, last := sample(1, 1, 0, "queue of 10 is full"), sample(2, 0, 0, "queue of 20 is full"), sample(3, 0, 1, "queue of 30 is full")
	s := l.Snapshot()
	for name, tt := range map[string]struct{ got, want []FailureGroup }{
		"lane 0": {s.Lanes[0].Failures, group(2, middle, last)},
		"lane 1": {s.Lanes[1].Failures, []FailureGroup{one(Rejected, 503, first)}},
		"total":  {s.Total.Failures, group(3, first, last)},
	} {
		if d := cmp.Diff(tt.want, tt.got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	if got := s.Total.Failures[1].Name(); got != "http-503" {
		t.Errorf("name %q", got)
	}
}

func TestALateFailureMayBeTheFirstOfItsKind(t *testing.T) {
	l := New(lanes(1))
	f := Failure{Class: Reset, Text: "EOF"}
	mustApply(t, l, fail(0, 0, 1500*ms, f)...)
	mustAdvance(t, l, 2*time.Second+Grace)
	mustApply(t, l, fail(0, 1, 500*ms, f)...)
	l.Stop(2*time.Second, 0)
	g := mustFinish(t, l).Total.Failures[0]
	if g.Count != 2 || g.First.I != 1 || g.Last.I != 0 {
		t.Errorf("group %+v", g)
	}
}

func TestKindsOfFailuresAreBounded(t *testing.T) {
	l := New(lanes(1))
	const n = 3 * keepTexts
	for i := range int64(n) {
		text := strings.Repeat("x", int(i%1500)) // many kinds, each of them twice
		mustApply(t, l, fail(0, i, time.Second+time.Duration(i)*time.Microsecond, Failure{Class: HTTP4xx, Code: 400, Text: text})...)
	}
	l.Stop(2*time.Second, 0)
	s := mustFinish(t, l)
	checkSums(t, s)
	if got := s.Total; len(got.Failures) != keepGroups || got.OtherFailures == 0 {
		t.Errorf("%d kinds and %d others", len(got.Failures), got.OtherFailures)
	}
	if g := &s.Total.Failures[7]; g.Last.Text != strings.Repeat("x", 7) || g.Count < 2 {
		t.Errorf("kind 7 is %+v", g)
	}
	if n := len(l.total.groups.known); n > keepTexts {
		t.Errorf("%d texts are remembered", n)
	}
}
