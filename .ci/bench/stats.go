package main

import (
	"math"
	"slices"

	"bench/sink"
)

// A deviation is how far arrivals were from an even schedule, in µs.
type deviation struct {
	P50 float64 `json:"p50"`
	P90 float64 `json:"p90"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
}

// quantile returns the value of rank ⌈q·n⌉ of sorted values, and 0 if there are
// too few of them: n may count others, which rank above all.
func quantile(sorted []float64, n int, q float64) float64 {
	rank := max(1, int(math.Ceil(q*float64(n)-1e-9)))
	if rank > len(sorted) {
		return 0
	}
	return sorted[rank-1]
}

// median returns the middle of values, or the mean of the two middle ones.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(values))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

// begin returns when the schedule began that arrivals fit best, in ns since the
// first: c in c + k/rate, the median of the residuals.
func begin(arrived []int64, rate float64) float64 {
	res := make([]float64, len(arrived))
	for k, t := range arrived {
		res[k] = float64(t-arrived[0]) - float64(k)*1e9/rate
	}
	slices.Sort(res)
	return quantile(res, len(res), 0.5)
}

// deviationOf returns the quantiles of |t_k − (c + k/rate)|.
func deviationOf(arrived []int64, rate float64) deviation {
	c := begin(arrived, rate)
	dev := make([]float64, len(arrived))
	for k, t := range arrived {
		dev[k] = math.Abs(float64(t-arrived[0])-float64(k)*1e9/rate-c) / 1e3
	}
	slices.Sort(dev)
	at := func(q float64) float64 { return quantile(dev, len(dev), q) }
	return deviation{at(0.50), at(0.90), at(0.99), at(1)}
}

// trueP99 returns the p99 of the responses of all n requests that were due, in
// seconds, each from when it was due, c + k/rate, to its answer. Those that
// never came or were never answered rank above all others; 0 is one of them.
func trueP99(requests []sink.Request, rate float64, n int) float64 {
	arrived := arrivals(requests)
	c := begin(arrived, rate)
	var took []float64
	for k, r := range requests {
		if due := float64(arrived[0]) + c + float64(k)*1e9/rate; r.Answered != 0 {
			took = append(took, (float64(r.Answered)-due)/1e9)
		}
	}
	slices.Sort(took)
	return quantile(took, max(n, len(requests)), 0.99)
}

// arrivals returns when each request came.
func arrivals(requests []sink.Request) []int64 {
	t := make([]int64, len(requests))
	for k, r := range requests {
		t[k] = r.Arrived
	}
	return t
}
