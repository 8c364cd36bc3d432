package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
	"dev.example/pileup/loadgen/report"
)

// asked is what is asked of a run, with --slo.
type asked []ledger.SLO

func parseSLOs(words []string) (asked, error) {
	var out asked
	for _, w := range words {
		s, err := ledger.ParseSLO(pace.Brief(w))
		if err != nil {
			return nil, refuse("--slo 'p99<500ms' or another of p1 to p99.99, 'mean<1s', 'max<2s', 'errors<1%', 'backlog<100' or 'throughput>30'; for one lane 'A:p99<500ms'", "--slo: %w", err)
		}
		out = append(out, s)
	}
	return out, nil
}

// fit refuses what is asked of a lane that there is not.
func (a asked) fit(setup *ledger.Setup) error {
	for _, s := range a {
		if err := s.Fits(setup); err != nil {
			return refuse("the lanes are named in the order of -m: A, B, …", "--slo: %w", err)
		}
	}
	return nil
}

// verdicts are how a run stands with it.
func (a asked) verdicts(s *ledger.Snapshot) (out []ledger.Verdict) {
	for _, slo := range a {
		out = append(out, slo.Check(s))
	}
	return out
}

// tell says to w what did not go as it was to: a recording that is not
// complete, a run that was stopped, what was asked and not kept.
func (a asked) tell(w io.Writer, s *ledger.Snapshot) {
	if s.Record.Err != "" {
		fmt.Fprintf(w, "pileup: error: %s is not complete: %s\n", s.Record.File, oneLine(s.Record.Err))
		fmt.Fprintf(w, "pileup: hint: %s\n", cmp.Or(shortage(s.Record.Err), "record to another disk: -o FILE"))
	}
	n, ok := stopped(s)
	switch {
	case ok:
		fmt.Fprintf(w, "pileup: error: %s\n", oneLine(lang.English.Note(n)))
		fmt.Fprintf(w, "pileup: hint: %s\n", advice(s, lang.ID(n.ID)))
		return
	case s.Why == "done" && s.Total.OK == 0:
		fmt.Fprintf(w, "pileup: error: no request was ok: %s\n", oneLine(failures(s)))
		fmt.Fprintf(w, "pileup: hint: %s\n", remedy(s))
		return
	}
	for _, v := range a.verdicts(s) {
		switch text := oneLine(report.VerdictText(lang.English, s, v)); {
		case !v.Known:
			fmt.Fprintf(w, "pileup: warning: undecided, for too few requests: %s\n", text)
		case !v.Held:
			fmt.Fprintf(w, "pileup: error: not kept: %s\n", text)
		}
	}
}

// advice is what to do about what could not work.
func advice(s *ledger.Snapshot, why lang.ID) string {
	if why == lang.NoteTooManyOpen {
		return fmt.Sprintf("offer less: %d were ok in %s", s.Total.OK, s.At.Round(time.Millisecond))
	}
	return remedy(s) + "; --keep-going lets it go on"
}

// remedy is what to do about requests that were never due, or none of which was
// ok: about the failures of which there are the most.
func remedy(s *ledger.Snapshot) string {
	var f ledger.FailureGroup
	if kinds := mostFirst(s.Total.Failures); len(kinds) > 0 {
		f = kinds[0]
	}
	switch {
	case s.Total.Due == 0:
		return "a longer -d, or a higher rate"
	case f.Code == http.StatusUnauthorized || f.Code == http.StatusForbidden:
		return "the server wants to know who asks: -H 'Authorization: …'"
	case f.Class == ledger.HTTP3xx:
		return "the server is at another address: write the one it names"
	case f.Class == ledger.ClientLimit:
		return cmp.Or(shortage(f.First.Text), "a lower rate, or a smaller --max-in-flight")
	case f.Class == ledger.CutOff:
		return "a lower -r, or a longer --drain"
	case slices.Contains(away, f.Class):
		return "look whether the server is up, and keeps up with a lower rate"
	}
	return "look at what is sent (--body, --image, --input-data)"
}

// mostFirst are kinds of failures, the most frequent first.
func mostFirst(list []ledger.FailureGroup) []ledger.FailureGroup {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b ledger.FailureGroup) int { return cmp.Compare(b.Count, a.Count) })
	return list
}

// away are the failures of a server that did not answer, whatever was sent.
var away = []ledger.Class{ledger.Connect, ledger.DNS, ledger.TLS, ledger.Timeout, ledger.Reset, ledger.StaleKeepalive, ledger.Rejected}

// failures says what became of the requests of a run in which none was ok.
func failures(s *ledger.Snapshot) string {
	if s.Total.Due == 0 {
		return "none was due"
	}
	var parts []string
	for _, f := range mostFirst(s.Total.Failures)[:min(3, len(s.Total.Failures))] {
		text := f.Name()
		if f.First.Text != "" {
			text += ": " + f.First.Text
		}
		parts = append(parts, fmt.Sprintf("%d × %s", f.Count, text))
	}
	if n := s.Total.Censored - s.Total.CensoredSent; n > 0 {
		parts = append(parts, fmt.Sprintf("%d never sent", n))
	}
	return strings.Join(parts, "; ")
}

// stopped is the note that says why a run could not work.
func stopped(s *ledger.Snapshot) (ledger.Note, bool) {
	for _, n := range s.Notes {
		if id := lang.ID(n.ID); s.Why == "failed" && (id == lang.NoteHopeless || id == lang.NoteTooManyOpen) {
			return n, true
		}
	}
	return ledger.Note{}, false
}

// code is the exit code of a run that ended by itself or was cut.
func (a asked) code(s *ledger.Snapshot) int {
	switch {
	case s.Why == "failed":
		return exitError
	case s.Why != "done":
		return exitCut
	case s.Total.OK == 0:
		return exitError
	}
	for _, v := range a.verdicts(s) {
		if v.Known && !v.Held {
			return exitSLO
		}
	}
	if s.Record.Err != "" {
		return exitError
	}
	return exitOK
}

// codeAfter is the exit code of a run that is over, by itself or by a signal.
func (a asked) codeAfter(ctx context.Context, s *ledger.Snapshot) int {
	code := signalCode(ctx)
	if code == exitOK || code == exitCut && s.Why == "done" { // interrupted when nothing was left to cut
		return a.code(s)
	}
	return code
}
