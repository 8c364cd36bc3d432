package pace

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

const shortest = time.Millisecond // of a window, a step or a period

// MaxRate is the highest rate that may be asked for, in requests per second.
const MaxRate = 1e6

// Longest is the longest time that may be written: of a window, a step or a
// period, and of a run.
const Longest = 10000 * time.Hour

// ParseRate reads 50, 50/s, 300/m or 7200/h as requests per second, 0 to 1e6.
func ParseRate(s string) (float64, error) {
	number, unit := s, 1.0
	for suffix, per := range map[string]float64{"/s": 1, "/m": 60, "/h": 3600} {
		if n, ok := strings.CutSuffix(s, suffix); ok {
			number, unit = n, per
		}
	}
	r, err := strconv.ParseFloat(number, 64)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%q is no rate", Brief(s))
	case err != nil || math.IsNaN(r) || r/unit > MaxRate:
		return 0, fmt.Errorf("a rate of %s is out of range (at most 1000000/s)", Brief(s))
	case r < 0:
		return 0, fmt.Errorf("a rate of %s is negative", Brief(s))
	}
	return math.Abs(r / unit), nil // -0 is 0
}

// ParseMix reads rates in requests per second, one for each model, as in
// (10,10,20,1), with or without the parentheses.
func ParseMix(s string) ([]float64, error) {
	list := strings.TrimSpace(s)
	inner, opened := strings.CutPrefix(list, "(")
	inner, closed := strings.CutSuffix(inner, ")")
	if opened != closed {
		return nil, fmt.Errorf("mix %q: one parenthesis is missing: want a rate for each model, such as (10,10,20,1)", Brief(s))
	}
	mix, err := parseRates(inner)
	if err != nil {
		return nil, fmt.Errorf("mix %q: %w: want a rate for each model, such as (10,10,20,1)", Brief(s), err)
	}
	return mix, nil
}

// parseRates reads rates with commas between them.
func parseRates(list string) (rates []float64, err error) {
	for i, field := range strings.Split(list, ",") {
		field = strings.TrimSpace(field)
		if field == "" {
			return nil, fmt.Errorf("rate %d is missing", i+1)
		}
		r, err := ParseRate(field)
		if err != nil {
			return nil, err
		}
		rates = append(rates, r)
	}
	return rates, nil
}
