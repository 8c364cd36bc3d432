package report

import (
	"strings"
	"testing"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
)

// givenUp is a run of a second whose drain was ended after another.
func givenUp(why string) *ledger.Snapshot {
	s := &ledger.Snapshot{Phase: ledger.Ended, Why: why, At: 2003 * time.Millisecond, Closed: 3, SendingEnded: time.Second}
	s.Total.Due, s.Total.Failed = 60, 60
	s.Total.Fail[ledger.CutOff] = 60
	s.Total.Seconds = []ledger.Second{
		{K: 1, Span: 1, Due: 60, Sent: 60, InFlight: 60},
		{K: 2, Span: 1, InFlight: 60},
		{K: 3, Span: 1, Failed: 60, Fail: s.Total.Fail},
	}
	return s
}

// TestGivingUpIsNoCompletion: what was cut is said, in order of time.
func TestGivingUpIsNoCompletion(t *testing.T) {
	note := func(at time.Duration, id lang.ID, args ...ledger.Arg) ledger.Note {
		return ledger.Note{At: at, Level: ledger.Attention, ID: string(id), Args: args}
	}
	s := givenUp("done")
	got := Seconds(lang.English, s, 0,
		note(500*time.Millisecond, lang.NoteRecordFailed, lang.With("why", "full")),
		note(2*time.Second, lang.NoteDrainOver, lang.With("after", time.Second)),
		note(3*time.Second, lang.NoteCut, lang.With("n", 60)))
	want := `at 500 ms: the recording stopped: full
second 1 incomplete: 60/60
waiting for 60 open requests
second 2 incomplete: 60/60
at 2 s: not waiting any longer, 1 s after sending ended
second 3 done: 0/60, 60 cut
at 3 s: cut: 60 open requests given up
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for why, want := range map[string]string{"done": "given up after 2.003 s: 60 cut", "cut": "cut short after 2.003 s"} {
		if got := outcome(lang.English, givenUp(why)); got != want {
			t.Errorf("%s: got %q, want %q", why, got, want)
		}
	}
	s.Total.Fail[ledger.CutOff] = 0
	if got, want := outcome(lang.English, s), "complete after 2.003 s"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestAStandstillIsOneLine: the seconds in which pileup stood still are not
// listed one by one, and those around them are.
func TestAStandstillIsOneLine(t *testing.T) {
	stalled := ledger.Note{At: 3602400 * time.Millisecond, Level: ledger.Attention, ID: string(lang.NoteStalled), Args: []ledger.Arg{lang.With("for", 3600*time.Second)}}
	s := &ledger.Snapshot{Phase: ledger.Sending, Closed: 3603, SendingEnded: ledger.Never, Notes: []ledger.Note{stalled}}
	for k := range 3603 {
		sec := ledger.Second{K: k + 1, Span: 1, Due: 10, InFlight: int64(10 * (k + 1))}
		if k == 0 || k == 3602 {
			sec.Sent = 10
		}
		s.Total.Seconds = append(s.Total.Seconds, sec)
		s.Total.Due += sec.Due
	}
	lane := s.Total
	s.Lanes = []ledger.Lane{lane, lane}
	s.Lanes[0].Info.Name, s.Lanes[1].Info.Name = "A", "B"
	got := Seconds(lang.English, s, 0, stalled)
	want := `second 1 incomplete: 10/10  A 10/10  B 10/10
second 2 incomplete: 20/20  A 20/20  B 20/20
second 3 incomplete: 30/30  A 30/30  B 30/30
second 4–3602 incomplete: 36020/36020  A 36020/36020  B 36020/36020
at 1h00m: pileup itself stood still for 1h00m: what was due is sent late
second 3603 incomplete: 36030/36030  A 36030/36030  B 36030/36030
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got[:min(len(got), 2000)], want)
	}
	s.SendingEnded = 1800 * time.Second
	if got := Seconds(lang.English, s, 2); !strings.Contains(got, "second 4–1799 ") || !strings.Contains(got, "\nwaiting for 18000 open requests\nsecond 1801–3602 ") {
		t.Errorf("where sending ended it says\n%s", got[:min(len(got), 2000)])
	}
}
