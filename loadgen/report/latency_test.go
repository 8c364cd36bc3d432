package report

import (
	"slices"
	"strings"
	"testing"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
)

var quantiles = []float64{0, 0.01, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1}

// While requests are open, what is said of a quantile holds of what it will be.
func TestQuantilesOfARunThatGoesOn(t *testing.T) {
	all := sharing(500, 20*ms, 38)
	for k := 1; k <= 13; k++ {
		at := time.Duration(k) * time.Second
		s := told(t, oneLane(), all, at+500*ms, func(*ledger.Ledger, time.Duration) {}).Snapshot()
		var will []time.Duration // become of those due by then
		var open, measures int
		for _, r := range all {
			if r.due < at {
				will = append(will, r.done-r.due)
				if r.done >= at {
					open++
				}
			}
		}
		slices.Sort(will)
		l := latenciesOf(&s.Total, s)
		if mean, bound := l.response.Mean(); bound != (open > 0) || mean > meanOf(will) {
			t.Errorf("second %d: %d open, the mean is %s, a bound: %v; it will be %s", k, open, mean, bound, meanOf(will))
		}
		for _, q := range quantiles {
			want := will[max(1, ceil(q*float64(len(will))))-1]
			switch got := l.response.Quantile(q); {
			case got.Bound == ledger.Measure && got.Value == want:
				measures++
			case got.Bound == ledger.AtLeast && got.Value <= want && open > 0:
			default:
				t.Errorf("second %d, q %g: got %+v, it will be %s; %d open", k, q, got, want, open)
			}
		}
		if open == 0 && measures < len(quantiles) {
			t.Errorf("second %d: nothing is open and a quantile is a bound", k)
		}
	}
}

func meanOf(list []time.Duration) (mean time.Duration) {
	for _, d := range list {
		mean += d
	}
	return mean/time.Duration(len(list)) + 1
}

func ceil(x float64) int {
	n := int(x)
	if x-float64(n) > 1e-9 {
		n++
	}
	return n
}

// Of a single cohort, a lane says what the cohort says.
func TestQuantilesAsOfACohort(t *testing.T) {
	for _, s := range []*ledger.Snapshot{puzzleRunning(t).AtClose, mixed(t), cutOff(t)} {
		s.Phase = ledger.Ended // what is open is as of s.At
		for _, c := range s.Total.Cohorts {
			l := latenciesOf(&ledger.Lane{
				Totals:  ledger.Totals{Censored: c.Censored, Over: c.Over},
				Cohorts: []*ledger.Cohort{c}, Response: c.Response,
			}, s)
			for _, q := range quantiles {
				got, want := l.response.Quantile(q), c.Responses(s.At).Quantile(q)
				if got != want {
					t.Errorf("cohort %d, q %g: got %+v, want %+v", c.K, q, got, want)
				}
			}
		}
	}
}

func TestNothingBeforeTheFirstClose(t *testing.T) {
	s := told(t, oneLane(), sharing(500, 20*ms, 38), 800*ms, func(*ledger.Ledger, time.Duration) {}).Snapshot()
	if s.Total.OK == 0 || s.Total.Backlog() == 0 {
		t.Fatal("some are to be done and some open")
	}
	for _, q := range quantiles {
		if got := latenciesOf(&s.Total, s).response.Quantile(q); got.Bound != ledger.None {
			t.Errorf("q %g: %+v of a part of the requests", q, got)
		}
	}
}

// No number that depends on open requests, timeouts or cut ones stands bare.
func TestBoundsAreMarkedInJSON(t *testing.T) {
	for _, tt := range []struct {
		name string
		s    *ledger.Snapshot
		has  string
	}{
		{"open", puzzleRunning(t), "p50_at_least p90_at_least p95_at_least p99_at_least"},
		{"timeouts", mixed(t), "p90_over p95_over p99_over p50"},
		{"cut", cutOff(t), "p90_over p95_over p99_over p50"},
	} {
		total := at(decoded(t, tt.s), "total", "response").(map[string]any)
		for _, key := range append(strings.Fields(tt.has), "mean_at_least", "n", "min", "max", "max_at_least") {
			if total[key] == nil {
				t.Errorf("%s: no %s in %v", tt.name, key, total)
			}
			delete(total, key)
		}
		if len(total) > 0 {
			t.Errorf("%s: and %v", tt.name, total)
		}
		if most := at(decoded(t, tt.s), "total", "response", "max_at_least").(float64); most < at(decoded(t, tt.s), "total", "response", "max").(float64) {
			t.Errorf("%s: the largest of all is %v, that of ok ones more", tt.name, most)
		}
		service := at(decoded(t, tt.s), "total", "service").(map[string]any)
		if service["mean_at_least"] == nil || service["p50"] == nil && service["p50_at_least"] == nil || service["p99"] != nil {
			t.Errorf("%s: service %v", tt.name, service)
		}
		for _, c := range at(decoded(t, tt.s), "lanes", 0, "cohorts").([]any) {
			c, over := c.(map[string]any), false
			for key := range c {
				over = over || strings.HasSuffix(key, "_over") || strings.HasSuffix(key, "_at_least")
			}
			if c["mean"] != nil && over {
				t.Errorf("%s: a bare mean beside a bound: %v", tt.name, c)
			}
		}
	}
	done := at(decoded(t, puzzle(t)), "total", "response").(map[string]any)
	if done["mean"] == nil || done["p99"] == nil || done["mean_at_least"] != nil || done["max_at_least"] != nil {
		t.Errorf("done: %v", done)
	}
}

// cutOff is the puzzle, given up in its fifth second.
func cutOff(t testing.TB) *ledger.Snapshot {
	var all []request
	for _, r := range sharing(500, 20*ms, 38) {
		if r.due >= 4500*ms {
			break
		}
		if r.done > 4500*ms {
			r.done, r.failure = 4500*ms, ledger.Failure{Class: ledger.CutOff}
		}
		all = append(all, r)
	}
	l := told(t, oneLane(), all, 4600*ms, func(*ledger.Ledger, time.Duration) {})
	l.Stop(4500*ms, 0)
	return finished(t, l)
}

// A run that was not left to end says so; one that goes on has no why.
func TestWhyARunEnded(t *testing.T) {
	for _, tt := range []struct {
		why, text string
	}{{"done", "\n"}, {"cut", ", cut\n"}, {"quit", ", quit\n"}, {"sigterm", ", ended by sigterm\n"}} {
		s := cutOff(t)
		s.Why = tt.why
		var b strings.Builder
		if err := WriteJSON(&b, s, nil); err != nil {
			t.Fatal(err)
		}
		if want := `"end":4.5,"why":"` + tt.why + `","sending_ended":4.5`; !strings.Contains(b.String(), want) {
			t.Errorf("%s: no %s in %.200s", tt.why, want, b.String())
		}
		text := End(lang.English, s)
		if short := strings.HasPrefix(text, "cut short after 4.500 s\n"); short != (tt.why != "done") {
			t.Errorf("%s: got %.40q", tt.why, text)
		}
		if want := "  time         4.500 s: 4.500 s sending, 0.000 s draining" + tt.text; !strings.Contains(text, want) {
			t.Errorf("%s: no %q in\n%s", tt.why, want, text)
		}
	}
	if why := at(decoded(t, puzzleRunning(t)), "why"); why != nil {
		t.Errorf("a run that goes on ended: %v", why)
	}
}

func TestCutRunsAreCensored(t *testing.T) {
	s := cutOff(t)
	cut := s.Total.Fail[ledger.CutOff]
	if cut == 0 || s.Total.Censored != cut {
		t.Fatalf("%d cut, %d censored", cut, s.Total.Censored)
	}
	// They stand above all that were answered: so does a quantile among them.
	for _, q := range []float64{0.6, 0.75, 0.9, 0.95, 0.99} {
		l := latenciesOf(&s.Total, s)
		for name, got := range map[string]ledger.Quantile{"response": l.response.Quantile(q), "service": l.service.Quantile(q)} {
			if got.Bound != ledger.Over || got.Value < l.response.OK().Max()-time.Millisecond {
				t.Errorf("%s, q %g: got %+v, and %s was seen", name, q, got, l.response.OK().Max())
			}
		}
	}
	if got := at(decoded(t, s), "total", "response", "p99_over"); got != s.Total.Response.Max().Seconds() {
		t.Errorf("p99_over is %v, and %s was seen", got, s.Total.Response.Max())
	}
	text := End(lang.English, s)
	rows := strings.Split(text[strings.Index(text, "  response "):], "\n")
	f := strings.Fields(rows[0]) // response s n mean min p50 p90 p95 p99 max
	for i, mark := range []string{3: "≥", 6: ">", 7: ">", 8: ">", 9: "≥"} {
		if !strings.HasPrefix(f[i], mark) {
			t.Errorf("%s is not marked %s", f[i], mark)
		}
	}
}
