package report

import (
	"strings"
	"testing"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
)

func slo(t testing.TB, text string) ledger.SLO {
	t.Helper()
	s, err := ledger.ParseSLO(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// checked asks all of them of a run.
func checked(t testing.TB, s *ledger.Snapshot, texts ...string) (asked []ledger.Verdict) {
	t.Helper()
	for _, text := range texts {
		asked = append(asked, slo(t, text).Check(s))
	}
	return asked
}

var askedOf = []struct {
	run  string
	slos []string
}{
	{"puzzle", []string{"p99<10s", "p50<=2s", "p99.9<10s", "p99.9<6s", "mean<2s", "max<6.240869s", "backlog<=204", "throughput>37", "errors<1%"}},
	{"mixed", []string{"A:p50<500ms", "A:p95<500ms", "A:mean<500ms", "A:max<500ms", "errors<=0.25", "B:p99<2ms", "B:throughput>1/s"}},
	{"running", []string{"p50<500ms", "p99<4s", "p99<1s", "max<2s", "backlog<10"}},
	{"refused", []string{"p99<10s", "errors<=100%", "backlog<10", "throughput>=0"}},
	{"nothing", []string{"p99<10s", "backlog<10"}},
}

func askedRun(t testing.TB, name string) *ledger.Snapshot {
	if name != "refused" {
		return runs[name](t)
	}
	all := []request{{sent: ledger.Never, done: ms, failure: ledger.Failure{Class: ledger.Connect, Text: "connection refused"}}}
	return served(t, oneLane(), all, time.Second)
}

func TestAsked(t *testing.T) {
	var got strings.Builder
	for _, tt := range askedOf {
		s := askedRun(t, tt.run)
		p := printer{Builder: &got, c: lang.English, s: s, named: named{lane: &s.Total}}
		got.WriteString("\n" + tt.run)
		p.verdicts(checked(t, s, tt.slos...))
	}
	golden(t, "asked.txt", got.String())
	narrow(t, "asked", got.String())
}

func TestAskedInJSON(t *testing.T) {
	var got strings.Builder
	for _, tt := range askedOf {
		s := askedRun(t, tt.run)
		var b strings.Builder
		if err := WriteJSON(&b, s, nil, checked(t, s, tt.slos...)...); err != nil {
			t.Fatal(err)
		}
		_, list, _ := strings.Cut(b.String(), `"slo":[`)
		list, _, _ = strings.Cut(list, `]`)
		got.WriteString(tt.run + "\n" + strings.ReplaceAll(list, "},{", "},\n{") + "\n")
	}
	golden(t, "asked.json", got.String())
	if got := at(decoded(t, puzzle(t)), "slo"); len(got.([]any)) != 0 {
		t.Errorf("nothing was asked: %v", got)
	}
}

// What was asked stands at the end, and nothing where nothing was.
func TestAskedStandsInTheEnd(t *testing.T) {
	s := puzzle(t)
	text := End(lang.English, s, checked(t, s, "p99<10s")...)
	if !strings.Contains(text, "\n\nasked of the run\n  kept  p99 < 10 s: 6.096 s\n") {
		t.Errorf("got\n%s", text)
	}
	if text := End(lang.English, s); strings.Contains(text, "asked") {
		t.Errorf("got\n%s", text)
	}
}

// A value never seems to be on the other side of its limit.
func TestAValueBesideItsLimit(t *testing.T) {
	for _, tt := range []struct {
		slo   string
		value float64
		want  string
	}{
		{"p99<500ms", 0.3124, "312.4 ms"},
		{"p99<500ms", 0.500001, "500.001 ms"},
		{"p99<500ms", 1.2, "1200 ms"},
		{"p99<1s", 1, "1 s"},
		{"p99<1s", 1.0004, "1.0004 s"},
		{"p99<1s", 0.999999, "0.999999 s"},
		{"p99<300us", 0.000299, "299 µs"},
		{"mean<1s", 0.999999999, "0.999999999 s"},
		{"errors<1%", 0.010001, "1.0001 %"},
		{"errors<1%", 0, "0 %"},
		{"backlog<100", 204, "204"},
		{"throughput>45/s", 44.99996, "44.99996/s"},
		{"throughput>45/s", 44.5, "44.5/s"},
	} {
		v := ledger.Verdict{SLO: slo(t, tt.slo), Value: tt.value}
		if got := unitOf(v).beside(v.Value, v.SLO.Limit); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.slo, got, tt.want)
		}
	}
}
