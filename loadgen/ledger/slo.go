package ledger

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// An SLOFigure is what an [SLO] bounds.
type SLOFigure uint8

// The figures, each with the unit of its limit. Latencies are responses, as
// the headline latency is.
const (
	SLOQuantile   SLOFigure = iota // seconds
	SLOMean                        // seconds
	SLOMax                         // seconds
	SLOErrors                      // failed ÷ (ok + failed), cut ones included: 0 to 1
	SLOBacklog                     // requests: the highest backlog at any instant of the closed seconds
	SLOThroughput                  // ok requests per second, from 0 until the last request was done: the drain included
)

// An SLO is one thing that is asked of a run: that a figure of a lane, or of
// all together, stays on one side of a limit.
type SLO struct {
	Lane    string // name of the lane, "" for all together
	Figure  SLOFigure
	Percent float64 // of a quantile: 99.9, above 0 and below 100
	Op      string  // "<" or "<="; of throughput ">" or ">="
	Limit   float64 // in the unit of the figure
}

// Name is the figure as it is written: "p99", "errors".
func (s SLO) Name() string {
	if s.Figure == SLOQuantile {
		return "p" + strconv.FormatFloat(s.Percent, 'f', -1, 64)
	}
	return figures[s.Figure].name
}

// String is the SLO as ParseSLO reads it.
func (s SLO) String() string {
	limit := strconv.FormatFloat(s.Limit, 'f', -1, 64)
	switch s.Figure {
	case SLOErrors:
		limit = strconv.FormatFloat(s.Limit*100, 'g', 12, 64) + "%"
	case SLOQuantile, SLOMean, SLOMax:
		limit = us(int64(math.Round(s.Limit * 1e6))).String()
	case SLOThroughput:
		limit += "/s"
	}
	if s.Lane != "" {
		return s.Lane + ":" + s.Name() + s.Op + limit
	}
	return s.Name() + s.Op + limit
}

// Fits returns an error if no lane of the run has the name.
func (s SLO) Fits(setup *Setup) error {
	var names []string
	for _, l := range setup.Lanes {
		names = append(names, l.Name)
	}
	if s.Lane == "" || slices.Contains(names, s.Lane) {
		return nil
	}
	return fmt.Errorf("%q: no lane is called %s: there are %s", s.String(), s.Lane, strings.Join(names, ", "))
}
