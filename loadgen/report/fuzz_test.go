package report

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
	"dev.example/pileup/probes"
)

// FuzzReport holds that whatever is in a snapshot, even what no ledger would
// make, is reported without a panic and as valid JSON.
func FuzzReport(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Add(uint64(0xffffffffffffffff))
	dists := []*ledger.Dist{nil, puzzle(f).Total.Response, mixed(f).Total.LagDist}
	f.Fuzz(func(t *testing.T, seed uint64) {
		m := maker{rand.New(rand.NewPCG(seed, 1)), dists}
		s := m.snapshot()
		if m.yes() {
			s.AtClose = m.snapshot()
		}
		asked := some4(m, m.verdict)
		var b bytes.Buffer
		if err := WriteJSON(&b, s, nil, asked...); err != nil {
			t.Fatal(err)
		}
		if !json.Valid(b.Bytes()) {
			t.Fatalf("not JSON: %s", b.Bytes())
		}
		Start(lang.English, s.Setup)
		Seconds(lang.English, s, m.IntN(5))
		End(lang.English, s, asked...)
	})
}

func TestEmptySnapshot(t *testing.T) {
	s := new(ledger.Snapshot)
	var b bytes.Buffer
	if err := WriteJSON(&b, s, nil); err != nil || !json.Valid(b.Bytes()) {
		t.Errorf("got %s, %v", b.Bytes(), err)
	}
	got := Start(lang.English, s.Setup) + Seconds(lang.English, s, 0) + End(lang.English, s)
	if want := "nothing was due\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// maker makes snapshots of anything.
type maker struct {
	*rand.Rand
	dists []*ledger.Dist
}

func (m maker) yes() bool { return m.IntN(2) == 0 }

func (m maker) n() int64 {
	return [...]int64{0, 1, int64(m.IntN(1000)), m.Int64(), -m.Int64N(9)}[m.IntN(5)]
}

func (m maker) at() time.Duration {
	return [...]time.Duration{0, ledger.Never, time.Duration(m.Int64()), time.Duration(m.IntN(1e10)), -time.Second}[m.IntN(5)]
}

func (m maker) dist() *ledger.Dist { return m.dists[m.IntN(len(m.dists))] }

func some4[T any](m maker, one func() T) (list []T) {
	for range m.IntN(4) {
		list = append(list, one())
	}
	return list
}

func (m maker) snapshot() *ledger.Snapshot {
	s := &ledger.Snapshot{
		Why: [...]string{"", "cut", "quit", "\x00\""}[m.IntN(4)], At: m.at(), Phase: ledger.Phase(m.IntN(5)), Closed: m.IntN(9), Total: m.lane(), Lanes: some4(m, m.lane),
		SendingEnded: m.at(), Segments: some4(m, m.segment), Series: some4(m, m.series),
	}
	s.Targets = some4(m, func() ledger.TargetState {
		return ledger.TargetState{
			Tally: ledger.Tally{Target: m.IntN(4) - 1, Due: m.n(), OK: m.n(), Gone: m.yes(), GoneAt: m.at(), BackAt: m.at()},
			Idle:  m.at(), IdleShare: float64(m.n()) / float64(m.n()), Idles: m.n(),
			Idling: some4(m, func() ledger.Span { return ledger.Span{From: m.at(), To: m.at()} }),
		}
	})
	if m.yes() {
		s.Setup = [...]*ledger.Setup{oneLane(), twoLanes(), {}}[m.IntN(3)]
	}
	return s
}

func (m maker) lane() ledger.Lane {
	l := ledger.Lane{
		Info: ledger.LaneSetup{ID: m.IntN(5) - 2, Name: string(rune(m.IntN(1 << 16)))}, Oldest: m.at(),
		Seconds: some4(m, m.second), Cohorts: some4(m, m.cohort), Older: m.cohort(),
		Targets:  some4(m, func() ledger.Tally { return ledger.Tally{Target: m.IntN(4) - 1, OK: m.n(), Failed: m.n()} }),
		Peers:    some4(m, func() ledger.Peer { return ledger.Peer{Addr: "[::1]:80", OK: m.n()} }),
		Response: m.dist(), Service: m.dist(), LagDist: m.dist(),
		Failures: some4(m, m.failures), OtherFailures: m.n(),
	}
	l.Totals = ledger.Totals{
		Due: m.n(), OK: m.n(), Failed: m.n(), InFlight: m.n(), Held: m.n(), Censored: max(0, m.n()), Over: m.at(),
		Late: m.n(), Up: m.n(), Down: m.n(), Sending: m.at(), Fail: m.counts(),
	}
	return l
}

func (m maker) failures() ledger.FailureGroup {
	sample := func() ledger.FailureSample {
		return ledger.FailureSample{At: m.at(), Lane: m.IntN(4) - 1, I: m.n(), Target: m.IntN(4) - 1, Text: strings.Repeat("no ", m.IntN(200)) + string(rune(m.IntN(1<<16)))}
	}
	return ledger.FailureGroup{Class: ledger.Class(m.IntN(30)), Code: m.IntN(600), Count: m.n(), First: sample(), Last: sample()}
}

func (m maker) verdict() ledger.Verdict {
	x := func() float64 {
		return [...]float64{0, m.Float64(), -m.Float64(), float64(m.n()), math.NaN(), math.Inf(1)}[m.IntN(6)]
	}
	return ledger.Verdict{
		SLO: ledger.SLO{
			Lane: [...]string{"", "A"}[m.IntN(2)], Figure: ledger.SLOFigure(m.IntN(6)),
			Percent: x(), Op: "<", Limit: x(),
		},
		Known: m.yes(), Held: m.yes(), Value: x(), Bound: ledger.Bound(m.IntN(5)), N: m.n(), Thin: m.yes(),
	}
}

func (m maker) counts() (c ledger.Counts) {
	for i := range c {
		c[i] = m.n()
	}
	return c
}

func (m maker) second() ledger.Second {
	return ledger.Second{
		K: int(m.n()), Span: m.IntN(61), Due: m.n(), Sent: m.n(), OK: m.n(), Failed: m.n(), Fail: m.counts(),
		LagP99: m.at(), LagMax: m.at(), Held: m.n(), InFlight: m.n(), OldLeft: m.n(), ThisLeft: m.n(),
	}
}

func (m maker) cohort() *ledger.Cohort {
	if m.yes() {
		return nil
	}
	return &ledger.Cohort{
		K: int(m.n()), Span: m.IntN(61), Due: m.n(), OK: m.n(), Failed: m.n(), Open: max(0, m.n()>>8), Unsent: m.n(),
		LastSent: m.at(), Youngest: m.at(), Censored: max(0, m.n()>>8), Over: m.at(), Response: m.dist(), Service: m.dist(),
	}
}

func (m maker) segment() ledger.Segment {
	return ledger.Segment{
		ID: int(m.n()), From: m.at(), To: m.at(), By: "rate",
		Settings: some4(m, func() ledger.Setting {
			return ledger.Setting{Arrivals: pace.Arrivals(m.IntN(4)), Rate: float64(m.n())}
		}),
		Modes: some4(m, func() string { return "MAXN" }), Due: some4(m, m.n),
	}
}

func (m maker) series() probes.Series {
	return probes.Series{Name: "driver", Points: some4(m, func() probes.Point {
		if m.yes() {
			return probes.Point{At: m.at()}
		}
		return probes.Point{At: m.at(), Sample: &probes.Sample{Own: probes.Process{CPU: probes.Of(float64(m.n()))}}}
	})}
}
