package main

import (
	"strings"
	"testing"
)

func TestMarkdown(t *testing.T) {
	runs := []*run{
		{Load: overload, Tool: "pileup", Due: 500, Sent: 500, Answered: 500, Said: said{P99: 7.7}, TrueP99: 7.71},
		{Load: screen, Tool: "pileup", Deviation: deviation{P50: 5, P99: 50}},
		{Load: screen, Tool: "pileup, screen", Deviation: deviation{P50: 6, P99: 60}, Sent: 5000, CPU: 1, Wall: 2, Terminal: 9000},
		{Load: overload, Tool: "hey", Due: 500, Sent: 300, Answered: 300, Said: said{P99: 1.79}},
		{Load: overload, Tool: "pileup", Round: 1, Due: 500, Sent: 500, Answered: 490, Said: said{P99: 7.9}, TrueP99: 7.91},
	}
	got := markdown(runs, []string{"pileup", "vegeta", "hey"}, []string{"pileup 1", "vegeta 2", "hey 3"})
	want := strings.TrimPrefix(`
| | | pileup 1 | vegeta 2 | hey 3 |
|---|---|---|---|---|
| 50/s to a server of 28/s | of the requests due: sent, answered, % | 100, 99 | – | 60, 60 |
| 50/s to a server of 28/s | p99 response it reports, s | 7.80 | – | 1.79 |
| 50/s to a server of 28/s | p99 response from due, by the server's clock, s | 7.81 | – | never |
| 500/s of 2 KB | off schedule, p50 / p99, µs | 5 / 50 | – | – |
| 500/s of 2 KB | the same with the screen | 6 / 60 | – | – |
| 500/s of 2 KB | CPU for 1000 requests, ms | – | – | – |
| 500/s of 2 KB | the same with the screen | 200 | – | – |
| 500/s of 2 KB | drawn by the screen, KB/s | 4.5 | – | – |
`, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
