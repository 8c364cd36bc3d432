package ledger

import (
	"math/rand/v2"
	"testing"
	"time"
)

// Timeouts and cut requests stand above every value that was seen: a quantile
// among them is never below one of the others.
func TestAQuantileAmongTheCensoredIsAboveAllThatWasSeen(t *testing.T) {
	const sec = time.Second
	answered := same(12, story{due: 0, sent: 100 * ms, done: 2080 * ms})
	cut := story{due: 1500 * ms, sent: 1600 * ms, done: 3390 * ms, class: CutOff} // after 1.89 s, service 1.79 s
	slow := story{due: 0, sent: 100 * ms, done: 5 * sec, class: Timeout}
	tests := []struct {
		name              string
		stories           []story
		response, service time.Duration // that p95 is above
	}{
		{"cut before the answers came", with(answered, cut, cut), 2080 * ms, 1980 * ms},
		{"timeouts after them", with(answered, slow, slow), 5 * sec, 4900 * ms},
		{"only such", []story{cut, {i: 1, due: 1500 * ms, sent: 1600 * ms, done: 3390 * ms, class: CutOff}}, 1890 * ms, 1790 * ms},
		{"never sent", append(with(answered, cut), story{i: 12, due: 1500 * ms, sent: Never, done: 3390 * ms, class: CutOff}), 2080 * ms, 1980 * ms},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := played(t, tt.stories, 0)
			l := &s.Lanes[0]
			if got := l.Responses(s.At).Quantile(0.95); got.Bound != Over || got.Value != tt.response {
				t.Errorf("response: %+v, want above %s", got, tt.response)
			}
			if got := l.Services(s.At).Quantile(0.95); got.Bound != Over || got.Value != tt.service {
				t.Errorf("service: %+v, want above %s", got, tt.service)
			}
		})
	}
}

// Whatever is open or was given up, a higher quantile is not lower.
func TestQuantilesRise(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 5))
		l := New(lanes(1))
		at := 4 * time.Second
		for _, e := range eventsOf(stories(rng, 1, 200)) { // due to 4 s, done to 8.3 s
			if e.At() < at {
				mustApply(t, l, e)
			}
		}
		mustAdvance(t, l, at+Grace)
		s := l.Snapshot().AtClose
		lane, n := &s.Total, 0
		check := func(name string, times Times) {
			last := Quantile{}
			for q := 0.01; q < 1; q += 0.01 {
				got := times.Quantile(q)
				if got.Value < last.Value {
					t.Fatalf("seed %d, %s: q%.0f is %+v after %+v", seed, name, q*100, got, last)
				}
				if last = got; got.Bound == Over {
					n++
				}
			}
			if most, _ := times.Max(); times.N() > 0 && most < last.Value {
				t.Fatalf("seed %d, %s: max is %v after %+v", seed, name, most, last)
			}
		}
		check("lane", lane.Responses(s.At))
		check("service", lane.Services(s.At))
		for _, c := range lane.Cohorts[:4] {
			check("cohort", c.Responses(s.At))
			check("service of a cohort", c.Services(s.At))
		}
		if n == 0 {
			t.Errorf("seed %d: no quantile is among those given up", seed)
		}
	}
}
