package report

import (
	"cmp"
	"slices"
	"strings"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

// totals prints a labelled line for each sum, then the latencies.
func (p *printer) totals() {
	r := ratesOf(p.lane, p.s)
	p.title(lang.TableTotals)
	lines := labels{{p.c.T(lang.TotalRequests), p.requests()}}
	lines.add(p.c.T(lang.TotalFailed), p.failures()...)
	lines.add(p.c.T(lang.TotalTime), p.time()...)
	switch offered, known := r.offered.Get(); {
	case known:
		lines.add(p.c.T(lang.TotalOffered), p.c.T(lang.TotalPerSecond, lang.With("rate", offered)))
	case closedLoop(p.lane, p.s):
		lines.add(p.c.T(lang.TotalOffered), p.closed())
	}
	lines.add(p.c.T(lang.TotalThroughput), p.throughput(&r))
	if p.s.Closed > 0 {
		lines.add(p.c.T(lang.TotalBacklog), p.c.T(lang.TotalBacklogMost, lang.With("n", p.lane.PeakBacklog)))
	}
	lines.add(p.c.T(lang.TotalBytes), p.c.T(lang.TotalBytesBoth,
		lang.With("up", lang.Bytes(p.lane.Up)), lang.With("down", lang.Bytes(p.lane.Down))))
	lines.add(p.c.T(lang.TotalTargets), p.targets()...)
	lines.add(p.c.T(lang.TotalPeers), p.peers()...)
	lines.write(p.Builder)
	p.latencies()
	if p.lane.Late > 0 {
		p.WriteString("  " + p.c.T(lang.TotalLate, lang.With("n", p.lane.Late)) + "\n")
	}
}

// closed stands for a number that a closed loop has not.
func (p *printer) closed() string { return lang.Nothing + " " + p.c.Arrivals(pace.Closed.String()) }

// throughput says it of the whole time and of its parts: of one that is all of it
// only once.
func (p *printer) throughput(r *rates) string {
	all, sending, draining := value(r.all), value(r.sending), value(r.draining)
	if a, b := r.all.x, r.sending.x; draining == nil && lang.Number(a) == lang.Number(b) {
		sending = nil
	}
	return p.c.T(lang.TotalPhases, lang.With("all", all), lang.With("sending", sending), lang.With("draining", draining))
}

// value is what a sentence is given of a number.
func value(n Number) any {
	if x, known := n.Get(); known {
		return x
	}
	return nil
}

// some is n, or nothing where it is 0 and need not be said.
func some(n int64) any {
	if n == 0 {
		return nil
	}
	return n
}

func (p *printer) requests() string {
	l := p.lane
	return p.c.T(lang.TotalCount, lang.With("due", l.Due), lang.With("ok", l.OK), lang.With("failed", l.Failed),
		lang.With("inflight", some(l.InFlight)), lang.With("held", some(l.Held)))
}

// failures are the counts by class, the most frequent first.
func (p *printer) failures() (list []string) {
	fail := &p.lane.Fail
	var classes []ledger.Class
	for class, n := range fail {
		if n > 0 {
			classes = append(classes, ledger.Class(class))
		}
	}
	slices.SortStableFunc(classes, func(a, b ledger.Class) int { return cmp.Compare(fail[b], fail[a]) })
	for _, class := range classes {
		list = append(list, p.c.T(lang.TotalFailedClass, lang.With("n", fail[class]), lang.With("class", class.String())))
	}
	return list
}

// time is how long the lane, or the run, went on and, if that was not left to
// end, what ended it.
func (p *printer) time() []string {
	end, paused, draining := p.s.EndOf(p.lane), ledger.Never, ledger.Never
	if stop := p.lane.AtEnd.At; p.lane.Ended {
		draining = end - stop
		if stop > p.lane.Sending {
			paused = stop - p.lane.Sending
		}
	}
	parts := p.c.T(lang.TotalTimeParts, lang.With("total", measured(end)), lang.With("sending", measured(p.lane.Sending)),
		lang.With("paused", measured(paused)), lang.With("draining", measured(draining)))
	switch p.s.Why {
	case "", "done", "failed":
		return []string{parts}
	case "cut":
		return []string{parts, p.c.T(lang.KeyCut)}
	case "quit":
		return []string{parts, p.c.T(lang.KeyQuit)}
	}
	return []string{parts, p.c.T(lang.TotalEndedBy, lang.With("by", p.s.Why))}
}

// targets says what each target of a lane answered. A single target is that of
// all lanes; of several, all lanes together have a table of their own.
func (p *printer) targets() (list []string) {
	states := p.s.Targets
	if whole := p.lane == &p.s.Total; whole == (len(states) > 1) {
		return nil
	}
	for _, t := range p.lane.Targets {
		idle, share := any(nil), any(nil)
		if len(states) == 1 && states[0].Idle > 0 && idleKnown(p.s) {
			idle, share = measured(states[0].Idle), percent(states[0].IdleShare)
		}
		list = append(list, p.c.T(lang.TotalTarget, lang.With("target", targetName(p.s.Setup, t.Target)),
			lang.With("ok", t.OK), lang.With("failed", some(t.Failed)), lang.With("idle", idle), lang.With("share", share)))
	}
	if len(states) == 1 && states[0].Gone {
		list = append(list, p.c.T(lang.TargetGone, lang.With("target", targetName(p.s.Setup, states[0].Target)), lang.With("at", measured(states[0].GoneAt))))
	}
	return list
}

func (p *printer) peers() (list []string) {
	for _, peer := range p.lane.Peers {
		list = append(list, p.c.T(lang.TotalPeer, lang.With("peer", peer.Addr), lang.With("ok", peer.OK)))
	}
	return list
}

// latencies prints response, service and lag, each in the unit that suits it.
func (p *printer) latencies() {
	l := latenciesOf(p.lane, p.s)
	t := table{left: true}
	t.add("", "", p.c.T(lang.HeadN), p.c.T(lang.HeadMean), p.c.T(lang.HeadMin), p.c.T(lang.HeadP50),
		p.c.T(lang.HeadP90), p.c.T(lang.HeadP95), p.c.T(lang.HeadP99), p.c.T(lang.HeadMax))
	row := func(name lang.ID, of ledger.Times) {
		most, _ := of.Max()
		unit := scaleFor(most)
		t.add("  "+p.c.T(name), unit.name, count(of.OK().N()), unit.bound(of.Mean()), unit.smallest(of),
			unit.quantile(of.Quantile(0.50)), unit.quantile(of.Quantile(0.90)), unit.quantile(of.Quantile(0.95)),
			unit.quantile(of.Quantile(0.99)), unit.bound(of.Max()))
	}
	row(lang.HeadResponse, l.response)
	row(lang.HeadService, l.service)
	if onlyClosed(p.lane, p.s) {
		t.add(append([]string{"  " + p.c.T(lang.HeadLag), ""}, slices.Repeat([]string{lang.Nothing}, len(t.rows[0])-2)...)...)
	} else {
		row(lang.HeadLag, l.lag)
	}
	p.WriteByte('\n')
	t.write(p.Builder)
	p.leftOut()
	p.legend(marks(&t)...)
	if closedLoop(p.lane, p.s) {
		p.legend(lang.LegendClosed)
	}
	if onlyClosed(p.lane, p.s) {
		p.legend(lang.LegendNoLag)
	}
}

// leftOut says of how many requests the latencies are, where some are of none.
func (p *printer) leftOut() {
	l, _ := p.s.Reached(p.lane)
	if l == nil || l.Failed <= l.Censored {
		return
	}
	p.say(p.c.T(lang.LegendLeftOut, lang.With("ok", l.OK), lang.With("lost", some(l.Censored)), lang.With("n", l.Failed-l.Censored)))
}

// labels are texts with a label before each.
type labels [][2]string

// columns bounds a line where it can be broken.
const columns = 80

// add appends a label with a list, broken into lines that fit.
func (l *labels) add(label string, list ...string) {
	room := columns - 16
	var text string
	for i, item := range list {
		switch {
		case i == 0:
			text = item
		case width(text)+2+width(item) > room:
			*l = append(*l, [2]string{label, text + ","})
			label, text = "", item
		default:
			text += ", " + item
		}
	}
	if text != "" {
		*l = append(*l, [2]string{label, text})
	}
}

func (l labels) write(b *strings.Builder) {
	widest := 0
	for _, line := range l {
		widest = max(widest, width(line[0]))
	}
	for _, line := range l {
		b.WriteString("  " + line[0] + strings.Repeat(" ", widest-width(line[0])) + gap + cleanLine(line[1]) + "\n")
	}
}
