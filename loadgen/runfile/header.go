package runfile

import (
	"bytes"
	"fmt"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
	"dev.example/pileup/probes"
)

// headerLine is the first line. Limits that are not set are absent.
type headerLine struct {
	T        string       `json:"t"`
	V        int          `json:"v"`
	Start    time.Time    `json:"start"`
	Tool     string       `json:"tool"`
	Seed     uint64       `json:"seed"`
	Limit    int          `json:"limit,omitempty"`
	Timeout  stamp        `json:"timeout,omitzero"`
	Length   stamp        `json:"length,omitzero"`
	Requests int64        `json:"requests,omitempty"`
	Conns    int          `json:"connections,omitempty"` // for one target
	Drain    stamp        `json:"drain,omitzero"`
	Alone    bool         `json:"no_keepalive,omitempty"`
	Workload string       `json:"workload,omitempty"`
	Hash     string       `json:"sha256,omitempty"` // of the workload
	Targets  []targetPart `json:"targets"`
	Lanes    []lanePart   `json:"lanes"`
	Driver   driverPart   `json:"driver"`
	Boards   []boardPart  `json:"boards,omitempty"`
	Payload  []string     `json:"payload,omitempty"`
}

type targetPart struct {
	ID       int      `json:"id"`
	Name     string   `json:"name"`
	URL      string   `json:"url"`
	Protocol string   `json:"protocol"`
	Models   []string `json:"models,omitempty"`
}

type lanePart struct {
	ID       int       `json:"id"`
	Name     string    `json:"name"`
	Targets  []int     `json:"targets"`
	Balance  string    `json:"balance,omitempty"`
	Weights  []float64 `json:"weights,omitempty"`
	Model    string    `json:"model"`
	Target   string    `json:"target,omitempty"` // the only one sent to
	Arrivals string    `json:"arrivals"`
	patternPart
	Rate      *float64 `json:"rate,omitempty"` // where a rate decides
	Scale     float64  `json:"scale,omitempty"`
	Slots     int      `json:"slots,omitempty"`
	Paused    bool     `json:"paused,omitempty"`
	BodyBytes int64    `json:"body_bytes,omitempty"`
}

// patternPart is how requests become due, beside the arrivals. A trace is not
// in the file; the workload's hash tells which one it was.
type patternPart struct {
	Within string `json:"within,omitempty"`
	Every  stamp  `json:"every,omitzero"`
	Count  int64  `json:"count,omitempty"`
	Once   bool   `json:"once,omitempty"`
	Shape  string `json:"shape,omitempty"`
}

// rateOf is the rate of a lane that has one.
func rateOf(s ledger.Setting) *float64 {
	if s.Slots > 0 || s.Scale > 0 {
		return nil
	}
	return &s.Rate
}

func orNone(rate *float64) float64 {
	if rate == nil {
		return 0
	}
	return *rate
}

func patternOf(p *pace.Spec) patternPart {
	out := patternPart{Every: orNever(p.Every), Count: p.Count, Once: p.Once}
	if p.Within != pace.Even {
		out.Within = p.Within.String()
	}
	if p.Shape != nil {
		out.Shape = p.Shape.String()
	}
	return out
}

func (p *patternPart) spec() (s pace.Spec, err error) {
	s = pace.Spec{Every: orZero(p.Every), Count: p.Count, Once: p.Once}
	if p.Within != "" {
		if s.Within, err = pace.ParseWithin(p.Within); err != nil {
			return s, err
		}
	}
	if p.Shape != "" {
		s.Shape, err = pace.ParseShape(p.Shape)
	}
	return s, err
}

type driverPart struct {
	Host string `json:"host,omitempty"`
	CPUs int    `json:"cpus,omitempty"`
}

type boardPart struct {
	Probe string     `json:"probe"`
	Modes []modePart `json:"modes,omitempty"`
}

type modePart struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
	Note string `json:"note,omitempty"`
}

// Describe returns the first line of the file, without its end of line: what
// the run was started with, as one JSON object.
func Describe(s *ledger.Setup) ([]byte, error) { return encode(headerOf(s)) }

func headerOf(s *ledger.Setup) headerLine {
	h := headerLine{
		T: "run", V: Version, Start: s.Start.UTC(), Tool: s.Tool, Seed: s.Seed,
		Limit: s.Limit, Timeout: orNever(s.Timeout), Length: orNever(s.Length), Requests: s.Requests,
		Conns: s.Connections, Drain: orNever(s.Drain), Alone: s.NoKeepAlive, Workload: s.Workload, Hash: s.Hash,
		Targets: []targetPart{}, Lanes: []lanePart{},
		Driver: driverPart(s.Driver), Payload: s.Payload,
	}
	for _, t := range s.Targets {
		h.Targets = append(h.Targets, targetPart(t))
	}
	for _, l := range s.Lanes {
		h.Lanes = append(h.Lanes, lanePart{
			ID: l.ID, Name: l.Name, Targets: l.Targets, Balance: l.Balance, Weights: l.Weights,
			Model: l.Setting.Model, Target: l.Setting.Target, Arrivals: l.Setting.Arrivals.String(),
			patternPart: patternOf(&l.Pattern),
			Rate:        rateOf(l.Setting), Scale: l.Setting.Scale, Slots: l.Setting.Slots, Paused: l.Setting.Paused, BodyBytes: l.Setting.BodyBytes,
		})
	}
	for _, b := range s.Boards {
		part := boardPart{Probe: b.Probe}
		for _, m := range b.Modes {
			part.Modes = append(part.Modes, modePart(m))
		}
		h.Boards = append(h.Boards, part)
	}
	return h
}

// orNever is the stamp of a limit, of which 0 means that there is none.
func orNever(d time.Duration) stamp {
	if d == 0 {
		return never
	}
	return stamp(d)
}

func orZero(s stamp) time.Duration {
	if s == never {
		return 0
	}
	return time.Duration(s)
}

// header reads the first line.
func header(data []byte) (*ledger.Setup, error) {
	h := headerLine{Timeout: never, Length: never, Drain: never}
	switch err := decode(data, &h); {
	case err != nil && bytes.HasPrefix(data, []byte(`{"t":"run"`)):
		return nil, err
	case err != nil || h.T != "run" || h.V < 1:
		return nil, ErrNotRunFile
	}
	if h.V > Version {
		return nil, fmt.Errorf("written by %s as version %d of the format; this pileup reads up to %d", h.Tool, h.V, Version)
	}
	s := &ledger.Setup{
		Start: h.Start, Tool: h.Tool, Seed: h.Seed, Limit: h.Limit,
		Timeout: orZero(h.Timeout), Length: orZero(h.Length), Requests: h.Requests,
		Connections: h.Conns, Drain: orZero(h.Drain), NoKeepAlive: h.Alone, Workload: h.Workload, Hash: h.Hash,
		Driver: ledger.Driver(h.Driver), Payload: h.Payload,
	}
	for i, t := range h.Targets {
		if t.ID != i {
			return nil, fmt.Errorf("target %d stands in place %d", t.ID, i)
		}
		s.Targets = append(s.Targets, ledger.Target(t))
	}
	for _, b := range h.Boards {
		board := ledger.Board{Probe: b.Probe}
		for _, m := range b.Modes {
			board.Modes = append(board.Modes, probes.Mode(m))
		}
		s.Boards = append(s.Boards, board)
	}
	return s, h.addLanes(s)
}

func (h *headerLine) addLanes(s *ledger.Setup) error {
	for i, l := range h.Lanes {
		if l.ID != i {
			return fmt.Errorf("lane %d stands in place %d", l.ID, i)
		}
		for _, t := range l.Targets {
			if t < 0 || t >= len(s.Targets) {
				return fmt.Errorf("lane %d has target %d of %d", i, t, len(s.Targets))
			}
		}
		arrivals, err := pace.Parse(l.Arrivals)
		if err != nil {
			return err
		}
		pattern, err := l.spec()
		if err != nil {
			return err
		}
		s.Lanes = append(s.Lanes, ledger.LaneSetup{
			ID: l.ID, Name: l.Name, Targets: l.Targets, Balance: l.Balance,
			Weights: l.Weights, Pattern: pattern,
			Setting: ledger.Setting{
				Model: l.Model, Target: l.Target, Arrivals: arrivals,
				Rate: orNone(l.Rate), Scale: l.Scale, Slots: l.Slots, Paused: l.Paused, BodyBytes: l.BodyBytes,
			},
		})
	}
	if len(s.Lanes) == 0 {
		return fmt.Errorf("a run without a lane")
	}
	return nil
}
