package report

import (
	"slices"
	"strings"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
)

// outcome says in a line how a run ended.
func outcome(c *lang.Catalogue, s *ledger.Snapshot) string {
	at, cut := lang.With("at", measured(s.At)), s.Total.Fail[ledger.CutOff]
	switch {
	case s.Why != "" && s.Why != "done":
		return c.T(lang.PlainCutShort, at)
	case cut > 0: // by the limit of the drain
		return c.T(lang.PlainGivenUp, at, lang.With("n", cut))
	}
	return c.T(lang.PlainComplete, at)
}

// Seconds returns a line for each second that closed after second
// after: how many requests are open, of all that were due so far, and how many
// were cut in it. The seconds in which pileup stood still are one line. With
// several lanes each is named behind the total, below it where there are many.
// Pass s.Closed the next time. Notes stand before the second they are of, those of
// a later one at the end.
func Seconds(c *lang.Catalogue, s *ledger.Snapshot, after int, notes ...ledger.Note) string {
	var b strings.Builder
	due := dueBefore(s, &s.Total)
	lanes := laneCounts(s)
	for i := 0; i < len(s.Total.Seconds); i++ {
		sec := &s.Total.Seconds[i]
		due += sec.Due
		if sec.K <= after {
			continue
		}
		first := sec.K - max(1, sec.Span)
		for i+1 < len(s.Total.Seconds) && still(s, sec) && still(s, &s.Total.Seconds[i+1]) {
			i++
			sec = &s.Total.Seconds[i]
			due += sec.Due
		}
		for len(notes) > 0 && notes[0].At < time.Duration(sec.K)*time.Second {
			b.WriteString(noteLine(c, &notes[0]))
			notes = notes[1:]
		}
		id := lang.PlainSecond
		if sec.Backlog() == 0 {
			id = lang.PlainSecondDone
		}
		args := []ledger.Arg{lang.With("k", span(sec.K, sec.K-first)), lang.With("open", sec.Backlog()), lang.With("due", due)}
		if cut := sec.Fail[ledger.CutOff]; cut > 0 {
			args = append(args, lang.With("cut", cut))
		}
		total := c.T(id, args...)
		b.WriteString(total)
		at := width(total)
		for n := range lanes {
			open, all := lanes[n].at(sec.K)
			lane := gap + c.T(lang.PlainSecondLane,
				lang.With("lane", cleanLine(s.Lanes[n].Info.Name)), lang.With("open", open), lang.With("due", all))
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
	for i := range notes {
		b.WriteString(noteLine(c, &notes[i]))
	}
	return Clean(b.String())
}

// still reports whether pileup itself stood still all through a second: nothing
// but the schedule went on in it.
func still(s *ledger.Snapshot, sec *ledger.Second) bool {
	if sec.Sent > 0 || sec.OK > 0 || sec.Failed > 0 {
		return false
	}
	from, to := time.Duration(sec.K-max(1, sec.Span))*time.Second, time.Duration(sec.K)*time.Second
	if end := s.SendingEnded; end != ledger.Never && end > from && end <= to {
		return false // there is more to say of it
	}
	return slices.ContainsFunc(s.Notes, func(n ledger.Note) bool {
		if lang.ID(n.ID) != lang.NoteStalled || n.At < to {
			return false
		}
		for _, a := range n.Args {
			if d, ok := a.Value.(time.Duration); ok && a.Name == "for" {
				return n.At-d <= from
			}
		}
		return false
	})
}

func noteLine(c *lang.Catalogue, n *ledger.Note) string {
	return c.T(lang.PlainNote, lang.With("at", n.At), lang.With("text", cleanLine(c.Note(*n)))) + "\n"
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
