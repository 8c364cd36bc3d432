package pace

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseMix(t *testing.T) {
	for in, want := range map[string][]float64{
		"(10,10,20,1)":  {10, 10, 20, 1},
		"50,0,0,0":      {50, 0, 0, 0},
		" ( 0.5, 60/m)": {0.5, 1},
		"7":             {7},
	} {
		if got, err := ParseMix(in); err != nil || !slices.Equal(got, want) {
			t.Errorf("ParseMix(%q) = %v, %v", in, got, err)
		}
	}
	for in, want := range map[string]string{
		"":             `mix "": rate 1 is missing: want a rate for each model, such as (10,10,20,1)`,
		"()":           "rate 1 is missing",
		"(1,,2)":       "rate 2 is missing",
		"(1,2":         "one parenthesis is missing",
		"1,2)":         "one parenthesis is missing",
		"(a,2)":        `"a" is no rate`,
		"(-1,2)":       "a rate of -1 is negative",
		"(1,2)(3,4)":   "is no rate",
		"(10,2000000)": "out of range",
	} {
		if got, err := ParseMix(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseMix(%q) = %v, %v, want %s", in, got, err, want)
		}
	}
}

func TestParseRate(t *testing.T) {
	for in, want := range map[string]float64{
		"50": 50, "50/s": 50, "300/m": 5, "0.5": 0.5, "7200/h": 2, "0": 0, "1e6": 1e6, "6e7/m": 1e6,
	} {
		if got, err := ParseRate(in); err != nil || got != want {
			t.Errorf("ParseRate(%q) = %g, %v", in, got, err)
		}
	}
	if got, err := ParseRate("-0"); err != nil || math.Signbit(got) {
		t.Errorf("ParseRate(-0) = %g, %v", got, err)
	}
	for _, in := range []string{"", "-1", "NaN", "Inf", "1e7", "50/d", "fast", "1e999", "/s"} {
		if got, err := ParseRate(in); err == nil {
			t.Errorf("ParseRate(%q) = %g", in, got)
		}
	}
}

func TestMessagesQuoteTheBeginning(t *testing.T) {
	long := strings.Repeat("ä", 5000)
	for _, err := range []error{second(ParseRate(long)), second(ParseMix("1," + long)), second(ParseShape("ramp 1..2 in " + long)), second(Parse(long))} {
		if n := utf8.RuneCountInString(err.Error()); n > 400 || !strings.Contains(err.Error(), `ä…"`) {
			t.Errorf("%d characters: %.100s", n, err)
		}
	}
	if got := Brief("50"); got != "50" {
		t.Errorf("Brief is %q", got)
	}
}

func second[T any](_ T, err error) error { return err }
