package demo

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dev.example/pileup/loadgen/guard"
	"dev.example/pileup/probes"
)

var (
	_ probes.Probe    = (*Board)(nil)
	_ probes.Switcher = (*Board)(nil)
)

func read(t *testing.T, b *Board) probes.Sample {
	t.Helper()
	s, err := b.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !s.Simulated {
		t.Error("a sample that does not say it is simulated")
	}
	return s
}

// What a real board shows under overload: one core full, one half, the rest at 10 to
// 20 %; at rest next to nothing; and the total is the sum of the rails.
func TestBoard(t *testing.T) {
	body := floats(224 * 224 * 3)
	synctest.Test(t, func(t *testing.T) {
		s := New(Config{})
		client, stop := start(t, s)
		defer stop()
		time.Sleep(time.Second)
		rest := read(t, s.Board())
		if busy := rest.Cores[0].Busy.Or(-1); busy < 0 || busy > 5 {
			t.Errorf("first core at rest: %v %%", busy)
		}
		var g guard.Group
		for range 60 {
			g.Go("request", func() {
				if err := predict(client, "mobilenet_v1", body); err != nil {
					t.Error(err)
				}
			})
		}
		time.Sleep(time.Second)
		full := read(t, s.Board())
		g.Wait()
		between(t, "first core", full.Cores[0].Busy, 98, 100)
		between(t, "second core", full.Cores[1].Busy, 45, 55)
		for _, c := range full.Cores[2:] {
			between(t, "another core", c.Busy, 8, 25)
		}
		between(t, "received", full.Net[0].Rx, 115e6, 119e6)
		between(t, "link", full.Net[0].Link, 1e9, 1e9)
		between(t, "threads", full.Threads, 300, 300)
		between(t, "CPU clock", full.Cores[0].Freq, 2265.6e6, 2265.6e6)
		if got, before := watts(full.Rails, "CPU"), watts(rest.Rails, "CPU"); got < before+1 {
			t.Errorf("CPU takes %.1f W under load, %.1f W at rest", got, before)
		}
		if full.MemUsed.Or(0) <= rest.MemUsed.Or(0) {
			t.Error("held bodies take no memory")
		}
		sum := 0.0
		for _, r := range full.Rails {
			if r.Total {
				sum -= r.Watts
				continue
			}
			sum += r.Watts
		}
		if sum > 1e-9 || sum < -1e-9 {
			t.Errorf("the total is %v W below the sum of the rails", sum)
		}
	})
}

func between(t *testing.T, what string, v probes.Value, low, high float64) {
	t.Helper()
	x, known := v.Get()
	if !known || x < low || x > high {
		t.Errorf("%s: %v (known %t), want %v to %v", what, x, known, low, high)
	}
}

// Nothing is made up for an interval of no length.
func TestBoardAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := read(t, New(Config{}).Board())
		if s.GPU.Known() || s.Cores[0].Busy.Known() || len(s.Absent) < 2 {
			t.Errorf("GPU %v, core %v, absent %v", s.GPU, s.Cores[0].Busy, s.Absent)
		}
	})
}

// Temperatures follow power slowly, and to the same end however often read.
func TestHeat(t *testing.T) {
	often, once := idleHeat(), idleHeat()
	full := rails(modes[0], use{link: 1, compute: 1}, coreBusy(modes[0], use{link: 1, compute: 1}))
	cold := often.temps()
	for range 3600 {
		often.follow(full, 1)
	}
	once.follow(full, 24*3600)
	for i, c := range often.temps() {
		if c.Celsius < cold[i].Celsius+3 || c.Celsius > 95 {
			t.Errorf("%s: %.1f °C after an hour at full load, %.1f °C at rest", c.Name, c.Celsius, cold[i].Celsius)
		}
		if d := c.Celsius - once.temps()[i].Celsius; d < -0.01 || d > 0.01 {
			t.Errorf("%s: ends %.3f K apart", c.Name, d)
		}
	}
}

func TestSetMode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(Config{}).Board()
		begin := time.Now()
		m, err := b.SetMode(t.Context(), 2)
		if err != nil || m.Name != "15W" || time.Since(begin) != switching {
			t.Errorf("got %v, %v after %v", m, err, time.Since(begin))
		}
		s := read(t, b)
		if s.Mode == nil || s.Mode.ID != 2 {
			t.Errorf("mode %v, want 15W", s.Mode)
		}
		for i, c := range s.Cores {
			if c.Online != (i < 4) || !c.Online && c.Busy.Known() {
				t.Errorf("core %d: %+v", i, c)
			}
		}
		if m, err = b.SetMode(t.Context(), 9); err == nil || m.ID != 2 || !strings.Contains(err.Error(), "3 (30W)") {
			t.Errorf("mode 9: got %v, %v", m, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), switching/2)
		defer cancel()
		if m, err = b.SetMode(ctx, 0); err == nil || m.ID != 2 {
			t.Errorf("given up: got %v, %v", m, err)
		}
	})
}

// At 15W compute limits mobilenet_v1 to below 30/s; at 30W it does not.
func TestModesLimit(t *testing.T) {
	for _, m := range modes {
		v1 := Models()[0]
		rate := 2 / (v1.Service.Seconds() * m.slow)
		if m.ID == 0 || m.ID == 3 {
			if rate < 40 {
				t.Errorf("%s: compute does %.1f/s, less than the link", m.Name, rate)
			}
			continue
		}
		if rate >= 30 {
			t.Errorf("%s: compute does %.1f/s, want less than 30", m.Name, rate)
		}
	}
}
