package lang

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

// declared reads every constant of type ID from this package's source.
func declared(t *testing.T) []ID {
	t.Helper()
	files, err := filepath.Glob("ids*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no source with ids:", err)
	}
	var ids []ID
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			s, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, ID(s))
			return false
		})
	}
	return ids
}

func TestCataloguesAreComplete(t *testing.T) {
	ids := declared(t)
	if sorted := slices.Clone(ids); len(slices.Compact(sortedIDs(sorted))) != len(ids) {
		t.Error("an id is declared twice")
	}
	for _, c := range Catalogues() {
		for _, id := range ids {
			if c.says[id] == "" {
				t.Errorf("%s lacks %q", c.Tag, id)
			}
		}
		for id := range c.says {
			if !slices.Contains(ids, id) {
				t.Errorf("%s has %q, which nobody asks for", c.Tag, id)
			}
		}
	}
}

func sortedIDs(ids []ID) []ID {
	slices.Sort(ids)
	return ids
}

// Every language fills the same fields, whatever their order.
func TestCataloguesNameTheSameFields(t *testing.T) {
	for _, c := range Catalogues() {
		for id, text := range c.says {
			if got, want := fields(text), fields(English.says[id]); !slices.Equal(got, want) {
				t.Errorf("%s %q has fields %v, English %v", c.Tag, id, got, want)
			}
		}
	}
}

var field = regexp.MustCompile(`\{([^}:|]+)`)

func fields(text string) []string {
	var names []string
	for _, m := range field.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func TestTemplatesClose(t *testing.T) {
	for _, c := range Catalogues() {
		for id, text := range c.says {
			if strings.Count(text, "{") != strings.Count(text, "}") ||
				strings.Count(text, "[") != strings.Count(text, "]") {
				t.Errorf("%s %q: %q does not close what it opens", c.Tag, id, text)
			}
		}
	}
}

func TestWordsCoverTheirSets(t *testing.T) {
	for _, c := range Catalogues() {
		for p := ledger.Ready; p <= ledger.Ended; p++ {
			if !c.Has(ID("phase-" + p.String())) {
				t.Errorf("%s has no word for phase %s", c.Tag, p)
			}
		}
		for _, a := range pace.Names() {
			if !c.Has(ID("arrivals-" + a)) {
				t.Errorf("%s has no word for %s arrivals", c.Tag, a)
			}
		}
		for _, w := range pace.WithinNames() {
			if !c.Has(ID("within-" + w)) {
				t.Errorf("%s has no word for %s within a second", c.Tag, w)
			}
		}
		for _, d := range []ledger.Do{
			ledger.DoRate, ledger.DoModel, ledger.DoArrivals, ledger.DoPause, ledger.DoResume,
			ledger.DoStop, ledger.DoCut, ledger.DoRestart, ledger.DoMode,
		} {
			if !c.Has(ID("do-" + d)) {
				t.Errorf("%s has no word for command %s", c.Tag, d)
			}
		}
	}
}

func TestEnglish(t *testing.T) {
	tests := []struct {
		id   ID
		args []ledger.Arg
		want string
	}{
		{PlainSecond, []ledger.Arg{With("k", 1), With("open", int64(21)), With("due", int64(50))}, "second 1 incomplete: 21/50"},
		{NoteRate, []ledger.Arg{With("lane", ""), With("from", 50.0), With("to", 37.25)}, "rate 50/s → 37.2/s"},
		{NoteRate, []ledger.Arg{With("lane", "A"), With("to", 0.5)}, "A: rate 0.5/s"},
		{NoteArrivals, []ledger.Arg{With("from", "constant"), With("to", "poisson")}, "arrivals constant → Poisson"},
		{NoteArrivals, []ledger.Arg{With("to", "lumpy")}, "arrivals lumpy"},
		{NoteTargetGone, []ledger.Arg{With("target", "xavier"), With("class", "connect"), With("text", "connection refused")}, "xavier is gone: connect (connection refused)"},
		{NoteTargetBack, []ledger.Arg{With("target", "xavier"), With("after", 3400*time.Millisecond)}, "xavier is back after 3.40 s"},
		{NoteTargetBack, []ledger.Arg{With("target", "xavier"), With("after", ledger.Never)}, "xavier is back"},
		{NoteCut, []ledger.Arg{With("n", int64(1))}, "cut: 1 open request given up"},
		{NoteCut, []ledger.Arg{With("n", int64(2))}, "cut: 2 open requests given up"},
		{NoteCommandRefused, []ledger.Arg{With("do", "mode"), With("why", "no board")}, "power mode refused: no board"},
		{NoteSendingEnded, nil, "sending ended: – due, – still open"},
		{NoteSendingBegan, nil, "sending began"},
		{"gpu-fan", []ledger.Arg{With("rpm", int64(900)), With("on", "xavier")}, "gpu-fan rpm=900 on=xavier"},
	}
	for _, tt := range tests {
		if got := English.T(tt.id, tt.args...); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.id, got, tt.want)
		}
	}
	if got, want := English.Phase(ledger.Ended), "done"; got != want {
		t.Errorf("phase: got %q, want %q", got, want)
	}
	if got, want := English.Note(ledger.Note{ID: "paused"}), "paused"; got != want {
		t.Errorf("note: got %q, want %q", got, want)
	}
	if got, want := English.Arrivals("poisson")+English.Do(ledger.DoMode), "Poissonpower mode"; got != want {
		t.Errorf("words: got %q, want %q", got, want)
	}
}

func TestByTag(t *testing.T) {
	for _, tag := range []string{"en", "EN", "en-GB"} {
		if c, ok := ByTag(tag); !ok || c != English {
			t.Errorf("no English under %q", tag)
		}
	}
	if _, ok := ByTag("tlh"); ok {
		t.Error("Klingon is not spoken here")
	}
}

func TestValue(t *testing.T) {
	tests := []struct {
		v    any
		want string
	}{
		{50.0, "50"},
		{37.249, "37.2"},
		{0.05, "0.05"},
		{9.999, "10"},
		{99.96, "100"},
		{1234.4, "1234"},
		{1200.0, "1200"},
		{0.0, "0"},
		{-0.0001, "-0.0001"},
		{math.NaN(), "–"},
		{math.Inf(1), "–"},
		{nil, "–"},
		{int64(1200000), "1200000"},
		{312 * time.Microsecond, "312 µs"},
		{1204 * time.Microsecond, "1.20 ms"},
		{150 * time.Millisecond, "150 ms"},
		{3400 * time.Millisecond, "3.40 s"},
		{30 * time.Second, "30 s"},
		{5 * time.Minute, "5m"},
		{130 * time.Second, "2m10s"},
		{65 * time.Minute, "1h05m"},
		{-2 * time.Second, "-2 s"},
		{time.Duration(0), "0 s"},
		{ledger.Never, "–"},
	}
	for _, tt := range tests {
		if got := Value(tt.v); got != tt.want {
			t.Errorf("%v: got %q, want %q", tt.v, got, tt.want)
		}
	}
	for n, want := range map[int64]string{0: "0 B", 812: "812 B", 3160000: "3.16 MB", 999_999: "1.00 MB", 158e6: "158 MB"} {
		if got := Bytes(n); got != want {
			t.Errorf("%d bytes: got %q, want %q", n, got, want)
		}
	}
	if got, want := Digits(9.999)+" "+Digits(0.0009996)+" "+Digits(50), "10.0 0.00100 50.0"; got != want {
		t.Errorf("digits: got %q, want %q", got, want)
	}
}

func FuzzFill(f *testing.F) {
	f.Add("[{lane}: ]rate[ {from}/s →] {to}/s")
	f.Add("{n|a|b}{x:do}[{")
	f.Fuzz(func(_ *testing.T, template string) {
		c := &Catalogue{says: map[ID]string{"x": template}}
		c.T("x", With("n", int64(1)), With("x", "rate"))
	})
}
