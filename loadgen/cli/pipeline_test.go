package cli

import (
	"bytes"
	"context"
	"io"
	"math"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"google.golang.org/grpc/test/bufconn"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
	"dev.example/pileup/loadgen/run"
	"dev.example/pileup/loadgen/runfile"
	"dev.example/pileup/loadgen/target/httpconn"
	"dev.example/pileup/loadgen/target/tfserving"
	"dev.example/pileup/tui"
)

// server is a TensorFlow Serving in memory whose predictions take as long as
// service says.
type server struct {
	start   time.Time
	service func(at time.Duration) time.Duration

	mu       sync.Mutex
	arrivals []time.Duration
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.HasSuffix(r.URL.Path, "/metadata"):
		io.WriteString(w, `{"model_spec":{"name":"m"},"metadata":{"signature_def":{"signature_def":{"serving_default":{"inputs":{
			"x":{"dtype":"DT_FLOAT","tensor_shape":{"dim":[{"size":"-1"},{"size":"4"}]},"name":"x:0"}}}}}}}`)
	case r.Method == http.MethodGet:
		io.WriteString(w, `{"model_version_status":[{"version":"1","state":"AVAILABLE","status":{"error_code":"OK","error_message":""}}]}`)
	default:
		at := time.Since(s.start)
		s.mu.Lock()
		s.arrivals = append(s.arrivals, at)
		s.mu.Unlock()
		io.Copy(io.Discard, r.Body)
		time.Sleep(s.service(at))
		io.WriteString(w, `{"predictions":[0.5]}`)
	}
}

// whole is everything between a key and a socket: screen, loop, engine, HTTP.
type whole struct {
	t       *testing.T
	server  *server
	loop    *run.Loop
	program *tea.Program
	file    bytes.Buffer
	ended   chan error
	close   func()
}

func startWhole(t *testing.T, service func(time.Duration) time.Duration, setup ledger.Setup) *whole {
	t.Helper()
	w := &whole{t: t, server: &server{service: service}, ended: make(chan error, 2)}
	ln := bufconn.Listen(1 << 16)
	web := &http.Server{Handler: w.server}
	go web.Serve(ln)
	target, err := tfserving.New(tfserving.Options{URL: "tfs+http://memory:1", HTTP: httpconn.Options{
		Dial: func(ctx context.Context, _, _ string) (net.Conn, error) { return ln.DialContext(ctx) },
	}})
	if err != nil {
		t.Fatal(err)
	}
	setup.Targets = []ledger.Target{{Name: "memory", URL: "tfs+http://memory:1", Models: []string{"m"}}}
	w.loop = run.New(run.Options{
		Setup: setup, Targets: map[int]loadgen.Target{0: target}, Stay: true,
		Record: func(int) (run.File, error) { return run.File{WriteCloser: nopCloser{&w.file}, Name: "out"}, nil },
	})
	if err := w.loop.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.program = tea.NewProgram(tui.New(tui.Options{Source: w.loop}),
		tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithoutSignalHandler(), tea.WithAltScreen())
	ctx, cancel := context.WithCancel(t.Context())
	w.server.start = time.Now()
	go func() { w.ended <- w.loop.Run(ctx) }()
	go func() { _, err := w.program.Run(); w.ended <- err }()
	w.program.Send(tea.WindowSizeMsg{Width: 160, Height: 45})
	w.close = func() {
		cancel()
		w.program.Quit()
		for range 2 {
			if err := <-w.ended; err != nil {
				t.Error(err)
			}
		}
		time.Sleep(2 * time.Second) // past the last tick of the screen
		target.Close()
		web.Close()
	}
	return w
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

func (w *whole) key(k string) { w.program.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}) }

// wait lets the run go on until it is done, and holds every snapshot to its
// account.
func (w *whole) wait() *ledger.Snapshot {
	for {
		s := w.loop.Snapshot()
		if !s.Total.Balanced() {
			w.t.Fatalf("at %s: %+v", s.At, s.Total.Totals)
		}
		if s.Phase == ledger.Ended {
			return s
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func oneLane(rate float64, length time.Duration) ledger.Setup {
	return ledger.Setup{
		Seed: 1, Limit: 1000, Length: length,
		Lanes: []ledger.LaneSetup{{Name: "A", Targets: []int{0}, Setting: ledger.Setting{Model: "m", Arrivals: pace.Constant, Rate: rate}}},
	}
}

func TestAMinuteOfTheWholePipelineIsExact(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := startWhole(t, func(time.Duration) time.Duration { return 30 * time.Millisecond }, oneLane(50, time.Minute))
		s := w.wait()
		w.close()
		if s.Total.Due != 3000 || s.Total.OK != 3000 {
			t.Errorf("%d due, %d ok; want 3000", s.Total.Due, s.Total.OK)
		}
		slices.Sort(w.server.arrivals)
		for i, at := range w.server.arrivals {
			if want := time.Duration(i) * 20 * time.Millisecond; at != want {
				t.Fatalf("request %d reached the server at %s, want %s", i, at, want)
			}
		}
		rec, err := runfile.Load(bytes.NewReader(w.file.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if len(rec.Requests) != 3000 || rec.Unknown() != 0 {
			t.Errorf("%d requests are recorded", len(rec.Requests))
		}
		for _, r := range rec.Requests {
			if r.Due != r.Started || r.Due != r.Sent || r.Done != r.Due+30*time.Millisecond {
				t.Fatalf("request %d: due %s started %s sent %s done %s", r.I, r.Due, r.Started, r.Sent, r.Done)
			}
		}
	})
}

func TestThirtyKeysASecondSendTheIntegral(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := startWhole(t, func(time.Duration) time.Duration { return time.Millisecond }, oneLane(50, 0))
		time.Sleep(time.Second)
		for i := range 30 {
			time.Sleep(33 * time.Millisecond)
			w.key([]string{"+", "}", "-"}[i%3])
		}
		time.Sleep(time.Second)
		w.key("s")
		s := w.wait()
		w.close()
		if got := s.Lanes[0].Setting.Rate; got != 150 {
			t.Errorf("rate %g after ten +, ten } and ten -, want 150", got)
		}
		if len(s.Segments) != 31 {
			t.Errorf("%d segments, want 31: one a key", len(s.Segments))
		}
		integral := 0.0
		for _, seg := range s.Segments {
			to := seg.To
			if to == ledger.Never {
				to = s.SendingEnded
			}
			integral += seg.Settings[0].Rate * (to - seg.From).Seconds()
		}
		if math.Abs(float64(s.Total.Due)-integral) > 1 || int64(len(w.server.arrivals)) != s.Total.Due {
			t.Errorf("%d due, %d reached the server, ∫ rate = %.2f", s.Total.Due, len(w.server.arrivals), integral)
		}
	})
}

// Three quick keys in one packet are one message.
func TestKeysThatArriveTogetherAllCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := startWhole(t, func(time.Duration) time.Duration { return time.Millisecond }, oneLane(50, 3*time.Second))
		time.Sleep(time.Second)
		w.key("+++")
		s := w.wait()
		w.close()
		if got := s.Lanes[0].Setting.Rate; got != 53 {
			t.Errorf("rate %g after +++, want 53", got)
		}
	})
}

func TestAServerThatFreezesShowsEveryLateRequestFromDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := startWhole(t, func(at time.Duration) time.Duration {
			if at >= 4*time.Second && at < 5*time.Second {
				return 5*time.Second - at + time.Millisecond
			}
			return time.Millisecond
		}, oneLane(100, 10*time.Second))
		time.Sleep(4950 * time.Millisecond)
		if s := w.loop.Snapshot(); s.Total.Backlog() < 90 {
			t.Errorf("backlog %d while the server is frozen, want it to grow by 100 a second", s.Total.Backlog())
		}
		s := w.wait()
		w.close()
		frozen := s.Total.Cohorts[4]
		if frozen.OK != 100 {
			t.Fatalf("cohort 5: %+v", frozen)
		}
		for i := range int64(100) {
			// Due at 4.00, 4.01 … 4.99, all answered at 5.001.
			if got, want := frozen.Response.Rank(i+1), time.Duration(i)*10*time.Millisecond+11*time.Millisecond; got != want {
				t.Fatalf("response %d of the frozen second is %s, want %s", i, got, want)
			}
		}
		if got := s.Total.Cohorts[5].Response.Max(); got != time.Millisecond {
			t.Errorf("the second after: max %s", got)
		}
	})
}

// One server does ten a second, twenty are asked: the backlog grows by ten a
// second and the latency is counted from due.
func TestALoadBeyondCapacityPilesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turn := make(chan struct{}, 1) // one at a time
		w := startWhole(t, func(time.Duration) time.Duration {
			turn <- struct{}{}
			time.Sleep(100 * time.Millisecond)
			<-turn
			return 0
		}, oneLane(20, 10*time.Second))
		s := w.wait()
		w.close()
		if got := s.Total.Seconds[9].Backlog(); got < 95 || got > 105 {
			t.Errorf("%d open at 10 s, want 100 ± 5", got)
		}
		if got := s.Total.Cohorts[9].Responses(s.At).Quantile(0.5).Value; got < 8*time.Second {
			t.Errorf("the last second's median is %s, want over 8 s", got)
		}
	})
}
