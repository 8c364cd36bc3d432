package main

import (
	"fmt"
	"math"
	"slices"
)

// A line is something that pileup is held to. Each round gives one value, from
// runs of that round alone, so that a machine whose speed changes between rounds
// does not enter; the line is judged by their median.
type line struct {
	group, load, claim string
	tools              []string // whose runs the value is of, in this order
	value              func(r []*run) float64
	worst              bool // judged by the least value, not by the median
	pass               func(x float64) bool
	format             string // of a value
}

// lines are what is judged.
var lines = []line{
	{"schedule", slow, "p99 deviation at most 1/5 of vegeta's", pair, ratio(devP99), false, atMost(1. / 5), "%.3f"},
	{"schedule", fast, "p99 deviation at most 1/10 of vegeta's", pair, ratio(devP99), false, atMost(1. / 10), "%.3f"},
	{"schedule", big, "p99 deviation at most 1/3 of vegeta's", pair, ratio(devP99), false, atMost(1. / 3), "%.3f"},
	{"schedule", slow, "p50 deviation at most 30 µs", pair[:1], of(devP50), false, atMost(30), "%.0f µs"},
	{"schedule", fast, "p50 deviation at most 30 µs", pair[:1], of(devP50), false, atMost(30), "%.0f µs"},
	{"schedule", big, "p50 deviation at most 45 µs", pair[:1], of(devP50), false, atMost(45), "%.0f µs"},
	{"cpu", slow, "CPU for a request at most 0.55 of vegeta's", pair, ratio((*run).per1000), false, atMost(0.55), "%.2f"},
	{"cpu", fast, "CPU for a request at most 0.55 of vegeta's", pair, ratio((*run).per1000), false, atMost(0.55), "%.2f"},
	{"cpu", big, "CPU for a request at most 0.65 of vegeta's", pair, ratio((*run).per1000), false, atMost(0.65), "%.2f"},
	{"closed", closed, "at least twice vegeta's requests a second", pair, ratio(rate), false, atLeast(2), "%.2f"},
	{"overload", overload, "every request due is sent", pair[:1], of(sentShare), true, exactly(1), "%.3f"},
	{"overload", overload, "on schedule: p99 deviation at most 2 ms", pair[:1], of(devP99), false, atMost(2000), "%.0f µs"},
	{"overload", overload, "every request is answered or reported failed", pair[:1], of(accounted), true, exactly(1), "%.3f"},
	{"overload", overload, "the p99 response it reports is within 2 % of the true one", pair[:1], of(p99Error), false, atMost(0.02), "%.4f"},
	{"screen", screen, "p99 deviation with the screen differs by less than 100 µs", []string{ours, onScreen}, difference(devP99), false, within(100), "%+.0f µs"},
}

// A verdict is what became of a line.
type verdict struct {
	Group     string  `json:"group"`
	Load      string  `json:"load"`
	Claim     string  `json:"claim"`
	Measured  float64 `json:"measured"`
	Least     float64 `json:"least"`
	Most      float64 `json:"most"`
	Rounds    int     `json:"rounds"`    // that it is judged by; 0: not measured
	Disturbed bool    `json:"disturbed"` // in most rounds: they count for want of better
	Pass      bool    `json:"pass"`
	Text      string  `json:"text"`
}

// judge judges a line by all runs.
func (l line) judge(runs []*run) verdict {
	v := verdict{Group: l.group, Load: l.load, Claim: l.claim}
	xs, disturbed := l.values(runs)
	if v.Rounds = len(xs); v.Rounds > 0 {
		v.Disturbed = disturbed
		v.Least, v.Most = slices.Min(xs), slices.Max(xs)
		v.Measured = median(xs)
		if l.worst {
			v.Measured = v.Least
		}
		v.Pass = l.pass(v.Measured)
	}
	v.Text = l.text(v)
	return v
}

// values returns the values of the rounds, without the disturbed ones unless
// half of them or more are.
func (l line) values(runs []*run) (xs []float64, disturbed bool) {
	var clean []float64
	for round := range rounds(runs) {
		x, quiet := l.round(runs, round)
		if math.IsNaN(x) || math.IsInf(x, 0) {
			continue
		}
		xs = append(xs, x)
		if quiet {
			clean = append(clean, x)
		}
	}
	if 2*len(clean) > len(xs) {
		return clean, false
	}
	return xs, true
}

// round returns the value of a round, NaN if there is none, and whether nothing
// disturbed it.
func (l line) round(runs []*run, round int) (x float64, quiet bool) {
	quiet = true
	var picked []*run
	for _, t := range l.tools {
		r := best(runs, l.load, t, round)
		if r == nil {
			return math.NaN(), false
		}
		picked = append(picked, r)
		quiet = quiet && !r.Disturbed
	}
	return l.value(picked), quiet
}

// text is the verdict in words.
func (l line) text(v verdict) string {
	head := fmt.Sprintf("%s, %s: %s", l.group, l.load, l.claim)
	if v.Rounds == 0 {
		return "not measured: " + head
	}
	word := "miss"
	if v.Pass {
		word = "pass"
	}
	s := word + ": " + head + ": " + fmt.Sprintf(l.format, v.Measured)
	if v.Rounds > 1 {
		s += fmt.Sprintf(" ["+l.format+" to "+l.format+"]", v.Least, v.Most)
	}
	s += fmt.Sprintf(", rounds: %d", v.Rounds)
	if v.Disturbed {
		s += ", disturbed"
	}
	return s
}

// rounds returns how many rounds there were.
func rounds(runs []*run) (n int) {
	for _, r := range runs {
		n = max(n, r.Round+1)
	}
	return n
}

// best returns the least disturbed try of a tool in a round, or nil if none
// says anything.
func best(runs []*run, load, tool string, round int) (least *run) {
	for _, r := range runs {
		if r.Load != load || r.Tool != tool || r.Round != round || r.Err != "" {
			continue
		}
		if least == nil || r.Others+r.Stolen < least.Others+least.Stolen {
			least = r
		}
	}
	return least
}

func devP50(r *run) float64    { return r.Deviation.P50 }
func devP99(r *run) float64    { return r.Deviation.P99 }
func rate(r *run) float64      { return r.Rate }
func sentShare(r *run) float64 { return float64(r.Sent) / float64(r.Due) }

// accounted is the share of the requests due that the tool gave an account of,
// which the sink's must not contradict.
func accounted(r *run) float64 {
	if r.Said.OK > r.Answered {
		return 0
	}
	return float64(r.Said.OK+r.Said.Failed) / float64(r.Due)
}

// p99Error is how far the p99 that a tool reports is from the true one, as a
// share of it.
func p99Error(r *run) float64 {
	if r.Said.P99 == 0 || r.TrueP99 == 0 {
		return math.NaN()
	}
	return math.Abs(r.Said.P99/r.TrueP99 - 1)
}

func of(f func(*run) float64) func([]*run) float64 {
	return func(r []*run) float64 { return f(r[0]) }
}

func ratio(f func(*run) float64) func([]*run) float64 {
	return func(r []*run) float64 { return f(r[0]) / f(r[1]) }
}

func difference(f func(*run) float64) func([]*run) float64 {
	return func(r []*run) float64 { return f(r[1]) - f(r[0]) }
}

func atMost(limit float64) func(float64) bool  { return func(x float64) bool { return x <= limit } }
func atLeast(limit float64) func(float64) bool { return func(x float64) bool { return x >= limit } }
func exactly(want float64) func(float64) bool  { return func(x float64) bool { return x == want } }
func within(limit float64) func(float64) bool {
	return func(x float64) bool { return math.Abs(x) < limit }
}
