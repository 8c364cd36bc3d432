package tui

import (
	"strings"
	"testing"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/probes"
	"dev.example/pileup/tui/layout"
)

// TestBoardsAreDrawnWhenRead, before the run and after it.
func TestBoardsAreDrawnWhenRead(t *testing.T) {
	for _, name := range []string{"begun", "done"} {
		snap := stories[name].snapshot(t)
		if name == "begun" {
			snap = with(snap, func(s *ledger.Snapshot) {
				s.Phase, s.Closed, s.AtClose, s.Notes, s.At = ledger.Ready, 0, nil, nil, 0
				s.Total.Seconds, s.Lanes[0].Seconds = nil, nil
			})
		}
		m, f := screen(snap, 160, 45, Options{})
		before := text(m)
		f.snap = with(snap, func(s *ledger.Snapshot) {
			s.Series = []probes.Series{s.Series[0], s.Series[1].With(probes.Point{
				At: s.At + time.Minute, Sample: &probes.Sample{Load1: probes.Of(7.77)},
			})}
		})
		ticks(m)
		if after := text(m); after == before || !strings.Contains(after, "7.77") {
			t.Errorf("%s: a sample changes nothing", name)
		}
	}
}

// TestScrolledRowsStay where they are while others follow, and end at the first
// and the last.
func TestScrolledRowsStay(t *testing.T) {
	early, late := stories["fast"], stories["fast"]
	early.at, late.at = 40*time.Second, 43*time.Second
	m, f := screen(early.snapshot(t), 120, 40, Options{})
	rows := func() []string {
		r := m.plan.Pane(layout.Ledger)
		r.X, r.W, r.Y, r.H = r.X+1, r.W-2, r.Y+2, r.H-4
		return wordsIn(m, r)
	}
	press(m, "6", "pgup")
	before := strings.Join(rows(), " ")
	f.snap = late.snapshot(t)
	m.Update(tickMsg{})
	if after := strings.Join(rows(), " "); after != before {
		t.Errorf("the rows slide:\n%s\n%s", before, after)
	}
	for range 30 {
		press(m, "pgup")
	}
	if got := rows(); got[0] != "1" {
		t.Errorf("the first row is second %s", got[0])
	}
	press(m, "down")
	if got := rows(); got[0] != "2" {
		t.Errorf("one line down the first row is second %s", got[0])
	}
	for range 30 {
		press(m, "pgdown")
	}
	if m.view.Scroll.Ledger != 0 {
		t.Error("the table does not follow the run again")
	}
	press(m, "8")
	for range 30 {
		press(m, "pgup")
	}
	if got, want := m.view.Scroll.Events, len(f.snap.Notes)-1; got != want {
		t.Errorf("%d of %d events are scrolled away", got, want+1)
	}
}

// TestJoinedRowsKeepTheirNames, which are longer than those of one second.
func TestJoinedRowsKeepTheirNames(t *testing.T) {
	m, _ := screen(told()["slow"], 80, 24, Options{})
	for range 400 {
		press(m, "pgup")
	}
	if got := text(m); !strings.Contains(got, " 31–40 ") || !strings.Contains(got, " 11–20 ") {
		t.Errorf("got\n%s", got)
	}
	for range 440 {
		press(m, "down")
	}
	if got := text(m); !strings.Contains(got, "–") || strings.Contains(got, "…") {
		t.Errorf("got\n%s", got)
	}
}

// TestNothingDueIsNoWaiting: hours after the last request was due none is
// waited for that would be drawn.
func TestNothingDueIsNoWaiting(t *testing.T) {
	m, _ := screen(told()["slow"], 120, 40, Options{})
	if got := text(m); !strings.Contains(got, "no request was due in this time") {
		t.Errorf("got\n%s", got)
	}
}

// TestFrozenSaysSinceWhen: the clock is the run's, the figures are of then.
func TestFrozenSaysSinceWhen(t *testing.T) {
	snap := stories["calm"].snapshot(t)
	m, f := screen(snap, 160, 45, Options{})
	press(m, "f")
	f.snap = with(snap, func(s *ledger.Snapshot) { s.At += time.Minute })
	ticks(m)
	if got, _, _ := strings.Cut(text(m), "\n"); !strings.Contains(got, "frozen at 00:48") || !strings.Contains(got, "01:48") {
		t.Errorf("got %q", got)
	}
}

// TestViewsSayWhatTheyAre: window, scale and service leave a sign everywhere.
func TestViewsSayWhatTheyAre(t *testing.T) {
	snap := stories["overload"].snapshot(t)
	for _, size := range [][2]int{{80, 24}, {120, 40}, {160, 45}} {
		m, _ := screen(snap, size[0], size[1], Options{})
		short, of := "service", "@"
		switch size[0] {
		case 80:
			short = "svc"
		case 160:
			of = "of second"
		}
		for _, c := range []struct {
			key  string
			want []string
		}{
			{"l", []string{"linear"}},
			{"w", []string{"last 30s"}},
			{"y", []string{"2 service", short + " p50 " + of, short + " p95 @", "service mean"}},
		} {
			press(m, c.key)
			for _, want := range c.want {
				if !strings.Contains(text(m), want) {
					t.Errorf("%v: %s does not show %q:\n%s", size, c.key, want, text(m))
				}
			}
		}
	}
}

// lanesWith is the story of four lanes with changed ones.
func lanesWith(t *testing.T, f func(lanes []ledger.Lane)) *ledger.Snapshot {
	return with(stories["lanes"].snapshot(t), func(s *ledger.Snapshot) { f(s.Lanes) })
}

// TestLanesAreNamed: what a key does is said of the lane that it is done to.
func TestLanesAreNamed(t *testing.T) {
	snap := lanesWith(t, func(l []ledger.Lane) { l[1].Setting.Paused = true })
	for _, c := range []struct {
		name string
		keys []string
		line string
		did  ledger.Command
	}{
		{"add to all", []string{"+"}, "all lanes: 48/s → 49/s asked", ledger.Command{Do: ledger.DoRate, Lane: ledger.All, How: ledger.Add, To: 1}},
		{"add to one", []string{"tab", "+"}, "A: 12/s → 13/s asked", ledger.Command{Do: ledger.DoRate, How: ledger.Add, To: 1}},
		{"pause all", []string{" "}, "each lane: pause asked", ledger.Command{Do: ledger.DoPause, Lane: ledger.All}},
		{"pause one", []string{"tab", " "}, "A: pause asked", ledger.Command{Do: ledger.DoPause}},
		{"resume one", []string{"tab", "tab", " "}, "B: resume asked", ledger.Command{Do: ledger.DoResume, Lane: 1}},
		{"set all", []string{"r", "500", "enter"}, "all lanes: 500/s is more than 480/s: really?", ledger.Command{}},
		{"type for all", []string{"r"}, "all lanes: sum of their rates, requests/s", ledger.Command{}},
		{"model of all", []string{"m"}, "tab picks a lane first", ledger.Command{}},
		{"models of all", []string{"o"}, "tab picks a lane first", ledger.Command{}},
	} {
		m, f := screen(snap, 120, 40, Options{})
		press(m, c.keys...)
		if got := lastLine(m); !strings.Contains(got, c.line) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.line)
		}
		if c.did.Do == "" && len(f.did) > 0 || c.did.Do != "" && (len(f.did) != 1 || f.did[0].Do != c.did.Do || f.did[0].Lane != c.did.Lane) {
			t.Errorf("%s: did %v", c.name, f.did)
		}
	}
}

func TestPausedLanesAreMarked(t *testing.T) {
	m, _ := screen(lanesWith(t, func(l []ledger.Lane) { l[1].Setting.Paused = true }), 160, 45, Options{})
	for _, want := range []string{"1 of 4 paused", "space pause", "◆ B"} {
		if !strings.Contains(text(m), want) {
			t.Errorf("all lanes do not show %q:\n%s", want, text(m))
		}
	}
	press(m, "tab", "tab")
	for _, want := range []string{"B  ◆ paused", "space resume", " –   "} {
		if !strings.Contains(text(m), want) {
			t.Errorf("lane B does not show %q:\n%s", want, text(m))
		}
	}
	all := lanesWith(t, func(l []ledger.Lane) {
		for i := range l {
			l[i].Setting.Paused = true
		}
	})
	all.Phase = ledger.Paused
	m, _ = screen(all, 160, 45, Options{})
	for range 2 {
		if head, _, _ := strings.Cut(text(m), "\n"); strings.Count(head, "paused") != 1 {
			t.Errorf("that all are paused is said more than once: %q", head)
		}
		press(m, "tab")
	}
}

// TestChangesAreOfTheLaneInView.
func TestChangesAreOfTheLaneInView(t *testing.T) {
	m, _ := screen(told()["boards"], 160, 45, Options{})
	if got := text(m); !strings.Contains(got, "┊B 20/s") || !strings.Contains(got, "┊tx2 15W") {
		t.Errorf("all lanes:\n%s", got)
	}
	press(m, "tab")
	if got := text(m); strings.Contains(got, "┊B") || strings.Contains(got, "┊20/s") || !strings.Contains(got, "┊tx2 15W") {
		t.Errorf("lane A:\n%s", got)
	}
	press(m, "tab")
	if got := text(m); !strings.Contains(got, "┊20/s") {
		t.Errorf("lane B:\n%s", got)
	}
}

// TestALateRunSaysSoWhenItIsOver, also if it was on time in its last seconds.
func TestALateRunSaysSoWhenItIsOver(t *testing.T) {
	s := stories["recovered"]
	s.length, s.at = 20*time.Second, 40*time.Second
	snap := s.snapshot(t)
	if snap.Lateness.Late || snap.Phase != ledger.Ended {
		t.Fatal("the story is another one")
	}
	for size, want := range map[[2]int]string{
		{120, 40}: "▲ driver was late  lag p99 12.2 ms  limit 1.00 ms  ■ done",
		{80, 24}:  "▲ driver was late  ■ done",
		{44, 12}:  "■ done 00:20  ▲ driver was late",
	} {
		m, _ := screen(snap, size[0], size[1], Options{})
		if got := text(m); !strings.Contains(got, want) {
			t.Errorf("%v: no %q in\n%s", size, want, got)
		}
	}
}
