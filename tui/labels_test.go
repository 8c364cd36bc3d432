package tui

import (
	"strings"
	"testing"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
)

// TestLabelsOfLinesThatAreNear stand in rows of their own.
func TestLabelsOfLinesThatAreNear(t *testing.T) {
	at := func(d time.Duration, id lang.ID, args ...ledger.Arg) ledger.Note {
		return ledger.Note{At: d, ID: string(id), Args: args}
	}
	snap := with(told()["calm"], func(s *ledger.Snapshot) {
		s.Notes = append(append([]ledger.Note(nil), s.Notes...),
			at(20*time.Second, lang.NoteBurst, lang.With("n", 10)), at(20500*time.Millisecond, lang.NoteMark, lang.With("name", "1")),
			at(21*time.Second, lang.NoteBurst, lang.With("n", 40)))
	})
	m, _ := screen(snap, 160, 45, Options{})
	for _, want := range []string{"burst 10", "mark 1", "burst 40"} {
		if !strings.Contains(text(m), want) {
			t.Errorf("no %q in\n%s", want, text(m))
		}
	}
}

// TestGoneAndBackAreLines, too.
func TestGoneAndBackAreLines(t *testing.T) {
	m, _ := screen(told()["failing"], 160, 45, Options{})
	for _, want := range []string{"┊gone", "┊back"} {
		if !strings.Contains(text(m), want) {
			t.Errorf("no %q in\n%s", want, text(m))
		}
	}
}

// TestModelsAreToldApart where their names are cut, those of paused lanes as well.
func TestModelsAreToldApart(t *testing.T) {
	uneven := with(told()["lanes"], func(s *ledger.Snapshot) {
		s.Lanes = append([]ledger.Lane(nil), s.Lanes...)
		s.Lanes[0].Setting.Rate, s.Lanes[1].Setting.Rate = 59*50/60.0, 59.0/6
		s.Lanes[2].Setting.Paused = true
	})
	m, _ := screen(uneven, 160, 45, Options{})
	for _, want := range []string{"A mobilenet_v1  49.17/s", "B mobilenet_v2  9.833/s", "◆ C ince…on_v3 "} {
		if !strings.Contains(text(m), want) {
			t.Errorf("no %q in\n%s", want, text(m))
		}
	}
}
