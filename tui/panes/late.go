package panes

import (
	"fmt"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/format"
)

// judgement is how the driver keeps its schedule.
type judgement struct {
	late  bool          // in the last seconds, or over a run that is over
	now   bool          // in the last one of them too
	lag   time.Duration // p99 of the last second, or of the run; Never if there is none
	limit time.Duration
}

func judged(live *ledger.Snapshot) judgement {
	s := closed(live)
	if live.Phase == ledger.Ended {
		d := live.Total.LagDist
		j := ledger.JudgeDriver(d, live.Total.Service)
		return judgement{j.Late, j.Late, flowOf(live, &live.Total).lag, j.Limit}
	}
	j := judgement{late: live.Lateness.Late, lag: ledger.Never, limit: live.Lateness.Limit}
	if n := len(s.Total.Seconds); n > 0 {
		j.lag = s.Total.Seconds[n-1].LagP99
	}
	j.now = j.late && j.lag > j.limit
	return j
}

// mark is the shape and the colour of a driver that is late; of one that was,
// up to the last second but one.
func (j *judgement) mark(t *Theme) (string, cells.Style) {
	if j.now {
		return "▲", t.Bad
	}
	return "◆", t.Attention
}

// badge lists, longest first, what the header may say of a driver that is late:
// in words, in short, no more than that it is, and that in one word.
func (v *View) badge(s *ledger.Snapshot, j *judgement) []string {
	shape, _ := j.mark(v.Theme)
	late := shape + " " + v.say(lang.SayDriverWasLate)
	if j.now && s.Phase != ledger.Ended {
		late = shape + " " + v.say(lang.SayDriverLate)
	}
	least := shape + " " + v.say(lang.SayLate)
	if j.lag == ledger.Never || !j.now {
		return []string{late, least} // the last second is not the one that was late
	}
	lag, limit := fixed(j.lag), format.Join(format.Dur(j.limit))
	of := late
	if v.oneOfMany(s) { // beside the lag of that lane
		of += "  " + v.say(lang.SayAllLanes)
	}
	words := of + "  " + v.say(lang.HeadLag) + " " + v.say(lang.HeadP99) + " " + lag + "  " + v.say(lang.SayLimit) + " " + limit
	return []string{words, of + " " + lag + " > " + limit, late, least}
}

// leastBadge is how many cells the shortest badge takes with its gap; 0 of a driver
// that is on time.
func (v *View) leastBadge(s *ledger.Snapshot) int {
	j := judged(s)
	if !j.late {
		return 0
	}
	texts := v.badge(s, &j)
	return cells.Width(texts[len(texts)-1]) + 2
}

// driverLate writes the badge so that it ends before cell end, and returns where
// it begins; end where there is nothing to say. It is the longest one beside which
// what is asked fits, else the shortest.
func driverLate(b *cells.Buf, r cells.Rect, end int, v *View, s *ledger.Snapshot, fits func(end int) bool) int {
	j := judged(s)
	if !j.late {
		return end
	}
	_, st := j.mark(v.Theme)
	texts := v.badge(s, &j)
	for i, text := range texts {
		x := end - cells.Width(text)
		if fits(x-2) || i == len(texts)-1 && x-r.X > 8 {
			b.Text(x, r.Y, end-x, text, st.With(cells.Bold))
			return x - 2
		}
	}
	return end
}

// fixed is a span of time in seven cells, up to 100 s.
func fixed(d time.Duration) string {
	num, unit := format.Dur(d)
	return fmt.Sprintf("%4s %-2s", num, unit)
}
