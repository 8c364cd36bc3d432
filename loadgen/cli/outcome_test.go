package cli

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
			explained = said != "pileup: error: no request was ok: 60 × http-400: input size does not match signature: 1 != 784\n"
		}
		if explained != tt.says || !strings.Contains(out.String(), tt.due) {
			t.Errorf("%s: said %q", tt.flags, said)
		}
	}
}

// A load that ended because too much was open is no failure of what is sent.
func TestALoadFarTooHighIsExplained(t *testing.T) {
	s := &ledger.Snapshot{Why: "failed", At: 10 * time.Second, Notes: []ledger.Note{
		{ID: "too-many-open", Args: []ledger.Arg{{Name: "n", Value: int64(1_000_001)}}},
	}}
	s.Total.OK = 280
	var errs bytes.Buffer
	asked(nil).tell(&errs, s)
	const want = "pileup: error: sending was stopped: too many requests were open: 1000001\n" +
		"pileup: hint: offer less: 280 were ok in 10s\n"
	if errs.String() != want || asked(nil).code(s) != exitError {
		t.Errorf("%q, exit code %d", errs.String(), asked(nil).code(s))
	}
}
