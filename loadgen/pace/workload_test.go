package pace

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// tallies shows the counts of a workload: model, second, count.
func tallies(w *Workload) (out []string) {
	for i, model := range w.Models {
		for _, s := range w.Traces[i].seconds {
			out = append(out, fmt.Sprintf("%s %d %d", model, s.second, s.n))
		}
	}
	return out
}

func TestReadWorkload(t *testing.T) {
	const counts = "second,model,count\n1,yolo,3\n1,mobilenet,2\n2,yolo,0\n3,mobilenet,1\n"
	same := []string{"yolo 1 3", "mobilenet 1 2", "mobilenet 3 1"}
	tests := []struct {
		name, text string
		models     []string
		want       []string
		total      int64
		length     time.Duration
	}{
		{"counts", counts, []string{"yolo", "mobilenet"}, same, 6, 3 * time.Second},
		{"without a header", counts[19:], []string{"yolo", "mobilenet"}, same, 6, 3 * time.Second},
		{"as Windows writes it", "\ufeff" + strings.ReplaceAll(counts, "\n", "\r\n"), []string{"yolo", "mobilenet"}, same, 6, 3 * time.Second},
		{"comments, gaps, quotes", "# ours\n\n Second, Model, Count\n 1 , \"yolo\",3\n  \n  # more\n1,mobilenet,1\n3,mobilenet,1\n1,mobilenet,1", []string{"yolo", "mobilenet"}, same, 6, 3 * time.Second},
		{"no model named", "2,,7\n", []string{""}, []string{" 2 7"}, 7, 2 * time.Second},
		{"a long silence", "9,a,1\n12,a,0\n", []string{"a"}, []string{"a 9 1"}, 1, 12 * time.Second},
		{"due", "due\n0.5\n1.25\n", []string{""}, nil, 2, 2 * time.Second},
		{"due without a header", "0\n", []string{""}, nil, 1, time.Second},
		{"due and model", "0.5,b\n1.25,a\n1e0,b\n", []string{"b", "a"}, nil, 3, 2 * time.Second},
		{"a model like a number", "due,model\n0.5,7\n", []string{"7"}, nil, 1, time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := workload(t, Even, tt.text)
			if !slices.Equal(w.Models, tt.models) || w.Total != tt.total || w.Length != tt.length {
				t.Errorf("got %q, %d requests in %s", w.Models, w.Total, w.Length)
			}
			if got := tallies(w); !slices.Equal(got, tt.want) {
				t.Errorf("counts %q, want %q", got, tt.want)
			}
			sum := sha256.Sum256([]byte(tt.text))
			if want := hex.EncodeToString(sum[:]); w.Hash != want {
				t.Errorf("hash %s, want %s", w.Hash, want)
			}
			for i, trace := range w.Traces {
				got, found := w.Trace(w.Models[i])
				if !found || got != trace || trace.Length() != w.Length {
					t.Errorf("trace of %q: %t, %s", w.Models[i], found, trace.Length())
				}
				tt.total -= trace.Total()
			}
			if tt.total != 0 {
				t.Errorf("the traces miss %d requests", tt.total)
			}
		})
	}
	w := workload(t, Even, "2,b\n.1234567,a\n2,b\n0,b\n")
	if got := [][]int64{w.Traces[0].dues, w.Traces[1].dues}; fmt.Sprint(got) != "[[0 2000000 2000000] [123456]]" {
		t.Errorf("due times %v µs", got)
	}
	if _, found := w.Trace("c"); found {
		t.Error("found a model that is not there")
	}
}

func TestWorkloadErrorsSayWhere(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "", "w.csv: nothing in it: want lines second,model,count such as"},
		{"a header alone", "second,model,count\n", "w.csv: nothing in it"},
		{"another header", "# x\ntime,model\n1,a\n", `w.csv:2: "time,model": want lines second,model,count`},
		{"many fields", "1,a,2,3\n", `w.csv:1: "1,a,2,3": want lines`},
		{"second 0", "second,model,count\n0,a,1\n", "w.csv:2: second 0: seconds count from 1, and second 1 is the first"},
		{"a fraction of a second", "1,a,2\n1.5,a,2\n", `w.csv:2: second "1.5": want a whole number from 1 to 10000000`},
		{"second below 0", "-1,a,2\n", `w.csv:1: second "-1": want`},
		{"far away", "10000001,a,2\n", `w.csv:1: second "10000001": want`},
		{"no count", "1,a,\n", `w.csv:1: count "": want a whole number from 0 to 10000000`},
		{"count below 0", "1,a,-2\n", `w.csv:1: count "-2": want`},
		{"count too high", "1,a,10000001\n", `w.csv:1: count "10000001": want`},
		{"too many", strings.Repeat("1,a,10000000\n", 11), "w.csv:11: more than 100000000 requests in all"},
		{"a field is missing", "1,a,2\n\n\n1,a\n", "w.csv:4: 2 fields where the lines before have 3"},
		{"due below 0", "due\n-0.5\n", `w.csv:2: due "-0.5": want seconds from the start`},
		{"due is no number", "0.5\nNaN\n", `w.csv:2: due "NaN": want seconds`},
		{"due is far away", "1e7,a\n", `w.csv:1: due "1e7": want seconds`},
		{"counts without a model", "1,50\n", `w.csv:1: is "50" a model? counts need one`},
		{"a quote", "1,a\"b,3\n", `w.csv:1: bare " in non-quoted-field: want lines`},
		{"an open quote", "1,a,3\n1,\"b,3\n", "w.csv:2: "},
		{"control characters", "1,\"a\tb\",3\n", `w.csv:1: model "a\tb" holds a control character`},
		{"a line break", "1,c,3\n1,\"a\nb\",3\n", "w.csv:2: "},
		{"a long line", "1,a,3\n# " + strings.Repeat("a", longestLine) + "\n", "w.csv:2: longer than 65536 bytes"},
		{"not UTF-8", "1,a\xff,3\n", `w.csv:1: model "a\xff" is not UTF-8`},
		{"a long name", "1," + strings.Repeat("a", 257) + ",3\n", "w.csv:1: a model name of 257 bytes is too long"},
	}
	for _, tt := range tests {
		_, err := ReadWorkload(strings.NewReader(tt.text), "w.csv", Even, 1)
		bad, is := errors.AsType[*SyntaxError](err)
		if !is || !strings.HasPrefix(err.Error(), tt.want) || bad.File != "w.csv" {
			t.Errorf("%s: %v, want %s…", tt.name, err, tt.want)
		}
	}
	var many strings.Builder
	for i := range maxModels + 1 {
		fmt.Fprintf(&many, "1,m%d,1\n", i)
	}
	if _, err := ReadWorkload(strings.NewReader(many.String()), "w.csv", Even, 1); err == nil || !strings.HasPrefix(err.Error(), "w.csv:1001: more than 1000 models") {
		t.Errorf("too many models: %v", err)
	}
	if _, err := ReadWorkload(zeros{}, "zero", Even, 1); err == nil || !strings.HasPrefix(err.Error(), "zero:1: longer than") {
		t.Errorf("a file without an end: %v", err)
	}
	broken := errors.New("the cable is out")
	if _, err := ReadWorkload(iotest.ErrReader(broken), "w.csv", Even, 1); !errors.Is(err, broken) || err.Error() != "read w.csv: the cable is out" {
		t.Errorf("a read that fails: %v", err)
	}
}

// No more requests than can be open are due at one instant, whatever the order
// of lines and models.
func TestCrowdsAreRefused(t *testing.T) {
	const most = 5
	tests := []struct {
		name, text string
		within     Within
		want       string // "" is taken
	}{
		{"counts that are spread", "1,a,1000\n", Even, ""},
		{"counts at random", "1,a,1000\n", Random, ""},
		{"counts at once", "1,a,5\n2,b,5\n", AtOnce, ""},
		{"one too many", "1,a,5\n2,b,6\n", AtOnce, "w.csv:2: 6 requests are due at once, at 1s: at most 5 can be open"},
		{"of two models", "3,a,4\n1,a,4\n3,b,2\n", AtOnce, "w.csv:3: 6 requests are due at once, at 2s"},
		{"of many models", "1,a,1\n1,b,1\n1,c,1\n1,d,1\n1,e,1\n1,f,1\n", AtOnce, "w.csv:6: 6 requests"},
		{"the most", "1,a,10000000\n", AtOnce, "w.csv:1: 10000000 requests"},
		{"due times", strings.Repeat("0.5,a\n", 5) + strings.Repeat("0.500001,a\n", 5), Even, ""},
		{"due at once", strings.Repeat("0.5,a\n", 6), Even, "w.csv:6: 6 requests are due at once, at 500ms"},
		{"due at once, of two models", strings.Repeat("0.5,a\n0.5,b\n", 3), Even, "w.csv:6: 6 requests"},
		{"due at once, in no order", strings.Repeat("0.5,a\n0.7,b\n0.5,b\n", 3), Even, "w.csv: 6 requests are due at once, at 500ms"},
		{"due in no order", strings.Repeat("0.5,a\n0.7,b\n", 5), Even, ""},
		{"due at 0", strings.Repeat("0\n", 6), Even, "w.csv:6: 6 requests are due at once, at 0s"},
	}
	for _, tt := range tests {
		_, err := ReadWorkloadUpTo(strings.NewReader(tt.text), "w.csv", tt.within, 1, most)
		if tt.want == "" {
			if err != nil {
				t.Errorf("%s: %v", tt.name, err)
			}
			continue
		}
		bad, is := errors.AsType[*SyntaxError](err)
		if !is || !bad.AtOnce || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

// zeros reads as a device that has nothing but zeros, and those for ever.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func written(t testing.TB, w *Workload) string {
	t.Helper()
	var out strings.Builder
	if err := w.WriteCSV(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestWriteCSV(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"counts", "7,a,0\n3,b,2\n1,b,1\n3,b,1\n3,a,1\n", "second,model,count\n1,a,0\n1,b,1\n3,a,1\n3,b,3\n7,a,0\n7,b,0\n"},
		{"one second", "1,\"a,b\",1\n", "second,model,count\n1,\"a,b\",1\n"},
		{"due and model", "2,b\n.5,a\n1.25,b\n", "due,model\n1.250000,b\n2.000000,b\n0.500000,a\n"},
		{"due", "2\n1.25\n", "due\n1.250000\n2.000000\n"},
		{"far away", "1,a,1\n10000000,a,5\n", "second,model,count\n1,a,1\n10000000,a,5\n"},
	}
	for _, tt := range tests {
		if got := written(t, workload(t, Even, tt.text)); got != tt.want {
			t.Errorf("%s: wrote %q, want %q", tt.name, got, tt.want)
		}
	}
	for _, bytes := range []int{0, 5} {
		if err := workload(t, Even, "1,a,1\n").WriteCSV(&full{bytes}); err == nil || !strings.HasPrefix(err.Error(), "write workload: ") {
			t.Errorf("a full disk: %v", err)
		}
	}
}

// full is a disk with room for so many bytes.
type full struct{ room int }

func (f *full) Write(p []byte) (int, error) {
	if len(p) > f.room {
		return f.room, errors.New("disk full")
	}
	f.room -= len(p)
	return len(p), nil
}
