package pace

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Shape is a rate over the schedule clock, in requests per second. Make one
// with [ParseShape]. It is immutable.
type Shape struct {
	curve
	text string
}

// A curve is a rate over t ≥ 0 in seconds, with what it adds up to.
type curve interface {
	rate(t float64) float64
	integral(t float64) float64 // ∫ rate from 0 to t
	// reach is the first t at which the integral is n > 0, and false if it
	// never is. The root may be near.
	reach(n, near float64) (t float64, any bool)
}

// shapes are the known forms: what parts them, and an example of each.
var shapes = map[string]struct {
	word, example string
	curve         func(rates string, over float64) (curve, error)
}{
	"ramp": {"in", "ramp 10..100 in 60s", newRamp},
	"step": {"every", "step 10,50,100 every 10s", newSteps},
	"sine": {"every", "sine 10..100 every 60s", newSine},
}

// ParseShape reads one of
//
//	ramp 10..100 in 60s         from the first rate to the second, which then stays
//	step 10,50,100 every 10s    one rate after the other; the last one stays
//	sine 10..100 every 60s      between the two, from their mean, rising first
//
// with rates as [ParseRate] reads them and a duration of 1 ms to 10,000 h. A
// shape without any rate above 0 is refused.
func ParseShape(s string) (*Shape, error) {
	words := strings.Fields(s)
	if len(words) == 0 {
		return nil, fmt.Errorf("no shape: want ramp, step or sine, such as '%s'", shapes["ramp"].example)
	}
	form, known := shapes[words[0]]
	if !known {
		return nil, fmt.Errorf("unknown shape %q: want ramp, step or sine, such as '%s'", Brief(words[0]), shapes["ramp"].example)
	}
	c, text, err := parseCurve(words, form.word, form.curve)
	if err != nil {
		return nil, fmt.Errorf("shape %q: %w: write it like '%s'", Brief(s), err, form.example)
	}
	return &Shape{curve: c, text: text}, nil
}

// parseCurve reads the words of a shape: its name, rates, word and a duration.
func parseCurve(words []string, word string, form func(string, float64) (curve, error)) (curve, string, error) {
	i := slices.Index(words, word)
	switch {
	case i < 0:
		return nil, "", fmt.Errorf("the word %q is missing", word)
	case i == 1:
		return nil, "", fmt.Errorf("no rates before %q", word)
	case i != len(words)-2:
		return nil, "", fmt.Errorf("want one duration after %q", word)
	}
	over, err := time.ParseDuration(words[i+1])
	switch {
	case err != nil:
		return nil, "", fmt.Errorf("%q is no duration", Brief(words[i+1]))
	case over < shortest || over > Longest:
		return nil, "", fmt.Errorf("a duration of %s is out of range (1ms to 10000h)", Brief(words[i+1]))
	}
	rates := strings.Join(words[1:i], "")
	c, err := form(rates, over.Seconds())
	if err != nil {
		return nil, "", err
	}
	return c, strings.Join([]string{words[0], rates, word, words[i+1]}, " "), nil
}

// between reads A..B.
func between(rates string) (a, b float64, err error) {
	first, last, two := strings.Cut(rates, "..")
	if !two || strings.HasPrefix(last, ".") { // 10...100 is neither 10..100 nor 10...1
		return 0, 0, fmt.Errorf("%q is not two rates with .. between them", Brief(rates))
	}
	if a, err = ParseRate(first); err == nil {
		b, err = ParseRate(last)
	}
	if err == nil && a == 0 && b == 0 {
		err = fmt.Errorf("it sends nothing")
	}
	return a, b, err
}

// String returns what was parsed, with single spaces.
func (s *Shape) String() string { return s.text }

// Rate returns the requests per second at an instant. Before 0 it is that at 0.
func (s *Shape) Rate(t time.Duration) float64 { return s.rate(max(0, t.Seconds())) }

// Integral returns how many requests that makes from 0 up to t; 0 before 0.
func (s *Shape) Integral(t time.Duration) float64 { return s.integral(max(0, t.Seconds())) }
