package main

import (
	"fmt"
	"strings"
)

// A row is one measure in the table, of every tool: the median over its rounds.
type row struct {
	load, measure string
	cell          func(rs []*run) string
	screen        bool // of pileup with its screen
}

var rows = []row{
	{load: slow, measure: "off schedule, p50 / p99, µs", cell: values("%.0f / %.0f", devP50, devP99)},
	{load: fast, measure: "off schedule, p50 / p99, µs", cell: values("%.0f / %.0f", devP50, devP99)},
	{load: big, measure: "off schedule, p50 / p99, µs", cell: values("%.0f / %.0f", devP50, devP99)},
	{load: slow, measure: "CPU for 1000 requests, ms", cell: values("%.0f", (*run).per1000)},
	{load: fast, measure: "CPU for 1000 requests, ms", cell: values("%.0f", (*run).per1000)},
	{load: big, measure: "CPU for 1000 requests, ms", cell: values("%.0f", (*run).per1000)},
	{load: fast, measure: "memory, MB", cell: values("%.0f", memory)},
	{load: closed, measure: "requests a second", cell: values("%.0f", rate)},
	{load: closed, measure: "CPU for 1000 requests, ms", cell: values("%.0f", (*run).per1000)},
	{load: overload, measure: "of the requests due: sent, answered, %", cell: values("%.0f, %.0f", sentPercent, answeredPercent)},
	{load: overload, measure: "p99 response it reports, s", cell: values("%.2f", saidP99)},
	{load: overload, measure: "p99 response from due, by the server's clock, s", cell: orNever(values("%.2f", trueP99Of))},
	{load: screen, measure: "off schedule, p50 / p99, µs", cell: values("%.0f / %.0f", devP50, devP99)},
	{load: screen, measure: "the same with the screen", cell: values("%.0f / %.0f", devP50, devP99), screen: true},
	{load: screen, measure: "CPU for 1000 requests, ms", cell: values("%.0f", (*run).per1000)},
	{load: screen, measure: "the same with the screen", cell: values("%.0f", (*run).per1000), screen: true},
	{load: screen, measure: "drawn by the screen, KB/s", cell: values("%.1f", drawn), screen: true},
}

// markdown returns the table of the runs, with a column for each of the named
// tools; columns are their names as they are shown.
func markdown(runs []*run, names, columns []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| | | %s |\n|---|---|%s\n", strings.Join(columns, " | "), strings.Repeat("---|", len(columns)))
	for _, row := range rows {
		cells, known := []string{row.load, row.measure}, false
		for _, name := range names {
			if row.screen && name == ours {
				name = onScreen
			}
			cell := "–"
			if rs := bests(runs, row.load, name); len(rs) > 0 {
				cell, known = row.cell(rs), true
			}
			cells = append(cells, cell)
		}
		if known {
			fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
		}
	}
	return b.String()
}

// bests returns a tool's runs under a load, one a round, without the disturbed
// ones if most are not.
func bests(runs []*run, load, tool string) (all []*run) {
	var clean []*run
	for round := range rounds(runs) {
		r := best(runs, load, tool, round)
		if r == nil {
			continue
		}
		all = append(all, r)
		if !r.Disturbed {
			clean = append(clean, r)
		}
	}
	if 2*len(clean) > len(all) {
		return clean
	}
	return all
}

// values shows the medians of some values; – if all are 0.
func values(format string, fs ...func(*run) float64) func([]*run) string {
	return func(rs []*run) string {
		var shown []any
		known := false
		for _, f := range fs {
			var xs []float64
			for _, r := range rs {
				xs = append(xs, f(r))
			}
			x := median(xs)
			known = known || x != 0
			shown = append(shown, x)
		}
		if !known {
			return "–"
		}
		return fmt.Sprintf(format, shown...)
	}
}

// orNever says what a missing response from due means: too many of the requests
// that were due never got an answer.
func orNever(cell func([]*run) string) func([]*run) string {
	return func(rs []*run) string {
		if s := cell(rs); s != "–" {
			return s
		}
		return "never"
	}
}

func memory(r *run) float64          { return float64(r.RSS) / 1024 }
func saidP99(r *run) float64         { return r.Said.P99 }
func trueP99Of(r *run) float64       { return r.TrueP99 }
func sentPercent(r *run) float64     { return 100 * sentShare(r) }
func answeredPercent(r *run) float64 { return 100 * float64(r.Answered) / float64(r.Due) }
func drawn(r *run) float64           { return float64(r.Terminal) / 1000 / r.Wall }
