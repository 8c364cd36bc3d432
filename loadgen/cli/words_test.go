package cli

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/target/httpconn"
)

func TestParseWish(t *testing.T) {
	tests := map[string]wish{
		"m":                {model: "m"},
		"m=50":             {model: "m", rate: 50, rated: true},
		"m:3@xavier=300/m": {model: "m:3", target: "xavier", rate: 5, rated: true},
		"m@x":              {model: "m", target: "x"},
		"m=0":              {model: "m", rated: true},
		"모델=1":             {model: "모델", rate: 1, rated: true},
	}
	for in, want := range tests {
		got, err := parseWish(in)
		if d := cmp.Diff(want, got, cmp.AllowUnexported(wish{})); err != nil || d != "" {
			t.Errorf("%q: %v %s", in, err, d)
		}
	}
	for _, in := range []string{"", "=5", "@x=5", "m@=5", "m=often", "m=-1", "\x1b[2J", "m\n=5"} {
		if w, err := parseWish(in); err == nil {
			t.Errorf("%q was taken as %+v", in, w)
		}
	}
}

// What a target is called depends on nothing but its own word.
func TestPlaces(t *testing.T) {
	names := map[string]string{
		"tfs+http://xavier:8501":         "xavier",
		"tfs+http://xavier:8502":         "xavier:8502",
		"tfs+http://127.0.0.1:18102":     "127.0.0.1:18102",
		"tfs+http://127.0.0.1:18103":     "127.0.0.1:18103",
		"tfs+http://[::1]:18103":         "[::1]:18103",
		"tfs+http://nano":                "nano",
		"b=tfs+http://u:secret@tx2:1/p":  "b",
		"c=tfs+http://127.0.0.1:18103/p": "c",
	}
	words := slices.Sorted(maps.Keys(names))
	for range 2 {
		slices.Reverse(words)
		got, err := parsePlaces(words, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range got {
			if want := names[words[i]]; p.name != want {
				t.Errorf("%s is called %q, want %q", words[i], p.name, want)
			}
			if strings.Contains(p.addr.String(), "secret") {
				t.Errorf("%s shows a password", p.addr)
			}
		}
	}
	for _, bad := range [][]string{
		{"ev\x1b[2Jil=tfs+http://h:1"},
		{"tfs+http://h:8502", "tfs+http://h:8502/p"},
		{"h=tfs+http://x", "tfs+http://h"},
	} {
		if got, err := parsePlaces(bad, nil); err == nil {
			t.Errorf("%q was taken: %+v", bad, got)
		}
	}
}

func TestLanes(t *testing.T) {
	places := []place{{name: "x"}, {name: "y"}}
	wishes := []wish{{model: "a", rate: 50, rated: true}, {model: "b"}, {model: "c", target: "y", rate: 5, rated: true}}
	got, err := (&load{}).lanes(wishes, places)
	if err != nil {
		t.Fatal(err)
	}
	want := []ledger.LaneSetup{
		{ID: 0, Name: "A", Targets: []int{0, 1}, Setting: ledger.Setting{Model: "a", Rate: 50}},
		{ID: 1, Name: "B", Targets: []int{1}, Setting: ledger.Setting{Model: "c", Rate: 5}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"a", "b"}, modelsOf(wishes, "x")); d != "" {
		t.Error(d)
	}
	rate := 10.0
	if got, err = (&load{rate: &rate}).lanes([]wish{{model: "a"}, {model: "b"}}, places); err != nil || len(got) != 1 || got[0].Setting.Rate != 10 {
		t.Errorf("%+v, %v: without rates the first opens a lane at -r", got, err)
	}
}

func TestNumbered(t *testing.T) {
	for in, want := range map[string]string{
		"out.jsonl": "out-2.jsonl", "a.b/out": "a.b/out-2", "a.b/.out": "a.b/.out-2", "out.tar.gz": "out-2.tar.gz",
	} {
		if got := numbered(in, 2); got != want {
			t.Errorf("numbered(%q, 2) = %q, want %q", in, got, want)
		}
		if got := numbered(in, 1); got != in {
			t.Errorf("numbered(%q, 1) = %q", in, got)
		}
	}
}

func FuzzWords(f *testing.F) {
	for _, s := range []string{"m=50", "x=tfs+http://h:1/p?q", "demo", "a@b=1/m", "http://[::1]:5", "\x1b[2J"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if w, err := parseWish(s); err == nil && (w.model == "" || math.IsNaN(w.rate) || w.rate < 0) {
			t.Errorf("%q was taken as %+v", s, w)
		}
		_, err := parsePlaces([]string{s}, []string{"demo"})
		var b strings.Builder
		if err != nil && fail(&b, err) != exitRefused {
			t.Errorf("%q: %v is not refused", s, err)
		}
		for _, r := range b.String() {
			if r == 0x1b || r == 0x9b {
				t.Errorf("%q: an escape reached the terminal: %q", s, b.String())
			}
		}
		_ = httpconn.Redact(s)
	})
}
