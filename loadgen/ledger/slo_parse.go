package ledger

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// figures are how each is written, and what an error shows of it.
var figures = [...]struct{ name, example string }{
	SLOQuantile:   {"p", "p99<500ms"},
	SLOMean:       {"mean", "mean<200ms"},
	SLOMax:        {"max", "max<2s"},
	SLOErrors:     {"errors", "errors<1%"},
	SLOBacklog:    {"backlog", "backlog<100"},
	SLOThroughput: {"throughput", "throughput>45"},
}

// ParseSLO reads [LANE:]FIGURE OP LIMIT: "p99<500ms", "p99.9 <= 1s",
// "mean<200ms", "max<2s", "errors<1%", "backlog<100", "throughput>45/s",
// "A:p99<500ms". LANE is the name of a lane; see [SLO.Fits]. An error says what
// is wrong and how it is written.
func ParseSLO(text string) (SLO, error) {
	var s SLO
	err := s.parse(text)
	if err != nil {
		example := figures[s.Figure].example
		if s.Percent > 0 {
			example = s.Name() + "<500ms"
		}
		return SLO{}, fmt.Errorf("%q: %w; write %s", text, err, example)
	}
	return s, nil
}

func (s *SLO) parse(text string) error {
	i := strings.IndexAny(text, "<>")
	if i < 0 {
		return errors.New("there is neither < nor >")
	}
	name, limit := strings.TrimSpace(text[:i]), text[i+1:]
	s.Op = text[i : i+1]
	if rest, also := strings.CutPrefix(limit, "="); also {
		s.Op, limit = s.Op+"=", rest
	}
	if j := strings.LastIndexByte(name, ':'); j >= 0 {
		if s.Lane = strings.TrimSpace(name[:j]); s.Lane == "" {
			return errors.New("there is no lane before the colon")
		}
		name = strings.TrimSpace(name[j+1:])
	}
	if err := s.parseFigure(strings.ToLower(name)); err != nil {
		return err
	}
	switch above := s.Op[0] == '>'; {
	case above && s.Figure != SLOThroughput:
		return fmt.Errorf("%s is bounded from above", s.Name())
	case !above && s.Figure == SLOThroughput:
		return fmt.Errorf("%s is bounded from below", s.Name())
	}
	if err := s.parseLimit(strings.TrimSpace(limit)); err != nil {
		return err
	}
	if s.Limit == 0 && s.Op == "<" {
		return errors.New("nothing is below 0")
	}
	return nil
}

func (s *SLO) parseFigure(name string) error {
	var all []string
	for f := SLOMean; int(f) < len(figures); f++ {
		if figures[f].name == name {
			s.Figure = f
			return nil
		}
		all = append(all, figures[f].name)
	}
	list := "there are p50 to p99.99, " + strings.Join(all, ", ")
	if name == "" {
		return errors.New("it names no figure: " + list)
	}
	digits, isP := strings.CutPrefix(name, "p")
	p, err := strconv.ParseFloat(digits, 64)
	switch {
	case !isP || err != nil:
		return fmt.Errorf("no figure is called %q: %s", name, list)
	case !(p > 0 && p < 100):
		return fmt.Errorf("%s is no quantile: they are above 0 and below 100, and the largest value is max", name)
	}
	s.Percent = p
	return nil
}

func (s *SLO) parseLimit(text string) (err error) {
	switch s.Figure {
	case SLOErrors:
		s.Limit, err = parseShare(text)
	case SLOBacklog:
		var n uint64
		if n, err = strconv.ParseUint(text, 10, 32); err != nil {
			err = fmt.Errorf("%q is no number of requests", text)
		}
		s.Limit = float64(n)
	case SLOThroughput:
		s.Limit, err = parseRate(text)
	default:
		s.Limit, err = parseSpan(text)
	}
	return err
}

func parseSpan(text string) (float64, error) {
	d, err := time.ParseDuration(text)
	switch {
	case err != nil && number(text) >= 0:
		return 0, fmt.Errorf("%s has no unit", text)
	case err != nil || d < 0:
		return 0, fmt.Errorf("%q is no span of time", text)
	}
	return Cut(d).Seconds(), nil
}

func parseShare(text string) (float64, error) {
	digits, percent := strings.CutSuffix(text, "%")
	x := number(strings.TrimSpace(digits))
	if percent {
		x /= 100
	}
	if x < 0 || x > 1 {
		return 0, fmt.Errorf("%q is no share: that is 0%% to 100%%, or 0 to 1", text)
	}
	return x, nil
}

func parseRate(text string) (float64, error) {
	digits, minute := strings.CutSuffix(text, "/m")
	x := number(strings.TrimSpace(strings.TrimSuffix(digits, "/s")))
	if minute {
		x /= 60
	}
	if x < 0 {
		return 0, fmt.Errorf("%q is no rate", text)
	}
	return x, nil
}

// number reads a finite number of 0 or more; -1 is none.
func number(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(x, 0) || math.IsNaN(x) || x < 0 {
		return -1
	}
	return x
}
