package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
)

var update = flag.Bool("update", false, "rewrite testdata/*.golden")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s: want -, got +:\n%s", name, d)
	}
}

var runs = map[string]func(testing.TB) *ledger.Snapshot{
	"puzzle":  puzzle,
	"running": puzzleRunning,
	"mixed":   mixed,
	"joined":  old,
	"pooled":  pooled,
	"failing": failing,
	"serial":  func(t testing.TB) *ledger.Snapshot { return serialOf(t, 10) },
	"nothing": func(testing.TB) *ledger.Snapshot { return ledger.New(oneLane()).Snapshot() },
}

func TestPlain(t *testing.T) {
	for name, run := range runs {
		s, c := run(t), lang.English
		got := Start(c, s.Setup) + "\n" + Seconds(c, s, 0) + "\n" + End(c, s)
		golden(t, name+".txt", got)
		narrow(t, name, got)
	}
}

// narrow holds that no line is too wide or ends in a blank.
func narrow(t *testing.T, name, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if width(line) > columns {
			t.Errorf("%s: %d columns: %s", name, width(line), line)
		}
		if line != strings.TrimRight(line, " ") {
			t.Errorf("%s: blank at the end: %q", name, line)
		}
	}
}

func TestJSON(t *testing.T) {
	for name, run := range runs {
		var b bytes.Buffer
		if err := WriteJSON(&b, run(t), []byte(`{"t":"run", "v":1}`)); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(b.String(), "\n"); got != 1 {
			t.Errorf("%s: %d lines, want 1", name, got)
		}
		// For the eye, the parts of the object stand on lines of their own.
		golden(t, name+".json", strings.NewReplacer(`,"total":`, ",\n\"total\":", `"seconds":[`, "\n\"seconds\":[\n",
			`},{`, "},\n{", `"cohorts":`, "\n\"cohorts\":", `"segments":`, "\n\"segments\":", `"lanes":`, "\n\"lanes\":",
			`"targets":`, "\n\"targets\":").Replace(b.String()))
	}
}

func decoded(t *testing.T, s *ledger.Snapshot) map[string]any {
	t.Helper()
	var b bytes.Buffer
	if err := WriteJSON(&b, s, nil); err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(b.Bytes(), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// at follows keys and indexes into a decoded object.
func at(v any, path ...any) any {
	for _, p := range path {
		switch p := p.(type) {
		case string:
			v = v.(map[string]any)[p]
		case int:
			v = v.([]any)[p]
		}
	}
	return v
}

func TestPuzzleDecodes(t *testing.T) {
	m := decoded(t, puzzle(t))
	for _, tt := range []struct {
		want any
		path []any
	}{
		{500.0, []any{"total", "due"}},
		{500.0, []any{"total", "ok"}},
		{0.0, []any{"total", "cut"}},
		{50.0, []any{"total", "offered"}},
		{204.0, []any{"total", "backlog_max"}},
		{500.0, []any{"total", "response", "n"}},
		{10.0, []any{"sending_ended"}},
		{2.5, []any{"driver", "cpu_s"}},
		{0.000012, []any{"driver", "lag_p50"}},
		{0.000012, []any{"driver", "lag_p99"}},
		{0.000012, []any{"driver", "lag_max"}},
		{0.028647, []any{"driver", "lag_limit"}},
		{false, []any{"driver", "late"}},
		{"A", []any{"lanes", 0, "name"}},
		{1.0, []any{"lanes", 0, "seconds", 0, "k"}},
		{0.980041, []any{"lanes", 0, "seconds", 0, "sent_all_at"}},
		{50.0, []any{"lanes", 0, "cohorts", 9, "n"}},
		{500.0, []any{"lanes", 0, "targets", 0, "ok"}},
		{"10.0.0.7:8501", []any{"lanes", 0, "peers", 0, "addr"}},
		{10.0, []any{"segments", 0, "to"}},
		{50.0, []any{"segments", 0, "lanes", 0, "rate"}},
	} {
		if got := at(m, tt.path...); got != tt.want {
			t.Errorf("%v: got %v, want %v", tt.path, got, tt.want)
		}
	}
	if got := at(m, "findings"); len(got.([]any)) != 0 {
		t.Errorf("findings: %v", got)
	}
	for _, path := range [][]any{{"run"}, {"lanes", 0, "cohorts", 0, "edge"}, {"targets", 0, "gone"}, {"lanes", 0, "seconds", 0, "span"}} {
		if got := at(m, path...); got != nil {
			t.Errorf("%v: got %v, want no key", path, got)
		}
	}
}

// Of joined seconds there is no last one sent.
func TestJoinedSecondsHaveNoLastSent(t *testing.T) {
	s := old(t)
	second := at(decoded(t, s), "lanes", 0, "seconds", 0).(map[string]any)
	if second["span"] != 10.0 || second["sent_all_at"] != nil {
		t.Errorf("got %v", second)
	}
	_, row, _ := strings.Cut(End(lang.English, s), "\n  1–10 ") // the first table's
	if row, _, _ = strings.Cut(row, "\n"); !strings.HasSuffix(row, "  –") {
		t.Errorf("got 1–10 %s", row)
	}
}

func TestThroughputOfPhases(t *testing.T) {
	s := puzzle(t)
	var ok10 int64
	for _, sec := range s.Total.Seconds[:10] {
		ok10 += sec.OK
	}
	r := ratesOf(&s.Total, s)
	if got, want := r.sending, number(float64(ok10)/10); got != want {
		t.Errorf("sending: got %v, want %v", got, want)
	}
	if got, want := r.draining, number(float64(500-ok10)/(s.At-10*time.Second).Seconds()); got != want {
		t.Errorf("draining: got %v, want %v", got, want)
	}

	short := *s
	short.Total.AtEnd.At = s.At - 500*ms
	if r := ratesOf(&short.Total, &short); r.draining.known {
		t.Errorf("a drain of half a second has the rate %v", r.draining)
	}
	running := puzzleRunning(t)
	if r := ratesOf(&running.Total, running); r.sending.known || !r.all.known {
		t.Errorf("running: %v", r)
	}
	// The end need not be on the edge of a second.
	odd := *s
	odd.Total.AtEnd = ledger.AtEnd{At: 2600 * ms, OK: 26}
	if r := ratesOf(&odd.Total, &odd); r.sending != number(10) {
		t.Errorf("26 ok in 2.6 s: got %v/s", r.sending)
	}
}

// One instant reads the same wherever it is said.
func TestAnInstantIsInSeconds(t *testing.T) {
	set := oneLane()
	set.Length = 130 * time.Second
	l := told(t, set, []request{{due: 0, sent: ms, done: 130 * time.Second}}, 131*time.Second, func(*ledger.Ledger, time.Duration) {})
	l.Stop(130*time.Second, 0)
	s := finished(t, l)
	text := Start(lang.English, s.Setup) + End(lang.English, s)
	for _, want := range []string{
		"length  130 s of sending", "complete after 130.000 s", "130.000 s: 130.000 s sending", "s  1  130.000",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "2m") {
		t.Errorf("minutes in\n%s", text)
	}
}

// Lines that are asked for in pieces are the lines that are asked for at once.
func TestSecondsInPieces(t *testing.T) {
	for name, run := range runs {
		s := run(t)
		var got strings.Builder
		for k := range s.Closed {
			part := *s
			part.Total.Seconds = part.Total.Seconds[:0:0]
			for _, sec := range s.Total.Seconds {
				if sec.K <= k+1 {
					part.Total.Seconds = append(part.Total.Seconds, sec)
				}
			}
			part.Phase, part.AtClose, part.Closed = ledger.Sending, nil, 0
			got.WriteString(Seconds(lang.English, &part, k))
		}
		if len(s.Lanes) > 1 || name == "joined" {
			continue // the lanes behind the total are not cut short above
		}
		if d := cmp.Diff(Seconds(lang.English, s, 0), got.String()); d != "" {
			t.Errorf("%s: at once -, in pieces +:\n%s", name, d)
		}
	}
}

// Of many lanes, a second takes several lines that stay readable.
func TestSecondsOfManyLanes(t *testing.T) {
	s := ledger.Snapshot{Closed: 1, SendingEnded: ledger.Never, Lanes: make([]ledger.Lane, 8)}
	s.Total.Seconds = []ledger.Second{{K: 1, Due: 8800, Held: 800}}
	for i := range s.Lanes {
		s.Lanes[i].Info = ledger.LaneSetup{ID: i, Name: string(rune('A' + i))}
		s.Lanes[i].Seconds = []ledger.Second{{K: 1, Due: 1100, Held: 100}}
	}
	want := "second 1 incomplete: 800/8800  A 100/1100  B 100/1100  C 100/1100  D 100/1100\n" +
		"                               E 100/1100  F 100/1100  G 100/1100  H 100/1100\n"
	if got := Seconds(lang.English, &s, 0); got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
}

func TestNumbersAreFinite(t *testing.T) {
	var zero float64
	for _, n := range []Number{number(1 / zero), number(zero / zero), seconds(ledger.Never), {}} {
		if !n.IsZero() {
			t.Errorf("%v is a number", n)
		}
	}
	b, err := json.Marshal(Stats{{"a", number(1.0 / 3)}, {"b", Number{}}, {"c", number(0)}, {"d", number(1e300)}})
	if want := `{"a":0.333333,"c":0,"d":1` + strings.Repeat("0", 300) + `}`; err != nil || string(b) != want {
		t.Errorf("got %s, %v", b, err)
	}
}

func TestLabelsBreak(t *testing.T) {
	var l labels
	var list []string
	for range 20 {
		list = append(list, "10.0.0.7:8501 500")
	}
	l.add("peers", list...)
	l.add("none")
	var b strings.Builder
	l.write(&b)
	if n := strings.Count(b.String(), "10.0.0.7"); n != 20 {
		t.Errorf("%d peers, want 20", n)
	}
	for line := range strings.Lines(b.String()) {
		if width(line) > columns {
			t.Errorf("too wide: %s", line)
		}
	}
}

func TestHangulTakesTwoCells(t *testing.T) {
	for text, want := range map[string]int{
		"초 p50 ≥–µ":                2 + 4 + 4,
		"자비에":                      6,
		"\u110c\u1161\u1107\u1175": 4, // 자비, as macOS keeps it
		"e\u0301":                  1,
		"日本 ｶ":                     5 + 1,
		"…·≥":                      3,
		"":                         0,
	} {
		if got := width(text); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}

// Columns stand in line below Hangul.
func TestHangulInATable(t *testing.T) {
	tab := table{left: true}
	tab.add("젯슨", "12")
	tab.add("\u110c\u1161", "3")
	tab.add("ab", "456")
	var b strings.Builder
	tab.write(&b)
	if got, want := b.String(), "젯슨   12\n\u110c\u1161      3\nab    456\n"; got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
}
