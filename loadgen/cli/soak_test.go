//go:build soak

package cli

import (
	"context"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
	"dev.example/pileup/loadgen/payload"
	"dev.example/pileup/loadgen/run"
	"dev.example/pileup/loadgen/target/tfserving"
	"dev.example/pileup/tui"
)

// alive is what a process holds.
type alive struct {
	heap       uint64 // bytes after two collections
	goroutines int
}

// live looks a few times: what is just being born or dying does not count.
func live() alive {
	least := alive{math.MaxUint64, math.MaxInt}
	for range 10 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		least = alive{min(least.heap, m.HeapAlloc), min(least.goroutines, runtime.NumGoroutine())}
	}
	return least
}

// steady holds what is alive in the end to what was in the beginning: no more
// than 5 % or 1 MB on top, and as many goroutines.
func steady(t *testing.T, a []alive) {
	t.Helper()
	if len(a) != 2 {
		t.Fatalf("looked %d times", len(a))
	}
	first, last := a[0], a[1]
	t.Logf("live heap %.2f MB, then %.2f MB; goroutines %d, then %d",
		float64(first.heap)/1e6, float64(last.heap)/1e6, first.goroutines, last.goroutines)
	if last.heap > max(first.heap+first.heap/20, first.heap+1_000_000) {
		t.Errorf("live heap grew from %d to %d bytes", first.heap, last.heap)
	}
	if last.goroutines != first.goroutines {
		t.Errorf("%d goroutines, then %d", first.goroutines, last.goroutines)
	}
}

func bodyOf(t *testing.T, body string) payload.Options {
	t.Helper()
	file := filepath.Join(t.TempDir(), "body.json")
	if err := os.WriteFile(file, []byte(body), 0o644); err != nil {
		t.Fatal(err)
	}
	return payload.Options{Body: file}
}

// A million requests over loopback: the server counts each of them once, and
// every snapshot balances.
func TestSoakAMillionRequests(t *testing.T) {
	const requests = 1_000_000
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var got atomic.Int64
	web := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			io.WriteString(w, `{"model_version_status":[{"version":"1","state":"AVAILABLE","status":{"error_code":"OK","error_message":""}}]}`)
			return
		}
		got.Add(1)
		_, _ = io.Copy(io.Discard, r.Body)
		io.WriteString(w, `{"predictions":[[0.5]]}`)
	})}
	go web.Serve(ln)
	defer web.Close()
	target, err := tfserving.New(tfserving.Options{URL: "tfs+http://" + ln.Addr().String(), Payload: bodyOf(t, `{"instances":[[1,2,3,4]]}`)})
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	setup := ledger.Setup{
		Seed: 1, Limit: 64, Requests: requests,
		Targets: []ledger.Target{{Name: "loopback"}},
		Lanes: []ledger.LaneSetup{{Name: "A", Targets: []int{0}, Setting: ledger.Setting{
			Model: "m", Arrivals: pace.Closed, Slots: 64,
		}}},
	}
	loop := run.New(run.Options{Setup: setup, Targets: map[int]loadgen.Target{0: target}, Pacing: loadgen.PrecisePacing})
	if err := loop.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- loop.Run(t.Context()) }()
	var alive []alive // in the beginning, and in the end
	for done := false; !done; {
		select {
		case err := <-ended:
			if err != nil {
				t.Fatal(err)
			}
			done = true
		case <-time.After(20 * time.Millisecond):
		}
		s := loop.Snapshot()
		if !s.Total.Balanced() {
			t.Fatalf("at %s: %+v", s.At, s.Total.Totals)
		}
		if !done && len(alive) < 2 && s.Total.OK > requests/10+int64(len(alive))*requests*8/10 {
			alive = append(alive, live())
		}
	}
	// The heap still grows: the seconds of the first quarter of an hour are kept.
	if len(alive) != 2 || alive[0].goroutines != alive[1].goroutines {
		t.Errorf("alive in the beginning and in the end: %+v", alive)
	}
	s := loop.Snapshot()
	if s.Total.OK != requests || got.Load() != requests {
		t.Errorf("%d due, %d ok, %d failed; the server counted %d", s.Total.Due, s.Total.OK, s.Total.Failed, got.Load())
	}
	t.Logf("%d requests in %s", s.Total.OK, s.At)
}

// memory is a target that answers after 20 ms of a clock that may be fake.
type memory struct{}

func (memory) Prepare(context.Context, string) (loadgen.Sender, error) { return memory{}, nil }
func (memory) BodyBytes() int64                                        { return 1000 }
func (memory) Payload() string                                         { return "1 kB" }
func (memory) Send(ctx context.Context, s loadgen.Stamps) loadgen.Answer {
	s.Sent()
	time.Sleep(20 * time.Millisecond)
	s.First()
	return loadgen.Answer{Up: 1000, Down: 100, Peer: "memory"}
}

// A day at 50/s with the screen on keeps no more at its end than after its
// first hour.
func TestSoakADay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		setup := oneLane(50, 24*time.Hour)
		setup.Targets = []ledger.Target{{Name: "memory"}}
		loop := run.New(run.Options{Setup: setup, Targets: map[int]loadgen.Target{0: memory{}}, Stay: true})
		if err := loop.Prepare(t.Context()); err != nil {
			t.Fatal(err)
		}
		program := tea.NewProgram(tui.New(tui.Options{Source: loop, Tick: time.Second}),
			tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithoutSignalHandler(), tea.WithAltScreen(), tea.WithFPS(1))
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 2)
		go func() { ended <- loop.Run(ctx) }()
		go func() { _, err := program.Run(); ended <- err }()
		program.Send(tea.WindowSizeMsg{Width: 160, Height: 45})

		time.Sleep(time.Hour + 55*time.Millisecond)
		looks := []alive{live()}
		for hour := 2; hour <= 23; hour++ {
			time.Sleep(time.Hour)
			if s := loop.Snapshot(); !s.Total.Balanced() || s.Total.Failed > 0 || s.Total.Due < int64(hour)*180_000 {
				t.Fatalf("in hour %d: %+v", hour, s.Total.Totals)
			}
		}
		time.Sleep(59 * time.Minute)
		steady(t, append(looks, live()))
		time.Sleep(2 * time.Minute)
		if s := loop.Snapshot(); s.Total.OK != 24*3600*50 || s.Phase != ledger.Ended {
			t.Errorf("%d ok, %s", s.Total.OK, s.Phase)
		}
		cancel()
		program.Quit()
		for range 2 {
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
		time.Sleep(5 * time.Second) // past the last tick of the screen
	})
}
