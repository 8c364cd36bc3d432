package ledger

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseSLO(t *testing.T) {
	tests := []struct {
		text   string
		want   SLO
		string string // "" is the text
	}{
		{"p99<500ms", SLO{Percent: 99, Op: "<", Limit: 0.5}, ""},
		{"p99.9<=1s", SLO{Percent: 99.9, Op: "<=", Limit: 1}, ""},
		{" P50 < 1m30s ", SLO{Percent: 50, Op: "<", Limit: 90}, "p50<1m30s"},
		{"p99<1.5ms", SLO{Percent: 99, Op: "<", Limit: 0.0015}, ""},
		{"mean<200ms", SLO{Figure: SLOMean, Op: "<", Limit: 0.2}, ""},
		{"max<2s", SLO{Figure: SLOMax, Op: "<", Limit: 2}, ""},
		{"max<=0s", SLO{Figure: SLOMax, Op: "<="}, ""},
		{"errors<1%", SLO{Figure: SLOErrors, Op: "<", Limit: 0.01}, ""},
		{"errors<=0%", SLO{Figure: SLOErrors, Op: "<="}, ""},
		{"errors < 0.001", SLO{Figure: SLOErrors, Op: "<", Limit: 0.001}, "errors<0.1%"},
		{"backlog<100", SLO{Figure: SLOBacklog, Op: "<", Limit: 100}, ""},
		{"throughput>45", SLO{Figure: SLOThroughput, Op: ">", Limit: 45}, "throughput>45/s"},
		{"throughput>=45.5/s", SLO{Figure: SLOThroughput, Op: ">=", Limit: 45.5}, ""},
		{"throughput>300/m", SLO{Figure: SLOThroughput, Op: ">", Limit: 5}, "throughput>5/s"},
		{"A:p99<500ms", SLO{Lane: "A", Percent: 99, Op: "<", Limit: 0.5}, ""},
		{"resnet:2 : errors<1%", SLO{Lane: "resnet:2", Figure: SLOErrors, Op: "<", Limit: 0.01}, "resnet:2:errors<1%"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			got, err := ParseSLO(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
			if tt.string == "" {
				tt.string = tt.text
			}
			if got.String() != tt.string {
				t.Errorf("written as %q, want %q", got.String(), tt.string)
			}
			if again, err := ParseSLO(got.String()); err != nil || again != got {
				t.Errorf("read again: %+v, %v", again, err)
			}
		})
	}
}

func TestParseSLOErrors(t *testing.T) {
	tests := []struct{ text, why, example string }{
		{"", "there is neither < nor >", "p99<500ms"},
		{"p99=500ms", "there is neither < nor >", "p99<500ms"},
		{"<500ms", "it names no figure", "p99<500ms"},
		{":p99<500ms", "there is no lane before the colon", "p99<500ms"},
		{"A:<500ms", "it names no figure", "p99<500ms"},
		{"latency<500ms", `no figure is called "latency"`, "p99<500ms"},
		{"pp<500ms", `no figure is called "pp"`, "p99<500ms"},
		{"p100<500ms", "p100 is no quantile", "p99<500ms"},
		{"p0<500ms", "p0 is no quantile", "p99<500ms"},
		{"pNaN<500ms", "pnan is no quantile", "p99<500ms"},
		{"p99>500ms", "p99 is bounded from above", "p99<500ms"},
		{"p99<500", "500 has no unit", "p99<500ms"},
		{"p99<fast", `"fast" is no span of time`, "p99<500ms"},
		{"p99<-1s", `"-1s" is no span of time`, "p99<500ms"},
		{"p99<", `"" is no span of time`, "p99<500ms"},
		{"max<1", "1 has no unit", "max<2s"},
		{"max<0s", "nothing is below 0", "max<2s"},
		{"errors<200%", `"200%" is no share`, "errors<1%"},
		{"errors<none", `"none" is no share`, "errors<1%"},
		{"errors>1%", "errors is bounded from above", "errors<1%"},
		{"backlog<1.5", `"1.5" is no number of requests`, "backlog<100"},
		{"throughput<45", "throughput is bounded from below", "throughput>45"},
		{"throughput>fast", `"fast" is no rate`, "throughput>45"},
		{"throughput>Inf/m", `"Inf/m" is no rate`, "throughput>45"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			got, err := ParseSLO(tt.text)
			if err == nil {
				t.Fatalf("it was read as %+v", got)
			}
			if say := err.Error(); !strings.Contains(say, tt.why) || !strings.HasSuffix(say, "; write "+tt.example) {
				t.Errorf("error %q", say)
			}
		})
	}
}

func FuzzParseSLO(f *testing.F) {
	for _, s := range []string{"p99.9<=1s", "A:errors<1%", "backlog<7", "throughput>300/m", "mean<1h"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSLO(text)
		if err != nil {
			return
		}
		if again, err := ParseSLO(s.String()); err != nil || again.String() != s.String() {
			t.Errorf("%q is written %q, and that is %+v, %v", text, s.String(), again, err)
		}
		s.Check(New(lanes(1)).Snapshot())
	})
}

func TestSLOFitsTheLanes(t *testing.T) {
	setup := lanes(2)
	for name, fits := range map[string]bool{"": true, "0": true, "1": true, "B": false} {
		err := SLO{Lane: name, Percent: 99, Op: "<", Limit: 1}.Fits(setup)
		if (err == nil) != fits {
			t.Errorf("lane %q: %v", name, err)
		}
		if err != nil && err.Error() != `"B:p99<1s": no lane is called B: there are 0, 1` {
			t.Errorf("error %q", err)
		}
	}
}
