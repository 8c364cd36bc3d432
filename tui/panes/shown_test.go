package panes

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/probes"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/chart"
)

// many are the cores from…to−1, each as busy as its number.
func many(from, to int) *probes.Sample {
	p := &probes.Sample{}
	for id := from; id < to; id++ {
		p.Cores = append(p.Cores, probes.Core{ID: id, Online: true, Busy: probes.Of(float64(id % 100))})
	}
	return p
}

// TestCoresKeepTheirNumbers however many digits they have.
func TestCoresKeepTheirNumbers(t *testing.T) {
	s := &ledger.Snapshot{Setup: &ledger.Setup{}, Series: []probes.Series{
		probes.Series{Name: "epyc"}.With(probes.Point{Sample: many(96, 128)}),
	}}
	for _, w := range []int{30, 60, 100, 200} {
		for _, h := range []int{7, 14, 40} {
			b := cells.NewBuf(w, h)
			(&Cores{}).Draw(b, b.Rect(), view(t), s)
			got := b.String()
			if strings.Contains(got, "▁ ") || !strings.ContainsAny(got, "1") {
				continue // there is no room for numbers: blocks
			}
			if strings.Contains(got, "100") && !strings.Contains(got, "127") || strings.Contains(got, "…") {
				t.Errorf("%dx%d:\n%s", w, h, got)
			}
		}
	}
}

// TestHistoryIsOfTheCore, not of its place in the sample: one may be gone.
func TestHistoryIsOfTheCore(t *testing.T) {
	m := probes.Series{}.
		With(probes.Point{Sample: many(0, 4)}).
		With(probes.Point{Sample: many(2, 4)}).
		With(probes.Point{Sample: many(0, 2)})
	got := history(&m, 2, 9)
	if got[0] != 2 || got[1] != 2 || !math.IsNaN(got[2]) {
		t.Errorf("core 2 was %v busy, want 2, 2 and not known", got)
	}
}

func TestBusiestLeadsOut(t *testing.T) {
	n := func(name string, flow, link float64) probes.Net {
		out := probes.Net{Name: name, Tx: probes.Of(flow), Rx: probes.Of(0)}
		if link > 0 {
			out.Link = probes.Of(link)
		}
		return out
	}
	for _, tt := range []struct {
		nets []probes.Net
		want string
	}{
		{[]probes.Net{n("lo", 9e9, 0), n("eth0", 1, 1e9), n("docker0", 5e8, 0)}, "eth0"},
		{[]probes.Net{n("eth0", 1, 1e9), n("eth1", 2, 1e9)}, "eth1"},
		{[]probes.Net{n("lo", 9e9, 0), n("wlan0", 1, 0)}, "wlan0"},
		{[]probes.Net{n("lo", 9e9, 0)}, "lo"},
	} {
		if got := busiest(&probes.Sample{Net: tt.nets}); got.Name != tt.want {
			t.Errorf("of %v: %s, want %s", tt.nets, got.Name, tt.want)
		}
	}
	if busiest(&probes.Sample{}) != nil {
		t.Error("a machine without interfaces has a busiest one")
	}
}

// TestBoundsAreMarks and no points of a line; they take the axis up where they
// leave room for the lines, and never down. Thin quantiles are pale.
func TestBoundsAreMarks(t *testing.T) {
	cohort := func(k int, open int64, seconds ...float64) *ledger.Cohort {
		c := &ledger.Cohort{
			K: k, Span: 1, Due: open + int64(len(seconds)), Open: open, Response: answered(seconds...),
			Youngest: time.Duration(k)*time.Second - time.Millisecond, Over: ledger.Never,
		}
		if open == 0 {
			c.Youngest = ledger.Never
		}
		return c
	}
	s := &ledger.Snapshot{At: 90 * time.Second, Closed: 90, Total: ledger.Lane{Cohorts: []*ledger.Cohort{
		cohort(1, 0, 1, 2, 3), cohort(2, 0, 2, 2, 4), cohort(3, 40), cohort(90, 5),
	}}}
	var p Response
	v := view(t)
	v.Linear = true
	lo, hi := p.fill(v, s, chart.TimeAxis{To: 90 * time.Second, Cols: 80})
	if lo != 2 || hi != 4 {
		t.Errorf("the linear axis is from %v to %v, want what is known: 2 to 4", lo, hi)
	}
	lo, hi = p.fill(view(t), s, chart.TimeAxis{To: 90 * time.Second, Cols: 80})
	if lo != 2 || hi < 87 || hi > 88 {
		t.Errorf("the axis is from %v to %v, want what is known, and up to the bound of 87", lo, hi)
	}
	for i := range quantiles {
		k := p.known[i]
		if i < 2 && len(p.bounds[i]) != 2 || len(k) != 4 || !math.IsNaN(k[2].V) || !math.IsNaN(k[3].V) {
			t.Errorf("quantile %v: known %v, bounds %v", quantiles[i], k, p.bounds[i])
		}
	}
	if p.known[0][0].Pale || !p.known[1][0].Pale {
		t.Error("p50 of three is pale, or p95 is not")
	}
	if !math.IsNaN(p.known[2][0].V) || len(p.bounds[2]) > 0 {
		t.Error("p99 of three is drawn")
	}
	s.Total.Cohorts = s.Total.Cohorts[2:]
	if lo, hi = p.fill(view(t), s, chart.TimeAxis{To: 90 * time.Second, Cols: 80}); hi < 80 || lo > 0.01 {
		t.Errorf("with nothing known the axis is from %v to %v", lo, hi)
	}
}

func TestSecondsOfAnAxis(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 2e-5: "20 µs", 0.2: "200 ms", 5: "5 s", 500: "500 s", 1000: "16m40s", 5000: "1h23m", 1e4: "2h46m",
	} {
		if got := seconds(x); got != want {
			t.Errorf("%v s is %q, want %q", x, got, want)
		}
		if cells.Width(seconds(x)) >= chart.Margin {
			t.Errorf("%q is wider than the margin", seconds(x))
		}
	}
}

// TestNewestIsOneSecond: of joined ones no quantile of a second is said.
func TestNewestIsOneSecond(t *testing.T) {
	joined := &ledger.Cohort{K: 900, Span: 10, Due: 9, Settled: true}
	if c := newest(&ledger.Lane{Cohorts: []*ledger.Cohort{joined}}); c != nil {
		t.Errorf("got that of second %d", c.K)
	}
	if d := lastSent(&ledger.Cohort{K: 900, Span: 10, LastSent: time.Minute}); d != ledger.Never {
		t.Errorf("joined seconds are all sent after %v", d)
	}
	if d := lastSent(&ledger.Cohort{K: 9, Span: 1, LastSent: 8900 * time.Millisecond}); d != 900*time.Millisecond {
		t.Errorf("second 9 is all sent after %v", d)
	}
}

// TestInstantsOfEventsHaveRoom, and touch nothing.
func TestInstantsOfEventsHaveRoom(t *testing.T) {
	s := &ledger.Snapshot{}
	for _, at := range []time.Duration{0, 6125 * time.Second, 30 * time.Hour} {
		s.Notes = append(s.Notes, ledger.Note{At: at, ID: string(lang.NotePaused), Level: ledger.Attention})
	}
	b := cells.NewBuf(40, 6)
	(&Events{}).Draw(b, cells.Rect{W: 40, H: 5}, view(t), s)
	Latest(b, cells.Rect{Y: 5, W: 40, H: 1}, view(t), s)
	for _, want := range []string{"    00:00 ◆ paused", "  1:42:05 ◆ paused", " 30:00:00 ◆ paused", "\n 30:00:00 ◆ paused"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b)
		}
	}
}

// TestNamesOfFiguresAreWhole or left out.
func TestNamesOfFiguresAreWhole(t *testing.T) {
	f := figure{labels: labels([]string{"of second 1019", "@1019"}, "service p50", "svc p50")}
	for w, want := range map[int]string{
		40: "service p50 of second 1019", 25: "service p50 @1019", 16: "svc p50 @1019", 13: "svc p50 @1019", 12: "service p50", 5: "service p50",
	} {
		if got := f.label(w); got != want {
			t.Errorf("in %d cells it is %q, want %q", w, got, want)
		}
	}
}

// TestQuantitiesAreWhole: neither number nor unit loses a part.
func TestQuantitiesAreWhole(t *testing.T) {
	th := view(t).Theme
	for w := range 14 {
		for _, x := range [][2]string{{"26.8", "/s"}, {"5.00", "ms"}, {"≥41m48s", ""}, {"117", "MB/s"}, {"–", ""}} {
			b := cells.NewBuf(20, 2)
			th.join(b, 0, 0, w, x[0], x[1], cells.Style{})
			th.quantity(b, 0, 1, min(w, 5), max(0, w-5), x[0], x[1], cells.Style{})
			for y, line := range strings.Split(b.String(), "\n")[:2] {
				got := strings.TrimSpace(line)
				if whole := strings.TrimSpace(x[0] + " " + x[1]); got != "" && got != "…" && got != whole && got != x[0]+x[1] {
					t.Errorf("%v in %d cells is %q (%d)", x, w, got, y)
				}
			}
		}
	}
}

// TestDrainedIsOfWhatWasOpen when sending ended, not of the peak.
func TestDrainedIsOfWhatWasOpen(t *testing.T) {
	s := &ledger.Snapshot{Phase: ledger.Draining, SendingEnded: 10 * time.Second}
	s.Total.AtEnd.Open, s.Total.InFlight = 60, 10
	f := offered(view(t), s, &s.Total, flow{})
	if f.num+f.unit != "83%" || !f.isShare {
		t.Errorf("50 of 60 are %s%s", f.num, f.unit)
	}
}

// TestWithoutColours what is held and what is in flight are other dots.
func TestWithoutColours(t *testing.T) {
	dots := func(mono bool) string {
		s := &ledger.Snapshot{Closed: 10, Phase: ledger.Sending, SendingEnded: ledger.Never}
		for k := 1; k <= 10; k++ {
			s.Total.Seconds = append(s.Total.Seconds, ledger.Second{K: k, Span: 1, InFlight: 50, Held: 50})
		}
		b := cells.NewBuf(60, 16)
		v := view(t)
		v.Mono = mono
		(&Backlog{}).Draw(b, b.Rect(), v, s)
		return b.String()
	}
	if got := dots(true); !strings.Contains(got, "⣿⣿⣿") || !strings.Contains(got, "⢕⢕") && !strings.Contains(got, "⡪⡪") || !strings.Contains(got, "⢕ held 50") {
		t.Errorf("got\n%s", got)
	}
	if got := dots(false); strings.Contains(got, "⡪⡪") || strings.Contains(got, "⢕") {
		t.Errorf("with colours\n%s", got)
	}
}

// TestLabelsStandBesideTheirLines or not at all.
func TestLabelsStandBesideTheirLines(t *testing.T) {
	s := &ledger.Snapshot{Closed: 30, Phase: ledger.Sending, SendingEnded: ledger.Never, Lanes: make([]ledger.Lane, 1)}
	for k := 1; k <= 30; k++ {
		s.Total.Seconds = append(s.Total.Seconds, ledger.Second{K: k, Span: 1, InFlight: int64(1000 * min(k/10, 1))})
	}
	for i, at := range []int{0, 5, 14, 15, 16, 20} {
		s.Segments = append(s.Segments, ledger.Segment{ID: i, From: time.Duration(at) * time.Second, By: "rate", Settings: []ledger.Setting{{Rate: float64(100 + at)}}})
	}
	for w := 40; w < 110; w++ {
		b := cells.NewBuf(w, 12)
		(&Backlog{}).Draw(b, b.Rect(), view(t), s)
		for line := range strings.SplitSeq(b.String(), "\n") {
			for _, g := range s.Segments[1:] {
				label := fmt.Sprintf("%v/s", g.Settings[0].Rate)
				if strings.Contains(line, label) && !strings.Contains(line, "┊"+label) && !strings.Contains(line, label+"┊") {
					t.Errorf("%d: %s stands apart: %s", w, label, line)
				}
			}
		}
	}
}
