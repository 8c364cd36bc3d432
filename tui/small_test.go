package tui

import (
	"strings"
	"testing"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/layout"
)

// latest is the line of the youngest event.
func latest(m *Model) string { return strings.Split(text(m), "\n")[m.plan.Latest.Y] }

// TestTheYoungestEventIsShown, though an older one was found out later.
func TestTheYoungestEventIsShown(t *testing.T) {
	snap := with(stories["overload"].snapshot(t), func(s *ledger.Snapshot) {
		s.Notes = []ledger.Note{
			{At: 5 * time.Second, ID: string(lang.NoteMark), Args: []ledger.Arg{lang.With("name", "1")}},
			{At: 3 * time.Second, Level: ledger.Bad, ID: string(lang.NoteTargetGone), Args: []ledger.Arg{lang.With("target", "xavier"), lang.With("class", "reset")}},
		}
	})
	m, _ := screen(snap, 80, 24, Options{})
	if got := latest(m); !strings.Contains(got, "mark 1") {
		t.Errorf("got %q", got)
	}
}

// TestLongEventsKeepTheirEnd, where the reason is.
func TestLongEventsKeepTheirEnd(t *testing.T) {
	snap := with(stories["overload"].snapshot(t), func(s *ledger.Snapshot) {
		s.Notes = []ledger.Note{{Level: ledger.Bad, ID: string(lang.NoteTargetGone), Args: []ledger.Arg{
			lang.With("target", "xavier"), lang.With("class", "connect"),
			lang.With("text", "dial tcp 10.0.0.7:8501 from 10.0.0.2:41234 by way of wlan0: connection refused"),
		}}}
	})
	m, _ := screen(snap, 80, 24, Options{})
	got := latest(m)
	for _, want := range []string{"xavier is gone: connect", " … ", "connection refused)"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
}

// TestLanesHaveANumber and name their models; hidden they zoom at once.
func TestLanesHaveANumber(t *testing.T) {
	m, _ := screen(told()["lanes"], 160, 45, Options{})
	for _, want := range []string{"7 lanes", "A mobilenet_v1", "D yolo_v5"} {
		if !strings.Contains(text(m), want) {
			t.Errorf("no %q in\n%s", want, text(m))
		}
	}
	press(m, "7")
	if m.view.Focus != layout.Lanes || m.zoom != 0 {
		t.Error("7 does not focus the lanes")
	}
	press(m, "7")
	if m.zoom != layout.Lanes || !strings.Contains(text(m), "throughput") {
		t.Errorf("7 again shows\n%s", text(m))
	}
	m, _ = screen(told()["lanes"], 80, 24, Options{})
	press(m, "7")
	if m.zoom != layout.Lanes || !strings.Contains(text(m), "A mobilenet_v1") {
		t.Errorf("on a small screen 7 shows\n%s", text(m))
	}
	m, _ = screen(told()["overload"], 80, 24, Options{})
	press(m, "7")
	if got := lastLine(m); !strings.Contains(got, "there is one lane") || m.zoom != 0 {
		t.Errorf("of one lane 7 says %q", got)
	}
}
