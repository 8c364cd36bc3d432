package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
)

// slos reads what is asked of a run.
func slos(t *testing.T, words ...string) (out []ledger.SLO) {
	t.Helper()
	for _, w := range words {
		s, err := ledger.ParseSLO(w)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

// TestWhatIsAskedIsShown: in the border of the backlog while the run goes on, and
// in the header once it is over; what is missed first.
func TestWhatIsAskedIsShown(t *testing.T) {
	for _, c := range []struct {
		name, story string
		asked       []string
		size        [2]int
		head        bool
		want        string
	}{
		{"kept so far", "calm", []string{"backlog<100"}, [2]int{160, 45}, false, " slo ✓ backlog<100 "},
		{"open ones may decide it, small", "calm", []string{"p99<500ms"}, [2]int{80, 24}, false, " slo ○ p99<500ms ≥57.3 ms "},
		{"missed first", "overload", []string{"errors<1%", "p99<500ms"}, [2]int{160, 45}, false, " slo ✗ p99<500ms ≥"},
		{"not known beside it", "overload", []string{"errors<1%", "p99<500ms"}, [2]int{160, 45}, false, "  ○ errors<1% ≥0.00%"},
		{"not known", "overload", []string{"p99<1m"}, [2]int{160, 45}, false, " slo ○ p99<"},
		{"over", "done", []string{"p99<500ms"}, [2]int{160, 45}, true, "slo ✗ p99<500ms 5.84 s"},
		{"over, small", "done", []string{"backlog<300"}, [2]int{80, 24}, true, "slo ✓ backlog<300 22"},
		{"over, two of three, small", "done", []string{"backlog<300", "p99<500ms", "throughput>1/s"}, [2]int{80, 24}, true, "slo ✗ p99<500ms 5.84 s"},
		{"what is kept takes no place of what is missed", "overload", []string{"errors<1%", "p99<500ms", "p50<123456us"}, [2]int{60, 16}, false, " slo ✗ p99<500ms ≥"},
		{"nor in the middle", "overload", []string{"errors<1%", "p99<500ms", "p95<123456us"}, [2]int{80, 24}, false, " s … ─╯"},
	} {
		m, _ := screen(told()[c.story], c.size[0], c.size[1], Options{SLOs: slos(t, c.asked...)})
		got := text(m)
		if c.head {
			got, _, _ = strings.Cut(got, "\n")
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: no %q in\n%s", c.name, c.want, got)
		}
		checkSize(t, m.View(), c.size[0], c.size[1])
	}
	m, _ := screen(told()["done"], 160, 45, Options{})
	if strings.Contains(text(m), "slo ") {
		t.Error("nothing is asked, and it is shown")
	}
}

// TestWhatIsAskedOnShots writes frames to look at.
func TestWhatIsAskedOnShots(t *testing.T) {
	if *shots == "" {
		t.Skip("without -shots")
	}
	for _, story := range []string{"overload", "done"} {
		for _, size := range [][2]int{{160, 45}, {80, 24}} {
			m, _ := screen(told()[story], size[0], size[1], Options{Profile: cells.TrueColor, SLOs: slos(t, "p99<500ms", "errors<1%")})
			file := fmt.Sprintf("slo-%s-%dx%d.ans", story, size[0], size[1])
			if err := os.WriteFile(filepath.Join(*shots, file), []byte(m.View()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
