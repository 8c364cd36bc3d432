package report

import (
	"strings"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
)

// Seconds returns a line for each second that closed after second
// after: how many requests are open, of all that were due so far. With several
// lanes each is named behind the total, below it where there are many. Pass
// s.Closed the next time.
func Seconds(c *lang.Catalogue, s *ledger.Snapshot, after int) string {
	var b strings.Builder
	due := dueBefore(s, &s.Total)
	lanes := laneCounts(s)
	for i := range s.Total.Seconds {
		sec := &s.Total.Seconds[i]
		due += sec.Due
		if sec.K <= after {
			continue
		}
		total := c.T(lang.PlainSecond, lang.With("k", sec.K), lang.With("open", sec.Backlog()), lang.With("due", due))
		b.WriteString(total)
		at := width(total)
		for n := range lanes {
			open, all := lanes[n].at(sec.K)
			lane := gap + c.T(lang.PlainSecondLane,
				lang.With("lane", s.Lanes[n].Info.Name), lang.With("open", open), lang.With("due", all))
			if at += width(lane); at > columns && n > 0 {
				b.WriteString("\n" + strings.Repeat(" ", width(total)))
				at = width(total) + width(lane)
			}
			b.WriteString(lane)
		}
		b.WriteByte('\n')
		if s.SendingEnded != ledger.Never && sec.K-1 == int((s.SendingEnded-1)/time.Second) && sec.Backlog() > 0 {
			b.WriteString(c.T(lang.PlainWaiting, lang.With("open", sec.Backlog())) + "\n")
		}
	}
	return b.String()
}

// counter walks through the closed seconds of a lane.
type counter struct {
	lane *ledger.Lane
	i    int
	due  int64 // before second i
	open int64 // at the end of the second before i
}

// laneCounts is one counter a lane, none where the lane is the total.
func laneCounts(s *ledger.Snapshot) []counter {
	if len(s.Lanes) < 2 {
		return nil
	}
	list := make([]counter, len(s.Lanes))
	for i := range list {
		list[i] = counter{lane: &s.Lanes[i], due: dueBefore(s, &s.Lanes[i])}
	}
	return list
}

// at returns the open and the due so far at the end of second k. It is asked
// with rising k.
func (c *counter) at(k int) (open, due int64) {
	for ; c.i < len(c.lane.Seconds) && c.lane.Seconds[c.i].K <= k; c.i++ {
		c.due += c.lane.Seconds[c.i].Due
		c.open = c.lane.Seconds[c.i].Backlog()
	}
	return c.open, c.due
}
