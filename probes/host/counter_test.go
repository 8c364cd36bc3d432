package host

import (
	"math"
	"testing"
	"time"
)

func TestCounterRate(t *testing.T) {
	at := time.Unix(7, 0)
	last := counter{at, 10}
	tests := []struct {
		name      string
		now, last counter
		want      float64
		why       string
	}{
		{"grows", counter{at.Add(2 * time.Second), 13}, last, 1.5, ""},
		{"stands", counter{at.Add(time.Second), 10}, last, 0, ""},
		{"first", last, counter{}, 0, second},
		{"backwards", counter{at.Add(time.Second), 9}, last, 0, "counters ran backwards"},
		{"not a number", counter{at.Add(time.Second), math.NaN()}, last, 0, "counters ran backwards"},
		{"at once", counter{at, 11}, last, 0, "no time since the last sample"},
	}
	for _, tt := range tests {
		if got, why := tt.now.rate(tt.last); got != tt.want || why != tt.why {
			t.Errorf("%s: %v %q, want %v %q", tt.name, got, why, tt.want, tt.why)
		}
	}
}
