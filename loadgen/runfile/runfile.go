// Package runfile writes and reads the recording of a run: JSON Lines, one
// object a line, whose key "t" names its kind. One file is one run.
//
//	run    what the run was started with: the first line
//	req    one request, written when it is done
//	sec    what happened in one second of one lane
//	coh    what became of the requests due in one second, once settled
//	probe  one sample of a machine, or why there was none
//	cmd    a change that took effect
//	ev     a line of the events pane
//	gap    lines that were left out because the disk was too slow
//	end    the run ended, and why
//
// The one idea: everything else can be computed again from run, req and cmd.
// [Events] turns the req lines back into what a ledger was told, in the order
// in which it was told.
//
// Times are seconds from the start of the run with µs digits; only the first
// line has a wall clock. A key that is absent was not measured: there is no 0
// in its place, and never a NaN. Nothing that opens a door is written: no
// header, no password, no query of a URL.
//
// The package starts no goroutine and knows no file: a [Writer] is an encoder
// that its caller flushes, a [Reader] takes what it is given.
package runfile

import (
	"math"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/probes"
)

// Version of the format. It rises only when an older reader would be wrong.
const Version = 1

// A Record is one line: a Header, Request, Second, Cohort, Probe, Command,
// Note, Gap or End.
type Record interface{ record() }

// Header is what the run was started with.
type Header struct{ *ledger.Setup }

// Request is the last step of one request, with all its stamps; see [Events].
type Request struct{ ledger.Event }

// Second is one closed second of a lane, or of all.
type Second struct {
	Lane int // or ledger.All
	ledger.Second
}

// Cohort is a settled cohort of a lane, or of all.
type Cohort struct {
	Lane         int           // or ledger.All
	At           time.Duration // stamp of the last done among its requests
	K, Span      int
	Older        bool // see [ledger.Cohort]
	Due, OK      int64
	Failed       int64
	Censored     int64         // timeouts and cut ones
	Over         time.Duration // smallest bound among the censored, or Never
	LastSent     time.Duration // when the last of them was sent; Never where one was cut before
	OpenAtChange int64
	Response     Dist // of the ok ones
	Service      Dist // of the ok ones
}

// Dist is a distribution as the file holds it. Without any value, all three
// times are Never.
type Dist struct {
	Mean, Min, Max time.Duration
	Hist           []ledger.Bucket
}

// Probe is one sample of a machine, or why there was none. The sample's own
// time is the run's start plus the point's.
type Probe struct {
	Name string
	probes.Point
}

// Command is a change that took effect at At. Of the embedded command only
// what its Do needs is kept; for a rate that is where it led to: requests per
// second, in a closed loop slots, with a shape or a trace the factor on it; for
// a power mode its number, and its name as Name.
//
// A lane that stops by itself, at its length or its number of requests, is
// recorded as DoStop of that lane, with the instant at which it stopped.
type Command struct {
	At time.Duration
	ledger.Command
	BodyBytes int64 // of one request from then on
	Booked    int   // of a stop: the second in which it was heard of, if that was later; else 0
}

// Note is a line of the events pane, with its sentence in English.
type Note struct {
	ledger.Note
	Text string
}

// Gap says how many lines of each kind were left out up to At.
type Gap struct {
	At   time.Duration
	Lost map[string]int64
}

// End says when and how the run ended: see [ledger.Snapshot]; "error" where its
// account could not be closed.
type End struct {
	At  time.Duration
	Why string
}

func (Header) record()  {}
func (Request) record() {}
func (Second) record()  {}
func (Cohort) record()  {}
func (Probe) record()   {}
func (Command) record() {}
func (Note) record()    {}
func (Gap) record()     {}
func (End) record()     {}

// Apply returns what the command made of a lane's setting.
func (c Command) Apply(s ledger.Setting) ledger.Setting {
	switch c.Do {
	case ledger.DoRate:
		c.turn(&s)
	case ledger.DoModel:
		s.Model, s.BodyBytes = c.Name, c.BodyBytes
	case ledger.DoTarget:
		s.Target, s.BodyBytes = c.Name, c.BodyBytes
	case ledger.DoArrivals:
		s.Arrivals = c.Arrivals
	case ledger.DoPause:
		s.Paused = true
	case ledger.DoResume:
		s.Paused = false
	}
	return s
}

// turn sets the dial that the lane has: its slots, the factor on its shape or
// trace, or its rate.
func (c Command) turn(s *ledger.Setting) {
	set := func(now float64) float64 {
		switch c.How {
		case ledger.Add:
			return math.Max(0, now+c.To)
		case ledger.Mul:
			return now * c.To
		}
		return c.To
	}
	switch {
	case s.Slots > 0:
		s.Slots = int(math.Round(set(float64(s.Slots))))
	case s.Scale > 0:
		s.Scale = set(s.Scale)
	default:
		s.Rate = set(s.Rate)
	}
}
