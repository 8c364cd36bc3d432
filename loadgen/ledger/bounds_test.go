package ledger

import (
	"testing"
	"time"
)

// everySecondCut is 10/s for 20 s: every second request is answered in 1 s, the
// others are cut at 21 s.
func everySecondCut() (all []story) {
	for i := range int64(200) {
		due := time.Duration(i) * 100 * ms
		s := story{i: i, due: due, sent: due + ms, done: due + time.Second}
		if i%2 == 1 {
			s.done, s.class = 21*time.Second, CutOff
		}
		all = append(all, s)
	}
	return all
}

// The bounds of those cut rank as values do: p95 is above the bound of a tenth of
// them, and not of the last that was cut. All that is asked says the same.
func TestOneRunHasOneQuantileAndOneMean(t *testing.T) {
	s := played(t, everySecondCut(), 0)
	times := s.Total.Responses(s.At)
	p95 := times.Quantile(0.95)
	if p95.Bound != Over || p95.Value < 18*time.Second || p95.Value > 19*time.Second {
		t.Errorf("p95 is %+v, want above about 18 s", p95)
	}
	mean, atLeast := times.Mean() // (100 × 1 s + Σ of each cohort's least) ÷ 200
	if !atLeast || mean < 5600*ms || mean > 5950*ms {
		t.Errorf("the mean is %s %v", mean, atLeast)
	}
	check := func(text string) Verdict {
		slo, err := ParseSLO(text)
		if err != nil {
			t.Fatal(err)
		}
		return slo.Check(s)
	}
	if v := check("p95<1s"); v.Value != p95.Value.Seconds() || v.Bound != Over {
		t.Errorf("the check of p95 says %+v, want %s", v, p95.Value)
	}
	if v := check("mean<1s"); v.Value != mean.Seconds() || v.Bound != AtLeast {
		t.Errorf("the check of the mean says %+v, want %s", v, mean)
	}
	most, _ := times.Max()
	if v := check("max<1s"); v.Value != most.Seconds() || most < p95.Value {
		t.Errorf("the check of the maximum says %+v, want %s", v, most)
	}
	if service := s.Total.Services(s.At).Quantile(0.95); service.Value != p95.Value-ms {
		t.Errorf("service p95 is %+v, of the response %+v", service, p95)
	}
}

// A rank behind a bound is no less, though the bucket that holds it is coarse.
func TestRanksRiseAcrossABucket(t *testing.T) {
	var d dist
	for i := range 2000 {
		d.add(5*time.Second + time.Duration(i%3)*time.Microsecond)
	}
	times := Known(d.snapshot())
	times.add(500, 5*time.Second+2*time.Millisecond, 0, 0, Never)
	last := Quantile{}
	for r := range 2500 {
		got := times.Quantile(float64(r+1) / 2500)
		if got.Value < last.Value {
			t.Fatalf("rank %d is %+v after %+v", r+1, got, last)
		}
		last = got
	}
}
