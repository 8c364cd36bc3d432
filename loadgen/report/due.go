package report

import (
	"slices"
	"strconv"
	"strings"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

// howDue says how the requests of a lane become due at the start.
func howDue(c *lang.Catalogue, l *ledger.LaneSetup) string {
	set, p := &l.Setting, &l.Pattern
	arrivals, rate := lang.With("arrivals", set.Arrivals.String()), lang.With("rate", written(set.Rate))
	switch set.Arrivals {
	case pace.Closed:
		return c.T(lang.DueClosed, lang.With("slots", set.Slots))
	case pace.Traced:
		return c.T(lang.DueTrace, lang.With("n", traced(p.Trace)), lang.With("scale", scaled(set.Scale)))
	}
	if shape := p.Shape; shape != nil {
		return c.T(lang.DueShape, arrivals, lang.With("shape", shape.String()), lang.With("scale", scaled(set.Scale)))
	}
	if windows := set.Arrivals == pace.Uniform || set.Arrivals == pace.Burst; windows && (p.Count > 0 || p.Once) {
		return counted(c, l)
	}
	switch {
	case set.Rate == 0:
		return c.T(lang.DueWaits, arrivals)
	case set.Arrivals == pace.PoissonCounts:
		return c.T(lang.DueCounts, rate, lang.With("within", p.Within.String()))
	case set.Arrivals == pace.Uniform:
		return c.T(lang.DueUniform, rate, lang.With("every", chosen(p.Window())))
	case set.Arrivals == pace.Burst:
		return c.T(lang.DueBurst, rate, lang.With("every", chosen(p.Window())))
	}
	return c.T(lang.DueRate, arrivals, rate)
}

// counted says it of windows with a set number of requests, or of a single one.
func counted(c *lang.Catalogue, l *ledger.LaneSetup) string {
	p := &l.Pattern
	n := written(float64(p.Count))
	if p.Count == 0 {
		n = written(l.Setting.Rate * p.Window().Seconds())
	}
	var id lang.ID
	switch bursts := l.Setting.Arrivals == pace.Burst; {
	case bursts && p.Once:
		id = lang.DueBurstOnce
	case bursts:
		id = lang.DueBurstCount
	case p.Once:
		id = lang.DueUniformOnce
	default:
		id = lang.DueUniformCount
	}
	return c.T(id, lang.With("n", n), lang.With("every", chosen(p.Window())))
}

// written is a number that was chosen, not measured: all its digits up to the
// sixth.
func written(x float64) string {
	if short, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64); err == nil {
		x = short
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// scaled is a factor, nothing where it changes nothing.
func scaled(x float64) any {
	if x == 0 || x == 1 {
		return nil
	}
	return written(x)
}

// traced is how many requests a trace holds, nothing where that is not known:
// a recording does not hold it.
func traced(t *pace.Trace) any {
	if t == nil {
		return nil
	}
	return t.Total()
}

// endless reports whether the requests of a lane never come to an end by
// themselves.
func endless(l *ledger.LaneSetup) bool {
	switch l.Setting.Arrivals {
	case pace.Traced:
		return false
	case pace.Uniform, pace.Burst:
		return !l.Pattern.Once
	}
	return true
}

// mixOf writes the rates of lanes as "(10,10,20,1)" and adds them up. Only
// lanes with a rate each, due alike on the same targets, make a mix.
func mixOf(lanes []ledger.LaneSetup) (mix string, sum float64) {
	if len(lanes) < 2 {
		return "", 0
	}
	var rates []string
	for i := range lanes {
		l, first := &lanes[i], &lanes[0]
		counts := l.Pattern.Shape != nil || l.Pattern.Count > 0 || l.Pattern.Once
		switch a := l.Setting.Arrivals; {
		case a == pace.Closed || a == pace.Traced || a != first.Setting.Arrivals || counts:
			return "", 0
		case !slices.Equal(l.Targets, first.Targets) || l.Setting.Target != first.Setting.Target:
			return "", 0
		}
		rates = append(rates, written(l.Setting.Rate))
		sum += l.Setting.Rate
	}
	return "(" + strings.Join(rates, ",") + ")", sum
}
