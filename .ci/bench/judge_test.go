package main

import "testing"

// pairOf are the runs of one round, with a p99 deviation each.
func pairOf(round int, ours, theirs float64, disturbed bool) []*run {
	return []*run{
		{Load: slow, Tool: "pileup", Round: round, Deviation: deviation{P99: ours}, Disturbed: disturbed},
		{Load: slow, Tool: "vegeta", Round: round, Deviation: deviation{P99: theirs}},
	}
}

func TestJudge(t *testing.T) {
	fifth := line{"schedule", slow, "at most 1/5", pair, ratio(devP99), false, atMost(0.2), "%.2f"}
	all := line{"schedule", slow, "each 100 at least", pair[:1], of(devP99), true, atLeast(100), "%.0f µs"}
	for _, tt := range []struct {
		name string
		line line
		runs [][]*run
		want string
	}{
		{
			"the median of the rounds' ratios, not the ratio of medians", fifth,
			[][]*run{pairOf(0, 10, 100, false), pairOf(1, 100, 1000, false), pairOf(2, 500, 1000, false)},
			"pass: schedule, 1000/s of 2 KB: at most 1/5: 0.10 [0.10 to 0.50], rounds: 3",
		},
		{
			"a miss", fifth,
			[][]*run{pairOf(0, 30, 100, false)},
			"miss: schedule, 1000/s of 2 KB: at most 1/5: 0.30, rounds: 1",
		},
		{
			"few disturbed rounds are left out", fifth,
			[][]*run{pairOf(0, 90, 100, true), pairOf(1, 10, 100, false), pairOf(2, 10, 100, false)},
			"pass: schedule, 1000/s of 2 KB: at most 1/5: 0.10 [0.10 to 0.10], rounds: 2",
		},
		{
			"many count, for want of better", fifth,
			[][]*run{pairOf(0, 90, 100, true), pairOf(1, 10, 100, false)},
			"miss: schedule, 1000/s of 2 KB: at most 1/5: 0.50 [0.10 to 0.90], rounds: 2, disturbed",
		},
		{
			"a round without one of both does not count", fifth,
			[][]*run{pairOf(0, 90, 100, false)[:1], pairOf(1, 10, 100, false)},
			"pass: schedule, 1000/s of 2 KB: at most 1/5: 0.10, rounds: 1",
		},
		{"nothing was measured", fifth, nil, "not measured: schedule, 1000/s of 2 KB: at most 1/5"},
		{
			"the worst round, where each has to hold", all,
			[][]*run{pairOf(0, 120, 0, false), pairOf(1, 99, 0, false), pairOf(2, 130, 0, false)},
			"miss: schedule, 1000/s of 2 KB: each 100 at least: 99 µs [99 µs to 130 µs], rounds: 3",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var runs []*run
			for _, r := range tt.runs {
				runs = append(runs, r...)
			}
			if got := tt.line.judge(runs).Text; got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestBestIsTheLeastDisturbedTryThatSaysAnything(t *testing.T) {
	runs := []*run{
		{Load: slow, Tool: "pileup", Try: 0, Others: 0.5, Disturbed: true},
		{Load: slow, Tool: "pileup", Try: 1, Others: 0.1, Disturbed: true},
		{Load: slow, Tool: "pileup", Try: 2, Err: "it failed"},
		{Load: slow, Tool: "pileup", Try: 0, Round: 1},
		{Load: fast, Tool: "pileup", Try: 0},
	}
	if got := best(runs, slow, "pileup", 0); got != runs[1] {
		t.Errorf("got %+v", got)
	}
	if got := best(runs, slow, "vegeta", 0); got != nil {
		t.Errorf("got %+v of a tool that did not run", got)
	}
}

// Every line is about a load of its group that its tools run in every round.
func TestLinesAreMeasured(t *testing.T) {
	for _, l := range lines {
		ok := false
		for _, have := range chosen([]string{l.group}) {
			ran := map[string]bool{}
			for _, name := range have.judged {
				ran[name] = true
			}
			ok = ok || have.name == l.load && ran[l.tools[0]] && ran[l.tools[len(l.tools)-1]]
		}
		if !ok {
			t.Errorf("%s, %s: %s: nothing measures it", l.group, l.load, l.claim)
		}
	}
}
