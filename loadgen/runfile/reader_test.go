package runfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/probes"
)

// sample is a file with a line of every kind.
func sample(t *testing.T) string {
	return written(t, func(w *Writer) {
		for _, e := range requests() {
			w.Request(&e)
		}
		w.Second(0, &ledger.Second{K: 1, Span: 1, Due: 2, OK: 1, LagP99: ledger.Never, LagMax: ledger.Never})
		w.Cohort(0, &ledger.Cohort{K: 1, Span: 1, LastSent: ledger.Never})
		w.Probe("xavier", probes.Point{At: time.Second, Sample: &probes.Sample{Cores: []probes.Core{{Online: true, Busy: probes.Of(3)}}}})
		w.Command(Command{At: time.Second, Command: ledger.Command{Do: ledger.DoRate, To: 9}})
		w.Note(ledger.Note{ID: "rate", Args: []ledger.Arg{{Name: "to", Value: 9.0}}})
		w.Gap(Gap{time.Second, map[string]int64{"req": 1}})
		w.End(2*time.Second, "done")
	})
}

func TestNotARunFile(t *testing.T) {
	for name, file := range map[string]string{
		"empty":           "",
		"text":            "second 1 incomplete: 21/50\n",
		"another kind":    `{"t":"req","l":0}` + "\n",
		"JSON of others":  `{"run":{},"end":3}` + "\n",
		"no version":      `{"t":"run"}` + "\n",
		"an image":        "\x89PNG\r\n\x1a\n\x00\x00",
		"one endless row": strings.Repeat("x", longestLine+100<<10),
	} {
		if _, err := Load(strings.NewReader(file)); !errors.Is(err, ErrNotRunFile) {
			t.Errorf("%s: got %v, want %v", name, err, ErrNotRunFile)
		}
	}
}

func TestDamageNamesItsLine(t *testing.T) {
	head := written(t, func(*Writer) {})
	for line, want := range map[string]string{
		`{"t":"req","l":0,"i":1`:                                                 "line 2: damaged",
		`{"t":"req","l":0,"i":1,"due":"soon","done":2}`:                          "no time in seconds",
		`{"t":"req","l":0,"i":1,"due":1}`:                                        "line 2: a request without due or done",
		`{"t":"req","l":2,"i":1,"due":1,"done":2}`:                               "line 2: lane 2 of 2",
		`{"t":"req","l":-1,"i":1,"due":1,"done":2}`:                              "line 2: lane -1 of 2",
		`{"t":"req","l":0,"g":2,"i":1,"due":1,"done":2}`:                         "line 2: target 2 of 2",
		`{"t":"req","l":0,"i":-1,"due":1,"done":2}`:                              "line 2: request number -1",
		`{"t":"req","l":0,"i":1,"due":1e30,"done":2}`:                            "line 2: damaged",
		`{"t":"req","l":0,"i":1,"due":1,"done":2,"fail":"gremlins"}`:             `line 2: unknown failure class "gremlins"`,
		`{"t":"req","l":0,"i":1,"due":-1,"done":2}`:                              "line 2: a request with due before zero",
		`{"t":"req","l":0,"i":1,"due":1,"start":0.9,"done":2}`:                   "line 2: a request with start before due",
		`{"t":"req","l":0,"i":1,"due":1,"start":1.5,"sent":1.4,"done":2}`:        "line 2: a request with sent before start",
		`{"t":"req","l":0,"i":1,"due":1,"sent":1.5,"done":1.4}`:                  "line 2: a request with done before sent",
		`{"t":"req","l":0,"i":1,"due":1,"done":0.5,"fail":"cut"}`:                "line 2: a request with done before start",
		`{"t":"req","l":0,"i":1,"due":1,"first":0.5,"done":2}`:                   "line 2: a request with first before start",
		`{"t":"req","l":0,"i":1,"due":1,"done":2,"up":-3}`:                       "line 2: a request of -3 bytes up and 0 down",
		`{"t":"sec","k":1,"l":-1}`:                                               `line 2: damaged: "-1" is no lane`,
		`{"t":"coh","at":1,"k":1,"l":-1}`:                                        `line 2: damaged: "-1" is no lane`,
		`{"t":"cmd","at":1,"do":"stop","l":-1}`:                                  `line 2: damaged: "-1" is no lane`,
		`{"t":"sec","k":0}`:                                                      "line 2: second 0",
		`{"t":"sec","k":1,"due":-3}`:                                             "line 2: second 1 of span 0 with a count of -3",
		`{"t":"end","at":1}` + "\n" + `{"t":"req","l":0,"i":1,"due":1,"done":2}`: "line 3: a req behind the end",
		`{"t":"sec","k":1,"l":7}`:                                                "line 2: lane 7 of 2",
		`{"t":"sec","k":1,"fail":{"gremlins":1}}`:                                `line 2: unknown failure class "gremlins"`,
		`{"t":"coh","k":1}`:                                                      "line 2: a cohort without at",
		`{"t":"cmd","at":1,"do":"rate"}`:                                         "line 2: a rate command without a number",
		`{"t":"cmd","at":1,"do":"rate","to":1,"how":"somehow"}`:                  "line 2: a rate command without a number",
		`{"t":"cmd","at":1,"do":"arrivals","arrivals":"lumpy"}`:                  "line 2: unknown arrivals",
		`{"t":"cmd","do":"stop"}`:                                                "line 2: a command without at or do",
		`{"t":"ev","id":"x"}`:                                                    "line 2: an event without at",
		`{"t":"probe"}`:                                                          "line 2: a sample without at",
		`{"t":"end"}`:                                                            "line 2: an end without at",
		`{"t":"run","v":1}`:                                                      "line 2: a second run",
		"\x00\x00\x00":                                                           "line 2: damaged",
		`[1,2]`:                                                                  "line 2: damaged",
		`{"t":"x","pad":"` + strings.Repeat("x", longestLine+100<<10) + `"}`:     "line 2: longer than 16 MiB",
	} {
		run, err := Load(strings.NewReader(head + line + "\n" + `{"t":"end","at":1}` + "\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: got %v, want %s", line, err, want)
		}
		if run == nil {
			t.Errorf("%.80s: what came before is lost", line)
		}
	}
}

func TestDamagedHeader(t *testing.T) {
	for line, want := range map[string]string{
		`{"t":"run","v":1,"see`:                                                   "line 1: damaged",
		`{"t":"run","v":1,"seed":-1}`:                                             "line 1: damaged",
		`{"t":"run","v":1}`:                                                       "line 1: a run without a lane",
		`{"t":"run","v":2,"tool":"pileup 9"}`:                                     "written by pileup 9 as version 2",
		`{"t":"run","v":1,"lanes":[{"id":0,"arrivals":"lumpy"}]}`:                 "unknown arrivals",
		`{"t":"run","v":1,"lanes":[{"id":1,"arrivals":"poisson"}]}`:               "lane 1 stands in place 0",
		`{"t":"run","v":1,"lanes":[{"id":0,"arrivals":"poisson","targets":[0]}]}`: "target 0 of 0",
		`{"t":"run","v":1,"targets":[{"id":1}]}`:                                  "target 1 stands in place 0",
	} {
		if _, err := Load(strings.NewReader(line)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", line, err, want)
		}
	}
}

func TestUnknownIsSkipped(t *testing.T) {
	file := written(t, func(*Writer) {}) +
		`{"t":"srv","at":1,"queue":3}` + "\n\n" +
		`{"at":1,"t":"find","id":"overloaded"}` + "\r\n" +
		`{"no":"kind"}` + "\n" +
		`{"new":{"key":[1]},"due":0.5,"done":1,"t":"req","l":0,"i":1,"g":0}` + "\n" +
		`{"t":"end","at":2,"why":"done"}`
	r := load(t, file)
	if len(r.Requests) != 1 || !r.Ended || r.Truncated != 0 {
		t.Errorf("got %d requests, ended %v, truncated in line %d", len(r.Requests), r.Ended, r.Truncated)
	}
}

// The law's own example of a req line has no start. Its lag is not known, and
// no ledger may make hundreds of years of it.
func TestRequestWithoutStart(t *testing.T) {
	r := load(t, written(t, func(*Writer) {})+
		`{"t":"req","l":0,"i":18,"g":0,"due":0.360000,"sent":0.360038,"done":3.36,"fail":"timeout","code":0}`+"\n"+
		`{"t":"req","l":0,"i":19,"g":0,"due":0.400000,"start":null,"done":0.5,"fail":"connect"}`+"\n"+
		`{"t":"req","l":0,"i":20,"g":0,"due":0.440000,"start":0.441,"sent":0.441,"done":0.5}`+"\n"+
		`{"t":"end","at":4,"why":"done"}`+"\n")
	for i, want := range []time.Duration{360 * ms, 400 * ms, 441 * ms} {
		same(t, r.Requests[i].Started, want)
	}
	var why strings.Builder
	for s, err := range r.Feed() {
		if err != nil {
			t.Fatal(err)
		}
		if why.WriteString(s.Why); s.Phase != ledger.Ended && s.Why != "" {
			t.Errorf("at %s it goes on and has ended: %s", s.At, s.Why)
		}
		if got := s.Total.LagDist.Max(); got != 0 && got != ms {
			t.Errorf("at %s: lag %s", s.At, got)
		}
	}
	same(t, why.String(), "done")
}

// A second before that of the stamp says nothing.
func TestBookedIsLaterThanItsOwn(t *testing.T) {
	r := load(t, written(t, func(*Writer) {})+
		`{"t":"req","l":0,"i":1,"g":0,"due":1.5,"done":7,"bk_due":2,"bk_sent":9,"bk":1}`+"\n"+
		`{"t":"req","l":0,"i":2,"g":0,"due":1.5,"start":1.6,"sent":2,"done":7,"bk_due":3,"bk_start":3,"bk_sent":4,"bk":9}`+"\n")
	same(t, r.Requests[0].Booked, [4]int{})
	same(t, r.Requests[1].Booked, [...]int{3, 3, 4, 9})
}

// Keys of any kind keep their order; what is no value is damage.
func TestMembersInOrder(t *testing.T) {
	var m members[any]
	if err := m.UnmarshalJSON([]byte(`{"z":1,"a":null,"m":"x"}`)); err != nil {
		t.Fatal(err)
	}
	same(t, m, members[any]{{"z", json.Number("1")}, {"a", nil}, {"m", "x"}})
	for in, ok := range map[string]bool{`null`: true, `{}`: true, `[1]`: true, `{"a":}`: false, `{"a"`: false, `{"a":{`: false} {
		var m members[int]
		var a args
		if err := m.UnmarshalJSON([]byte(in)); (err == nil) != ok {
			t.Errorf("members of %s: %v", in, err)
		}
		if err := a.UnmarshalJSON([]byte(in)); (err == nil) != ok {
			t.Errorf("args of %s: %v", in, err)
		}
	}
}

// A second, a cohort and a command may be of all lanes, a request may not.
func TestOfAllLanes(t *testing.T) {
	head := written(t, func(*Writer) {})
	for line, ok := range map[string]bool{
		`{"t":"sec","k":1}`:                                true,
		`{"t":"coh","at":1,"k":1}`:                         true,
		`{"t":"cmd","at":1,"do":"stop"}`:                   true,
		`{"t":"cmd","at":1,"do":"stop","l":1}`:             true,
		`{"t":"cmd","at":1,"do":"stop","l":2}`:             false,
		`{"t":"sec","k":1,"l":-2}`:                         false,
		`{"t":"req","l":-1,"i":1,"g":0,"due":1,"done":2}`:  false,
		`{"t":"req","l":1,"i":1,"g":-1,"due":1,"done":2}`:  false,
		`{"t":"req","l":1,"i":1,"g":1,"due":1,"done":2.5}`: true,
	} {
		if _, err := Load(strings.NewReader(head + line + "\n")); (err == nil) != ok {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// Wherever a writer is killed, the file reads up to there.
func TestTruncatedAnywhere(t *testing.T) {
	file := sample(t)
	head := strings.Index(file, "\n")
	for n := head; n < len(file); n++ {
		r, err := Load(strings.NewReader(file[:n]))
		if err != nil {
			t.Fatalf("cut after %d bytes: %v", n, err)
		}
		lines := strings.Count(file[:n], "\n")
		last := file[strings.LastIndex(file[:n], "\n")+1 : n]
		want := 0
		if n != head && last != "" && !strings.HasSuffix(last, "}") {
			want = lines + 1
		}
		if want != 0 && r.Truncated != want {
			t.Fatalf("cut after %q: got line %d, want %d", last, r.Truncated, want)
		}
	}
}

func TestReadErrorNamesItsLine(t *testing.T) {
	gone := errors.New("disk gone")
	in := io.MultiReader(strings.NewReader(written(t, func(*Writer) {})), iotest.ErrReader(gone))
	_, err := Load(in)
	if !errors.Is(err, gone) || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("got %v", err)
	}
}

func TestReaderStops(t *testing.T) {
	r := NewReader(strings.NewReader(sample(t)))
	for range r.All() {
		break
	}
	if r.Line() != 1 {
		t.Errorf("read %d lines, want 1", r.Line())
	}
}

type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }

func TestWriterKeepsItsFirstError(t *testing.T) {
	full := errors.New("disk full")
	w := NewWriter(broken{full}, nil)
	w.Header(setup())
	if err := w.Flush(); !errors.Is(err, full) {
		t.Errorf("got %v, want %v", err, full)
	}
	for _, e := range requests() {
		w.Request(&e)
	}
	w.End(0, "done")
	if err := w.Flush(); !errors.Is(err, full) {
		t.Errorf("afterwards got %v, want %v", err, full)
	}
}

// onlyLines fails when a write does not end at the end of a line.
type onlyLines struct {
	t *testing.T
	n int
}

func (o *onlyLines) Write(b []byte) (int, error) {
	if !bytes.HasSuffix(b, []byte("\n")) {
		o.t.Error("half a line written")
	}
	o.n++
	return len(b), nil
}

func TestWriterWritesWholeLines(t *testing.T) {
	out := &onlyLines{t: t}
	w := NewWriter(out, nil)
	w.Header(setup())
	r := requests()
	for range 2000 {
		w.Request(&r[0])
	}
	if out.n == 0 {
		t.Error("nothing written before it was flushed")
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
}

func FuzzReader(f *testing.F) {
	t := new(testing.T)
	head := written(t, func(*Writer) {})
	for line := range strings.Lines(sample(t)) {
		f.Add(line)
	}
	f.Add(`{"t":"ev","at":0,"args":{"a":[{}],"b_s":1e99,"c":null}}`)
	f.Add(`{"t":"probe","at":1,"core":[null],"core_id":[],"offline":[9],"rail_mw":{"a":null},"net":null}`)
	f.Fuzz(func(t *testing.T, line string) {
		_, _ = Load(strings.NewReader(line))
		run, err := Load(strings.NewReader(head + line))
		if err != nil {
			return
		}
		// Whatever was understood can be written and is understood the same.
		again := load(t, rewritten(t, run))
		for i := range run.Probes { // its numbers are cut to six decimals
			same(t, again.Probes[i].Name, strings.ToValidUTF8(run.Probes[i].Name, "\ufffd"))
		}
		same(t, again.Requests, run.Requests)
		same(t, again.Seconds, run.Seconds)
		same(t, len(again.Commands), len(run.Commands))
		same(t, len(again.Notes), len(run.Notes))
	})
}

func rewritten(t *testing.T, r *Run) string {
	return written(t, func(w *Writer) {
		for i := range r.Requests {
			w.Request(&r.Requests[i])
		}
		for i := range r.Seconds {
			w.Second(r.Seconds[i].Lane, &r.Seconds[i].Second)
		}
		for _, p := range r.Probes {
			w.Probe(p.Name, p.Point)
		}
		for _, c := range r.Commands {
			w.Command(c)
		}
		for _, n := range r.Notes {
			w.Note(n.Note)
		}
	})
}
