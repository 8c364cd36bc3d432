package ledger

import (
	"time"

	"dev.example/pileup/loadgen/pace"
	"dev.example/pileup/probes"
)

// All, as a lane number, means every lane.
const All = -1

// A Setup is what a run was started with. It never changes during the run.
type Setup struct {
	Tool    string    // "pileup 0.1.0"
	Start   time.Time // wall clock at zero
	Seed    uint64
	Targets []Target
	Lanes   []LaneSetup
	Driver  Driver
	Boards  []Board
	// Payload says what is sent, a line a model: "150,528 floats: 3.15 MB as JSON".
	Payload []string
	// Limit is how many requests may be in flight at once; more are held.
	Limit int
	// Timeout is the limit for an answer, counted from sent; 0 is none.
	Timeout time.Duration
	// Length ends sending on the schedule clock, 0 is never; Requests ends
	// it after so many per lane, 0 is never.
	Length   time.Duration
	Requests int64
	// Connections is the limit for one target, 0 is none.
	Connections int
	// Drain is how long after the end of sending what is open is waited for;
	// 0 is until it is done.
	Drain time.Duration
	// NoKeepAlive says that each request has a connection of its own.
	NoKeepAlive bool
	// Workload is the file that said what is due, "" without one, and Hash
	// the SHA-256 of its bytes.
	Workload, Hash string
}

// A Target is one endpoint.
type Target struct {
	ID       int
	Name     string
	URL      string // without user, password and query
	Protocol string // "tfs+http"
	// Models is what the model key walks: the server's own list where the
	// protocol has one, else the models named on the command line.
	Models []string
}

// A LaneSetup is what a lane was started with.
type LaneSetup struct {
	ID      int
	Name    string
	Targets []int
	Balance string // how requests are dealt over several targets
	// Weights are shares or capacities for the balance, in the order of
	// Targets; nil is all alike.
	Weights []float64
	// Pattern is how requests become due, but for the arrivals, which the
	// setting holds.
	Pattern pace.Spec
	Setting Setting
}

// A Setting is everything about a lane that a command can change.
type Setting struct {
	Model     string
	Target    string // name of the only target that is sent to, "" for all of the lane's
	Arrivals  pace.Arrivals
	Rate      float64 // requests per second; 0 where a shape, a trace or slots decide
	Scale     float64 // factor on the rate of a shape or a trace; 0 without one
	Slots     int     // closed loop: requests open at once; 0 in an open loop
	Paused    bool
	BodyBytes int64 // of one request
}

// Driver is the machine that sends.
type Driver struct {
	Host string
	CPUs int
}

// A Board is a machine behind a target whose power mode can be switched.
type Board struct {
	Probe string // name of its probe
	Modes []probes.Mode
	Mode  string // name of the mode it was found in before the start, "" if not known
}
