package panes

import (
	"math"
	"slices"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/chart"
)

// course is the backlog over time in stretches, the shortest a tenth of a
// second, each with the most that was open in it.
type course struct {
	at             []time.Duration // where each begins, and where the last ends
	edge           []float64       // held at each of those
	peak           []float64       // NaN where it is not known
	inFlight, held []float64       // its parts
}

// fill takes the seconds that are on the axis, up to the end of the run, but for
// those in which nothing was seen.
func (p *course) fill(l *ledger.Lane, t chart.TimeAxis, until time.Duration, unseen func(from, to time.Duration) bool) {
	p.at, p.edge, p.peak = p.at[:0], p.edge[:0], p.peak[:0]
	before := int64(0) // held when the second begins
	for i := range l.Seconds {
		c := &l.Seconds[i]
		from, to := time.Duration(c.K-c.Span)*time.Second, time.Duration(c.K)*time.Second
		if to > t.From && from < t.To && from < until && !unseen(from, to) {
			p.begin(from, before)
			p.second(c, from, min(to, until))
		}
		before = c.Held
	}
	p.part()
}

// begin continues at an instant: what is not known up to there is a gap.
func (p *course) begin(at time.Duration, held int64) {
	n := len(p.at)
	if n > 0 && p.at[n-1] == at {
		return
	}
	p.at, p.edge = append(p.at, at), append(p.edge, float64(held))
	if n > 0 {
		p.peak = append(p.peak, math.NaN())
	}
}

// second adds one second, or several that were joined.
func (p *course) second(c *ledger.Second, from, to time.Duration) {
	if !tenthsKnown(c) {
		p.add(to, max(c.Peak, c.Backlog()), c.Held)
		return
	}
	for i := 0; i < len(c.Tenths) && from < to; i++ {
		from += time.Second / 10
		p.add(min(from, to), int64(c.Tenths[i].Peak), int64(c.Tenths[i].Held))
	}
}

func (p *course) add(to time.Duration, peak, held int64) {
	p.at, p.peak, p.edge = append(p.at, to), append(p.peak, float64(peak)), append(p.edge, float64(held))
}

// tenthsKnown reports whether a second has its tenths, which joined ones and
// those of a file without requests have not.
func tenthsKnown(c *ledger.Second) bool {
	most := slices.MaxFunc(c.Tenths[:], func(a, b ledger.Tenth) int { return int(a.Peak) - int(b.Peak) })
	return c.Span == 1 && int64(most.Peak) == c.Peak && c.Peak >= c.Backlog()
}

// part divides the peaks into what was held and what was in flight. Every
// request is held for a moment before it is sent: only where some were at two
// edges in a row is it said.
func (p *course) part() {
	p.inFlight, p.held = p.inFlight[:0], p.held[:0]
	lasts := func(i int) bool {
		return i >= 0 && i+1 < len(p.edge) && p.edge[i] > 0 && p.edge[i+1] > 0
	}
	for i, peak := range p.peak {
		held := 0.0
		if lasts(i-1) || lasts(i) || lasts(i+1) {
			held = math.Min(math.Max(p.edge[i], p.edge[i+1]), peak)
		}
		p.inFlight, p.held = append(p.inFlight, peak-held), append(p.held, held)
	}
}

// until is where the backlog ends: with the run.
func until(s *ledger.Snapshot) time.Duration {
	if s.Phase == ledger.Ended {
		return s.At
	}
	return math.MaxInt64
}
