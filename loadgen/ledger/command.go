package ledger

import (
	"time"

	"dev.example/pileup/loadgen/pace"
)

// A Do names what a command does.
type Do string

// The commands. Rate, Model, Target, Arrivals, Pause, Resume and Mode change a
// setting and open a segment; the others are events.
const (
	DoRate     Do = "rate"     // To requests per second, in a closed loop slots; see Command.How
	DoModel    Do = "model"    // Name
	DoTarget   Do = "target"   // Name, "" for all of the lane's
	DoArrivals Do = "arrivals" // Arrivals
	DoPause    Do = "pause"
	DoResume   Do = "resume"
	DoBurst    Do = "burst"   // To requests due at once; the schedule goes on as it was
	DoMark     Do = "mark"    // remember the moment, under Name
	DoStop     Do = "stop"    // stop sending and drain
	DoCut      Do = "cut"     // give up on what is still open
	DoRestart  Do = "restart" // end this run, begin another with the present settings
	DoMode     Do = "mode"    // power mode Mode of board Board
)

// How says what To means in a rate command.
type How uint8

// The ways to change a rate.
const (
	Set How = iota // to To
	Add            // by To
	Mul            // times To
)

// A Command asks the run for a change. It has taken effect when a snapshot
// says so.
type Command struct {
	ID       uint64 // given by the run
	Do       Do
	Lane     int // or All
	How      How
	To       float64
	Name     string
	Arrivals pace.Arrivals
	Board    string
	Mode     int
	By       string // "key", "signal", "plan"
}

// A State says how far a command got.
type State uint8

// The states of a command.
const (
	Pending State = iota
	Applied
	Refused
)

// An Ack is the answer to a command.
type Ack struct {
	Command
	State State
	At    time.Duration // when it took effect or was refused
	Why   string        // why it was refused
}
