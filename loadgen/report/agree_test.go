package report

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
)

// Whatever is asked of a run, of which requests were cut or are open, there is one
// answer: the tables, the JSON object and the checks take it from one place.
func TestOneAnswer(t *testing.T) {
	var all []request
	for i := range int64(200) {
		due := time.Duration(i) * 100 * ms
		r := request{due: due, sent: due + ms, done: due + time.Second}
		if i%2 == 1 {
			r.done, r.failure = 21*time.Second, ledger.Failure{Class: ledger.CutOff}
		}
		all = append(all, r)
	}
	l := told(t, oneLane(), all, 21100*ms, func(*ledger.Ledger, time.Duration) {})
	l.Stop(20*time.Second, 0)
	runs := map[string]*ledger.Snapshot{"every second one cut": finished(t, l), "running": puzzleRunning(t), "cut": cutOff(t)}
	for name, s := range runs {
		m := decoded(t, s)
		total := at(m, "total", "response").(map[string]any)
		if got := at(m, "targets", 0, "response"); fmt.Sprint(got) != fmt.Sprint(total) {
			t.Errorf("%s: the target says %v, the total %v", name, got, total)
		}
		last := 0.0
		for _, of := range []struct{ key, slo string }{{"p50", "p50<1h"}, {"p95", "p95<1h"}, {"p99", "p99<1h"}, {"", "max<1h"}, {"mean", "mean<1us"}} {
			slo, err := ledger.ParseSLO(of.slo)
			if err != nil {
				t.Fatal(err)
			}
			v := slo.Check(s)
			if of.key != "mean" {
				if v.Value < last && of.key != "" {
					t.Errorf("%s: %s is %v after %v", name, of.slo, v.Value, last)
				}
				last = v.Value
			}
			if of.key == "" {
				continue
			}
			suffix := map[ledger.Bound]string{ledger.AtLeast: "_at_least", ledger.Over: "_over"}[v.Bound]
			if got := total[of.key+suffix]; got == nil || fmt.Sprintf("%.6f", got) != fmt.Sprintf("%.6f", v.Value) {
				t.Errorf("%s: %s%s is %v, the check says %v", name, of.key, suffix, got, v.Value)
			}
			if text := End(lang.English, s); !strings.Contains(text, fmt.Sprintf("%.3f", v.Value)) {
				t.Errorf("%s: no %.3f for %s in\n%s", name, v.Value, of.key, text)
			}
		}
	}
}
