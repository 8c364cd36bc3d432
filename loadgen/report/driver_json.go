package report

import (
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/probes"
)

// Driver is what the run cost the machine that sent it, and how late that was.
// What was not read is absent; lags are before a second has closed, and where all
// lanes are closed loops. Means and maxima are of intervals of a second as a rule.
type Driver struct {
	CPU       Number `json:"cpu_s,omitzero"`
	CoresMean Number `json:"cores_mean,omitzero"` // cores the process kept busy
	CoresMax  Number `json:"cores_max,omitzero"`
	CoresOf   Number `json:"cores_of,omitzero"`              // it may keep busy; a fraction under a CPU quota
	CoreWait  Number `json:"core_wait_max_s_per_s,omitzero"` // over all its threads, ready to run while others ran
	GC        Number `json:"gc_percent_max,omitzero"`        // of one core
	GCPause   Number `json:"gc_pause_max_s,omitzero"`        // longest stop by a collection
	FDs       Number `json:"fds_max,omitzero"`               // open descriptors
	FDLimit   Number `json:"fds_limit,omitzero"`             // absent where there is none
	Ports     Number `json:"ports_max,omitzero"`             // ephemeral ports, at most so many were taken, by whatever program of the machine
	PortLimit Number `json:"ports_limit,omitzero"`           // how many there are
	Steal     Number `json:"steal_percent_max,omitzero"`     // that a hypervisor took; 0 too where it does not tell
	Throttled Number `json:"throttled_percent_max,omitzero"` // of the periods of a CPU quota, in which it ran out
	Since     Number `json:"samples_from,omitzero"`          // all above is of the time from there on, in a run longer than samples are kept
	LagP50    Number `json:"lag_p50,omitzero"`
	LagP99    Number `json:"lag_p99,omitzero"`
	LagMax    Number `json:"lag_max,omitzero"`
	// Late says that lag p99 is above the limit, of more than one request: the
	// numbers are not the server's alone.
	LagLimit Number `json:"lag_limit,omitzero"`
	Late     *bool  `json:"late,omitempty"`
	// Causes are what happened while it was late and makes a driver late; empty
	// too where there was no evidence of any.
	Causes []Cause `json:"causes"`
}

// Cause is one of them. Its id is one of
//
//	driver-own-cpu      cores, of           the process kept all its cores busy
//	driver-gc-pause     pause               a collection stopped it, in seconds
//	driver-cpu-quota    percent             of its periods a CPU quota ran out
//	driver-cores-taken  wait, cores         other programs kept so many cores busy; wait as in core_wait_max_s_per_s
//	driver-core-wait    wait                the same where it is not known who had the cores
//	driver-steal        percent             of the time of all cores a hypervisor took
//
// and the evidence stands beside it.
type Cause struct {
	ID       string
	Evidence Stats
}

// MarshalJSON puts the evidence beside the id.
func (c Cause) MarshalJSON() ([]byte, error) {
	b, err := c.Evidence.MarshalJSON()
	if err != nil {
		return nil, err
	}
	id := `{"id":"` + c.ID + `"`
	if len(b) > 2 {
		id += ","
	}
	return append([]byte(id), b[1:]...), nil
}

func driverOf(s *ledger.Snapshot) Driver {
	d := drivenBy(s)
	u := &d.use
	out := Driver{
		CPU: reading(u.CPU), CoresMean: reading(u.CoresMean), CoresMax: reading(u.CoresMax), CoresOf: reading(u.CoresOf),
		CoreWait: reading(u.CoreWait), GC: reading(u.GC), GCPause: reading(u.GCPause),
		FDs: reading(u.FDs), FDLimit: reading(u.FDLimit), Ports: reading(u.Ports), PortLimit: reading(u.PortsLimit),
		Steal: reading(u.Steal), Throttled: reading(u.Throttled), Causes: []Cause{},
	}
	if u.Since > 0 {
		out.Since = seconds(u.Since)
	}
	if d.lag.N() == 0 {
		return out
	}
	out.LagP50, out.LagP99 = seconds(ledger.Of(d.lag, 0.50).Value), seconds(ledger.Of(d.lag, 0.99).Value)
	out.LagMax = seconds(d.lag.Max())
	out.LagLimit, out.Late = seconds(d.judged.Limit), &d.judged.Late
	for _, c := range d.causes {
		out.Causes = append(out.Causes, causeOf(c))
	}
	return out
}

func causeOf(c ledger.Cause) Cause {
	out := Cause{ID: c.ID}
	for _, a := range c.Args {
		switch x := a.Value.(type) {
		case float64:
			out.Evidence.add(a.Name, number(x))
		case time.Duration:
			out.Evidence.add(a.Name, seconds(x))
		}
	}
	return out
}

// reading is what a probe read.
func reading(v probes.Value) Number {
	if x, known := v.Get(); known {
		return number(x)
	}
	return Number{}
}
