package report

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
)

// In no row of a run that was cut does a figure contradict the one before it:
// min, the quantiles and max rise, and behind a bound stand only bounds.
func TestFiguresOfACutRunRise(t *testing.T) {
	bounds := 0
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 7))
		s := &ledger.Snapshot{Phase: ledger.Ended, Why: "cut", At: 4 * time.Second, SendingEnded: 3 * time.Second}
		of := func(ok int) (response, service *ledger.Dist) {
			l := ledger.New(&ledger.Setup{Limit: 100, Targets: []ledger.Target{{Name: "x"}}, Lanes: []ledger.LaneSetup{{Name: "A", Targets: []int{0}}}})
			for i := range int64(ok) {
				sent, done := time.Duration(rng.IntN(500))*time.Millisecond, time.Duration(500+rng.IntN(2000))*time.Millisecond
				e := ledger.Event{I: i, Kind: ledger.Due, Sent: ledger.Never}
				for _, kind := range []ledger.Kind{ledger.Due, ledger.Sent, ledger.Done} {
					if e.Kind = kind; kind != ledger.Due {
						e.Sent, e.Done = sent, done
					}
					if err := l.Apply(e); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := l.Advance(4*time.Second, []time.Duration{4 * time.Second}); err != nil {
				t.Fatal(err)
			}
			lane := l.Snapshot().Total
			return lane.Response, lane.Service
		}
		ok, cut := rng.IntN(20), 1+rng.IntN(100)
		l := &s.Total
		l.Due, l.OK, l.Failed = int64(ok+cut), int64(ok), int64(cut)
		l.Fail[ledger.CutOff] = l.Failed
		l.Response, l.Service = of(ok)
		l.LagDist = &ledger.Dist{}
		l.Censored, l.CensoredSent = l.Failed, int64(rng.IntN(cut+1))
		l.Over, l.OverSent = 1500*time.Millisecond+time.Duration(rng.IntN(2500))*time.Millisecond, time.Duration(rng.IntN(2500))*time.Millisecond
		l.Seconds = []ledger.Second{{K: 1, Span: 1, Due: l.Due, Sent: l.Due}}
		l.Cohorts = []*ledger.Cohort{{K: 1, Span: 1, Due: l.Due, OK: l.OK, Failed: l.Failed, Response: l.Response, Service: l.Service, Censored: l.Censored, Over: l.Over, CensoredSent: l.CensoredSent, OverSent: l.OverSent}}
		rows := 0
		for line := range strings.Lines(End(lang.English, s)) {
			f := strings.Fields(line)
			switch {
			case len(f) == 10 && (f[0] == "response" || f[0] == "service"):
				f = append([]string{f[4]}, f[5:]...)
			case len(f) == 11 && f[0] == "1": // mean, min and max stand before the quartiles
				f = []string{f[6], f[8], f[9], f[10], f[7]}
			default:
				continue
			}
			rows++
			last, bound := 0.0, false
			for _, word := range f {
				num := strings.Trim(word, "()≥>")
				if num == lang.Nothing {
					continue
				}
				x, err := strconv.ParseFloat(num, 64)
				if err != nil {
					t.Fatal(err)
				}
				isBound := strings.ContainsAny(word, "≥>")
				if x < last || bound && !isBound {
					t.Errorf("seed %d: %q contradicts what stands before it:\n%s", seed, word, line)
				}
				if last, bound = x, isBound; bound {
					bounds++
				}
			}
		}
		if rows != 3 {
			t.Fatalf("seed %d: %d rows in\n%s", seed, rows, End(lang.English, s))
		}
	}
	if bounds == 0 {
		t.Error("no figure is a bound")
	}
}
