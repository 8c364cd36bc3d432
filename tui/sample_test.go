package tui

import (
	"container/heap"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"testing"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
	"dev.example/pileup/probes"
)

// story is a run to be told: requests that share one bottleneck equally.
type story struct {
	lanes    int
	rates    []change      // the first at 0
	length   time.Duration // of sending, 0 is for ever
	capacity float64       // requests of average work a second
	gone     [2]time.Duration
	limit    int // requests in flight at once, 0 is no limit
	at       time.Duration
	noBoard  bool
	gap      bool
	boards   int              // 0 is one
	pause    [2]time.Duration // of every lane
	timeout  time.Duration    // after sent, 0 is none
	last     bool             // only the last lane is changed, and pauses
	mode     time.Duration    // when the last board's mode is changed, 0 is never
	slots    int              // a closed loop of so many, 0 is none
	dials    bool             // lanes 1 to 3 are said to be a closed loop, a shape and a trace
	pattern  pace.Spec        // of the first lane; its zero is constant
	targets  int              // of each lane, 0 is one; requests are dealt in turn
	moments  []ledger.Note
	drain    time.Duration    // its limit, 0 is none
	behind   [2]time.Duration // the driver is late, for others have its cores
}

type change struct {
	at   time.Duration
	rate float64
}

// The states in which the screen is looked at.
var stories = map[string]story{
	"begun":    {rates: []change{{0, 30}}, capacity: 37, at: 2500 * time.Millisecond},
	"calm":     {rates: []change{{0, 30}}, capacity: 37, at: 48*time.Second + 300*time.Millisecond},
	"overload": {rates: []change{{0, 50}}, length: 10 * time.Second, capacity: 37, at: 9*time.Second + 200*time.Millisecond},
	"draining": {rates: []change{{0, 50}}, length: 10 * time.Second, capacity: 37, at: 12*time.Second + 200*time.Millisecond},
	"done":     {rates: []change{{0, 50}}, length: 10 * time.Second, capacity: 37, at: 20 * time.Second},
	"failing": {
		rates: []change{{0, 30}, {12 * time.Second, 40}}, capacity: 37,
		gone: [2]time.Duration{20 * time.Second, 24 * time.Second}, at: 34*time.Second + 200*time.Millisecond,
	},
	"held":     {rates: []change{{0, 50}}, length: 20 * time.Second, capacity: 37, limit: 100, at: 13*time.Second + 200*time.Millisecond},
	"tweaking": {rates: []change{{0, 30}, {20 * time.Second, 40}, {50 * time.Second, 30}}, capacity: 37, at: 95*time.Second + 200*time.Millisecond},
	"noboard":  {rates: []change{{0, 50}}, length: 10 * time.Second, capacity: 37, at: 9 * time.Second, noBoard: true},
	"gap":      {rates: []change{{0, 30}}, capacity: 37, at: 28 * time.Second, gap: true},
	"lanes":    {lanes: 4, rates: []change{{0, 12}}, capacity: 37, at: 15 * time.Second},
	"long":     {rates: []change{{0, 5}}, capacity: 37, at: 1000 * time.Second},
	"paused": {
		lanes: 2, rates: []change{{0, 15}}, capacity: 37, pause: [2]time.Duration{6 * time.Second, time.Hour},
		at: 9*time.Second + 200*time.Millisecond, last: true,
	},
	"idle": {rates: []change{{0, 30}}, capacity: 37, pause: [2]time.Duration{6 * time.Second, time.Hour}, at: 9*time.Second + 200*time.Millisecond},
	"late": {rates: []change{{0, 50}}, capacity: 37, timeout: 4 * time.Second, at: 14*time.Second + 200*time.Millisecond},
	"boards": {
		lanes: 2, rates: []change{{0, 12}, {5 * time.Second, 20}}, capacity: 37, boards: 2, last: true,
		mode: 8 * time.Second, at: 12*time.Second + 200*time.Millisecond,
	},
	"slow":   {rates: []change{{0, 8}}, capacity: 1, length: 500 * time.Second, at: 1900 * time.Second},
	"hours":  {rates: []change{{0, 0.5}}, capacity: 0.4, at: 6125 * time.Second},
	"closed": {rates: []change{{0, 0}}, slots: 64, capacity: 37, at: 14*time.Second + 200*time.Millisecond},
	"dials":  {lanes: 4, rates: []change{{0, 12}}, capacity: 37, at: 15 * time.Second, dials: true},
	"pool": {
		rates: []change{{0, 50}}, capacity: 37, targets: 3, length: 10 * time.Second,
		at: 9*time.Second + 200*time.Millisecond, moments: []ledger.Note{
			{At: 3100 * time.Millisecond, ID: string(lang.NoteMark), Args: []ledger.Arg{lang.With("name", "1")}},
			{At: 6500 * time.Millisecond, ID: string(lang.NoteBurst), Args: []ledger.Arg{lang.With("n", int64(40))}},
		},
	},
	"pooldrain": {
		rates: []change{{0, 50}}, capacity: 37, targets: 3, length: 10 * time.Second,
		at: 12*time.Second + 200*time.Millisecond, drain: 30 * time.Second,
	},
	"behind": {
		rates: []change{{0, 50}}, capacity: 60, behind: [2]time.Duration{4 * time.Second, time.Hour},
		at: 9*time.Second + 200*time.Millisecond,
	},
	"recovered": {
		rates: []change{{0, 50}}, capacity: 60, behind: [2]time.Duration{4 * time.Second, 7 * time.Second},
		at: 13*time.Second + 200*time.Millisecond,
	},
	"counted": {
		rates: []change{{0, 0}}, pattern: pace.Spec{Arrivals: pace.Uniform, Every: 6 * time.Second, Count: 60, Once: true},
		capacity: 37, length: 6 * time.Second, at: 5*time.Second + 200*time.Millisecond,
	},
	"counts": {
		lanes: 3, rates: []change{{0, 12}}, pattern: pace.Spec{Arrivals: pace.Burst, Every: 2 * time.Second, Count: 10},
		capacity: 37, at: 9*time.Second + 200*time.Millisecond,
	},
	"fast": {rates: []change{{0, 500}}, capacity: 450, at: 62 * time.Second},
}

func (s story) snapshot(t testing.TB) *ledger.Snapshot {
	t.Helper()
	setup := s.setup()
	l := ledger.New(setup)
	l.Note(ledger.Note{ID: string(lang.NoteSendingBegan)})
	events := s.events()
	next, changes := 0, s.rates[1:]
	step := 100 * time.Millisecond
	ended, paused := false, false
	for at := step; at <= s.at; at += step {
		for len(changes) > 0 && changes[0].at <= at {
			s.change(l, changes[0])
			changes = changes[1:]
		}
		if s.mode > 0 && at >= s.mode && at < s.mode+step {
			l.Mode(at, len(setup.Boards)-1, "15W")
		}
		if now := s.pause[1] > 0 && at >= s.pause[0] && at < s.pause[1]; now != paused {
			paused = now
			s.paused(l, at, now)
		}
		for ; next < len(events) && reported(&events[next]) <= at; next++ {
			if err := l.Apply(events[next]); err != nil {
				t.Fatal(err)
			}
		}
		if s.length > 0 && at >= s.length && l.Phase() == ledger.Sending {
			for i := range setup.Lanes {
				l.Stop(s.length, i)
			}
			l.Note(ledger.Note{At: s.length, ID: string(lang.NoteSendingEnded), Args: []ledger.Arg{lang.With("due", l.Snapshot().Total.Due), lang.With("open", l.Snapshot().Total.Backlog())}})
		}
		if err := l.Advance(at, frontiers(len(setup.Lanes), at)); err != nil {
			t.Fatal(err)
		}
		if s.length > 0 && at > s.length && next == len(events) && !ended {
			ended = true
			if err := l.Finish(); err != nil {
				t.Fatal(err)
			}
			l.Note(ledger.Note{At: reported(&events[next-1]), ID: string(lang.NoteDrained), Args: []ledger.Arg{lang.With("after", reported(&events[next-1])-s.length)}})
			break
		}
	}
	for _, n := range s.moments {
		l.Note(n)
	}
	out := l.Snapshot()
	out.Run, out.Seq = 1, uint64(s.at/step)
	out.Series = s.series(out)
	out.Record = ledger.Record{File: "run.jsonl"}
	for i := range out.Lanes {
		if !out.Lanes[i].Balanced() {
			t.Fatalf("lane %d does not balance: %+v", i, out.Lanes[i].Totals)
		}
	}
	return out
}

func frontiers(n int, at time.Duration) []time.Duration {
	f := make([]time.Duration, n)
	for i := range f {
		f[i] = at
	}
	return f
}

// touched are the lanes that are changed.
func (s story) touched() (out []int) {
	n := max(1, s.lanes)
	for i := range n {
		if !s.last || i == n-1 {
			out = append(out, i)
		}
	}
	return out
}

func (s story) paused(l *ledger.Ledger, at time.Duration, now bool) {
	for _, i := range s.touched() {
		set := l.Setting(i)
		set.Paused = now
		l.Change(at, map[bool]string{true: "pause", false: "resume"}[now], i, set)
		l.Note(ledger.Note{At: at, ID: string(lang.NotePaused)})
	}
}

func (s story) change(l *ledger.Ledger, c change) {
	for _, i := range s.touched() {
		set := l.Setting(i)
		from := set.Rate
		set.Rate = c.rate
		l.Change(c.at, "rate", i, set)
		l.Note(ledger.Note{At: c.at, ID: string(lang.NoteRate), Args: []ledger.Arg{lang.With("from", from), lang.With("to", c.rate)}})
	}
}

func (s story) setup() *ledger.Setup {
	models := []string{"mobilenet_v1", "mobilenet_v2", "inception_v3", "yolo_v5"}
	out := &ledger.Setup{
		Tool: "pileup 0.1.0", Seed: 7,
		Start:  time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC),
		Driver: ledger.Driver{Host: "lab-master", CPUs: 4}, Drain: s.drain,
	}
	var targets []int
	for i := range max(1, s.targets) {
		targets = append(targets, i)
		out.Targets = append(out.Targets, ledger.Target{
			ID: i, Name: []string{"xavier", "tx2", "nano-in-the-corner"}[i], URL: fmt.Sprintf("http://10.0.0.%d:8501", 7+i),
			Protocol: "tfs+http", Models: models,
		})
	}
	for i := range s.boardNames() {
		out.Boards = append(out.Boards, ledger.Board{Probe: s.boardNames()[i], Mode: "MAXN", Modes: []probes.Mode{
			{ID: 0, Name: "MAXN"}, {ID: 3, Name: "30W", Note: "4 cores, GPU 900 MHz"}, {ID: 2, Name: "15W", Note: "4 cores, GPU 670 MHz"},
		}})
	}
	for i := range max(1, s.lanes) {
		out.Lanes = append(out.Lanes, ledger.LaneSetup{
			ID: i, Name: string(rune('A' + i)), Targets: targets, Balance: "round-robin",
			Setting: ledger.Setting{Model: models[i%4], Rate: s.rates[0].rate, BodyBytes: 3_160_000, Slots: s.slots},
		})
	}
	if first := &out.Lanes[0]; s.pattern.Count > 0 {
		first.Pattern, first.Setting.Arrivals, first.Setting.Rate = s.pattern, s.pattern.Arrivals, 0
	}
	if s.dials {
		for i, set := range []ledger.Setting{{Slots: 64}, {Scale: 1.5}, {Scale: 0.75, Arrivals: pace.Traced}} {
			set.Model = models[i+1]
			out.Lanes[i+1].Setting = set
		}
	}
	return out
}

// boardNames are the boards that are watched.
func (s story) boardNames() []string {
	if s.noBoard {
		return nil
	}
	return []string{"xavier", "tx2"}[:max(1, s.boards)]
}

// events are all steps of all requests, in the order in which they are
// reported.
func (s story) events() (out []ledger.Event) {
	end := s.at + time.Second
	if s.length > 0 {
		end = s.length
	}
	if s.slots > 0 {
		s.loop(end, func(e ledger.Event) { out = append(out, e) })
		sort.SliceStable(out, func(i, j int) bool { return reported(&out[i]) < reported(&out[j]) })
		return out
	}
	var dues []ledger.Event
	for lane := range max(1, s.lanes) {
		spec := pace.Spec{}
		if lane == 0 {
			spec = s.pattern
		}
		p := pace.Start(spec, s.rates[0].rate, 7)
		changes := s.rates[1:]
		if s.last && lane < max(1, s.lanes)-1 {
			changes = nil
		}
		for i := int64(0); ; i++ {
			due, ok := p.Next()
			for len(changes) > 0 && ok && due >= changes[0].at {
				p.SetRate(changes[0].at, changes[0].rate)
				changes = changes[1:]
				due, ok = p.Next()
			}
			if !ok || due >= end {
				break
			}
			p.Take()
			if (!s.last || lane == max(1, s.lanes)-1) && due >= s.pause[0] && due < s.pause[1] {
				i--
				continue
			}
			dues = append(dues, ledger.Event{Lane: lane, I: i, Due: due, Target: int(i) % max(1, s.targets)})
		}
	}
	sort.SliceStable(dues, func(i, j int) bool { return dues[i].Due < dues[j].Due })
	rng := rand.New(rand.NewPCG(7, 7))
	s.serve(dues, rng, func(e ledger.Event) { out = append(out, e) })
	sort.SliceStable(out, func(i, j int) bool { return reported(&out[i]) < reported(&out[j]) })
	return out
}

// reported is when an event reaches the ledger.
func reported(e *ledger.Event) time.Duration {
	if e.Kind == ledger.Due {
		return e.Started
	}
	return e.At()
}

// job is a request that is being served: it is done when every job has had
// finish of work.
type job struct {
	finish float64
	e      ledger.Event
}

type jobs []job

func (j jobs) Len() int           { return len(j) }
func (j jobs) Less(a, b int) bool { return j[a].finish < j[b].finish }
func (j jobs) Swap(a, b int)      { j[a], j[b] = j[b], j[a] }
func (j *jobs) Push(x any)        { *j = append(*j, x.(job)) }
func (j *jobs) Pop() any          { o := *j; x := o[len(o)-1]; *j = o[:len(o)-1]; return x }

// serve shares the capacity equally between all requests in flight.
func (s story) serve(dues []ledger.Event, rng *rand.Rand, emit func(ledger.Event)) {
	var active jobs
	var held []ledger.Event
	now, had := time.Duration(0), 0.0
	begin := func(e ledger.Event, at time.Duration) {
		e.Kind, e.Sent = ledger.Sent, ledger.Cut(at)
		emit(e)
		heap.Push(&active, job{had + 0.8 + 0.4*rng.Float64(), e})
	}
	// run serves until at and finishes what is done by then.
	run := func(at time.Duration) {
		for len(active) > 0 {
			left := (active[0].finish - had) * float64(len(active)) / s.capacity
			done := now + time.Duration(left*float64(time.Second))
			if done > at {
				break
			}
			j := heap.Pop(&active).(job)
			now, had = done, j.finish
			e := j.e
			e.Kind, e.Done = ledger.Done, ledger.Cut(done+25*time.Millisecond)
			e.Up, e.Peer = 3_160_000, "10.0.0.7:8501"
			if s.timeout > 0 && e.Done > e.Sent+s.timeout {
				e.Done, e.Failure = e.Sent+s.timeout, ledger.Failure{Class: ledger.Timeout}
			}
			emit(e)
			if len(held) > 0 {
				begin(held[0], now)
				held = held[1:]
			}
		}
		if len(active) > 0 && at < 1<<60 {
			had += (at - now).Seconds() * s.capacity / float64(len(active))
		}
		now = at
	}
	for _, e := range dues {
		run(e.Due)
		if s.gone[0] > 0 && e.Due >= s.gone[0] && e.Due < s.gone[1] {
			s.fail(&active, e, emit)
			continue
		}
		e.Kind, e.Started, e.Sent = ledger.Due, e.Due+ledger.Cut(time.Duration(rng.IntN(900))*time.Microsecond), ledger.Never
		if s.isBehind(e.Due) {
			e.Started += ledger.Cut(time.Duration(rng.IntN(13)) * time.Millisecond)
		}
		emit(e)
		if s.limit > 0 && len(active) >= s.limit {
			held = append(held, e)
			continue
		}
		begin(e, e.Started+150*time.Microsecond)
	}
	run(math.MaxInt64 / 2)
}

// loop keeps so many requests open as there are slots, until end.
func (s story) loop(end time.Duration, emit func(ledger.Event)) {
	var active jobs
	rng := rand.New(rand.NewPCG(7, 7))
	had, n := 0.0, int64(0)
	begin := func(at time.Duration) {
		e := ledger.Event{I: n, Due: at, Started: at + 50*time.Microsecond, Sent: ledger.Never}
		emit(e)
		e.Kind, e.Sent = ledger.Sent, at+200*time.Microsecond
		emit(e)
		heap.Push(&active, job{had + 0.8 + 0.4*rng.Float64(), e})
		n++
	}
	for range s.slots {
		begin(0)
	}
	for now := time.Duration(0); now < end; {
		j := heap.Pop(&active).(job)
		now += ledger.Cut(time.Duration((j.finish - had) * float64(len(active)+1) / s.capacity * float64(time.Second)))
		had = j.finish
		j.e.Kind, j.e.Done, j.e.Up, j.e.Peer = ledger.Done, max(now, j.e.Sent), 3_160_000, "10.0.0.7:8501"
		emit(j.e)
		begin(j.e.Done)
	}
}

// fail resets what is open and refuses the newcomer.
func (s story) fail(active *jobs, e ledger.Event, emit func(ledger.Event)) {
	for _, j := range *active {
		j.e.Kind, j.e.Done = ledger.Done, s.gone[0]
		j.e.Failure = ledger.Failure{Class: ledger.Reset, Text: "connection reset by peer"}
		emit(j.e)
	}
	*active = nil
	e.Kind, e.Started, e.Sent = ledger.Due, e.Due+300*time.Microsecond, ledger.Never
	emit(e)
	e.Kind, e.Done = ledger.Done, e.Started+time.Millisecond
	e.Failure = ledger.Failure{Class: ledger.Connect, Text: "connection refused"}
	emit(e)
}

// series are a simulated board and the machine that sends.
func (s story) series(snap *ledger.Snapshot) (out []probes.Series) {
	boards, driver := make([]probes.Series, len(s.boardNames())), probes.Series{Name: "driver"}
	for i, name := range s.boardNames() {
		boards[i].Name = name
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for k := 0; k <= int(snap.At/time.Second); k++ {
		at := time.Duration(k)*time.Second + 400*time.Millisecond
		if at > snap.At {
			break
		}
		busy := 0.9
		if k > 0 && k <= len(snap.Total.Seconds) {
			busy = min(1, float64(snap.Total.Seconds[k-1].OK)/s.capacity)
		}
		for i := range boards {
			p := probes.Point{At: at, Sample: boardSample(rng, busy)}
			if s.gap && k > 20 {
				p = probes.Point{At: at, Why: "ssh: connection timed out"}
			}
			boards[i] = boards[i].With(p)
		}
		driver = driver.With(probes.Point{At: at, Sample: s.driverSample(rng, busy, at)})
	}
	return append(boards, driver)
}

func boardSample(rng *rand.Rand, busy float64) *probes.Sample {
	p := &probes.Sample{
		Simulated: true, GPU: probes.Of(12 + 30*busy + 3*rng.Float64()), GPUHz: probes.Of(1.377e9),
		Mode: &probes.Mode{ID: 0, Name: "MAXN"}, Load1: probes.Of(2.31), Threads: probes.Of(1240),
		MemUsed: probes.Of(9.8e9), MemTotal: probes.Of(16.5e9),
		Rails: []probes.Rail{{Name: "GPU", Watts: 3.1 + 2*busy}, {Name: "CPU", Watts: 2.2 + busy}, {Name: "total", Watts: 14.3 + 4*busy + 0.2*rng.Float64(), Total: true}},
		Temps: []probes.Temp{{Name: "CPU", Celsius: 46.5}, {Name: "GPU", Celsius: 44}},
	}
	for i := range 8 {
		c := probes.Core{ID: i, Online: i < 7, Busy: probes.Of(8 + 22*busy*rng.Float64()), Freq: probes.Of(2.265e9), FreqMax: probes.Of(2.265e9)}
		if i == 0 {
			c.Busy = probes.Of(100 * busy)
		}
		if !c.Online {
			c.Busy, c.Freq = probes.Value{}, probes.Value{}
		}
		p.Cores = append(p.Cores, c)
	}
	return p
}

func (s story) isBehind(at time.Duration) bool { return at >= s.behind[0] && at < s.behind[1] }

func (s story) driverSample(rng *rand.Rand, busy float64, at time.Duration) *probes.Sample {
	p := &probes.Sample{
		Load1: probes.Of(0.42), Threads: probes.Of(214), MemUsed: probes.Of(2.1e9), MemTotal: probes.Of(8.2e9),
		Net:    []probes.Net{{Name: "eth0", Tx: probes.Of(117e6 * busy), Rx: probes.Of(1.1e6 * busy), Link: probes.Of(1e9)}},
		Absent: []probes.Absent{{What: "clocks", Why: "not on this machine"}},
		Own: probes.Process{
			Cores: probes.Of(0.21 + 0.2*busy), CoresMax: probes.Of(4), CoreWait: probes.Of(0.01),
			FDs: probes.Of(40 + 200*busy), FDMax: probes.Of(1024), Ports: probes.Of(3100 + 220*busy), PortMax: probes.Of(28232),
			GC: probes.Of(1 + 2*busy),
		},
	}
	for i := range 4 {
		p.Cores = append(p.Cores, probes.Core{ID: i, Online: true, Busy: probes.Of(6 + 20*rng.Float64()*busy)})
	}
	if s.isBehind(at) {
		for i := range p.Cores {
			p.Cores[i].Busy = probes.Of(100)
		}
		p.Own.CoreWait, p.Own.FDs = probes.Of(2.31), probes.Of(861)
	}
	return p
}
