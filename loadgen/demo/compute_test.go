package demo

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dev.example/pileup/loadgen/guard"
)

// First come, first served, by two workers; a change of pace holds for what
// begins after it.
func TestStage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &stage{workers: 2, slow: 1}
		begin := time.Now()
		var mu sync.Mutex
		ends := map[int]time.Duration{}
		var g guard.Group
		for i := range 6 {
			g.Go("job", func() {
				if err := s.run(t.Context(), t.Context(), time.Second); err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				ends[i] = time.Since(begin)
			})
			synctest.Wait() // it stands in the queue before the next comes
		}
		time.Sleep(1500 * time.Millisecond)
		s.pace(3)
		g.Wait()
		for i, want := range []time.Duration{1, 1, 2, 2, 5, 5} {
			if ends[i] != want*time.Second {
				t.Errorf("job %d ended after %v, want %v", i, ends[i], want*time.Second)
			}
		}
		if got := s.used(time.Now()); got != 10 {
			t.Errorf("used %v worker-seconds, want 10", got)
		}
	})
}

// Who leaves while waiting is dropped; what has begun goes on.
func TestStageLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &stage{workers: 1, slow: 1}
		asker, leave := context.WithCancel(t.Context())
		begin := time.Now()
		var g guard.Group
		g.Go("begun", func() {
			if err := s.run(t.Context(), asker, time.Second); err != nil || time.Since(begin) != time.Second {
				t.Errorf("begun: %v after %v", err, time.Since(begin))
			}
		})
		synctest.Wait()
		g.Go("waiting", func() {
			if err := s.run(t.Context(), asker, time.Second); err == nil || time.Since(begin) != time.Second/2 {
				t.Errorf("waiting: %v after %v", err, time.Since(begin))
			}
		})
		synctest.Wait()
		time.Sleep(time.Second / 2)
		leave()
		if err := s.run(t.Context(), t.Context(), time.Second); err != nil {
			t.Error(err)
		}
		if got, want := time.Since(begin), 2*time.Second; got != want {
			t.Errorf("the next ended after %v, want %v", got, want)
		}
		g.Wait()
	})
}

// At 15W compute is what limits mobilenet_v1, to 28 a second, on a link for 37.
func TestComputeLimits(t *testing.T) {
	small := Model{Name: "mobilenet_v1", Input: "input_1", Shape: []int{45, 45, 3}, Service: Models()[0].Service}
	body := floats(45 * 45 * 3)
	synctest.Test(t, func(t *testing.T) {
		s := New(Config{Link: 37 * float64(len(body)), Models: []Model{small}, Mode: 2})
		client, stop := start(t, s)
		defer stop()
		const n = 140
		begin := time.Now()
		var g guard.Group
		for range n {
			g.Go("request", func() {
				if err := predict(client, "mobilenet_v1", body); err != nil {
					t.Error(err)
				}
			})
			time.Sleep(time.Second / 35)
		}
		g.Wait()
		if got := n / time.Since(begin).Seconds(); got < 27 || got > 29 {
			t.Errorf("%.1f requests/s, want 28", got)
		}
		between(t, "GPU", read(t, s.Board()).GPU, 95, 100)
	})
}
