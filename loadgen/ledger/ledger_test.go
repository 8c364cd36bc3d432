package ledger

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"dev.example/pileup/loadgen/pace"
)

const ms = time.Millisecond

func lanes(n int) *Setup {
	s := &Setup{Targets: []Target{{ID: 0, Name: "xavier"}}}
	for i := range n {
		s.Lanes = append(s.Lanes, LaneSetup{
			ID: i, Name: fmt.Sprint(i), Targets: []int{0},
			Setting: Setting{Model: "m", Arrivals: pace.Constant, Rate: 50},
		})
	}
	return s
}

// story is what happened to one request; Never marks a step that did not.
type story struct {
	lane            int
	i               int64
	due, sent, done time.Duration
	class           Class
}

func (s story) events() []Event {
	e := Event{
		Lane: s.lane, I: s.i, Due: s.due, Started: s.due, Sent: Never, First: Never, Done: Never,
		Up: 1000, Peer: "10.0.0.7:8501",
	}
	all := []Event{e}
	if s.sent != Never {
		e.Kind, e.Sent = Sent, s.sent
		all = append(all, e)
	}
	if s.done != Never {
		e.Kind, e.Done, e.Failure = Done, s.done, Failure{Class: s.class}
		if s.class != OK {
			e.Failure.Text = fmt.Sprintf("request %d failed", s.i)
		}
		all = append(all, e)
	}
	return all
}

// stories makes n requests a lane with all kinds of ends.
func stories(rng *rand.Rand, lanes, n int) (all []story) {
	for l := range lanes {
		for i := range n {
			s := story{lane: l, i: int64(i), due: time.Duration(i) * 20 * ms, sent: Never}
			wait := time.Duration(rng.IntN(300)) * ms
			s.sent = s.due + wait
			s.done = s.sent + time.Duration(rng.IntN(4000))*ms
			switch rng.IntN(10) {
			case 0:
				s.sent, s.class = Never, Connect
			case 1:
				s.class = Timeout
			case 2:
				s.class = HTTP5xx
			}
			all = append(all, s)
		}
	}
	return all
}

func eventsOf(all []story) (ev []Event) {
	for _, s := range all {
		ev = append(ev, s.events()...)
	}
	slices.SortStableFunc(ev, func(a, b Event) int { return int(a.At() - b.At()) })
	return ev
}

// frontier says that everything due before at was reported, for each lane.
func frontier(l *Ledger, at time.Duration) []time.Duration {
	f := make([]time.Duration, l.Lanes())
	for i := range f {
		f[i] = at
	}
	return f
}

func mustApply(t *testing.T, l *Ledger, ev ...Event) {
	t.Helper()
	for _, e := range ev {
		if err := l.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
}

func mustAdvance(t *testing.T, l *Ledger, at time.Duration) {
	t.Helper()
	if err := l.Advance(at, frontier(l, at)); err != nil {
		t.Fatal(err)
	}
}

func mustFinish(t *testing.T, l *Ledger) *Snapshot {
	t.Helper()
	if err := l.Finish(); err != nil {
		t.Fatal(err)
	}
	return l.Snapshot()
}

func checkBalance(t *testing.T, s *Snapshot) {
	t.Helper()
	var due, ok, failed int64
	for _, l := range s.Lanes {
		if !l.Balanced() {
			t.Fatalf("at %s lane %d does not balance: %+v", s.At, l.Info.ID, l.Totals)
		}
		due, ok, failed = due+l.Due, ok+l.OK, failed+l.Failed
	}
	if !s.Total.Balanced() || s.Total.Due != due || s.Total.OK != ok || s.Total.Failed != failed {
		t.Fatalf("at %s the total does not balance: %+v", s.At, s.Total.Totals)
	}
}

func TestTheAccountBalancesAtEveryInstant(t *testing.T) {
	for _, n := range []int{1, 3} {
		t.Run(fmt.Sprint(n, " lanes"), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, uint64(n)))
			l := New(lanes(n))
			at := time.Duration(0)
			for _, e := range eventsOf(stories(rng, n, 400)) {
				mustApply(t, l, e)
				for at < e.At() {
					at += 100 * ms
					mustAdvance(t, l, at)
				}
				checkBalance(t, l.Snapshot())
			}
			for i := range n {
				l.Stop(8*time.Second, i)
			}
			s := mustFinish(t, l)
			checkBalance(t, s)
			checkSums(t, s)
		})
	}
}

// checkSums holds the seconds and the cohorts to the totals.
func checkSums(t *testing.T, s *Snapshot) {
	t.Helper()
	for _, l := range append(slices.Clone(s.Lanes), s.Total) {
		var sec Second
		for i, x := range l.Seconds {
			sec.Due += x.Due
			sec.Sent += x.Sent
			sec.OK += x.OK
			sec.Failed += x.Failed
			if got := sec.Due - sec.OK - sec.Failed; got != x.Backlog() {
				t.Errorf("second %d: backlog %d, flows say %d", x.K, x.Backlog(), got)
			}
			if x.OldLeft < 0 || x.ThisLeft < 0 || x.OldLeft+x.ThisLeft != x.Backlog() {
				t.Errorf("second %d: %d old and %d new of %d", x.K, x.OldLeft, x.ThisLeft, x.Backlog())
			}
			if i > 0 && x.K != l.Seconds[i-1].K+x.Span {
				t.Errorf("second %d follows %d", x.K, l.Seconds[i-1].K)
			}
		}
		var coh Cohort
		for _, c := range append(slices.Clone(l.Cohorts), l.Older) {
			if c == nil {
				continue
			}
			coh.Due += c.Due
			coh.OK += c.OK
			coh.Failed += c.Failed
			if c.Due != c.OK+c.Failed+c.Open {
				t.Errorf("cohort %d: %+v", c.K, c)
			}
			if c.Response.N() != c.OK {
				t.Errorf("cohort %d: %d responses of %d ok", c.K, c.Response.N(), c.OK)
			}
		}
		kinds := l.OtherFailures
		for i := range l.Failures {
			kinds += l.Failures[i].Count
		}
		if kinds != l.Failed {
			t.Errorf("lane %d: kinds of failures add up to %d, want %d", l.Info.ID, kinds, l.Failed)
		}
		if sec.Sent != l.Sent {
			t.Errorf("lane %d: seconds add up to %d sent, want %d", l.Info.ID, sec.Sent, l.Sent)
		}
		want := [3]int64{l.Due, l.OK, l.Failed}
		if got := [3]int64{sec.Due, sec.OK, sec.Failed}; got != want {
			t.Errorf("lane %d: seconds add up to %v, want %v", l.Info.ID, got, want)
		}
		if got := [3]int64{coh.Due, coh.OK, coh.Failed}; got != want {
			t.Errorf("lane %d: cohorts add up to %v, want %v", l.Info.ID, got, want)
		}
	}
}

// whole compares snapshots whole.
var whole = cmp.Options{cmp.AllowUnexported(Dist{}), cmpopts.EquateEmpty()}

// At the close of a second the state holds what had happened by its end and
// nothing else, in whatever order the events came within the grace.
func TestAClosedSecondDoesNotDependOnTheOrderOfArrival(t *testing.T) {
	all := eventsOf(stories(rand.New(rand.NewPCG(3, 4)), 2, 300))
	atClose := func(jitter time.Duration, seed uint64) (states []*Snapshot) {
		rng := rand.New(rand.NewPCG(seed, 0))
		type arrival struct {
			e  Event
			at time.Duration
		}
		var in []arrival
		last := map[[2]int64]time.Duration{} // events of a request keep their order
		for _, e := range all {
			k := [2]int64{int64(e.Lane), e.I}
			at := max(last[k], e.At())
			if jitter > 0 {
				at = max(at, e.At()+time.Duration(rng.Int64N(int64(jitter))))
			}
			last[k] = at
			in = append(in, arrival{e, at})
		}
		slices.SortStableFunc(in, func(a, b arrival) int { return int(a.at - b.at) })
		l := New(lanes(2))
		for k := 1; k <= 12; k++ {
			closing := time.Duration(k)*time.Second + Grace
			for len(in) > 0 && in[0].at <= closing {
				mustApply(t, l, in[0].e)
				in = in[1:]
			}
			mustAdvance(t, l, closing)
			states = append(states, l.Snapshot().AtClose)
		}
		return states
	}
	want := atClose(0, 0)
	for seed := range uint64(5) {
		for k, got := range atClose(Grace, seed) {
			if !reflect.DeepEqual(want[k], got) {
				t.Fatalf("second %d, order %d:\n%s", k+1, seed, cmp.Diff(want[k], got, whole))
			}
		}
	}
}

func TestALateEventIsBookedInTheOpenSecondAndCounted(t *testing.T) {
	l := New(lanes(1))
	mustAdvance(t, l, 2*time.Second+Grace) // seconds 1 and 2 are closed
	ev := story{i: 0, due: 500 * ms, sent: 510 * ms, done: 2500 * ms}.events()
	mustApply(t, l, ev...)
	l.Stop(3*time.Second, 0)
	s := mustFinish(t, l)
	if s.Total.Late != 2 {
		t.Errorf("late = %d, want 2", s.Total.Late)
	}
	if got := s.Total.Seconds[2].Due; got != 1 {
		t.Errorf("second 3 has %d due, want the late one", got)
	}
	if got := s.Total.Cohorts[0].OK; got != 1 {
		t.Errorf("cohort 1 has %d ok, want 1: a cohort goes by due", got)
	}
	if d := cmp.Diff([...]int{Due: 3, Sent: 3, Done: 0}, l.Take().Done[0].Booked); d != "" {
		t.Error(d)
	}
	checkSums(t, s)
}

func TestContradictionsAreErrors(t *testing.T) {
	ev := story{i: 0, due: 0, sent: ms, done: 2 * ms}.events()
	due, sent, done := ev[0], ev[1], ev[2]
	waits, started := due, due
	waits.Started, started.Kind = Never, Started
	tests := map[string][]Event{
		"due twice":                 {due, due},
		"sent without being due":    {sent},
		"started without being due": {started},
		"started twice":             {due, started},
		"sent before the start":     {waits, sent},
		"done before the start":     {waits, done},
		"sent twice":                {due, sent, sent},
		"done without being due":    {done},
		"done twice":                {due, sent, done, done},
	}
	for name, events := range tests {
		t.Run(name, func(t *testing.T) {
			l := New(lanes(1))
			var err error
			for _, e := range events {
				err = l.Apply(e)
			}
			if err == nil {
				t.Error("no error")
			}
			checkBalance(t, l.Snapshot())
		})
	}
	stranger := due
	stranger.Lane = 7
	if New(lanes(1)).Apply(stranger) == nil {
		t.Error("an event of lane 7 was taken")
	}
}

func TestGoneAfterThreeFailuresInARowAndBackWithTheNextOK(t *testing.T) {
	l := New(lanes(1))
	classes := []Class{OK, Connect, HTTP5xx, Connect, Reset, Timeout, Connect, OK}
	for i, c := range classes {
		at := time.Duration(i) * 100 * ms
		mustApply(t, l, story{i: int64(i), due: at, sent: at, done: at + 10*ms, class: c}.events()...)
	}
	mustAdvance(t, l, time.Second+Grace)
	var got []string
	for _, n := range l.Snapshot().Notes {
		if n.ID != "first-failure" {
			got = append(got, fmt.Sprint(n.ID, " ", n.At))
		}
	}
	// The failure between two that the server answered does not count: the
	// third in a row is the timeout, the first of them at 310 ms.
	want := []string{"target-gone 310ms", "target-back 710ms"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	tally := l.Snapshot().Total.Targets[0]
	if tally.Gone || tally.GoneAt != 310*ms || tally.BackAt != 710*ms {
		t.Errorf("tally %+v", tally)
	}
}

func TestSegmentsHoldWhatWasDueInThem(t *testing.T) {
	l := New(lanes(2))
	for i := range 10 {
		at := time.Duration(i) * 100 * ms
		mustApply(t, l, story{lane: 0, i: int64(i), due: at, sent: at, done: at + 5*time.Second}.events()[0])
	}
	to := l.Setting(1)
	to.Rate = 7
	if at := l.Change(900*ms, "rate", 1, to); at != 900*ms+time.Microsecond {
		t.Errorf("the change took effect at %s, want just after what was due at 900ms", at)
	}
	at := 950 * ms
	mustApply(t, l, story{lane: 1, i: 0, due: at, sent: at, done: at}.events()[0])
	segs := l.Snapshot().Segments
	if len(segs) != 2 || segs[0].To != segs[1].From || segs[1].Settings[1].Rate != 7 || segs[1].Settings[0].Rate != 50 {
		t.Fatalf("segments %+v", segs)
	}
	if d := cmp.Diff([][]int64{{10, 0}, {0, 1}}, [][]int64{segs[0].Due, segs[1].Due}); d != "" {
		t.Error(d)
	}
	before := l.Snapshot()
	l.Change(2*time.Second, "rate", 0, to)
	if len(before.Segments) != 2 || before.Segments[1].To != Never {
		t.Error("a published segment was written")
	}
}

func TestOpenAtChangeCountsWhatAnEdgeFoundOpen(t *testing.T) {
	l := New(lanes(1))
	for i := range 10 { // due 0 … 900 ms, done 2 s later
		at := time.Duration(i) * 100 * ms
		mustApply(t, l, story{i: int64(i), due: at, sent: at, done: at + 2*time.Second}.events()...)
	}
	to := l.Setting(0)
	l.Change(1200*ms, "rate", 0, to) // all ten are open
	l.Stop(2450*ms, 0)               // five are
	got := mustFinish(t, l).Total.Cohorts[0].OpenAtChange
	if got != 10 {
		t.Errorf("open at change = %d, want 10", got)
	}
}

func TestSendingTimeLeavesPausesOut(t *testing.T) {
	l := New(lanes(2))
	set := func(at time.Duration, lane int, paused bool) {
		s := l.Setting(lane)
		s.Paused = paused
		l.Change(at, "pause", lane, s)
	}
	set(1500*ms, 0, true)
	set(1600*ms, 1, true)
	if l.Phase() != Paused {
		t.Errorf("phase %s, want paused: every lane is", l.Phase())
	}
	mustAdvance(t, l, 2*time.Second+Grace)
	set(2500*ms, 0, false)
	mustAdvance(t, l, 3*time.Second+Grace)
	l.Stop(4*time.Second, 0)
	l.Stop(4*time.Second, 1)
	s := mustFinish(t, l)
	got := []time.Duration{s.Lanes[0].Sending, s.Lanes[1].Sending, s.Total.Sending}
	want := []time.Duration{3000 * ms, 1600 * ms, 3100 * ms}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// A simulated day keeps bounded lists, and they still add up.
func TestOldSecondsAreJoined(t *testing.T) {
	l := New(lanes(1))
	l.setup.Lanes[0].Setting.Rate = 1
	stuck := story{i: 1 << 40, due: 100 * ms, sent: 200 * ms, done: 150 * time.Minute}.events()
	mustApply(t, l, stuck[:2]...)
	const hours = 10
	var due int64
	for i := range hours * 3600 {
		at := time.Duration(i) * time.Second
		if at == 150*time.Minute {
			mustApply(t, l, stuck[2])
		}
		mustApply(t, l, story{i: int64(i), due: at, sent: at + ms, done: at + 50*ms}.events()...)
		mustAdvance(t, l, at+Grace)
		due += dueIn(l.Take().Cohorts)
	}
	l.Stop(hours*time.Hour, 0)
	s := mustFinish(t, l)
	if due += dueIn(l.Take().Cohorts); due != s.Total.Due {
		t.Errorf("the cohorts for the recorder hold %d requests of %d", due, s.Total.Due)
	}
	checkBalance(t, s)
	checkSums(t, s)
	spans := map[int]int{}
	for i, sec := range s.Total.Seconds {
		spans[sec.Span]++
		if i > 0 && sec.K-sec.Span != s.Total.Seconds[i-1].K {
			t.Fatalf("second %d, %d long, follows %d", sec.K, sec.Span, s.Total.Seconds[i-1].K)
		}
	}
	for _, st := range stretches {
		if n := spans[st.span]; n < min(st.keep, 4) || n >= st.keep+10 {
			t.Errorf("%d seconds of span %d are kept, want about %d", n, st.span, st.keep)
		}
	}
	if n := len(s.Total.Cohorts); n > len(s.Total.Seconds)+1 {
		t.Errorf("%d cohorts are kept of %d seconds", n, len(s.Total.Seconds))
	}
	if s.Total.Older == nil || s.Total.Older.OK == 0 || s.Total.Older.Open != 0 {
		t.Errorf("the request that stayed open for hours is not in older: %+v", s.Total.Older)
	}
	if s.Total.Oldest != Never {
		t.Errorf("oldest open is due at %s, want none", s.Total.Oldest)
	}
}

func dueIn(list []LaneCohort) (n int64) {
	for _, c := range list {
		n += c.Due
	}
	return n
}

// A request that stays open does not make the list of open ones grow.
func TestTheOldestOpenRequestIsFoundInBoundedMemory(t *testing.T) {
	l := New(lanes(1))
	mustApply(t, l, story{i: 0, due: 0, sent: 0, done: Never}.events()...)
	for i := 1; i < 20000; i++ {
		at := time.Duration(i) * ms
		mustApply(t, l, story{i: int64(i), due: at, sent: at, done: at}.events()...)
		mustAdvance(t, l, at)
		if i%100 == 0 {
			if got := l.Snapshot().Total.Oldest; got != 0 {
				t.Fatalf("oldest is due at %s, want 0s", got)
			}
		}
	}
	if n := len(l.total.recent[0].refs.list); n > 4000 {
		t.Errorf("%d refs are kept for one open request", n)
	}
}

// What was published is never written again: all snapshots of a run are kept
// and still say at the end what they said at first.
func TestPublishedSnapshotsNeverChange(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	l := New(lanes(2))
	var kept []*Snapshot
	var said []string
	at := time.Duration(0)
	for i, e := range eventsOf(stories(rng, 2, 120)) {
		mustApply(t, l, e)
		for at < e.At() {
			at += 100 * ms
			mustAdvance(t, l, at)
		}
		if i%3 > 0 {
			continue
		}
		if i%51 == 0 {
			s := l.Setting(0)
			s.Rate = float64(i)
			l.Change(at, "rate", 0, s)
			l.Note(Note{At: at, ID: "rate"})
		}
		s := l.Snapshot()
		kept, said = append(kept, s), append(said, dump(s))
	}
	for i, s := range kept {
		if dump(s) != said[i] {
			t.Fatalf("snapshot %d was written after it was published", i)
		}
	}
}

func dump(s *Snapshot) string {
	var out strings.Builder
	out.WriteString(fmt.Sprintf("%+v %+v %+v %+v", s.Total.Totals, s.Segments, s.Notes, s.Targets))
	for _, l := range append(slices.Clone(s.Lanes), s.Total) {
		out.WriteString(fmt.Sprintf("%+v %+v %+v %+v", l.Seconds, l.Targets, l.Peers, l.Failures))
		for _, c := range l.Cohorts {
			out.WriteString(fmt.Sprintf("%+v %+v %+v", *c, c.Response.Buckets(), c.Service.N()))
		}
	}
	return out.String()
}

// A mode that is read late does not disturb the order of the edges.
func TestEdgesStayInOrder(t *testing.T) {
	s := lanes(1)
	s.Boards = []Board{{Probe: "xavier"}}
	l := New(s)
	for i := range 100 { // due 9.00 … 9.99 s, done 1 s later
		at := 9*time.Second + time.Duration(i)*10*ms
		mustApply(t, l, story{i: int64(i), due: at, sent: at, done: at + time.Second}.events()...)
	}
	mustAdvance(t, l, 9*time.Second)
	l.Stop(9900*ms, 0)
	l.Mode(9500*ms, 0, "15W") // takes effect after what is due
	if got := mustFinish(t, l).Total.Cohorts[9].OpenAtChange; got != 100 {
		t.Errorf("%d open at the largest edge, want 100", got)
	}
	if !slices.IsSorted(l.edges) {
		t.Errorf("edges %v", l.edges)
	}
}

func TestAStopThatIsToldLateCountsNoSendingAfterIt(t *testing.T) {
	for _, n := range []int{1, 2} {
		l := New(lanes(n))
		mustAdvance(t, l, 12*time.Second+Grace)
		for i := range n {
			l.Stop(10*time.Second, i)
		}
		s := mustFinish(t, l)
		if s.Total.Sending != 10*time.Second || s.Lanes[0].Sending != 10*time.Second {
			t.Errorf("%d lanes: sending %s in all, %s in the first; want 10s", n, s.Total.Sending, s.Lanes[0].Sending)
		}
	}
}

// One lane was paused when another stopped, which is told late: together they sent
// until the pause.
func TestAStopThatIsToldLateLeavesWhatOthersSent(t *testing.T) {
	l := New(lanes(2))
	mustAdvance(t, l, 8*time.Second+Grace)
	to := l.Setting(0)
	to.Paused = true
	l.Change(8*time.Second, string(DoPause), 0, to)
	mustAdvance(t, l, 12*time.Second+Grace)
	l.Stop(5*time.Second, 1)
	if got := l.Snapshot().Total.Sending; got != 8*time.Second {
		t.Errorf("sending for %s, want 8s", got)
	}
}

func TestWhatIsOpenAtTheEndIsAnError(t *testing.T) {
	l := New(lanes(1))
	mustApply(t, l, story{i: 0, due: 0, sent: ms, done: Never}.events()...)
	l.Stop(time.Second, 0)
	if err := l.Finish(); err == nil {
		t.Error("a request got lost and nobody said so")
	}
}

func TestPeersBeyondTheKeptAreCountedTogether(t *testing.T) {
	l := New(lanes(1))
	for i := range 400 {
		ev := story{i: int64(i), due: 0, sent: 0, done: ms}.events()
		for j := range ev {
			ev[j].Peer = fmt.Sprint(i)
		}
		mustApply(t, l, ev...)
	}
	var ok int64
	peers := l.Snapshot().Total.Peers
	for _, p := range peers {
		ok += p.OK
	}
	if ok != 400 || len(peers) != keepPeers || peers[keepPeers-1].Addr != OtherPeers {
		t.Errorf("%d peers with %d ok, the last %+v", len(peers), ok, peers[len(peers)-1])
	}
}

// What was done when sending ended is counted by stamps, whenever it was told.
func TestHowThingsStoodWhenSendingEnded(t *testing.T) {
	for _, n := range []int{1, 2} {
		l := New(lanes(n))
		var last []Event
		for lane := range n {
			for i := range 10 { // due 0 … 900 ms, done 500 ms later
				at := time.Duration(i) * 100 * ms
				ev := story{lane: lane, i: int64(i), due: at, sent: at, done: at + 500*ms, class: Class(i % 2 * int(HTTP5xx))}.events()
				mustApply(t, l, ev[:2]...)
				last = append(last, ev[2])
			}
		}
		mustApply(t, l, last[0]) // one is told before, the others after
		for lane := range n {
			l.Stop(time.Second, lane) // requests 0 … 5 are done by then
		}
		mustApply(t, l, last[1:]...)
		s := mustFinish(t, l)
		if want := (AtEnd{At: time.Second, OK: 3, Failed: 3, Open: 4}); s.Lanes[0].AtEnd != want {
			t.Errorf("%d lanes: %+v, want %+v", n, s.Lanes[0].AtEnd, want)
		}
		if want := (AtEnd{At: time.Second, OK: 3 * int64(n), Failed: 3 * int64(n), Open: 4 * int64(n)}); s.Total.AtEnd != want {
			t.Errorf("%d lanes in all: %+v, want %+v", n, s.Total.AtEnd, want)
		}
	}
}

func TestServiceRanksTimeoutsAboveEveryAnswer(t *testing.T) {
	l := New(lanes(1))
	for i := range 10 {
		s := story{i: int64(i), due: 0, sent: 10 * ms, done: 20 * ms}
		switch {
		case i >= 8:
			s.sent, s.class = Never, Connect // never sent, and no bound
		case i >= 5:
			s.done, s.class = 60*ms, Timeout
		}
		mustApply(t, l, s.events()...)
	}
	l.Stop(time.Second, 0)
	s := mustFinish(t, l)
	for _, got := range []Quantile{s.Total.Services(s.At).Quantile(0.8), s.Total.Cohorts[0].Services(s.At).Quantile(0.8)} {
		if got.Bound != Over || got.Value != 50*ms {
			t.Errorf("p80 of 5 answers and 3 timeouts is %+v, want over 50ms", got)
		}
	}
	if got := s.Total.Services(s.At).Quantile(0.5); got.Bound != Measure || got.Value != 10*ms {
		t.Errorf("p50 is %+v", got)
	}
}

// A lane that lags is told to have stopped after things that were done later.
func TestAStopThatIsToldLateTakesBackWhatWasDoneAfterIt(t *testing.T) {
	l := New(lanes(2))
	for i := range 10 { // due 0 … 900 ms, done 300 ms later
		at := time.Duration(i) * 100 * ms
		mustApply(t, l, story{i: int64(i), due: at, sent: at, done: at + 300*ms}.events()...)
	}
	if err := l.Advance(900*ms, []time.Duration{450 * ms, 900 * ms}); err != nil {
		t.Fatal(err)
	}
	l.Stop(950*ms, 0) // 0 … 6 were done by then
	l.Stop(920*ms, 1) // told last, but not the last to end
	s := mustFinish(t, l)
	if want := (AtEnd{At: 950 * ms, OK: 7, Open: 3}); s.Lanes[0].AtEnd != want || s.Total.AtEnd != want {
		t.Errorf("lane %+v, total %+v, want %+v", s.Lanes[0].AtEnd, s.Total.AtEnd, want)
	}
	if s.Total.Sending != 950*ms || s.Lanes[1].Sending != 920*ms {
		t.Errorf("sending %s in all, %s in the second lane", s.Total.Sending, s.Lanes[1].Sending)
	}
	if got := s.Total.Cohorts[0].OpenAtChange; got != 3 {
		t.Errorf("%d were open at the end of sending, want 3", got)
	}
}

func TestJoiningKeepsWhatWasOpenAtAChange(t *testing.T) {
	l := New(lanes(1))
	mustApply(t, l, story{i: 0, due: 100 * ms, sent: 100 * ms, done: 5 * time.Second}.events()...)
	to := l.Setting(0)
	to.Rate = 1
	l.Change(2*time.Second, "rate", 0, to)
	for k := range keepFine + 30 {
		mustAdvance(t, l, time.Duration(k)*time.Second+Grace)
	}
	if c := l.Snapshot().Total.Cohorts[0]; c.Span != 10 || c.OpenAtChange != 1 {
		t.Errorf("the joined cohort: %+v", c)
	}
}

func TestTheFrontierIsCopied(t *testing.T) {
	l := New(lanes(1))
	mustApply(t, l, story{due: 0, sent: ms, done: 2 * ms}.events()...)
	frontier := []time.Duration{time.Second}
	if err := l.Advance(time.Second, frontier); err != nil {
		t.Fatal(err)
	}
	frontier[0] = 0
	if l.frontier[0] != time.Second {
		t.Error("it can be written to from outside")
	}
}

// A second of which some was cut before it was sent has no time by which it was.
func TestAllSent(t *testing.T) {
	for name, tt := range map[string]struct {
		second story
		want   time.Duration
	}{
		"sent":           {story{i: 1, due: 500 * ms, sent: 700 * ms, done: 800 * ms}, 700 * ms},
		"waits":          {story{i: 1, due: 500 * ms, sent: Never, done: Never}, Never},
		"cut before":     {story{i: 1, due: 500 * ms, sent: Never, done: 900 * ms, class: CutOff}, Never},
		"cut while sent": {story{i: 1, due: 500 * ms, sent: 600 * ms, done: 900 * ms, class: CutOff}, 600 * ms},
		"failed before":  {story{i: 1, due: 500 * ms, sent: Never, done: 900 * ms, class: Connect}, 20 * ms},
	} {
		l := New(lanes(1))
		mustApply(t, l, slices.Concat(story{i: 0, due: 0, sent: 20 * ms, done: 30 * ms}.events(), tt.second.events())...)
		if got := l.Snapshot().Total.Cohorts[0].AllSent(); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

// Whoever hears late that all is over closes no second behind the end.
func TestNoSecondBehindTheEnd(t *testing.T) {
	l := New(lanes(1))
	steps := story{i: 0, due: 500 * ms, sent: 501 * ms, done: 2500 * ms}.events()
	mustApply(t, l, steps[:2]...)
	l.Stop(time.Second, 0)
	if _, over := l.Over(); over {
		t.Error("over with one in flight")
	}
	mustApply(t, l, steps[2]) // which waits for its second
	end, over := l.Over()
	if !over || end != 2500*ms {
		t.Errorf("over %t, at %s", over, end)
	}
	mustAdvance(t, l, end)
	s := mustFinish(t, l)
	if n := len(s.Total.Seconds); n != 3 || s.At != 2500*ms {
		t.Errorf("%d seconds up to %s", n, s.At)
	}
}

// A target that answers others while some wait in vain is not gone; one that
// answers none is.
func TestATargetThatAnswersOthersIsNotGone(t *testing.T) {
	for name, tt := range map[string]struct {
		class Class
		sent  time.Duration // Never, or before each is done
		takes time.Duration // from due until each has failed
		ok    time.Duration // when another is answered
		gone  bool
	}{
		"connections, held and refused": {Connect, Never, 600 * ms, 500 * ms, true},
		"answers, others answered":      {Timeout, 100 * ms, 600 * ms, 500 * ms, false},
		"answers, sent after the last":  {Timeout, 100 * ms, 600 * ms, 90 * ms, true},
		"answers, long after the last":  {Timeout, 100 * ms, 1600 * ms, 500 * ms, true},
		"resets, which need no waiting": {Reset, 100 * ms, 600 * ms, 500 * ms, true},
	} {
		l := New(lanes(1))
		mustApply(t, l, story{i: 9, due: 0, sent: 0, done: tt.ok}.events()...)
		for i := range int64(3) {
			due := 95*ms + time.Duration(i)
			mustApply(t, l, story{i: i, due: due, sent: tt.sent, done: due + tt.takes, class: tt.class}.events()...)
		}
		mustAdvance(t, l, 2*time.Second+Grace)
		if got := l.Snapshot().Total.Targets[0].Gone; got != tt.gone {
			t.Errorf("%s: gone is %t", name, got)
		}
	}
}
