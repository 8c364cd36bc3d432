package report

import (
	"strconv"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

// Summarize makes the summary of a run, ended or not. header is the first line
// of its recording, or nil; asked is how it stands with what was asked of it.
func Summarize(s *ledger.Snapshot, header []byte, asked ...ledger.Verdict) Summary {
	sum := Summary{
		Run:          header,
		Why:          s.Why,
		SendingEnded: seconds(s.SendingEnded),
		Total:        totalOf(&s.Total, s),
		Lanes:        []Lane{},
		Targets:      []TargetState{},
		Segments:     []Segment{},
		SLO:          []Verdict{},
		Driver:       driverOf(s),
		Findings:     []struct{}{},
	}
	if ended(s) {
		sum.End = seconds(s.At)
	}
	for i := range s.Lanes {
		sum.Lanes = append(sum.Lanes, laneOf(&s.Lanes[i], s))
	}
	answers := answersOf(s)
	for i := range s.Targets {
		sum.Targets = append(sum.Targets, targetOf(&s.Targets[i], answers[i], s))
	}
	for i := range s.Segments {
		sum.Segments = append(sum.Segments, segmentOf(&s.Segments[i], s))
	}
	for _, v := range asked {
		sum.SLO = append(sum.SLO, verdictOf(v))
	}
	return sum
}

func totalOf(l *ledger.Lane, s *ledger.Snapshot) Total {
	r := ratesOf(l, s)
	t := Total{
		Due: l.Due, OK: l.OK, Failed: l.Failed, Cut: l.Fail[ledger.CutOff],
		Offered: r.offered, Throughput: r.all, ThroughputSending: r.sending, ThroughputDraining: r.draining,
		Fail: map[string]int64{}, Failures: []Failure{}, OtherFailures: l.OtherFailures, BytesUp: l.Up, BytesDown: l.Down,
	}
	if s.Closed > 0 {
		t.BacklogMax = number(float64(l.PeakBacklog))
	}
	last, atLeast := lastDone(l, s)
	if atLeast {
		t.LastDoneAtLeast = seconds(last)
	} else {
		t.LastDone = seconds(last)
	}
	for class, n := range l.Fail {
		if n > 0 {
			t.Fail[ledger.Class(class).String()] = n
		}
	}
	for i := range l.Failures {
		t.Failures = append(t.Failures, failureOf(&l.Failures[i], s))
	}
	at := latenciesOf(l, s)
	t.Response = spread(at.response)
	t.Service = spread(at.service)
	t.Lag.quantile("p50", at.lag.Quantile(0.50))
	t.Lag.quantile("p99", at.lag.Quantile(0.99))
	t.Lag.largest(at.lag)
	return t
}

func failureOf(g *ledger.FailureGroup, s *ledger.Snapshot) Failure {
	sample := func(f *ledger.FailureSample) FailureSample {
		return FailureSample{seconds(f.At), f.Lane, f.I, targetName(s.Setup, f.Target), f.Text}
	}
	return Failure{g.Class.String(), g.Code, g.Count, sample(&g.First), sample(&g.Last)}
}

// spread describes the times of ok requests; in ranks and in the mean the others
// count with what bounds them.
func spread(t ledger.Times) Stats {
	s := Stats{{"n", number(float64(t.OK().N()))}}
	s.mean(t)
	for _, p := range []int{50, 90, 95, 99} {
		s.quantile("p"+strconv.Itoa(p), t.Quantile(float64(p)/100))
	}
	s.largest(t)
	return s
}

func laneOf(l *ledger.Lane, s *ledger.Snapshot) Lane {
	out := Lane{
		ID: l.Info.ID, Name: l.Info.Name, Total: totalOf(l, s),
		Seconds: []Second{}, Cohorts: []Cohort{}, Peers: []Peer{}, Targets: []Target{},
	}
	cohorts := cohortByK(l)
	for i := range l.Seconds {
		out.Seconds = append(out.Seconds, secondOf(&l.Seconds[i], cohorts))
	}
	for _, c := range l.Cohorts {
		if c != nil && c.Due > 0 {
			out.Cohorts = append(out.Cohorts, cohortOf(c, s))
		}
	}
	if l.Older != nil {
		older := cohortOf(l.Older, s)
		out.Older = &older
	}
	for _, p := range l.Peers {
		out.Peers = append(out.Peers, Peer(p))
	}
	for _, t := range l.Targets {
		out.Targets = append(out.Targets, tallyOf(t, l, s))
	}
	return out
}

// tallyOf is the account with a target of a lane, or of all.
func tallyOf(t ledger.Tally, l *ledger.Lane, s *ledger.Snapshot) Target {
	out := Target{Name: targetName(s.Setup, t.Target), Due: t.Due, OK: t.OK, Failed: t.Failed, Open: t.Open}
	if l.Due > 0 {
		out.Share = number(float64(t.Due) / float64(l.Due))
	}
	for i := range s.Targets {
		if s.Targets[i].Target == t.Target && idleKnown(s) {
			out.Idle = seconds(s.Targets[i].Idle)
		}
	}
	return out
}

func targetOf(t *ledger.TargetState, at ledger.Times, s *ledger.Snapshot) TargetState {
	out := TargetState{
		Target: tallyOf(t.Tally, &s.Total, s), Idling: [][2]Number{},
		Response: spread(at),
		Gone:     t.Gone, GoneAt: seconds(t.GoneAt), BackAt: seconds(t.BackAt),
	}
	last, atLeast := lastDoneAt(t, s)
	if atLeast {
		out.LastDoneAtLeast = seconds(last)
	} else {
		out.LastDone = seconds(last)
	}
	if idleKnown(s) {
		out.Idles, out.IdleShare = number(float64(t.Idles)), number(t.IdleShare)
	}
	spans := t.Idling[max(0, len(t.Idling)-mostIdling):]
	if idleKnown(s) {
		out.IdlingLeftOut = t.Idles - int64(len(spans))
	}
	for _, span := range spans {
		out.Idling = append(out.Idling, [2]Number{seconds(span.From), seconds(span.To)})
	}
	return out
}

func secondOf(sec *ledger.Second, cohorts map[int]*ledger.Cohort) Second {
	out := Second{
		K: sec.K, Due: sec.Due, Sent: sec.Sent, OK: sec.OK, Failed: sec.Failed,
		Backlog: sec.Backlog(), Held: sec.Held, InFlight: sec.InFlight,
		OldLeft: sec.OldLeft, ThisLeft: sec.ThisLeft, Peak: sec.Peak,
		SentAllAt: seconds(allSentAt(sec, cohorts)),
	}
	if sec.Span > 1 {
		out.Span = sec.Span
	}
	return out
}

func cohortOf(c *ledger.Cohort, s *ledger.Snapshot) Cohort {
	out := Cohort{K: c.K, Span: c.Span, N: c.Due, Left: c.Open, Failed: c.Failed}
	at := c.Responses(s.At)
	out.Stats.mean(at)
	for _, p := range []int{25, 50, 75, 90, 95, 99} {
		out.Stats.quantile("p"+strconv.Itoa(p), at.Quantile(float64(p)/100))
	}
	out.Stats.largest(at)
	return out
}

func segmentOf(g *ledger.Segment, s *ledger.Snapshot) Segment {
	out := Segment{ID: g.ID, From: seconds(g.From), To: seconds(g.To), By: g.By, Lanes: []Setting{}}
	if g.To == ledger.Never { // the last one ends with sending
		out.To = seconds(s.SendingEnded)
	}
	for i, set := range g.Settings {
		lane := Setting{
			ID: i, Model: set.Model, Target: set.Target, Arrivals: set.Arrivals.String(),
			Rate: number(set.Rate), Slots: set.Slots, Paused: set.Paused,
		}
		if set.Scale != 0 {
			lane.Scale = number(set.Scale)
		}
		if set.Rate == 0 && !rated(s, i, &set) {
			lane.Rate = Number{}
		}
		if i < len(g.Due) {
			lane.Due = g.Due[i]
		}
		out.Lanes = append(out.Lanes, lane)
	}
	for i, mode := range g.Modes {
		if mode == "" || s.Setup == nil || i >= len(s.Setup.Boards) {
			continue
		}
		if out.Modes == nil {
			out.Modes = make(map[string]string)
		}
		out.Modes[s.Setup.Boards[i].Probe] = mode
	}
	return out
}

// rated reports whether the rate of a setting says anything, if only that
// nothing is due: not where slots, a trace, a shape or a count decide.
func rated(s *ledger.Snapshot, lane int, set *ledger.Setting) bool {
	if set.Slots > 0 || set.Scale != 0 || set.Arrivals == pace.Closed || set.Arrivals == pace.Traced {
		return false
	}
	windows := set.Arrivals == pace.Uniform || set.Arrivals == pace.Burst
	return !windows || s.Setup == nil || lane >= len(s.Setup.Lanes) || s.Setup.Lanes[lane].Pattern.Count == 0
}

func verdictOf(v ledger.Verdict) Verdict {
	slo := v.SLO
	slo.Lane = ""
	out := Verdict{
		Text: slo.String(), Lane: v.SLO.Lane, Known: v.Known, Held: v.Held,
		Limit: number(v.SLO.Limit), N: v.N, Thin: v.Thin,
	}
	switch v.SLO.Figure {
	case ledger.SLOErrors:
		out.Unit = "share"
	case ledger.SLOBacklog:
		out.Unit = "requests"
	case ledger.SLOThroughput:
		out.Unit = "per_s"
	default:
		out.Unit = "s"
	}
	switch value := number(v.Value); v.Bound {
	case ledger.Measure:
		out.Value = value
	case ledger.AtLeast:
		out.AtLeast = value
	case ledger.Over:
		out.Over = value
	}
	return out
}
