package main

import (
	"math"
	"testing"
	"time"
)

func TestProcessTime(t *testing.T) {
	for _, tt := range []struct {
		name, stat string
		want       float64
		ok         bool
	}{
		{"with its children", "17 (a) b) S 1 17 17 0 -1 4194560 1 2 3 4 100 50 25 25 20 0", 2, true},
		{"a kernel thread", "9 (kworker) I 2 0 0 0 -1 69238880 0 0 0 0 100 50 25 25 20 0", 0, false},
		{"the kernel's first", "2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 100 50 25 25 20 0", 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, ok := processTime([]byte(tt.stat)); got != tt.want || ok != tt.ok {
				t.Errorf("got %v, %v; want %v, %v", got, ok, tt.want, tt.ok)
			}
		})
	}
}

func TestOthers(t *testing.T) {
	begin := time.Unix(1000, 0)
	for _, tt := range []struct {
		name   string
		before map[int]float64
		after  map[int]float64 // 10 s later; 7 is ours
		want   float64
	}{
		{"ours do not count", map[int]float64{7: 1}, map[int]float64{7: 9}, 0},
		{"one works, one begins", map[int]float64{1: 5}, map[int]float64{1: 8, 2: 2}, 0.5},
		{"a child ends, and its parent has its time", map[int]float64{1: 5, 2: 30}, map[int]float64{1: 36}, 0.1},
		{"one ends unseen", map[int]float64{1: 5, 2: 30}, map[int]float64{1: 6}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := usage{at: begin, processes: tt.before, stolen: 3}
			b := usage{at: begin.Add(10 * time.Second), processes: tt.after, stolen: 4}
			used, stolen := others(a, b, 7)
			if math.Abs(used-tt.want) > 1e-9 || math.Abs(stolen-0.1) > 1e-9 {
				t.Errorf("got %v, %v; want %v, 0.1", used, stolen, tt.want)
			}
		})
	}
}

// A run does not begin on a machine on which it would count as disturbed.
func TestARunBeginsWhereItIsNotDisturbed(t *testing.T) {
	for _, l := range loads {
		for _, tt := range []struct {
			used, stolen float64
			want         bool
		}{
			{0, 0, true},
			{quietOthers, 0, true},
			{mostOthers, 0, false},
			{0, mostStolenOfSchedule, true},
			{0, 0.02, l.mayBeStolen() == mostStolen},
			{0, mostStolen, false},
		} {
			if got := l.mayBegin(tt.used, tt.stolen); got != tt.want {
				t.Errorf("%s with %v and %v cores: %v", l.name, tt.used, tt.stolen, got)
			}
		}
	}
}
