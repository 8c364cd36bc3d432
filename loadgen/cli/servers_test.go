//go:build servers

// These tests drive servers that nobody here wrote. They need the tag and a
// Python environment that .ci/run makes.

package cli_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"dev.example/pileup/loadgen/cli"
)

// kserveEnv names the folder of a Python virtual environment with KServe.
const kserveEnv = "PILEUP_KSERVE"

const howToKServe = `%s names no Python virtual environment with KServe; .ci/run makes one. By hand:
	python3 -m venv DIR
	DIR/bin/pip install --no-deps -r testdata/servers/kserve.txt
	%[1]s=DIR go test -tags servers -run TestKServe .`

// patience is how long anything of a server may take before a test gives up.
const patience = 3 * time.Minute

// What each server has: a model, and one that is not ready.
const (
	model = "sum"
	late  = "late"
)

func TestKServe(t *testing.T) {
	s := loadKServe(t)
	s.serve(0)

	t.Run("counts what we count", func(t *testing.T) {
		before := s.predicted()
		got := pileup(t, s, "-m", model, "--body", body("sum.json"), "-r", "50", "-n", "200", "--json")
		if got.code != 0 || got.stderr != "" {
			t.Errorf("exit code %d, said %q; want 0 and nothing", got.code, got.stderr)
		}
		sum := got.summary()
		sum.balance(t)
		if sum.Total.Due != 200 || sum.Total.OK != 200 {
			t.Errorf("%d due, %d ok; want 200 and 200", sum.Total.Due, sum.Total.OK)
		}
		if n := s.predicted() - before; n != 200 {
			t.Errorf("the server counts %d predictions; want 200", n)
		}
	})

	refusals := []struct {
		name string
		args []string
		path string   // behind the server's address
		want []string // parts of what is said
	}{
		{
			"no body, no metadata",
			[]string{"-m", model},
			"",
			[]string{`does not say what model "sum" takes`, "hint: ", "--body FILE"},
		},
		{
			"no such model",
			[]string{"-m", "none", "--body", body("sum.json")},
			"",
			[]string{`"none"`, s.quote("/v1/models/none", http.StatusNotFound), "hint: this server has sum, late"},
		},
		{
			"not ready",
			[]string{"-m", late, "--body", body("sum.json")},
			"",
			[]string{s.quote("/v1/models/late", http.StatusServiceUnavailable), "hint: "},
		},
		{
			"no such version",
			[]string{"-m", model + ":1", "--body", body("sum.json")},
			"",
			[]string{`"sum:1"`, s.quote("/v1/models/sum/versions/1", http.StatusNotFound)},
		},
		{
			"no such prefix",
			[]string{"-m", model, "--body", body("sum.json")},
			"/v2",
			[]string{s.addr, s.quote("/v2/v1/models/sum", http.StatusNotFound), "hint: "},
		},
	}
	for _, r := range refusals {
		t.Run(r.name, func(t *testing.T) {
			before := s.predicted()
			got := pileupAt(t, s.url()+r.path, append(r.args, "-r", "50", "-n", "20", "--json")...)
			if got.code != 2 || got.stdout != "" {
				t.Errorf("exit code %d, printed %q; want 2 and nothing", got.code, got.stdout)
			}
			for _, want := range r.want {
				if !strings.Contains(got.stderr, want) {
					t.Errorf("said %q; want %q in it", got.stderr, want)
				}
			}
			if n := s.predicted() - before; n != 0 {
				t.Errorf("the server counts %d predictions; want none", n)
			}
		})
	}

	errors := []struct{ name, body, class, said string }{
		{"the model fails", "text.json", "http-5xx", "TypeError"},
		{"a body cut short", "cut.json", "http-4xx", "Unrecognized request format"},
	}
	for _, e := range errors {
		t.Run(e.name, func(t *testing.T) {
			record := filepath.Join(t.TempDir(), "run.jsonl")
			// The server closes a connection after an exception, some time after
			// it has answered: what is sent meanwhile is lost.
			got := pileup(t, s, "-m", model, "--body", body(e.body), "-r", "50", "-n", "5", "--no-keepalive", "--json", "-o", record)
			if got.code != 1 {
				t.Errorf("exit code %d; want 1, for nothing was ok", got.code)
			}
			sum := got.summary()
			sum.balance(t)
			if sum.Total.Due != 5 || sum.Total.Fail[e.class] != 5 {
				t.Errorf("%d due, failures %v; want 5, all %s", sum.Total.Due, sum.Total.Fail, e.class)
			}
			if n := notes(t, record)["first-failure"]; !strings.Contains(n.Text, e.said) {
				t.Errorf("the first failure is told as %q; want %q in it", n.Text, e.said)
			}
		})
	}
}

// TestKServeDies kills the server under load and starts another in its place.
func TestKServeDies(t *testing.T) {
	first, second := loadKServe(t), loadKServe(t)
	first.serve(0)
	record := filepath.Join(t.TempDir(), "run.jsonl")

	var got result
	var running sync.WaitGroup
	t.Cleanup(running.Wait)
	running.Go(func() {
		got = pileup(t, first, "-m", model, "--body", body("sum.json"), "-r", "50", "-d", "8s", "--json", "-o", record)
	})
	until(t, "the first server has answered for a second", func() bool { return first.predicted() >= 50 })
	first.kill()
	until(t, "the server is known to be gone", func() bool {
		b, err := os.ReadFile(record)
		return err == nil && bytes.Contains(b, []byte(`"target-gone"`))
	})
	second.serve(first.port)
	running.Wait()

	if got.code != 0 {
		t.Errorf("exit code %d, said %q; want 0", got.code, got.stderr)
	}
	sum := got.summary()
	sum.balance(t)
	if sum.Total.Due != 400 {
		t.Errorf("%d due; want 400, the run's whole length", sum.Total.Due)
	}
	if n := sum.Total.Fail["connect"]; n == 0 {
		t.Errorf("failures %v; want connect among them", sum.Total.Fail)
	}
	for class, n := range sum.Total.Fail {
		switch class {
		case "connect", "reset", "stale-keepalive":
		default:
			t.Errorf("%d failures are %s; want connect, reset and stale-keepalive", n, class)
		}
	}
	said := notes(t, record)
	gone, back := said["target-gone"], said["target-back"]
	if gone.Level != "bad" || back.Text == "" || back.At <= gone.At {
		t.Errorf("said %+v and %+v; want one that is bad, then the other", gone, back)
	}
	// The second server is asked for nothing else, and is alive to tell.
	if n := second.predicted(); n == 0 || n >= sum.Total.OK {
		t.Errorf("%d are ok, the second server counts %d of them; want some and not all", sum.Total.OK, n)
	}
	t.Logf("%d ok, failures %v, gone at %.2f s, back at %.2f s", sum.Total.OK, sum.Total.Fail, gone.At, back.At)
}

// A server is a process with a model server.
type server struct {
	t    *testing.T
	cmd  *exec.Cmd
	in   io.WriteCloser // its end is the server's
	out  *bufio.Reader
	log  string // name of a file
	port int
	addr string
	end  sync.Once
}

// loadKServe starts a process that has loaded KServe and waits for its port.
// It ends with the test.
func loadKServe(t *testing.T) *server {
	t.Helper()
	python := filepath.Join(os.Getenv(kserveEnv), "bin", "python")
	if _, err := os.Stat(python); os.Getenv(kserveEnv) == "" || err != nil {
		t.Fatalf(howToKServe, kserveEnv)
	}
	s := &server{t: t, log: filepath.Join(t.TempDir(), "log")}
	log, err := os.Create(s.log)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	s.cmd = exec.Command(python, filepath.Join("testdata", "servers", "kserve_v1.py"))
	s.cmd.Stderr = log
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.out = bufio.NewReader(out)
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.kill()
		if t.Failed() {
			t.Logf("the log of the server at %s ends with\n%s", s.addr, tail(s.log, 6000))
		}
	})
	return s
}

// serve lets the server listen, at a free port if port is 0, and waits until
// it answers.
func (s *server) serve(port int) {
	s.t.Helper()
	late := time.AfterFunc(patience, s.kill)
	defer late.Stop()
	if _, err := fmt.Fprintln(s.in, port); err != nil {
		s.t.Fatalf("tell the server its port: %v", err)
	}
	line, err := s.out.ReadString('\n')
	if err == nil {
		s.port, err = strconv.Atoi(strings.TrimSpace(line))
	}
	if err != nil {
		s.t.Fatalf("the server does not listen: %q, %v", line, err)
	}
	s.addr = fmt.Sprintf("127.0.0.1:%d", s.port)
	s.get("/v1/models/"+model, http.StatusOK)
}

func (s *server) url() string { return "tfs+http://" + s.addr }

// kill ends the process at once and waits for that.
func (s *server) kill() {
	s.end.Do(func() {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait() // says that it was killed
		_ = s.in.Close()
	})
}

// predicted is the server's own count of predictions.
func (s *server) predicted() int64 {
	s.t.Helper()
	for line := range strings.Lines(s.get("/metrics", http.StatusOK)) {
		if n, ok := strings.CutPrefix(line, `request_predict_seconds_count{model_name="`+model+`"} `); ok {
			x, err := strconv.ParseFloat(strings.TrimSpace(n), 64)
			if err != nil {
				s.t.Fatal(err)
			}
			return int64(x)
		}
	}
	return 0
}

// quote is what the server says about a path: its error or detail.
func (s *server) quote(path string, status int) string {
	s.t.Helper()
	var said struct{ Error, Detail string }
	if b := s.get(path, status); json.Unmarshal([]byte(b), &said) != nil || said.Error+said.Detail == "" {
		s.t.Fatalf("%s answers %q; want an error or detail", path, b)
	}
	return said.Error + said.Detail
}

// get asks for a page on a connection of its own.
func (s *server) get(path string, status int) string {
	s.t.Helper()
	client := http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get("http://" + s.addr + path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != status {
		s.t.Fatalf("%s answers %s, %q, %v; want %d", path, answer.Status, b, err, status)
	}
	return string(b)
}

// tail is the end of a file, for reading.
func tail(name string, size int) []byte {
	b, err := os.ReadFile(name)
	if err != nil {
		return []byte(err.Error())
	}
	return b[max(0, len(b)-size):]
}

func body(name string) string { return filepath.Join("testdata", "servers", name) }

// A result is what the program came to.
type result struct {
	t              *testing.T
	code           int
	stdout, stderr string
}

func pileup(t *testing.T, s *server, args ...string) result {
	return pileupAt(t, s.url(), args...)
}

func pileupAt(t *testing.T, url string, args ...string) result {
	var stdout, stderr bytes.Buffer
	code := cli.Main(append(args, url), strings.NewReader(""), &stdout, &stderr)
	return result{t, code, stdout.String(), stderr.String()}
}

// A summary is the part of --json that these tests read.
type summary struct {
	Total total
	Lanes []struct {
		Total   total
		Seconds []struct{ Due, Sent, OK, Failed, Backlog int64 }
		Cohorts []struct{ N, Left, Failed int64 }
	}
}

type total struct {
	Due, OK, Failed, Cut int64
	Fail                 map[string]int64
}

func (r result) summary() summary {
	r.t.Helper()
	var s summary
	if err := json.Unmarshal([]byte(r.stdout), &s); err != nil {
		r.t.Fatalf("%v in %q, beside %q", err, r.stdout, r.stderr)
	}
	return s
}

// balance holds the accounts against each other.
func (s summary) balance(t *testing.T) {
	t.Helper()
	var all, seconds, cohorts, classes int64
	for _, n := range s.Total.Fail {
		classes += n
	}
	for _, l := range s.Lanes {
		all += l.Total.Due
		for _, k := range l.Seconds {
			seconds += k.OK + k.Failed
		}
		for _, c := range l.Cohorts {
			cohorts += c.N
			if c.Left != 0 {
				t.Errorf("%d of a cohort are left at the end", c.Left)
			}
		}
	}
	due := s.Total.Due
	if done := s.Total.OK + s.Total.Failed; done != due || all != due || seconds != due || cohorts != due {
		t.Errorf("%d due, but %d ok or failed, %d due by lanes, %d done by seconds, %d due by cohorts",
			due, done, all, seconds, cohorts)
	}
	if classes != s.Total.Failed {
		t.Errorf("%d failed, but %d by classes: %v", s.Total.Failed, classes, s.Total.Fail)
	}
}

// A note is a line of the events pane.
type note struct {
	At              float64 // seconds from the start
	Level, ID, Text string
}

// notes reads the notes of a recording, the last of each kind.
func notes(t *testing.T, record string) map[string]note {
	t.Helper()
	b, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]note{}
	for line := range bytes.Lines(b) {
		var n struct {
			T string
			note
		}
		if err := json.Unmarshal(line, &n); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		if n.T == "ev" {
			out[n.ID] = n.note
		}
	}
	return out
}

// until waits for something to be so.
func until(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !so(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("gave up waiting until %s", what)
		}
	}
}
