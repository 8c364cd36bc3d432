package ledger

import (
	"time"

	"dev.example/pileup/probes"
)

// A Phase is where the run is.
type Phase uint8

// The phases of a run: ready → sending ⇄ paused → draining → done.
const (
	Ready Phase = iota
	Sending
	Paused
	Draining
	Ended
)

func (p Phase) String() string {
	return [...]string{"ready", "sending", "paused", "draining", "done"}[p]
}

// A Snapshot is everything known at one instant. It is immutable, and so is
// all it points to: any number of readers may keep it as long as they like.
type Snapshot struct {
	Run   int           // which run of this program, from 1
	Seq   uint64        // rises with every snapshot of the program
	At    time.Duration // instant on the run's clock
	Phase Phase
	// Why says how the run ended, "" before it has: "done" by itself or after
	// a stop, also where Setup.Drain was over and what was still open was cut
	// as asked at the start; "cut" or "quit" when somebody gave up on it, and
	// "interrupt", "sigterm" or "hang-up" when a signal did; "failed" when it
	// could not work.
	Why   string
	Setup *Setup

	Closed int    // number of the last closed second, 0 before the first
	Total  Lane   // all lanes together; Info is zero
	Lanes  []Lane // by id
	// Targets are those of the setup, in its order, and after them any that
	// joined later.
	Targets []TargetState

	// AtClose is the state at the end of the last closed second: what had
	// happened by then and nothing else, the same live and from a file. nil
	// before the first close.
	AtClose *Snapshot

	// Lateness says whether the driver keeps its schedule, as of the last
	// closed second.
	Lateness Lateness

	// SendingEnded is when the last lane stopped sending, or Never.
	SendingEnded time.Duration

	Segments []Segment // oldest first, at least the last 1000
	Notes    []Note    // in the order in which they were found, at least the last 1000
	Noted    int       // notes so far, with those that are no longer kept
	Commands []Ack     // oldest first, the last 32
	Series   []probes.Series
	// Driver is what DriverProbe said of the run, once that is over; nil before.
	// Series goes on, and loses what is old.
	Driver *probes.Series
	Record Record
}

// A Lane is the account of one lane, or of all together.
type Lane struct {
	Info    LaneSetup
	Setting Setting // in force now
	Ended   bool    // sends no more
	AtEnd   AtEnd   // how things stood when it stopped; zero before
	Loading string  // model being prepared, "" if none

	Totals
	Oldest      time.Duration // due of the oldest open request, or Never
	PeakBacklog int64         // the highest in any closed second: the largest Peak

	Seconds []Second  // closed, oldest first
	Cohorts []*Cohort // oldest first, the open ones included
	Older   *Cohort   // cohorts that left the list while open; nil if none

	Targets []Tally // per target of the lane, in the order of Info.Targets, then those that joined later
	Peers   []Peer  // by address

	// Failures are the failed requests by kind, to the last closed second,
	// in the order in which the kinds came up: at most 64. OtherFailures
	// counts those of further kinds.
	Failures      []FailureGroup
	OtherFailures int64

	Response, Service, LagDist *Dist // of ok requests (lag: of all), to the last closed second
}

// Totals count requests since the start. At every instant
// Due = OK + Failed + InFlight + Held.
type Totals struct {
	Due, OK, Failed, InFlight, Held int64

	Sent     int64         // whatever became of them
	Fail     Counts        // Failed by class
	Censored int64         // failed with only a lower bound of their response
	Over     time.Duration // the smallest of those bounds; Never without any
	// The same for service, which only those have that were sent.
	CensoredSent int64
	OverSent     time.Duration
	Late         int64         // events booked in a later second than their own
	Up, Down     int64         // body bytes sent and received of done requests
	Sending      time.Duration // unpaused time of sending
}

// AtEnd is how things stood at the instant At at which sending ended.
type AtEnd struct {
	At               time.Duration
	OK, Failed, Open int64
}

// Backlog is what is due and not done: held + in flight.
func (t Totals) Backlog() int64 { return t.Held + t.InFlight }

// Balanced reports whether the account balances.
func (t Totals) Balanced() bool {
	return t.Due == t.OK+t.Failed+t.InFlight+t.Held &&
		t.Due >= 0 && t.OK >= 0 && t.Failed >= 0 && t.InFlight >= 0 && t.Held >= 0 &&
		t.Fail.Sum() == t.Failed
}

// Counts are numbers of failed requests by class.
type Counts [classes]int64

// Sum adds up all classes.
func (c *Counts) Sum() (n int64) {
	for _, v := range c {
		n += v
	}
	return n
}

// A Second is what happened in [K−Span, K) seconds of the run's clock, and
// how things stood at its end. Old seconds are joined: then Span is over 1.
type Second struct {
	K    int
	Span int // seconds covered: 1, 10, 60 or 600

	Due, Sent, OK, Failed int64
	Fail                  Counts
	Up, Down              int64         // body bytes of requests done in it
	Sending               time.Duration // unpaused time of sending in it, as was known when it closed: a stop that is told later is taken off Totals.Sending alone
	LagP99, LagMax        time.Duration // of requests taken up in it, joined: the largest of the parts; Never if none

	Held, InFlight    int64 // at its end
	OldLeft, ThisLeft int64 // open at its end: due before it, due in it

	// Peak is the highest backlog at any instant in it. What is booked late
	// counts from its beginning.
	Peak   int64
	Tenths [10]Tenth // its course; zero where seconds are joined
}

// Backlog is what was due and not done at the end of the second.
func (s *Second) Backlog() int64 { return s.Held + s.InFlight }

// A Cohort is what became of the requests due in [K−Span, K). It is settled
// when all of them are done and no more can join.
type Cohort struct {
	K     int
	Span  int
	Older bool // it holds the cohorts up to K that left the list while open: see [Lane.Older]

	Due, OK, Failed, Open int64
	Unsent                int64         // of the open ones: held
	LastSent              time.Duration // last stamp of sent among them, or Never
	Youngest              time.Duration // due of the youngest open one, or Never
	Earlier, Earliest     time.Duration // how much earlier than Youngest the open ones were due: on average, and the oldest
	EarlierSent           time.Duration // how much earlier than LastSent those in flight were sent, on average
	Censored              int64         // timeouts and cut ones
	Over                  time.Duration // smallest bound among the censored, or Never
	CensoredSent          int64         // those of them that were sent
	OverSent              time.Duration // smallest bound of their service, or Never
	Further, FurtherSent  time.Duration // how far these bounds are above the smallest, on average
	Longest, LongestSent  time.Duration // the largest of them, 0 without any
	Settled               bool
	SettledAt             time.Duration // stamp of the last done, once settled
	// OpenAtChange is the largest number of its requests that were open at
	// one edge: a change of a setting after they were due, or the end of sending.
	OpenAtChange int64

	Response, Service *Dist // of the ok ones
}

// AllSent is when the last of its requests was sent, those aside that failed
// before; Never while one waits for it, and where one was cut that did.
func (c *Cohort) AllSent() time.Duration {
	if c.Unsent > 0 || c.Censored > c.CensoredSent {
		return Never
	}
	return c.LastSent
}

// A Tally is a lane's account with one target. Due ÷ the lane's Due is the
// target's share of the lane, Open its backlog.
type Tally struct {
	Target          int
	Due, OK, Failed int64
	Open            int64         // due and not done
	Gone            bool          // whatever lane found out
	GoneAt, BackAt  time.Duration // last time each, or Never
}

// A Peer is one address that answered.
type Peer struct {
	Addr string
	OK   int64
}

// A Segment is a stretch in which no setting of any lane or board changed.
type Segment struct {
	ID       int           // from 0
	From, To time.Duration // To is Never while it lasts
	By       string        // what opened it: "start", "mode", or what the command did
	Lane     int           // whose setting changed, or All
	Settings []Setting     // by lane
	Modes    []string      // power modes, in the order of Setup.Boards
	Due      []int64       // requests due in it, by lane
}

// A Level says how much a note matters.
type Level uint8

// The levels of notes.
const (
	Info Level = iota
	Attention
	Bad
)

// A Note is one line of the events pane. ID names its sentence in the
// catalogue of each language, Args fill it.
type Note struct {
	At    time.Duration
	Level Level
	ID    string
	Args  []Arg
}

// An Arg is a named part of a note: a string, an int64, a float64, or a
// time.Duration.
type Arg struct {
	Name  string
	Value any
}

// Record is the state of the run file.
type Record struct {
	File string // "" if the run is not recorded
	Lost int64  // lines left out because the disk was too slow
	Err  string // why it ended early, "" if it did not
}
