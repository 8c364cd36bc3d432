// Package run is the one loop of pileup. It alone owns the ledger and the probe
// series, starts the engine, applies commands, hands what is final to the
// recorder and publishes immutable snapshots; everything else polls those.
//
//	engine ──events──▶ ┐
//	probes ──readings─▶├─ Loop ──▶ atomic pointer to the newest Snapshot
//	Do ─────commands──▶┘    └────▶ recorder, in a goroutine of its own
//
// The loop waits for nobody: a slow screen keeps an old snapshot, a slow disk
// loses lines that are counted, a slow probe is a gap. It lives over restarts:
// each run has a ledger, a clock, an engine and a recorder of its own; the
// probes go on.
package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/guard"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
	"dev.example/pileup/probes"
)

// Options are what a loop is made of.
type Options struct {
	// Setup is what the first run starts with; Start and the boards are
	// filled in. A restart takes the settings in force.
	Setup   ledger.Setup
	Targets map[int]loadgen.Target // by id
	Probes  []probes.Probe
	// Weigh says what a target is worth with a model, for the balance of the
	// lanes; nil is all alike. An error refuses the pool.
	Weigh func(target int, model string) (float64, error)
	// Record opens the run file of the run'th run; nil records nothing. An
	// error refuses the run.
	Record func(run int) (File, error)
	Say    func(ledger.Note) string // a note as a sentence, for the run file
	// Stay keeps the loop alive after a run is done, for a restart or more
	// to see, until its context is done.
	Stay bool
	// KeepGoing lets a run go on whose first requests all failed alike.
	KeepGoing bool
	Open      int            // most requests open at once; 0 is loadgen.MaxOpen
	Pacing    loadgen.Pacing // of the lanes; nil is the engine's own
}

// Period is how often a snapshot is published.
const Period = 100 * time.Millisecond

// queue is how many commands may wait; one more is refused.
const queue = 64

// keepAcks is how many answers to commands a snapshot holds.
const keepAcks = 32

// ErrQueueFull is returned by Do when too many commands wait.
var ErrQueueFull = errors.New("too many commands wait to be applied")

// ErrOver is returned by Do once the loop has ended.
var ErrOver = errors.New("the run is over")

// A Loop drives runs one after another. Snapshot and Do may be called from
// anywhere; Prepare and Run once, in this order.
type Loop struct {
	opt      Options
	snap     atomic.Pointer[ledger.Snapshot]
	commands chan ledger.Command // capacity queue; Do refuses when it is full

	mu   sync.Mutex
	ids  uint64 // of the last command
	over bool   // nothing is taken any more

	readings chan probes.Reading // capacity 16; a full one makes the probe's runner wait
	ready    chan readied        // capacity queue; models and power modes prepared off the loop
	group    guard.Group         // probes and preparations

	recording guard.Group // the recorders' goroutines
	recorders []*recorder // the last one, and earlier ones that are not complete

	seq       uint64
	acks      []ledger.Ack
	series    []probes.Series
	pools     map[int]pool           // by lane
	busy      map[int]ledger.Command // that prepares what a lane sends next
	switching map[string]bool        // boards whose power mode is being switched, by probe
	zero      time.Time              // of the run that the points of the series are relative to
	ahead     *File                  // opened for the run that follows
	first     []ledger.Note          // told at the beginning of each run

	*current
}

// current is what belongs to one run.
type current struct {
	run      int
	setup    *ledger.Setup
	ledger   *ledger.Ledger
	engine   *loadgen.Engine
	rec      *recorder
	frontier []time.Duration
	events   []ledger.Event
	ran      chan struct{} // closed when the engine has ended
	toldEnd  bool          // that sending has ended
	patience *time.Timer   // for what is open when sending has ended; nil before, or without a limit
	ended    time.Duration // sending, once there is that timer
	pulse    pulse
	rested   time.Duration // when a step last found every lane paused; before zero if none did
	hopeless bool          // stopped because it cannot work
	full     bool          // stopped because too much was open
	restart  *ledger.Command
	driver   *probes.Series // what it said of the run, once that is over

	switched  map[int]time.Duration // when each board's power mode last changed
	cut       bool                  // open requests were given up on command
	why       string                // the run ended, once it has
	stoppedBy map[int]string        // by lane: "key", "signal"; nothing if it ended by itself
	bursts    map[int]burst         // by lane, asked for and perhaps not due yet
}

// New makes a loop. It starts nothing; until Run its snapshot is ready.
func New(opt Options) *Loop {
	if opt.Open == 0 {
		opt.Open = loadgen.MaxOpen
	}
	l := &Loop{
		opt:       opt,
		commands:  make(chan ledger.Command, queue),
		readings:  make(chan probes.Reading, 16),
		ready:     make(chan readied, queue),
		pools:     map[int]pool{},
		busy:      map[int]ledger.Command{},
		switching: map[string]bool{},
	}
	for _, p := range opt.Probes {
		l.series = append(l.series, probes.Series{Name: p.Name()})
		if s, ok := p.(probes.Switcher); ok {
			l.opt.Setup.Boards = append(l.opt.Setup.Boards, ledger.Board{Probe: p.Name(), Modes: s.Modes()})
		}
	}
	l.current = l.fresh(1, l.opt.Setup)
	l.snap.Store(l.readySnapshot())
	return l
}

// fresh is a run that has not begun.
func (l *Loop) fresh(run int, setup ledger.Setup) *current {
	return &current{
		run: run, setup: &setup, ledger: ledger.New(&setup),
		switched: map[int]time.Duration{}, stoppedBy: map[int]string{}, bursts: map[int]burst{},
		rested: -time.Second,
	}
}

func (l *Loop) readySnapshot() *ledger.Snapshot {
	s := l.ledger.Snapshot()
	s.Run, s.Phase, s.Series = l.run, ledger.Ready, slices.Clone(l.series)
	return s
}

// Snapshot returns the newest state. It is never nil.
func (l *Loop) Snapshot() *ledger.Snapshot { return l.snap.Load() }

// Do asks for a change and returns the number under which its answer will
// stand in Snapshot.Commands, at the latest when Run returns. It never blocks.
func (l *Loop) Do(c ledger.Command) (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		return 0, ErrOver
	}
	c.ID = l.ids + 1
	select {
	case l.commands <- c:
		l.ids = c.ID
		return c.ID, nil
	default:
		return 0, ErrQueueFull
	}
}

// Tell adds a note to the beginning of each run. It is called before Run.
func (l *Loop) Tell(n ledger.Note) { l.first = append(l.first, n) }

// Run drives run after run until one ends that is not to be restarted (and,
// with Stay, until ctx is done). When ctx is done what is open is cut, and the
// run was ended by what the cause of that calls EndedBy, else "quit". The error
// says why a run could not begin or its account did not balance.
func (l *Loop) Run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer l.waitForDisk()
	defer l.unreserve()
	defer l.group.Wait()
	defer stop()
	defer l.close()
	for _, p := range l.opt.Probes {
		r := probes.Runner{Probe: p}
		l.group.Go("probe "+p.Name(), func() { _ = r.Run(ctx, l.readings) })
	}
	for {
		if err := l.once(ctx); err != nil {
			return err
		}
		l.linger(ctx)
		if l.restart == nil || ctx.Err() != nil {
			return nil
		}
		l.renew()
	}
}

// once drives one run from its zero to its end.
func (l *Loop) once(ctx context.Context) error {
	if err := l.begin(); err != nil {
		return err
	}
	var engine guard.Group
	engine.Go("engine", func() {
		defer close(l.ran)
		l.engine.Run(ctx)
	})
	defer engine.Wait()
	defer l.pulse.start(l.setup.Start)()
	tick := time.NewTicker(Period)
	defer tick.Stop()
	for {
		if err := l.step(); err != nil {
			l.engine.Cut()
			l.rec.end(l.now(), "error")
			return err
		}
		l.publish()
		select {
		case <-l.ran:
			return l.finish(ctx)
		case <-tick.C:
		case <-l.drainOver():
			l.giveUp()
		case <-l.engine.Changed():
		case c := <-l.commands:
			l.command(ctx, c)
		case r := <-l.readings:
			l.reading(r)
		case r := <-l.ready:
			l.readied(r)
		}
	}
}

// begin starts the clock, the engine's lanes and the recorder.
func (l *Loop) begin() error {
	lanes, err := l.lanes()
	if err != nil {
		return err
	}
	rec, err := l.record(l.run)
	if err != nil {
		return err
	}
	zero := time.Now()
	setup := *l.setup // the old one may be shared with a snapshot
	setup.Start = zero
	l.shiftSeries(zero)
	setup.Boards = l.modes(setup.Boards)
	setup.Payload = l.payloads()
	l.setup, l.ledger = &setup, ledger.New(&setup)
	l.ledger.Keep(rec != nil)
	l.rec = rec
	l.ran = make(chan struct{})
	l.frontier = make([]time.Duration, len(l.setup.Lanes))
	l.engine = loadgen.New(loadgen.Options{
		Zero: zero, Lanes: lanes, Limit: l.setup.Limit, Timeout: l.setup.Timeout,
		Fixed: !l.opt.Stay, Targets: len(l.setup.Targets), Connections: l.setup.Connections, Open: l.opt.Open, Length: l.setup.Length, Requests: l.setup.Requests, Pacing: l.opt.Pacing,
	})
	l.rec.header(l.setup)
	if l.run > 1 {
		args := []ledger.Arg{{Name: "run", Value: int64(l.run)}}
		if f := l.rec.state().File; f != "" {
			args = append(args, ledger.Arg{Name: "file", Value: f})
		}
		l.note(0, ledger.Info, "restarted", args...)
	}
	l.note(0, ledger.Info, "sending-began")
	for i := range l.setup.Lanes {
		l.noteWithout(0, i)
	}
	for _, n := range l.first {
		l.ledger.Note(n)
	}
	return nil
}

// lanes are what the engine needs to know of the lanes.
func (l *Loop) lanes() (out []loadgen.Lane, err error) {
	for _, s := range l.setup.Lanes {
		lane, err := l.lane(s)
		if err != nil {
			return nil, err
		}
		out = append(out, lane)
	}
	return out, nil
}

func (l *Loop) lane(s ledger.LaneSetup) (loadgen.Lane, error) {
	balance := loadgen.RoundRobin
	if s.Balance != "" {
		var err error
		if balance, err = loadgen.ParseBalance(s.Balance); err != nil {
			return loadgen.Lane{}, err
		}
	}
	rate := s.Setting.Rate
	if s.Setting.Scale > 0 {
		rate = s.Setting.Scale
	}
	p := l.pools[s.ID]
	return loadgen.Lane{
		Arrivals: s.Setting.Arrivals, Pattern: s.Pattern, Rate: rate, Slots: s.Setting.Slots, Paused: s.Setting.Paused,
		Seed:    pace.Seed(l.setup.Seed, "arrivals", s.ID, 0),
		Balance: balance, Outlets: p.of(s.Setting.Target),
	}, nil
}

// step brings the ledger up to date.
func (l *Loop) step() error {
	at := l.now()
	l.stalled(at)
	l.limitDrain(at)
	l.engine.Frontier(l.frontier)
	l.stops() // before what was done since: it was sending that ended first
	l.events = l.engine.Drain(l.events[:0])
	if err := l.ledger.ApplyAll(l.events); err != nil {
		return fmt.Errorf("the account does not balance: %w", err)
	}
	clear(l.events) // let go of the strings
	l.tellEnd()
	until := at
	if end, over := l.ledger.Over(); over {
		until = min(at, end) // this loop may be late: no second behind it
	}
	if err := l.ledger.Advance(until, l.frontier); err != nil {
		return fmt.Errorf("the account does not balance: %w", err)
	}
	l.judge(at)
	if err := l.rec.failed(); err != nil {
		l.note(at, ledger.Bad, "record-failed", ledger.Arg{Name: "why", Value: err.Error()})
	}
	l.rec.put(at, l.ledger.Take())
	return nil
}

// stalled notes that this process stood still. What is due is sent late then, and
// counted so. While every lane is paused nothing is due: so it is when the program
// is suspended.
func (l *Loop) stalled(at time.Duration) {
	if l.ledger.Phase() == ledger.Paused {
		l.rested = at
	}
	from, to, still := l.pulse.stood()
	if still && from > l.rested+2*Period {
		l.note(to, ledger.Attention, "stalled", ledger.Arg{Name: "for", Value: to - from})
	}
}

func (l *Loop) now() time.Duration { return ledger.Cut(time.Since(l.setup.Start)) }

// renew makes the run that follows, with the settings in force.
func (l *Loop) renew() {
	setup := *l.setup
	setup.Lanes = slices.Clone(setup.Lanes)
	for i := range setup.Lanes {
		lane := &setup.Lanes[i]
		p := l.pools[lane.ID]
		lane.Setting, lane.Weights = l.ledger.Setting(i), p.weights(*lane)
	}
	c := *l.restart
	l.current = l.fresh(l.run+1, setup)
	l.ack(c.ID, ledger.Applied, 0, "")
}

// publish makes the present state visible to everybody.
func (l *Loop) publish() {
	s := l.ledger.Snapshot()
	l.seq++
	s.Run, s.Seq, s.Why = l.run, l.seq, l.why
	s.Commands = slices.Clone(l.acks)
	s.Series, s.Driver = slices.Clone(l.series), l.driver
	s.Record = l.rec.state()
	l.snap.Store(s)
}

// note adds a line to the events.
func (l *Loop) note(at time.Duration, level ledger.Level, id string, args ...ledger.Arg) {
	l.ledger.Note(ledger.Note{At: at, Level: level, ID: id, Args: args})
}
