package demo

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dev.example/pileup/loadgen/guard"
)

// The link carries 37 ± 1 bodies of mobilenet_v1 a second, and compute at
// MAXN lets them all through.
func TestCapacity(t *testing.T) {
	body := floats(224 * 224 * 3)
	synctest.Test(t, func(t *testing.T) {
		s := New(Config{})
		client, stop := start(t, s)
		defer stop()
		ctx, cancel := context.WithCancel(t.Context())
		var done atomic.Int64
		var g guard.Group
		for range 16 {
			g.Go("slot", func() {
				for ctx.Err() == nil {
					if err := predict(client, "mobilenet_v1", body); err != nil {
						t.Error(err)
					}
					done.Add(1)
				}
			})
			time.Sleep(30 * time.Millisecond) // so that they do not march in step
		}
		// Completions come in lumps, the bytes behind them do not.
		before, carried := done.Load(), s.link.total()
		time.Sleep(2 * time.Second)
		ended := float64(done.Load()-before) / 2
		work := float64(s.link.total()-carried) / float64(len(body)) / 2
		cancel()
		g.Wait()
		if work < 36 || work > 38 || ended < work-3 || ended > work+3 {
			t.Errorf("%.2f requests' worth of %d bytes a second, %.1f ended, want 37 ± 1", work, len(body), ended)
		}
	})
}

// 50 a second for 10 s at a link for 37: the backlog grows to the end, and yet
// the responses fall after second 7. Bodies and link are smaller than
// the real ones by the same factor.
func TestPileUp(t *testing.T) {
	small := Model{Name: "mobilenet_v1", Input: "input_1", Shape: []int{45, 45, 3}, Service: 16 * time.Millisecond}
	body := floats(45 * 45 * 3)
	synctest.Test(t, func(t *testing.T) {
		s := New(Config{Link: 37 * float64(len(body)), Models: []Model{small}})
		client, stop := start(t, s)
		defer stop()
		const n, seconds, rate = 500, 10, 50
		var mu sync.Mutex
		var done [seconds + 10]int     // by second
		var sum [seconds]time.Duration // of responses, by cohort
		begin, last := time.Now(), time.Duration(0)
		var g guard.Group
		for i := range n {
			due := time.Duration(i) * time.Second / rate
			time.Sleep(time.Until(begin.Add(due)))
			g.Go("request", func() {
				if err := predict(client, "mobilenet_v1", body); err != nil {
					t.Error(err)
				}
				at := time.Since(begin)
				mu.Lock()
				defer mu.Unlock()
				done[int(at/time.Second)]++
				sum[i/rate] += at - due
				last = max(last, at)
			})
		}
		g.Wait()
		t.Logf("done by second %v, last at %v", done, last)
		for k, d := range done[1:seconds] {
			if d < 24 || d > 33 {
				t.Errorf("second %d completed %d, want 24 to 33", k+2, d)
			}
		}
		worst := slices.Max(sum[:])
		t.Logf("sums of responses %v", sum)
		if k := slices.Index(sum[:], worst) + 1; k < 6 || k > 8 {
			t.Errorf("cohort %d has the highest mean, want 6, 7 or 8", k)
		}
		if q := float64(sum[seconds-1]) / float64(worst); q > 0.85 {
			t.Errorf("cohort 10's mean is %.2f of the highest, want at most 0.85", q)
		}
		drained := n
		for _, d := range done[:seconds] {
			drained -= d
		}
		if rate := float64(drained) / (last - seconds*time.Second).Seconds(); rate < 50 || rate > 65 {
			t.Errorf("it drained at %.1f requests/s, want 50 to 65", rate)
		}
		if last < 13*time.Second || last > 15*time.Second {
			t.Errorf("all done after %v, want 13 to 15 s", last)
		}
	})
}

// Bodies of one size that begin together end together: equal shares.
func TestShares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &link{rate: 1e6}
		stop := deal(t, l)
		defer stop()
		var g guard.Group
		begin := time.Now()
		for _, size := range []int{500_000, 500_000, 1_000_000} {
			g.Go("body", func() {
				upload(t, l, size)
				at := time.Since(begin).Seconds()
				// The two small ones share with the large one until 1.5 s.
				want := map[int]float64{500_000: 1.5, 1_000_000: 2}[size]
				if math.Abs(at-want) > 0.05 {
					t.Errorf("%d bytes took %.3f s, want %.3f", size, at, want)
				}
			})
		}
		g.Wait()
	})
}

// A body with nothing to carry takes no share, and an idle link saves nothing.
func TestWorkConserving(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const size = DefaultLink // a second's worth
		l := &link{rate: DefaultLink}
		stop := deal(t, l)
		defer stop()
		l.begin() // stalled: it never hands anything in
		time.Sleep(10 * time.Second)
		begin := time.Now()
		upload(t, l, size)
		if got := time.Since(begin); got < time.Second-starved || got > time.Second+tick {
			t.Errorf("beside a stalled body it took %v, want 1s − %v", got, starved)
		}
		l.end()

		time.Sleep(10 * time.Second)
		begin = time.Now()
		upload(t, l, size)
		if got := time.Since(begin); got < time.Second || got > time.Second+tick {
			t.Errorf("after idling it took %v, want 1s", got)
		}
	})
}

// A suspended process comes back to a link that makes up for little.
func TestSuspended(t *testing.T) {
	l := &link{rate: 1e6}
	now := time.Now()
	l.free = now.Add(-time.Minute)
	turns := make([]*turn, 100)
	for i := range turns {
		turns[i] = newTurn()
		turns[i].bytes = 10_000
		if i > 0 {
			turns[i-1].next = turns[i]
		}
	}
	l.head, l.tail = turns[0], turns[len(turns)-1]
	l.deal(now)
	// What is first in the queue, and then what fits into behind.
	if got, want := l.carried, 10_000+int64(behind.Seconds()*l.rate); got != want {
		t.Errorf("carried %d bytes at once, want %d", got, want)
	}
}

// A body that is given up leaves the queue and takes none of the link.
func TestGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &link{rate: 1e4}
		stop := deal(t, l)
		defer stop()
		l.begin()
		defer l.end()
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		var g guard.Group
		g.Go("given up", func() {
			if err := l.carry(ctx, newTurn(), 10_000); err == nil {
				t.Error("carried, want the error of the context")
			}
		})
		synctest.Wait()
		begin := time.Now()
		if err := l.carry(t.Context(), newTurn(), 5_000); err != nil {
			t.Error(err)
		}
		g.Wait()
		if got, want := time.Since(begin), 500*time.Millisecond; got < want || got > want+5*tick {
			t.Errorf("took %v, want %v", got, want)
		}
	})
}
