package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dev.example/pileup/loadgen/pace"
)

// makeWorkload runs workload make, which must succeed.
func makeWorkload(t *testing.T, args ...string) (csv, told string) {
	t.Helper()
	var out, errs bytes.Buffer
	if got := Main(append([]string{"workload", "make"}, args...), strings.NewReader(""), &out, &errs); got != exitOK {
		t.Fatalf("exit code %d\n%s", got, errs.String())
	}
	return out.String(), errs.String()
}

func TestAWorkloadIsWhatItsSeedSays(t *testing.T) {
	args := []string{"--mix", "(10,20)", "-m", "a", "-m", "b", "-d", "5s", "--seed", "7"}
	first, told := makeWorkload(t, args...)
	again, _ := makeWorkload(t, args...)
	if first != again {
		t.Errorf("one seed made two workloads:\n%s\n%s", first, again)
	}
	w, err := pace.ReadWorkload(strings.NewReader(first), "made", pace.Even, 0)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(told, w.Hash) || !strings.HasPrefix(told, "pileup: ") || strings.Count(told, "\n") != 1 {
		t.Errorf("told %q, want one line with %s", told, w.Hash)
	}
	more, _ := makeWorkload(t, append(args, "--mix", "(10,20,30)", "-m", "c")...)
	if got := withoutModel(more, "c"); got != first {
		t.Errorf("a further model changed the others:\n%s\n%s", first, got)
	}
}

// withoutModel leaves out the lines of a model.
func withoutModel(csv, model string) string {
	var out strings.Builder
	for line := range strings.Lines(csv) {
		if !strings.Contains(line, ","+model+",") {
			out.WriteString(line)
		}
	}
	return out.String()
}

func TestADrawnSeedIsPrinted(t *testing.T) {
	first, told := makeWorkload(t, "--mix", "(10,20,30,40)", "-d", "5s")
	seed, _, _ := strings.Cut(strings.TrimPrefix(told, "pileup: --seed "), "\n")
	again, _ := makeWorkload(t, "--mix", "(10,20,30,40)", "-d", "5s", "--seed", seed)
	if first != again {
		t.Errorf("the seed that was printed, %s, makes another workload:\n%s\n%s", seed, first, again)
	}
	if _, told := makeWorkload(t, "--mix", "1", "-m", "a", "-d", "5s", "--arrivals", "constant"); strings.Contains(told, "seed") {
		t.Errorf("a seed that changes nothing was printed: %s", told)
	}
}

// What could be taken for a shorter workload does not stay.
func TestAHalfWrittenWorkloadIsRemoved(t *testing.T) {
	w, err := pace.Make([]float64{1}, []string{"a"}, 5e9, pace.Constant, 0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(killed{os.Interrupt})
	f := makeFlags{file: filepath.Join(t.TempDir(), "w.csv")}
	if code, err := f.write(ctx, w, nil); code != exitCut || err != nil {
		t.Errorf("exit code %d, %v", code, err)
	}
	if _, err := os.Lstat(f.file); !os.IsNotExist(err) {
		t.Errorf("%s: %v, want none", f.file, err)
	}
	if err := os.WriteFile(f.file, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	f.force = true
	if code, err := f.write(ctx, w, nil); code != exitCut || err != nil {
		t.Errorf("exit code %d, %v", code, err)
	}
	if text, err := os.ReadFile(f.file); string(text) != "old" || err != nil {
		t.Errorf("the old file holds %q, %v", text, err)
	}
	if all, err := os.ReadDir(filepath.Dir(f.file)); len(all) != 1 || err != nil {
		t.Errorf("left behind: %v, %v", all, err)
	}
}
