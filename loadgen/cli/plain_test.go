package cli

import (
	"bytes"
	"testing"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
)

// TestPlainIsInOrderOfTime: a note is printed before the second it is of, and
// one of the next second does not overtake a second that is not closed yet.
func TestPlainIsInOrderOfTime(t *testing.T) {
	var out bytes.Buffer
	p := &plainShow{std: streams{nil, &out, nil}, lang: lang.English}
	s := &ledger.Snapshot{Phase: ledger.Sending}
	note := func(at time.Duration, n int) {
		s.Notes = append(s.Notes, ledger.Note{At: at, Level: ledger.Attention, ID: string(lang.NoteCut), Args: []ledger.Arg{lang.With("n", n)}})
		s.Noted++
	}
	second := func(k int) {
		s.Total.Seconds, s.Closed = append(s.Total.Seconds, ledger.Second{K: k, Span: 1, Due: 10}), k
	}
	p.print(s)
	note(200*time.Millisecond, 1)
	p.print(s) // at once
	note(1050*time.Millisecond, 3)
	note(900*time.Millisecond, 2)
	p.print(s) // the first second is still open
	second(1)
	p.print(s)
	note(2500*time.Millisecond, 4)
	s.Phase = ledger.Ended
	second(2)
	p.print(s)
	want := `at 200 ms: cut: 1 open request given up
at 900 ms: cut: 2 open requests given up
second 1 done: 0/10
at 1.05 s: cut: 3 open requests given up
second 2 done: 0/20
at 2.50 s: cut: 4 open requests given up
`
	if got := out.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
