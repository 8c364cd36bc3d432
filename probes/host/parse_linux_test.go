package host

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

func TestParseCores(t *testing.T) {
	tests := []struct {
		text string
		want []int
		ok   bool
	}{
		{"", nil, true},
		{"0", []int{0}, true},
		{"0,3-5", []int{0, 3, 4, 5}, true},
		{"10,2,2-3", []int{2, 3, 10}, true},
		{"0-16383", nil, true},
		{"0-16384", nil, false},
		{"5-3", nil, false},
		{"0,", nil, false},
		{"-1", nil, false},
		{"0 1", nil, false},
		{"0-99999999999999999999", nil, false},
		{strings.Repeat("0-16383,", 1000) + "0", nil, false},
	}
	for _, tt := range tests {
		got, err := parseCores(tt.text)
		if (err == nil) != tt.ok || tt.want != nil && !slices.Equal(got, tt.want) {
			t.Errorf("parseCores(%.20q) = %v, %v, want %v, ok %v", tt.text, got, err, tt.want, tt.ok)
		}
		if err != nil && len(err.Error()) > 100 {
			t.Errorf("parseCores(%.20q): %d bytes of error", tt.text, len(err.Error()))
		}
	}
}

// number is a parser of one number.
type number struct {
	name  string
	parse func(string) (float64, error)
}

var numbers = []number{
	{"load", parseLoad},
	{"threads", parseThreads},
	{"kHz", parseKHz},
	{"speed", parseSpeed},
	{"port range", parsePortRange},
	{"quota", parseQuota},
	{"v1 quota", parseQuotaV1},
	{"schedstat", func(s string) (float64, error) {
		wait, _, err := parseSchedstat(s)
		return float64(wait), err
	}},
	{"resident", func(s string) (float64, error) { return parseResident(s, 4096) }},
}

func TestParseNumbers(t *testing.T) {
	const none = -1 // an error is wanted
	tests := map[string]map[string]float64{
		"load": {"0.52 0.58 0.59 2/412 6701\n": 0.52, "128.00": 128, "": none, "x": none, "-1 0": none, "NaN": none, "Inf": none, "1e400": none},
		"threads": {
			"0.52 0.58 0.59 2/412 6701\n": 412, "0.52 0.58 0.59 412 6701": none, "0.52 0.58 0.59": none, "0 0 0 1/0 1": none,
			"0 0 0 1/-4 1": none, "0 0 0 1/2/3 1": none, "": none,
		},
		"kHz":   {"2035200": 2035200e3, "<unknown>": none, "0": none, "-1": none, "": none, "99999999999": none, "1728000 kHz": none},
		"speed": {"1000": 1e9, "10": 1e7, "400000": 4e11, "-1": none, "0": none, "4294967295": none, "2147483647": none, "": none, "1 000": none},
		"port range": {
			"32768\t60999": 28232, "1024 65535\n": 64512, "5 5": 1, "0 5": none, "6 5": none, "1 65536": none, "1 2 3": none, "1": none, "": none,
		},
		"quota": {
			"150000 100000": 1.5, "1000 1000000": 0.001, "max 100000": none, "max": none, "0 100000": none, "5 0": none,
			"5": none, "-1 100000": none, "5 100000 ": none, "": none,
		},
		"v1 quota":  {"50000 100000": 0.5, "-1 100000": none, "-1": none, "": none},
		"schedstat": {"1840231 96830 42": 96830, "0 0 0": 0, "1 2": none, "1 x 3": none, "1 2 -3": none, "1 99999999999999999999 3": none, "": none},
		"resident":  {"3000 250 100 1 0 300 0\n": 1024000, "3000": none, "": none, "1 -2": none, "1 99999999999999999": none},
	}
	for _, n := range numbers {
		for text, want := range tests[n.name] {
			got, err := n.parse(text)
			if (err != nil) != (want == none) || err == nil && got != want {
				t.Errorf("%s(%q) = %v, %v, want %v", n.name, text, got, err, want)
			}
		}
	}
}

func TestParseTraffic(t *testing.T) {
	got, err := parseTraffic("Inter-| Receive | Transmit\n face |bytes packets|bytes\n" +
		" eth0: 1 0 0 0 0 0 0 0 2 0\neth0:1:3 0 0 0 0 0 0 0 4\nwlan0: 5 6\n: 1 0 0 0 0 0 0 0 2\n br-1:18446744073709551615 0 0 0 0 0 0 0 0")
	want := []nic{
		{name: "eth0", traffic: traffic{rx: 1, tx: 2}},
		{name: "eth0:1", traffic: traffic{rx: 3, tx: 4}},
		{name: "br-1", traffic: traffic{rx: 1<<64 - 1}},
	}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(nic{}, traffic{})); d != "" {
		t.Error(d)
	}
	if err == nil {
		t.Error("lines that make no sense passed without an error")
	}
}

// seeds are the texts of all fixture files whose name ends in one of suffixes.
func seeds(f *testing.F, suffixes ...string) {
	f.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		f.Fatal("no fixtures", err)
	}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, x := range a.Files {
			if slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(x.Name, s) }) {
				f.Add(string(x.Data))
				f.Add(strings.TrimSpace(string(x.Data)))
			}
		}
	}
}

func FuzzParseCores(f *testing.F) {
	seeds(f, "cpu/online", "cpu/present")
	f.Fuzz(func(t *testing.T, text string) {
		ids, err := parseCores(text)
		if err != nil {
			return
		}
		for i, id := range ids {
			if id < 0 || id > maxCore || i > 0 && id <= ids[i-1] {
				t.Fatalf("%q: core %d at %d is out of order or range", text, id, i)
			}
		}
		if len(ids) > 0 {
			again, err := parseCores(coreList(ids))
			if err != nil || !slices.Equal(again, ids) {
				t.Fatalf("%q was written as %q and read as %v, %v", text, coreList(ids), again, err)
			}
		}
	})
}

func FuzzParseNumbers(f *testing.F) {
	seeds(f, "/loadavg", "_freq", "/speed", "_range", "/cpu.max", "/schedstat")
	f.Add("3000 250 100 1 0 300 0\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, n := range numbers {
			if x, err := n.parse(text); err == nil && (!(x >= 0) || x-x != 0) {
				t.Fatalf("%s(%q) = %v", n.name, text, x)
			}
		}
	})
}

func FuzzParseTraffic(f *testing.F) {
	seeds(f, "/net/dev")
	f.Fuzz(func(t *testing.T, text string) {
		nics, _ := parseTraffic(text)
		for _, n := range nics {
			if !isNic(n.name) || filepath.Base(n.name) != n.name {
				t.Fatalf("interface %q", n.name)
			}
		}
	})
}

func FuzzCoreID(f *testing.F) {
	f.Add("cpu12")
	f.Add("cpu-total")
	f.Fuzz(func(t *testing.T, name string) {
		if id, ok := coreID(name); ok && (id < 0 || id > maxCore) {
			t.Fatalf("coreID(%q) = %d", name, id)
		}
	})
}
