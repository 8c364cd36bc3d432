package report

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
)

// failing is a run in which a server refuses, breaks and talks too much, each
// with texts that differ only in numbers.
func failing(t testing.TB) *ledger.Snapshot {
	setup := oneLane()
	setup.Payload = nil
	page := `body begins "<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head>` +
		strings.Repeat(`<body><center><h1>502 Bad Gateway</h1></center></body>`, 6) + `"`
	var all []request
	for i := range 40 {
		r := request{due: time.Duration(i) * 20 * ms}
		r.sent, r.done = r.due+ms, r.due+200*ms
		switch {
		case i < 10:
			r.sent, r.failure = ledger.Never, ledger.Failure{Class: ledger.Connect, Text: "dial tcp 10.0.0.7:8501: connect: connection refused"}
		case i < 14:
			r.failure = ledger.Failure{Class: ledger.HTTP5xx, Code: 503, Text: fmt.Sprintf("queue is full: %d requests", 100+i)}
		case i == 20:
			r.failure = ledger.Failure{Class: ledger.BadBody, Code: 502, Text: page}
		case i == 21 || i == 22:
			r.failure = ledger.Failure{Class: ledger.GRPC, Code: 14}
		}
		all = append(all, r)
	}
	return served(t, setup, all, time.Second)
}

func failuresOf(s *ledger.Snapshot) string {
	_, text, _ := strings.Cut(End(lang.English, s), "\n\nfailures\n")
	text, _, _ = strings.Cut(text, "\n\n")
	return text
}

// Only what is frequent is listed, and nothing is left out without a word.
func TestManyKindsOfFailures(t *testing.T) {
	s := *failing(t)
	s.Total.Failures, s.Total.OtherFailures = nil, 7
	for i := range 20 {
		g := ledger.FailureGroup{Class: ledger.HTTP4xx, Code: 400 + i, Count: int64(100 - i)}
		s.Total.Failures = append([]ledger.FailureGroup{g}, s.Total.Failures...)
	}
	got := failuresOf(&s)
	if n := strings.Count(got, " http-4"); n != fewKinds || !strings.HasPrefix(got, "  100 http-400\n") {
		t.Errorf("%d kinds:\n%s", n, got)
	}
	var rest int64 = 7
	for i := fewKinds; i < 20; i++ {
		rest += int64(100 - i)
	}
	if want := fmt.Sprintf("\n  %d failures of further kinds", rest); !strings.HasSuffix(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
}

func TestFailuresNameLaneAndTargetAmongSeveral(t *testing.T) {
	got := failuresOf(mixed(t))
	for _, want := range []string{
		"\n    first  at 0.152 s, request 3 of A to tx2: connection refused\n    last   at 2.652 s, request 53 of A to tx2",
		"  1 cut\n    at 6.000 s, request 58 of A to xavier",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestFailuresInJSON(t *testing.T) {
	m := decoded(t, failing(t))
	for _, tt := range []struct {
		want any
		path []any
	}{
		{"http-5xx", []any{"total", "failures", 1, "class"}},
		{503.0, []any{"total", "failures", 1, "code"}},
		{4.0, []any{"total", "failures", 1, "count"}},
		{0.4, []any{"total", "failures", 1, "first", "at"}},
		{10.0, []any{"total", "failures", 1, "first", "i"}},
		{"queue is full: 110 requests", []any{"total", "failures", 1, "first", "text"}},
		{"queue is full: 113 requests", []any{"lanes", 0, "total", "failures", 1, "last", "text"}},
		{"xavier", []any{"lanes", 0, "total", "failures", 1, "last", "target"}},
		{nil, []any{"total", "failures", 0, "code"}},
		{nil, []any{"total", "failures", 3, "first", "text"}},
		{nil, []any{"total", "other_failures"}},
	} {
		if got := at(m, tt.path...); got != tt.want {
			t.Errorf("%v: got %v, want %v", tt.path, got, tt.want)
		}
	}
}
