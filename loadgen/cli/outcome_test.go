package cli

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/ledger"
)

// What cannot work is stopped, and explained once.
func TestARunThatCannotWorkIsExplained(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			io.WriteString(w, `{"model_version_status":[{"version":"1","state":"AVAILABLE","status":{"error_code":"OK","error_message":""}}]}`)
			return
		}
		w.WriteHeader(http.StatusBadRequest)
		io.WriteString(w, `{"error":"input size does not match signature: 1 != 784"}`)
	}))
	defer web.Close()
	body := filepath.Join(t.TempDir(), "body.json")
	if err := os.WriteFile(body, []byte(`{"instances":[[1]]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		flags string
		says  bool
		due   string
	}{
		{"--json -d 20s", true, ""},
		{"--plain -d 20s", true, ""},
		{"--json -d 300ms --keep-going", false, `"due":60`},
	} {
		var out, errs bytes.Buffer
		args := append(strings.Fields(tt.flags), "-m", "m", "-r", "200", "--body", body, "tfs+"+web.URL)
		if code := Main(args, strings.NewReader(""), &out, &errs); code != exitError {
			t.Errorf("%s: exit code %d", tt.flags, code)
		}
		said := errs.String()
		explained := strings.Count(said, "pileup: error: stopped: ") == 1 && strings.Count(said, "\n") == 2 &&
			strings.Contains(said, "http-400: ") && strings.Contains(said, "does not match signature") && strings.Contains(said, "--keep-going")
		if !tt.says {
			explained = said != "pileup: error: no request was ok: 60 × http-400: input size does not match signature: 1 != 784\n"+
				"pileup: hint: look at what is sent (--body, --image, --input-data)\n"
		}
		if explained != tt.says || !strings.Contains(out.String(), tt.due) {
			t.Errorf("%s: said %q", tt.flags, said)
		}
	}
}

// A load that ended because too much was open is no failure of what is sent.
func TestALoadFarTooHighIsExplained(t *testing.T) {
	s := &ledger.Snapshot{Why: "failed", At: 10 * time.Second, Notes: []ledger.Note{
		{ID: "too-many-open", Args: []ledger.Arg{{Name: "n", Value: int64(1_000_000)}}},
	}}
	s.Total.OK = 280
	var errs bytes.Buffer
	asked(nil).tell(&errs, s)
	const want = "pileup: error: sending was stopped: more than 1000000 requests were open\n" +
		"pileup: hint: offer less: 280 were ok in 10s\n"
	if errs.String() != want || asked(nil).code(s) != exitError {
		t.Errorf("%q, exit code %d", errs.String(), asked(nil).code(s))
	}
}

// A recording that is not complete is no success, though the load was one.
func TestARunWhoseRecordingIsCutIsNoSuccess(t *testing.T) {
	s := &ledger.Snapshot{Why: "done", Record: ledger.Record{File: "run.jsonl", Err: "write the recording: write run.jsonl: no space left on device"}}
	s.Total.OK, s.Total.Due = 1, 1
	var none asked
	if code := none.code(s); code != exitError {
		t.Errorf("exit code %d, want %d", code, exitError)
	}
	var errs bytes.Buffer
	none.tell(&errs, s)
	if want := "pileup: error: run.jsonl is not complete: " + s.Record.Err + "\npileup: hint: make room on the disk, or write elsewhere\n"; errs.String() != want {
		t.Errorf("said %q, want %q", errs.String(), want)
	}
	s.Why = "cut"
	if code := none.code(s); code != exitCut {
		t.Errorf("exit code %d of a run that was cut, want %d", code, exitCut)
	}
}

// failing is an output that takes nothing.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// Output that is lost does not stop the load, and is told at its end.
func TestLostOutputIsAnError(t *testing.T) {
	full := failing{&os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}}
	record := filepath.Join(t.TempDir(), "run.jsonl")
	for name, tt := range map[string]struct {
		args []string
		code int
		says string
	}{
		"lines":       {[]string{"--plain", "-n", "5", "-r", "100", "-o", record}, exitError, "output was lost: "},
		"lines, slow": {[]string{"--plain", "-n", "5", "-r", "100", "--slo", "p99<1us"}, exitError, "output was lost: "},
		"an object":   {[]string{"--json", "-n", "5", "-r", "100"}, exitError, "output was lost: "},
		"help":        {[]string{"-h"}, exitError, "output was lost: "},
		"a workload":  {[]string{"workload", "make", "--mix", "1", "-m", "a", "-d", "1s"}, exitError, "write workload: "},
	} {
		var errs bytes.Buffer
		if code := Main(tt.args, strings.NewReader(""), full, &errs); code != tt.code {
			t.Errorf("%s: exit code %d, want %d", name, code, tt.code)
		}
		want := "pileup: error: " + tt.says + "write /dev/stdout: no space left on device\npileup: hint: make room on the disk, or write elsewhere\n"
		if !strings.HasSuffix(errs.String(), want) || strings.Count(errs.String(), "no space left") != 1 {
			t.Errorf("%s: said\n%s\nwant\n%s", name, errs.String(), want)
		}
	}
	run, err := os.ReadFile(record)
	if err != nil || strings.Count(string(run), `{"t":"req"`) != 5 {
		t.Errorf("the load did not go on: %v\n%s", err, run)
	}
}

// What this machine has no more of is said as such.
func TestShortagesHaveAHint(t *testing.T) {
	for name, tt := range map[string]struct {
		err  error
		want string
	}{
		"descriptors": {fmt.Errorf("listen: %w", os.NewSyscallError("accept", syscall.EMFILE)), "ulimit -n"},
		"ports":       {&loadgen.Refusal{Err: fmt.Errorf("x: connect x: %w", syscall.EADDRNOTAVAIL)}, "no local port is free"},
	} {
		var errs bytes.Buffer
		fail(&errs, tt.err)
		if _, hint, _ := strings.Cut(errs.String(), "\npileup: hint: "); !strings.Contains(hint, tt.want) {
			t.Errorf("%s: said %q, want a hint with %q", name, errs.String(), tt.want)
		}
	}
	var errs bytes.Buffer
	fail(&errs, fmt.Errorf("the server says %q", syscall.EMFILE.Error()))
	if strings.Contains(errs.String(), "hint") {
		t.Errorf("somebody else's words got a hint: %q", errs.String())
	}
	s := &ledger.Snapshot{}
	if got := remedy(s); !strings.Contains(got, "-d") {
		t.Errorf("nothing was due: %q", got)
	}
	s.Total.Due = 5
	for class, want := range map[ledger.Class]string{
		ledger.ClientLimit: "ulimit -n", ledger.Timeout: "server is up", ledger.HTTP3xx: "another address", ledger.BadBody: "--body",
		ledger.CutOff: "a lower -r, or a longer --drain",
	} {
		s.Total.Failures = []ledger.FailureGroup{{Class: class}}
		s.Total.Failures[0].First.Text = "dial: too many open files"
		if got := remedy(s); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q in it", class, got, want)
		}
	}
}

// A run of which all was given up says how much of it was never sent; what to do
// is about the failures of which there are the most.
func TestARunThatWasCutIsExplained(t *testing.T) {
	cut := ledger.FailureGroup{Class: ledger.CutOff, Count: 40, First: ledger.FailureSample{Text: "cut by the driver"}}
	bad := ledger.FailureGroup{Class: ledger.BadBody, Count: 3}
	for _, tt := range []struct {
		groups         []ledger.FailureGroup
		censored, sent int64
		want, hint     string
	}{
		{[]ledger.FailureGroup{cut}, 40, 12, "40 × cut: cut by the driver; 28 never sent", "--drain"},
		{[]ledger.FailureGroup{cut}, 40, 40, "40 × cut: cut by the driver", "--drain"},
		{[]ledger.FailureGroup{bad, cut}, 40, 39, "40 × cut: cut by the driver; 3 × bad-body; 1 never sent", "--drain"},
		{[]ledger.FailureGroup{cut, {Class: ledger.BadBody, Count: 41}}, 40, 40, "41 × bad-body; 40 × cut: cut by the driver", "--body"},
	} {
		s := &ledger.Snapshot{Why: "done"}
		s.Total.Due, s.Total.Failures = 43, tt.groups
		s.Total.Censored, s.Total.CensoredSent = tt.censored, tt.sent
		var errs bytes.Buffer
		asked(nil).tell(&errs, s)
		if said, hint, _ := strings.Cut(errs.String(), "\n"); said != "pileup: error: no request was ok: "+tt.want || !strings.Contains(hint, tt.hint) {
			t.Errorf("said %q, want %q and a hint with %q", errs.String(), tt.want, tt.hint)
		}
	}
}
