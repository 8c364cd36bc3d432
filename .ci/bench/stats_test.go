package main

import (
	"math"
	"testing"

	"bench/sink"
)

const ms = 1_000_000 // ns

func TestQuantile(t *testing.T) {
	for _, tt := range []struct {
		name   string
		sorted []float64
		n      int
		q      float64
		want   float64
	}{
		{"of one", []float64{3}, 1, 0.99, 3},
		{"rank is rounded up", []float64{1, 2, 3, 4}, 4, 0.51, 3},
		{"an exact rank stays", []float64{1, 2, 3, 4}, 4, 0.5, 2},
		{"the largest", []float64{1, 2, 3, 4}, 4, 1, 4},
		{"among others that rank above", []float64{1, 2}, 4, 0.5, 2},
		{"one of the others", []float64{1, 2}, 4, 0.75, 0},
		{"of none", nil, 0, 0.5, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := quantile(tt.sorted, tt.n, tt.q); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestMedian(t *testing.T) {
	for _, tt := range []struct {
		name   string
		values []float64
		want   float64
	}{
		{"none", nil, 0},
		{"odd", []float64{9, 1, 5}, 5},
		{"even", []float64{9, 1, 5, 2}, 3.5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := median(tt.values); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestDeviation(t *testing.T) {
	for _, tt := range []struct {
		name    string
		arrived []int64 // at 1000/s
		want    deviation
	}{
		{"on schedule", []int64{7, 7 + ms, 7 + 2*ms, 7 + 3*ms}, deviation{}},
		{"the first was late", []int64{ms / 2, ms, 2 * ms, 3 * ms, 4 * ms}, deviation{P90: 500, P99: 500, Max: 500}},
		{"two at a time", []int64{0, 0, 2 * ms, 2 * ms}, deviation{P90: 1000, P99: 1000, Max: 1000}},
		{"a tenth too slow", []int64{0, 11 * ms / 10, 22 * ms / 10}, deviation{P50: 100, P90: 100, P99: 100, Max: 100}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := deviationOf(tt.arrived, 1000); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestTrueP99(t *testing.T) {
	queue := []sink.Request{{Arrived: 1 * ms, Answered: 35 * ms}, {Arrived: 21 * ms, Answered: 70 * ms}, {Arrived: 41 * ms, Answered: 105 * ms}}
	late := []sink.Request{{Arrived: 1 * ms, Answered: 35 * ms}, {Arrived: 21 * ms, Answered: 70 * ms}, {Arrived: 70 * ms, Answered: 105 * ms}}
	cut := []sink.Request{{Arrived: 1 * ms, Answered: 35 * ms}, {Arrived: 21 * ms}, {Arrived: 41 * ms, Answered: 70 * ms}}
	for _, tt := range []struct {
		name     string
		requests []sink.Request // at 50/s
		due      int
		want     float64
	}{
		{"a queue grows", queue, 3, 0.064},
		{"sent late counts from due", late, 3, 0.064},
		{"one was never answered", cut, 3, 0},
		{"one was never sent", queue, 4, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := trueP99(tt.requests, 50, tt.due); math.Abs(got-tt.want) > 1e-9 {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}
