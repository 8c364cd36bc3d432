// Package study answers what no single run shows: what this machine can drive
// at most, how much of that a run asks for, and what targets are worth by a
// recording.
//
//	Bench ──runs──▶ SelfTest ──kept as JSON──▶ Demand of a later run
//	run file ─────▶ Worth ───────────────────▶ weights of a pool
//
// A self-test is a [Bench] that is run: for each way of sending and each size of
// body one closed loop and a search for the highest rate that is sent in time.
// What is sent to, how its targets are made and where results are kept is up to
// the caller.
package study

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"
)

// A SelfTest is what a machine was found to be able to drive. It is printed and
// kept as JSON. Every rate is a floor: the server runs on the same machine.
type SelfTest struct {
	V       int       `json:"v"` // rises when older programs would read it wrongly
	Tool    string    `json:"tool"`
	At      time.Time `json:"measured"`
	Machine Machine   `json:"machine"`
	Step    float64   `json:"step_s"`
	Others  float64   `json:"others_cores"` // that other programs kept busy meanwhile
	Note    string    `json:"note"`
	Ways    []Way     `json:"ways"`
}

// A Machine is what a self-test holds for.
type Machine struct {
	CPU   string `json:"cpu,omitempty"`
	Cores int    `json:"cores"`
}

// A Way is one path of sending with bodies of one size.
type Way struct {
	Protocol string     `json:"protocol"`
	Path     string     `json:"path"`
	Body     int64      `json:"body_bytes"`
	Closed   ClosedLoop `json:"closed"`
	Open     *OpenLoop  `json:"open,omitempty"` // nil if no rate that was tried could be kept
}

// A ClosedLoop is the most that is done with so many requests open at once.
type ClosedLoop struct {
	Slots     int     `json:"slots"`
	Requests  int64   `json:"requests"`
	PerSecond float64 `json:"per_s"`
	CPU       float64 `json:"cpu_s_per_1000"` // of driver and server
}

// An OpenLoop is the highest rate that was sent in time.
type OpenLoop struct {
	Requests  int64   `json:"requests"`
	PerSecond float64 `json:"per_s"`
	Lag50     float64 `json:"lag_p50_s"`
	Lag99     float64 `json:"lag_p99_s"`
	Service   float64 `json:"service_p50_s"`
	CPU       float64 `json:"cpu_s_per_1000"` // of driver and server
}

const version = 1

const floorNote = "driver and server share this machine, so each rate is a floor"

// New is the self-test of a machine, begun now, with steps so long. It has no
// Ways yet: see [Bench.Run].
func New(tool string, of Machine, step time.Duration) *SelfTest {
	return &SelfTest{
		V: version, Tool: tool, At: time.Now().UTC().Truncate(time.Second),
		Machine: of, Step: step.Seconds(), Note: floorNote,
	}
}

// Write writes the self-test as one line of JSON.
func (t *SelfTest) Write(out io.Writer) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	return e.Encode(t)
}

// Read reads what [SelfTest.Write] has written. What another program wrote that
// counts otherwise is an error.
func Read(in io.Reader) (*SelfTest, error) {
	t := &SelfTest{}
	if err := json.NewDecoder(in).Decode(t); err != nil {
		return nil, fmt.Errorf("no self-test: %w", err)
	}
	if t.V != version {
		return nil, fmt.Errorf("a self-test of version %d: want %d", t.V, version)
	}
	return t, nil
}

// A Fitness says whether runs can be held to a self-test.
type Fitness int

const (
	Fit       Fitness = iota
	Short             // its steps are shorter than [ShortestKept]
	Disturbed         // other programs took more than a quarter of the machine
	Late              // no open loop was sent in time
)

const (
	// ShortestKept is the shortest step whose result later runs are held to.
	ShortestKept = time.Second
	// mostOthers is the largest share of the cores that other programs may
	// take for the result to be this machine's and not that of the hour.
	mostOthers = 0.25
)

// Fitness says whether runs can be held to the self-test, or the first reason
// why not.
func (t *SelfTest) Fitness() Fitness {
	switch {
	case t.Step < ShortestKept.Seconds():
		return Short
	case t.Others > float64(t.Machine.Cores)*mostOthers:
		return Disturbed
	case !slices.ContainsFunc(t.Ways, func(w Way) bool { return w.Open != nil }):
		return Late
	}
	return Fit
}
