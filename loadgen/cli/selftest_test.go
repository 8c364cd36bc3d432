package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"dev.example/pileup/loadgen/study"
)

// A very short self-test, with everything real: what it came to hangs together,
// whatever the machine is doing.
func TestSelfTest(t *testing.T) {
	if testing.Short() {
		t.Skip("drives as much as the machine can")
	}
	s := study.New("pileup", thisCPU(t.Context()), 50*time.Millisecond)
	var rows []string
	err := measure(t.Context(), s, 50*time.Millisecond, func(w *study.Way) {
		rows = append(rows, fmt.Sprintf("%s %s %d", w.Protocol, w.Path, w.Body/1000))
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"tfs+http raw 2", "tfs+http raw 600", "tfs+http net/http 2", "tfs+http net/http 600"}; !slices.Equal(rows, want) {
		t.Errorf("measured %q, want %q", rows, want)
	}
	if s.Machine.Cores != runtime.NumCPU() || s.Others < 0 || s.Others > float64(s.Machine.Cores) {
		t.Errorf("%+v, others %v", s.Machine, s.Others)
	}
	for _, w := range s.Ways {
		if w.Closed.Slots != defaultSlots || w.Closed.Requests == 0 || w.Closed.PerSecond <= 0 || w.Closed.CPU < 0 {
			t.Errorf("%s, %d bytes: closed %+v", w.Path, w.Body, w.Closed)
		}
		o := w.Open
		if o == nil {
			continue // the machine is busy
		}
		if o.PerSecond > w.Closed.PerSecond || o.Requests == 0 || o.Lag50 > o.Lag99 || o.Lag99 > max(0.001, o.Service/100) {
			t.Errorf("%s, %d bytes: open %+v beside closed %+v", w.Path, w.Body, o, w.Closed)
		}
	}
}

func TestSelfTestInterrupted(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		ctx, cancel := context.WithCancelCause(t.Context())
		var out, errs bytes.Buffer
		f := selfTestFlags{json: asJSON, length: time.Minute}
		time.AfterFunc(100*time.Millisecond, func() { cancel(killed{os.Interrupt}) })
		code, err := f.run(ctx, streams{out: &out, err: &errs})
		if code != exitCut || err != nil {
			t.Errorf("exit code %d, %v", code, err)
		}
		if asJSON && out.Len() > 0 || strings.Contains(errs.String(), "kept") {
			t.Errorf("it says %q and %q", out.String(), errs.String())
		}
	}
}

func TestSelfTestTable(t *testing.T) {
	var out bytes.Buffer
	table := selfTestTable{&out}
	s := &study.SelfTest{Tool: "pileup 0.1.0", Machine: study.Machine{CPU: "Some CPU", Cores: 2}, Others: 1.25, Ways: []study.Way{
		{Path: "raw", Body: 2043, Closed: study.ClosedLoop{PerSecond: 61234.5}, Open: &study.OpenLoop{PerSecond: 23000, Lag50: 0.000011, Lag99: 0.00041, Service: 0.00015, CPU: 0.031}},
		{Path: "net/http", Body: 600_080, Closed: study.ClosedLoop{PerSecond: 999.9}},
	}}
	table.head(s)
	for i := range s.Ways {
		table.row(&s.Ways[i])
	}
	table.foot(s)
	_, got, _ := strings.Cut(out.String(), "\n\n")
	want := `path         body  closed loop  open loop  lag p50  lag p99  service p50  CPU per 1000
                           1/s        1/s       ms       ms           ms            ms
raw       2.04 kB        61234      23000   0.0110    0.410        0.150          31.0
net/http   600 kB         1000          –        –        –            –             –

  closed loop: 64 requests open at once, the next when one is done
  open loop: the highest rate found whose lag p99 stays within 1 ms, or 1 % of the
  service p50; what is behind it is of that rate; CPU is driver and server
  Driver and server share this machine, so each rate is a floor.
  –: at none of the rates that were tried was all sent in time
  Other programs kept 1.25 of 2 cores busy meanwhile: a calm machine can do more.
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
