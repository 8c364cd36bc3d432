package ledger

import (
	"math/rand/v2"
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
	mean, atLeast := times.Mean() // (100 × 1 s + Σ 1.1 s, 1.3 s … 20.9 s) ÷ 200
	if !atLeast || mean != 6000*ms {
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
	times.wait(500, 5*time.Second+2*time.Millisecond, 0, 0, 0)
	last := Quantile{}
	for r := range 2500 {
		got := times.Quantile(float64(r+1) / 2500)
		if got.Value < last.Value {
			t.Fatalf("rank %d is %+v after %+v", r+1, got, last)
		}
		last = got
	}
}

// A request counts in a mean, and the oldest in a maximum, as long as it is open or
// took until it was given up, in a cohort, in what is left of old ones and in those
// that are joined, in a lane and at a target.
func TestWhatIsNotOKCountsAsLongAsItTook(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 7))
		at := 4 * time.Second
		if seed%2 == 1 {
			at = 920 * time.Second // what is open since then is in no cohort of one second
		}
		all := stories(rng, 1, 200) // due to 4 s, done to 8.3 s
		for i := range all {
			r := &all[i]
			if r.done >= 4*time.Second {
				r.done = at + time.Second
			}
			if r.sent >= 4*time.Second {
				r.sent = Never
			}
		}
		s := played(t, all, at).AtClose
		var response, service of
		for _, r := range all {
			switch {
			case r.done > at:
				response.add(at - r.due)
				if r.sent != Never {
					service.add(at - r.sent)
				}
			case r.class == OK:
				response.add(r.done - r.due)
				service.add(r.done - r.sent)
			case r.class.Censored():
				response.add(r.done - r.due)
				service.add(r.done - r.sent)
			}
		}
		response.same(t, "response", s.Total.Responses(s.At))
		service.same(t, "service", s.Total.Services(s.At))
		response.same(t, "target", s.Targets[0].Responses(s.At))
		open, mean := int64(0), 0.0
		for c := range s.Total.all() {
			times := c.Responses(s.At)
			if m, _ := times.Mean(); times.N() > 0 {
				open, mean = open+c.Open, mean+m.Seconds()*float64(times.N())
			}
		}
		if want := response.sum.Seconds(); open == 0 || s.Total.Censored == 0 || mean < want-1e-5 || mean > want+1e-5 {
			t.Errorf("seed %d: the cohorts' responses add up to %g s, want %g", seed, mean, want)
		}
	}
}

// of is what a set of times comes to.
type of struct {
	n         int64
	sum, most time.Duration
}

func (o *of) add(d time.Duration) { o.n, o.sum, o.most = o.n+1, o.sum+d, max(o.most, d) }

func (o of) same(t *testing.T, name string, times Times) {
	t.Helper()
	mean, _ := times.Mean()
	most, _ := times.Max()
	if d := mean - o.sum/time.Duration(o.n); times.N() != o.n || d < -time.Microsecond || d > time.Microsecond {
		t.Errorf("%s: the mean of %d is %s, want %s of %d", name, times.N(), mean, o.sum/time.Duration(o.n), o.n)
	}
	if most > o.most || most < mean {
		t.Errorf("%s: the maximum is %s, want no more than %s and no less than the mean %s", name, most, o.most, mean)
	}
	if name == "response" && most != o.most {
		t.Errorf("%s: the maximum is %s, want %s", name, most, o.most)
	}
}
