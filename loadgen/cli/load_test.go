package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/spf13/cobra"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

// planOf reads a command line as the program does.
func planOf(line ...string) (*plan, error) {
	var f driveFlags
	c := &cobra.Command{}
	f.register(c)
	if err := c.ParseFlags(line); err != nil {
		return nil, err
	}
	return f.plan(io.Discard, c.Flags(), c.Flags().Args())
}

const xavier, tx2, nano = "xavier=tfs+http://127.0.0.1:1", "tx2=tfs+http://127.0.0.1:2", "nano=tfs+http://127.0.0.1:3"

func shape(t *testing.T, s string) *pace.Shape {
	t.Helper()
	out, err := pace.ParseShape(s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// What each way of saying how much is sent comes to.
func TestWhatIsDue(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "w.csv")
	if err := os.WriteFile(file, []byte("1,a,3\n1,b,1\n3,a,5\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	single := func(s ledger.Setting, p pace.Spec) []ledger.LaneSetup {
		s.Model = "a"
		return []ledger.LaneSetup{{Name: "A", Targets: []int{0}, Setting: s, Pattern: p}}
	}
	tests := []struct {
		name  string
		flags string
		limit int64 // of requests per lane
		want  []ledger.LaneSetup
	}{
		{"a rate", "-r 50", 0, single(ledger.Setting{Rate: 50}, pace.Spec{})},
		{"a rate and a number", "-r 50 -n 100", 100, single(ledger.Setting{Rate: 50}, pace.Spec{})},
		{"Poisson", "-r 300/m --arrivals poisson", 0, single(ledger.Setting{Rate: 5, Arrivals: pace.Poisson}, pace.Spec{})},
		{"counts, placed at random", "-r 5 --arrivals poisson-counts --within random", 0, single(ledger.Setting{Rate: 5, Arrivals: pace.PoissonCounts}, pace.Spec{Within: pace.Random})},
		{"closed", "-c 8", 0, single(ledger.Setting{Slots: 8, Arrivals: pace.Closed}, pace.Spec{})},
		{"as fast as it goes", "-r max", 0, single(ledger.Setting{Slots: 64, Arrivals: pace.Closed}, pace.Spec{})},
		{"as fast as it goes with four", "-r max -c 4", 0, single(ledger.Setting{Slots: 4, Arrivals: pace.Closed}, pace.Spec{})},
		{"the cookbook's Serial", "-c 1 -n 100", 100, single(ledger.Setting{Slots: 1, Arrivals: pace.Closed}, pace.Spec{})},
		{"the cookbook's Concurrency", "--arrivals burst -n 100", 0, single(ledger.Setting{Arrivals: pace.Burst}, pace.Spec{Count: 100, Once: true})},
		{"the cookbook's Random", "--arrivals uniform -n 100 -d 20s", 0, single(ledger.Setting{Arrivals: pace.Uniform}, pace.Spec{Count: 100, Once: true, Every: 20 * time.Second})},
		{"uniform in windows by rate", "-r 10 --arrivals uniform --every 2s", 0, single(ledger.Setting{Rate: 10, Arrivals: pace.Uniform}, pace.Spec{Every: 2 * time.Second})},
		{"uniform in windows by number", "-n 10 --arrivals uniform --every 2s", 0, single(ledger.Setting{Rate: 5, Arrivals: pace.Uniform}, pace.Spec{Count: 10, Every: 2 * time.Second})},
		{"the lab's driver", "-r 50 --arrivals burst", 0, single(ledger.Setting{Rate: 50, Arrivals: pace.Burst}, pace.Spec{})},
		{"single-stream", "--arrivals single-stream", 0, single(ledger.Setting{Slots: 1, Arrivals: pace.Closed}, pace.Spec{})},
		{"server", "-r 10 --arrivals server", 0, single(ledger.Setting{Rate: 10, Arrivals: pace.Poisson}, pace.Spec{})},
		{"offline", "--arrivals offline -n 7", 0, single(ledger.Setting{Arrivals: pace.Burst}, pace.Spec{Count: 7, Once: true})},
		{"a ramp", "--shape-rate=ramp_10..100_in_60s", 0, single(ledger.Setting{Scale: 1}, pace.Spec{Shape: shape(t, "ramp 10..100 in 60s")})},
		{"a mix", "--mix (50,0,0) -m b -m c", 0, []ledger.LaneSetup{
			{ID: 0, Name: "A", Targets: []int{0}, Setting: ledger.Setting{Model: "a", Rate: 50}},
			{ID: 1, Name: "B", Targets: []int{0}, Setting: ledger.Setting{Model: "b"}},
			{ID: 2, Name: "C", Targets: []int{0}, Setting: ledger.Setting{Model: "c"}},
		}},
		{"a workload", "--trace " + file, 0, []ledger.LaneSetup{
			{ID: 0, Name: "A", Targets: []int{0}, Setting: ledger.Setting{Model: "a", Arrivals: pace.Traced, Scale: 1}},
			{ID: 1, Name: "B", Targets: []int{0}, Setting: ledger.Setting{Model: "b", Arrivals: pace.Traced, Scale: 1}},
		}},
	}
	for _, tt := range tests {
		args := append([]string{xavier, "-m", "a"}, strings.Fields(tt.flags)...)
		for i := range args {
			if strings.HasPrefix(args[i], "--shape-rate=") {
				args[i] = strings.ReplaceAll(args[i], "_", " ")
			}
		}
		p, err := planOf(args...)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if d := cmp.Diff(tt.want, p.setup.Lanes, cmp.Comparer(func(a, b *pace.Shape) bool {
			return (a == nil) == (b == nil) && (a == nil || a.String() == b.String())
		}), cmpopts.IgnoreFields(pace.Spec{}, "Trace")); d != "" || p.setup.Requests != tt.limit {
			t.Errorf("%s: a limit of %d requests\n%s", tt.name, p.setup.Requests, d)
		}
	}
}

func TestAWorkloadIsKnownByItsHash(t *testing.T) {
	file := filepath.Join(t.TempDir(), "w.csv")
	if err := os.WriteFile(file, []byte("due\n0.5\n0.25\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := planOf(xavier, "-m", "a", "--trace", file)
	if err != nil {
		t.Fatal(err)
	}
	l := p.setup.Lanes[0]
	if p.setup.Workload != "w.csv" || len(p.setup.Hash) != 64 || l.Setting.Model != "a" || l.Pattern.Trace.Total() != 2 {
		t.Errorf("%q %q, %+v", p.setup.Workload, p.setup.Hash, l)
	}
}

func TestPools(t *testing.T) {
	tests := []struct {
		name    string
		flags   string
		balance string
		weights []float64
	}{
		{"by turns", "", "round-robin", nil},
		{"by backlog", "--balance least-backlog", "least-backlog", nil},
		{"by name", "--balance weighted --weights tx2=12,xavier=38,nano=0.5", "weighted", []float64{38, 12, 0.5}},
		{"by place", "--balance least-wait --weights 38,12,0.5", "least-wait", []float64{38, 12, 0.5}},
	}
	for _, tt := range tests {
		p, err := planOf(append([]string{xavier, tx2, nano, "-m", "a=5", "-m", "b@tx2=5"}, strings.Fields(tt.flags)...)...)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		a, b := p.setup.Lanes[0], p.setup.Lanes[1]
		if a.Balance != tt.balance || b.Balance != "" {
			t.Errorf("%s: %+v, %+v", tt.name, a, b)
		}
		weigh := p.pool.weigh()
		if (weigh == nil) != (tt.weights == nil) {
			t.Errorf("%s: weights %v", tt.name, weigh != nil)
		}
		for i, want := range tt.weights {
			if w, err := weigh(i, "a"); err != nil || w != want {
				t.Errorf("%s: %g of target %d, %v", tt.name, w, i, err)
			}
		}
	}
}

// recording makes a run file of some lines behind a first one for a lane of two
// targets.
func recording(t *testing.T, lines ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "run.jsonl")
	text := `{"t":"run","v":1,"start":"2026-12-01T10:00:00Z","seed":1,"targets":[{"id":0,"name":"xavier"},{"id":1,"name":"tx2"}],"lanes":[{"id":0,"name":"A","targets":[0,1],"model":"a","arrivals":"constant","rate":50}],"driver":{}}` + "\n"
	if err := os.WriteFile(file, []byte(text+strings.Join(lines, "")), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// doneLine is the line of a request that was done.
func doneLine(i, target int, due, done float64, more string) string {
	at := func(s float64) string { return strconv.FormatFloat(s, 'f', 6, 64) }
	return fmt.Sprintf(`{"t":"req","l":0,"i":%d,"g":%d,"due":%s,"start":%s,"sent":%s,"first":%s,"done":%s,"up":1,"down":1%s}`+"\n",
		i, target, at(due), at(due), at(due), at(done), at(done), more)
}

const itsEnd = `{"t":"end","at":200.0,"why":"done"}` + "\n"

// The capacity of a target is what it got done while it had something to do.
func TestWeightsFromARecording(t *testing.T) {
	var lines []string
	for i := range 40 { // the same share of both: 50 ms each at one, 200 ms at the other
		at := 0.25 * float64(i)
		lines = append(lines, doneLine(2*i, 0, at, at+0.05, ""), doneLine(2*i+1, 1, at, at+0.2, ""))
	}
	for i := range 10 { // two at once, and some that fail
		lines = append(lines, doneLine(1000+2*i, 0, 100+float64(i), 100.5+float64(i), ""),
			doneLine(1001+2*i, 0, 100.25+float64(i), 100.5+float64(i), `,"fail":"http-5xx","code":500`))
	}
	lines = append(lines, `{"t":"cmd","at":150.0,"l":0,"do":"model","name":"c"}`+"\n", doneLine(2000, 0, 149, 151, ""), doneLine(2001, 0, 150, 150.5, ""), itsEnd)
	file := recording(t, lines...)
	p, err := planOf(xavier, tx2, "-m", "a=5", "--balance", "weighted", "--weights", "auto:"+file)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		target int
		model  string
		want   float64
	}{{0, "a", 51.0 / 9}, {1, "a", 5}, {0, "c", 2}} {
		if w, err := p.pool.weigh()(tt.target, tt.model); err != nil || math.Abs(w-tt.want) > 1e-9 {
			t.Errorf("%s at target %d: %g, %v; want %g", tt.model, tt.target, w, err, tt.want)
		}
	}
	var r *refused
	if _, err := p.pool.weigh()(0, "b"); !errors.As(err, &r) || r.hint == "" {
		t.Errorf("a model that was not recorded: %v", err)
	}
	p, err = planOf("board="+strings.TrimPrefix(xavier, "xavier="), tx2, "-m", "a=5", "--balance", "weighted", "--weights", "auto:"+file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.pool.weigh()(0, "a"); !errors.As(err, &r) || !strings.Contains(r.hint, "xavier, tx2") {
		t.Errorf("a target that was not recorded: %v, %q", err, r.hint)
	}
}

// A recording that is damaged says nothing; one that breaks off says what it
// has, and that there was more.
func TestWeightsFromAPartOfARecording(t *testing.T) {
	both := []string{doneLine(0, 0, 0, 0.5, ""), doneLine(1, 1, 0, 0.25, "")}
	for name, tt := range map[string]struct {
		lines  []string
		warned bool
		err    string
	}{
		"whole":      {append(both, itsEnd), false, ""},
		"no end":     {both, true, ""},
		"breaks off": {append(both, itsEnd[:9]), true, ""},
		"damaged":    {append([]string{"{\"t\":\x00\n"}, append(both, itsEnd)...), false, "run.jsonl: line 2: damaged: "},
		"of another": {append([]string{doneLine(0, 7, 0, 1, "")}, append(both, itsEnd)...), false, "run.jsonl: line 2: target 7 of 2"},
	} {
		var told bytes.Buffer
		file := recording(t, tt.lines...)
		w, err := recordedWeights(&told, file, []place{{name: "xavier"}, {name: "tx2"}})
		if warned := told.String() == "pileup: warning: --weights: "+file+" has no end, so its run went on; what is there counts\n"; warned != tt.warned {
			t.Errorf("%s: told %q", name, told.String())
		}
		if tt.err != "" {
			var r *refused
			if !errors.As(err, &r) || r.hint == "" || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s: %v, want %s", name, err, tt.err)
			}
			continue
		}
		for i, want := range []float64{2, 4} {
			if got, err := w.of(i, "a"); got != want || err != nil {
				t.Errorf("%s: target %d is worth %g, %v; want %g", name, i, got, err, want)
			}
		}
	}
}
