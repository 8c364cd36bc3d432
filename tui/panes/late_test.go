package panes

import (
	"strings"
	"testing"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/probes"
	"dev.example/pileup/tui/cells"
)

// lagging is a run whose last second had that lag p99.
func lagging(late bool, lag time.Duration) *ledger.Snapshot {
	s := &ledger.Snapshot{
		Setup: &ledger.Setup{}, Phase: ledger.Sending, Closed: 3, At: 3 * time.Second,
		Lateness: ledger.Lateness{Limit: time.Millisecond, Late: late},
		Lanes:    []ledger.Lane{{Setting: ledger.Setting{Model: "mobilenet_v1", Rate: 50}}},
	}
	s.Total.Seconds = []ledger.Second{{K: 3, Span: 1, LagP99: lag}}
	return s
}

// TestTheHeaderSaysThatTheDriverIsLate as well as it has room, and never at the
// cost of the clock; a driver that is on time is not mentioned.
func TestTheHeaderSaysThatTheDriverIsLate(t *testing.T) {
	const ms = time.Millisecond
	for _, tt := range []struct {
		name string
		s    *ledger.Snapshot
		w    int
		want string
	}{
		{"in words", lagging(true, 12700*time.Microsecond), 120, "▲ driver late  lag p99 12.7 ms  limit 1.00 ms  ● sending"},
		{"in short", lagging(true, 12700*time.Microsecond), 80, "▲ driver late 12.7 ms > 1.00 ms  ● sending"},
		{"no more than that", lagging(true, 12700*time.Microsecond), 60, "▲ driver late  ● sending"},
		{"not in the last second", lagging(true, ms/2), 120, "◆ driver was late  ● sending"},
		{"nothing due in the last second", lagging(true, ledger.Never), 120, "◆ driver was late  ● sending"},
		{"seldom enough", lagging(false, 12700*time.Microsecond), 120, "pileup  all lanes  50/s   "},
	} {
		b := cells.NewBuf(tt.w, 1)
		Header(b, b.Rect(), view(t), tt.s)
		got := b.String()
		if !strings.Contains(got, tt.want) || !strings.Contains(got, "00:03") {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
		if !tt.s.Lateness.Late && strings.Contains(got, "late") {
			t.Errorf("%s: got %q", tt.name, got)
		}
	}
}

// TestTheDriversLine gives way from its end, but not what is worth a look, and
// has its numbers in the same place whatever they are.
func TestTheDriversLine(t *testing.T) {
	of := probes.Of
	calm := probes.Process{
		Cores: of(0.4), CoresMax: of(4), CoreWait: of(0.02), FDs: of(40), FDMax: of(1024),
		Ports: of(3100), PortMax: of(28232), GC: of(3),
	}
	waits, full, first := calm, calm, calm
	waits.CoreWait = of(2.31)
	full.Cores, full.FDs, full.Ports = of(3.9), of(861), of(27000)
	first.Cores, first.GC = probes.Value{}, probes.Value{}
	busy := []probes.Net{{Name: "eth0", Tx: of(100e6), Link: of(1e9)}}
	for _, tt := range []struct {
		name string
		late bool
		p    probes.Sample
		w    int
		want string
	}{
		{"in words", false, probes.Sample{Own: calm}, 72, "own 0.40 of 4 cores  fds   40 of 1024  ports  3100 of 28.2k  gc   3%"},
		{"in short", false, probes.Sample{Own: calm}, 57, "own 0.40/4  fds   40/1024  ports  3100/28.2k  gc   3%"},
		{"what fits", false, probes.Sample{Own: calm}, 34, "own 0.40/4  fds   40/1024  gc   3%"},
		{"little", false, probes.Sample{Own: calm}, 12, "own 0.40/4"},
		{"nothing", false, probes.Sample{Own: calm}, 5, ""},
		{"before it is known", false, probes.Sample{Own: first}, 57, "own    –/4  fds   40/1024  ports  3100/28.2k"},
		{"not limited", false, probes.Sample{Own: probes.Process{Cores: of(0.4), FDs: of(40)}}, 57, "own 0.40 cores  fds    40"},
		{"passing ones behind the others", false, probes.Sample{Own: waits, Net: busy}, 90, "own 0.40 of 4 cores  fds   40 of 1024  ports  3100 of 28.2k  gc   3%  wait 2.31 s/s"},
		{"all", false, probes.Sample{Own: waits, Net: busy}, 100, "own 0.40 of 4 cores  fds   40 of 1024  ports  3100 of 28.2k  gc   3%  wait 2.31 s/s  link  80%"},
		{"what is worth a look stays", true, probes.Sample{Own: waits}, 34, "▲ late  own 0.40/4  wait 2.31 s/s"},
		{"and its neighbours go", true, probes.Sample{Own: full}, 40, "▲ late  own 3.90/4  fds  861/1024"},
		{"late alone", true, probes.Sample{}, 20, "▲ late"},
		{"nothing is known", false, probes.Sample{}, 57, ""},
	} {
		b, v := cells.NewBuf(tt.w, 1), view(t)
		process(b, b.Rect(), v, usesOf(v, lagging(tt.late, 9*time.Millisecond), &tt.p), false)
		if got := strings.TrimRight(b.String(), " \n"); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestPortsAreOfTheMachine: on a screen of its own the line says so.
func TestPortsAreOfTheMachine(t *testing.T) {
	b, v := cells.NewBuf(90, 1), view(t)
	v.Zoomed = true
	own := probes.Process{Cores: probes.Of(0.4), CoresMax: probes.Of(4), Ports: probes.Of(3100), PortMax: probes.Of(28232)}
	process(b, b.Rect(), v, usesOf(v, lagging(false, 0), &probes.Sample{Own: own}), false)
	if got, want := b.String(), "own 0.40 of 4 cores  ports of this machine  3100 of 28.2k\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestLagSaysWhose where one of several lanes is in view: the badge is of all, the
// figure of the one.
func TestLagSaysWhose(t *testing.T) {
	for _, tt := range []struct {
		name   string
		lane   int
		w      int
		badge  string
		figure string
	}{
		{"one", 1, 160, "▲ driver late  all lanes  lag p99 12.7 ms  limit 1.00 ms", "B lag p99 1s"},
		{"one, middle", 1, 120, "▲ driver late  all lanes  lag p99 12.7 ms", "B lag p99"},
		{"one, less", 1, 99, "▲ driver late  all lanes 12.7 ms > 1.00 ms", " lag p99 500 µs"},
		{"one, small", 1, 80, "▲ driver late  ● sending", " lag p99 500 µs"},
		{"all", ledger.All, 160, "▲ driver late  lag p99 12.7 ms  limit 1.00 ms", " lag p99 over 1 s"},
	} {
		s := lagging(true, 12700*time.Microsecond)
		s.Lanes = append(s.Lanes, s.Lanes[0])
		for i := range s.Lanes {
			s.Lanes[i].Info.Name = string(rune('A' + i))
			s.Lanes[i].Seconds = []ledger.Second{{K: 3, Span: 1, LagP99: time.Millisecond / 2}}
		}
		b, v := cells.NewBuf(tt.w, 3), view(t)
		v.Lane, v.Small = tt.lane, tt.w < 100
		Header(b, b.Rect().Row(0), v, s)
		Figures(b, cells.Rect{Y: 1, W: tt.w, H: 2}, v, s)
		if got := b.String(); !strings.Contains(got, tt.badge) || !strings.Contains(got, tt.figure) {
			t.Errorf("%s: no %q or no %q in\n%s", tt.name, tt.badge, tt.figure, got)
		}
	}
}

// TestNearLimitsHaveColour of their own.
func TestNearLimitsHaveColour(t *testing.T) {
	of := probes.Of
	v := view(t)
	for _, tt := range []struct {
		own  probes.Process
		near bool
	}{
		{probes.Process{FDs: of(819), FDMax: of(1024)}, false},
		{probes.Process{FDs: of(820), FDMax: of(1024)}, true},
		{probes.Process{FDs: of(820)}, false},
		{probes.Process{Ports: of(25408), PortMax: of(28232)}, false},
		{probes.Process{Ports: of(25409), PortMax: of(28232)}, true},
		{probes.Process{Cores: of(1.79), CoresMax: of(2)}, false},
		{probes.Process{Cores: of(1.8), CoresMax: of(2)}, true},
		{probes.Process{CoreWait: of(0.06)}, false},
		{probes.Process{CoreWait: of(0.1)}, true},
	} {
		all := usesOf(v, lagging(false, 0), &probes.Sample{Own: tt.own})
		if len(all) != 1 || all[0].near != tt.near || tt.near != (all[0].st == v.Theme.Attention.With(cells.Bold)) {
			t.Errorf("%+v: got %+v", tt.own, all)
		}
	}
}

// TestLagKeepsItsPlace on a small screen while it is too much, even where
// requests are held.
func TestLagKeepsItsPlace(t *testing.T) {
	for late, want := range map[bool]string{true: "lag p99 9.00 ms", false: "held"} {
		s := lagging(late, 9*time.Millisecond)
		s.Total.Held = 20
		b, v := cells.NewBuf(80, 2), view(t)
		v.Small, v.Lane = true, ledger.All
		Figures(b, b.Rect(), v, s)
		if got := b.String(); !strings.Contains(got, want) {
			t.Errorf("late %v: got\n%s", late, got)
		}
	}
}

// TestTheHeaderKeepsWhatIsAsked of the lane: what is said at its right end takes
// fewer words before model or rate go.
func TestTheHeaderKeepsWhatIsAsked(t *testing.T) {
	for _, tt := range []struct {
		name  string
		phase ledger.Phase
		late  bool
		w     int
		want  string
	}{
		{"late", ledger.Sending, true, 80, "▲ driver late  ● sending 00:03"},
		{"late, wide", ledger.Sending, true, 120, "▲ driver late  lag p99 12.7 ms  limit 1.00 ms  ● sending 00:03"},
		{"late, narrow", ledger.Sending, true, 62, "▲ late  ● sending 00:03"},
		{"draining", ledger.Draining, false, 80, "◆ draining: 221 open after 2 s  00:03"},
		{"draining, narrow", ledger.Draining, false, 66, "◆ draining after 2 s  00:03"},
		{"draining, least", ledger.Draining, false, 60, "◆ draining 00:03"},
		{"both", ledger.Draining, true, 80, "▲ driver late  ◆ draining after 2 s  00:03"},
		{"both, least", ledger.Draining, true, 72, "▲ driver late  ◆ draining 00:03"},
	} {
		s := lagging(tt.late, 12700*time.Microsecond)
		s.Setup.Targets = []ledger.Target{{Name: "xavier"}}
		s.Lanes[0].Info.Targets = []int{0}
		s.Phase, s.SendingEnded = tt.phase, time.Second
		s.Total.InFlight, s.Total.AtEnd.Open = 221, 221
		b, v := cells.NewBuf(tt.w, 1), view(t)
		v.Lane = 0
		Header(b, b.Rect(), v, s)
		got := b.String()
		if !strings.Contains(got, "xavier  mobilenet_v1  ") || !strings.Contains(got, "50/s ") || !strings.Contains(got, " "+tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
