package report

import (
	"slices"
	"strings"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
)

// End returns the tables of a run: what happened in each second, what became
// of the requests due in each, and totals; for each lane if there are several,
// then for all. Behind them stands what is asked of a run at a glance: how its
// targets fared, what failed, its mean and end, how it stands with what was asked
// of it, if anything was, and whether pileup itself kept its schedule.
func End(c *lang.Catalogue, s *ledger.Snapshot, asked ...ledger.Verdict) string {
	var b strings.Builder
	if ended(s) && s.Total.Due > 0 {
		b.WriteString(outcome(c, s) + "\n")
	}
	if s.Total.Due == 0 {
		b.WriteString(c.T(lang.PlainNothing) + "\n")
		return Clean(b.String())
	}
	for _, l := range lanesAndTotal(s, c.T(lang.TableAll)) {
		p := printer{Builder: &b, c: c, s: s, named: l}
		p.seconds()
		p.cohorts()
		p.totals()
	}
	p := printer{Builder: &b, c: c, s: s, named: named{lane: &s.Total}}
	p.targetStates()
	p.failureKinds()
	p.ends()
	p.verdicts(asked)
	p.driver()
	return Clean(b.String())
}

// printer prints the tables of one lane.
type printer struct {
	*strings.Builder
	c *lang.Catalogue
	s *ledger.Snapshot
	named
}

func (p *printer) title(id lang.ID) {
	p.WriteString("\n" + p.c.T(id, lang.With("lane", p.name)) + "\n")
}

func (p *printer) legend(ids ...lang.ID) {
	for _, id := range ids {
		p.say(p.c.T(id))
	}
}

// say prints a sentence below a table, on several lines where it is long.
func (p *printer) say(text string) { p.hang("  ", text) }

// hang prints a text behind a label, and below its own beginning where it is
// long.
func (p *printer) hang(label, text string) {
	for line := range strings.Lines(wrap(cleanLine(text), columns-width(label))) {
		p.WriteString(label + strings.TrimRight(line, " \n") + "\n")
		label = strings.Repeat(" ", width(label))
	}
}

func (p *printer) seconds() {
	t := table{}
	t.add(p.c.T(lang.HeadSecond), p.c.T(lang.HeadOpenDue), p.c.T(lang.HeadEarlier), p.c.T(lang.HeadThis),
		p.c.T(lang.HeadSent), p.c.T(lang.HeadOK), p.c.T(lang.HeadFailed), p.c.T(lang.HeadLastSent))
	t.add("", "", "", "", "", "", "", clock.name)
	due, cohorts, joined := dueBefore(p.s, p.lane), cohortByK(p.lane), false
	for i := range p.lane.Seconds {
		sec := &p.lane.Seconds[i]
		sent := lang.Nothing
		if at := allSentAt(sec, cohorts); at != ledger.Never {
			sent = clock.format(at - time.Duration(sec.K-1)*time.Second)
		}
		earlier, this := ratio(sec.OldLeft, due), ratio(sec.ThisLeft, sec.Due)
		switch {
		case sec.Span > 1: // both are of its last second, whose own due is not kept
			earlier, this, joined = count(sec.OldLeft), count(sec.ThisLeft), true
		case sec.OldLeft > due: // some of those were told of late, and are among its own
			earlier, this = count(sec.OldLeft), count(sec.ThisLeft)
		}
		t.add(span(sec.K, sec.Span), ratio(sec.Backlog(), due+sec.Due), earlier, this,
			count(sec.Sent), count(sec.OK), count(sec.Failed), sent)
		due += sec.Due
	}
	p.title(lang.TableSeconds)
	t.write(p.Builder)
	p.legend(lang.LegendSeconds)
	if joined {
		p.legend(lang.LegendJoined)
	}
}

func (p *printer) cohorts() {
	list := slices.DeleteFunc(slices.Clone(p.lane.Cohorts), func(c *ledger.Cohort) bool { return c == nil || c.Due == 0 })
	if p.lane.Older != nil {
		list = append([]*ledger.Cohort{p.lane.Older}, list...)
	}
	if len(list) == 0 {
		return
	}
	unit := scaleFor(longest(list, p.s.At))
	t := table{}
	t.add(p.c.T(lang.HeadSecond), p.c.T(lang.HeadDue), p.c.T(lang.HeadOK), p.c.T(lang.HeadFailed), p.c.T(lang.HeadOpen),
		p.c.T(lang.HeadMean), p.c.T(lang.HeadMin), p.c.T(lang.HeadMax),
		p.c.T(lang.HeadP25), p.c.T(lang.HeadP50), p.c.T(lang.HeadP75))
	t.add("", "", "", "", "", unit.name, unit.name, unit.name, unit.name, unit.name, unit.name)
	for _, c := range list {
		name := span(c.K, c.Span)
		if c == p.lane.Older {
			name = p.c.T(lang.HeadOlder)
		}
		at := c.Responses(p.s.At)
		t.add(name, count(c.Due), count(c.OK), count(c.Failed), count(c.Open),
			unit.bound(at.Mean()), unit.smallest(at), unit.bound(at.Max()),
			unit.quantile(at.Quantile(0.25)), unit.quantile(at.Quantile(0.50)), unit.quantile(at.Quantile(0.75)))
	}
	p.title(lang.TableCohorts)
	t.write(p.Builder)
	p.legend(append([]lang.ID{lang.LegendCohorts}, marks(&t)...)...)
}

// longest is the longest time that a row of these cohorts shows.
func longest(list []*ledger.Cohort, at time.Duration) time.Duration {
	var d time.Duration
	for _, c := range list {
		most, _ := c.Responses(at).Max()
		d = max(d, most)
	}
	return d
}

// marks are the legends of the marks that a table shows.
func marks(t *table) (ids []lang.ID) {
	for _, m := range []struct {
		mark string
		id   lang.ID
	}{{"(", lang.LegendThin}, {"≥", lang.LegendAtLeast}, {">", lang.LegendOver}} {
		if slices.ContainsFunc(t.rows, func(row []string) bool { return strings.Contains(strings.Join(row, ""), m.mark) }) {
			ids = append(ids, m.id)
		}
	}
	return ids
}
