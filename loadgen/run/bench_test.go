package run

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/runfile"
)

// BenchmarkARateKey turns the dial of a lane on real time and reads in the
// recording how long after its command the first request at the new rate was
// due, and taken up. At 200/s and more that has to be within 10 ms.
func BenchmarkARateKey(b *testing.B) {
	var file bytes.Buffer
	s := setup(1)
	s.Lanes[0].Setting.Rate = 500
	e := &endpoint{service: always(time.Millisecond), start: time.Now()}
	l := New(Options{
		Setup: s, Targets: map[int]loadgen.Target{0: e}, Stay: true, Pacing: loadgen.PrecisePacing,
		Record: func(int) (File, error) { return File{Name: "out", WriteCloser: nopCloser{&file}}, nil },
	})
	if err := l.Prepare(b.Context()); err != nil {
		b.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- l.Run(b.Context()) }()
	rng := rand.New(rand.NewPCG(1, 2))
	asked := time.Duration(0)
	for range b.N {
		time.Sleep(time.Duration(5+rng.IntN(20)) * time.Millisecond)
		before := time.Now()
		id, err := l.Do(ledger.Command{Do: ledger.DoRate, To: 200 + float64(rng.IntN(800))})
		if err != nil {
			b.Fatal(err)
		}
		for ackOf(l.Snapshot(), id).State != ledger.Applied {
			time.Sleep(100 * time.Microsecond)
		}
		asked += time.Since(before)
	}
	time.Sleep(20 * time.Millisecond)
	if _, err := l.Do(ledger.Command{Do: ledger.DoStop, Lane: ledger.All}); err != nil {
		b.Fatal(err)
	}
	for l.Snapshot().Phase != ledger.Ended {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(100 * time.Millisecond) // for the recorder
	due, started := afterCommands(b, file.Bytes())
	report := func(name string, d []time.Duration) {
		slices.Sort(d)
		b.ReportMetric(float64(d[len(d)/2].Microseconds())/1e3, "ms-to-"+name+"-p50")
		b.ReportMetric(float64(d[len(d)-1].Microseconds())/1e3, "ms-to-"+name+"-max")
	}
	report("due", due)
	report("started", started)
	b.ReportMetric(float64(asked.Microseconds())/1e3/float64(b.N), "ms-to-acknowledged")
}

// afterCommands finds in a recording how long after each rate command the next
// request was due and taken up.
func afterCommands(b *testing.B, data []byte) (due, started []time.Duration) {
	run, err := runfile.Load(bytes.NewReader(data))
	if err != nil {
		b.Fatal(err)
	}
	slices.SortFunc(run.Requests, func(a, b ledger.Event) int { return int(a.Due - b.Due) })
	for _, c := range run.Commands {
		if c.Do != ledger.DoRate {
			continue
		}
		i, _ := slices.BinarySearchFunc(run.Requests, c.At, func(e ledger.Event, at time.Duration) int { return int(e.Due - at) })
		if i < len(run.Requests) {
			due = append(due, run.Requests[i].Due-c.At)
			started = append(started, run.Requests[i].Started-c.At)
		}
	}
	return due, started
}
