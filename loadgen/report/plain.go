package report

import (
	"strings"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
)

// Start returns the lines that say what is about to be sent, and where.
func Start(c *lang.Catalogue, s *ledger.Setup) string {
	if s == nil {
		return ""
	}
	var b strings.Builder
	line := func(id lang.ID, args ...ledger.Arg) { b.WriteString(c.T(id, args...) + "\n") }
	for _, t := range s.Targets {
		line(lang.PlainTarget, lang.With("target", t.Name), lang.With("url", t.URL), lang.With("protocol", t.Protocol))
	}
	for _, l := range s.Lanes {
		id := lang.PlainLane
		if l.Setting.Rate == 0 {
			id = lang.PlainLaneWaits
		}
		line(id, lang.With("lane", l.Name), lang.With("model", l.Setting.Model),
			lang.With("arrivals", l.Setting.Arrivals.String()), lang.With("rate", l.Setting.Rate),
			lang.With("targets", targetNames(s, l.Targets)))
	}
	for _, p := range s.Payload {
		line(lang.PlainPayload, lang.With("payload", p))
	}
	limit := lang.With("limit", s.Limit)
	if s.Timeout > 0 {
		line(lang.PlainLimits, limit, lang.With("timeout", chosen(s.Timeout)))
	} else {
		line(lang.PlainNoTimeout, limit)
	}
	length, requests := lang.With("length", chosen(s.Length)), lang.With("requests", s.Requests)
	switch {
	case s.Length > 0 && s.Requests > 0:
		line(lang.PlainEither, length, requests)
	case s.Length > 0:
		line(lang.PlainLength, length)
	case s.Requests > 0:
		line(lang.PlainRequests, requests)
	default:
		line(lang.PlainEndless)
	}
	line(lang.PlainSeed, lang.With("seed", s.Seed))
	return b.String()
}

// targetNames lists a lane's targets, nothing where there is only one at all.
func targetNames(s *ledger.Setup, ids []int) string {
	if len(s.Targets) < 2 {
		return ""
	}
	var names []string
	for _, id := range ids {
		names = append(names, targetName(s, id))
	}
	return strings.Join(names, ", ")
}

// Seconds returns a line for each second that closed after second
// after: how many requests are open, of all that were due so far. With several
// lanes each is named behind the total. Pass s.Closed the next time.
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
		b.WriteString(c.T(lang.PlainSecond, lang.With("k", sec.K), lang.With("open", sec.Backlog()), lang.With("due", due)))
		for n := range lanes {
			open, all := lanes[n].at(sec.K)
			b.WriteString("  " + c.T(lang.PlainSecondLane,
				lang.With("lane", s.Lanes[n].Info.Name), lang.With("open", open), lang.With("due", all)))
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
