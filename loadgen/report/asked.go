package report

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
)

// verdicts prints what was asked of the run and whether it was kept.
func (p *printer) verdicts(asked []ledger.Verdict) {
	if len(asked) == 0 {
		return
	}
	var lines labels
	thin := false
	for _, v := range asked {
		id := lang.AskedOpen
		switch {
		case v.Known && v.Held:
			id = lang.AskedKept
		case v.Known:
			id = lang.AskedMissed
		}
		thin = thin || v.Thin && v.Bound != ledger.None
		lines = append(lines, [2]string{p.c.T(id), p.verdict(v)})
	}
	p.title(lang.TableAsked)
	lines.write(p.Builder)
	if thin {
		p.legend(lang.LegendThin)
	}
}

// VerdictText says in one line what was asked of a run and what was seen.
func VerdictText(c *lang.Catalogue, s *ledger.Snapshot, v ledger.Verdict) string {
	p := printer{c: c, s: s}
	return cleanLine(p.verdict(v))
}

// verdict writes what was asked and what was seen.
func (p *printer) verdict(v ledger.Verdict) string {
	unit := unitOf(v)
	limit, value := unit.text(v.SLO.Limit), unit.beside(v.Value, v.SLO.Limit)
	if n := math.Round(v.Value * float64(v.N)); v.SLO.Figure == ledger.SLOErrors && v.Bound != ledger.None {
		value = p.c.T(lang.AskedShare, lang.With("share", value), lang.With("n", int64(n)), lang.With("of", v.N))
	}
	if v.Bound == ledger.AtLeast {
		value = "≥" + value
	}
	seen, of := value, p.laneNamed(v.SLO.Lane)
	switch missed := v.Known && !v.Held; {
	case v.Bound == ledger.None:
		seen = p.c.T(lang.AskedNothing)
	case v.Bound == ledger.Over:
		seen = p.c.T(lang.AskedOver, lang.With("value", value))
	case missed && v.SLO.Figure == ledger.SLOMean && of != nil && of.Censored > 0:
		seen = p.c.T(lang.AskedCensored, lang.With("value", value))
	case missed && of != nil && of.OK == 0:
		seen = p.c.T(lang.AskedNothingOK, lang.With("value", value))
	}
	if v.Thin && v.Bound != ledger.None {
		seen = "(" + seen + ")"
	}
	return p.c.T(lang.AskedLine, lang.With("lane", v.SLO.Lane), lang.With("figure", v.SLO.Name()),
		lang.With("op", v.SLO.Op), lang.With("limit", limit), lang.With("seen", seen))
}

// laneNamed is the lane of that name, all together for "", nil if there is none.
func (p *printer) laneNamed(name string) *ledger.Lane {
	if name == "" {
		return &p.s.Total
	}
	for i := range p.s.Lanes {
		if p.s.Lanes[i].Info.Name == name {
			return &p.s.Lanes[i]
		}
	}
	return nil
}

// figureUnit is the unit in which the figure of an SLO is written: so many of
// it are one of the figure's own unit.
type figureUnit struct {
	name string
	per  float64
}

// unitOf returns the unit in which what was seen and its limit read well.
func unitOf(v ledger.Verdict) figureUnit {
	switch v.SLO.Figure {
	case ledger.SLOErrors:
		return figureUnit{" %", 100}
	case ledger.SLOBacklog:
		return figureUnit{"", 1}
	case ledger.SLOThroughput:
		return figureUnit{"/s", 1}
	}
	s := scaleFor(time.Duration(v.SLO.Limit * float64(time.Second)))
	return figureUnit{" " + s.name, float64(time.Second) / float64(s.unit)}
}

// text writes a limit, as it was chosen.
func (u figureUnit) text(x float64) string {
	return trimmed(strconv.FormatFloat(x*u.per, 'f', 9, 64)) + u.name
}

// beside writes what was seen with three decimals, and with more where it
// would else stand on the wrong side of the limit, or on it.
func (u figureUnit) beside(x, limit float64) string {
	x, limit = x*u.per, limit*u.per
	for decimals := 3; ; decimals++ {
		text := strconv.FormatFloat(x, 'f', decimals, 64)
		short, err := strconv.ParseFloat(text, 64)
		if err != nil || cmp.Compare(short, limit) == cmp.Compare(x, limit) || decimals == 9 {
			return trimmed(text) + u.name
		}
	}
}

// trimmed is a number with decimals without idle zeros at its end.
func trimmed(x string) string { return strings.TrimRight(strings.TrimRight(x, "0"), ".") }
