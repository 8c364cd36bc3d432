package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/study"
)

// A selfTestTable prints a row as soon as it is measured; its columns are as
// wide as any number can be.
type selfTestTable struct{ out io.Writer }

// The columns: what stands over them, and the unit.
var selfTestColumns = [][2]string{
	{"body", ""},
	{"closed loop", "1/s"},
	{"open loop", "1/s"},
	{"lag p50", "ms"},
	{"lag p99", "ms"},
	{"service p50", "ms"},
	{"CPU per 1000", "ms"},
}

func (s *selfTestTable) head(t *study.SelfTest) {
	about := fmt.Sprintf("%d cores", t.Machine.Cores)
	if t.Machine.CPU != "" {
		about = t.Machine.CPU + ", " + about
	}
	fmt.Fprintf(s.out, "%s, %s: %s\n\n", t.Tool, t.At.Local().Format(time.DateTime), about)
	names, units := make([]string, len(selfTestColumns)), make([]string, len(selfTestColumns))
	for i, c := range selfTestColumns {
		names[i], units[i] = c[0], c[1]
	}
	s.line("path", names)
	s.line("", units)
}

func (s *selfTestTable) row(w *study.Way) {
	cells := []string{lang.Bytes(w.Body), lang.Digits(w.Closed.PerSecond), lang.Nothing, lang.Nothing, lang.Nothing, lang.Nothing, lang.Nothing}
	if o := w.Open; o != nil {
		for i, x := range []float64{o.PerSecond, 1e3 * o.Lag50, 1e3 * o.Lag99, 1e3 * o.Service, 1e3 * o.CPU} {
			cells[2+i] = lang.Digits(x)
		}
	}
	s.line(w.Path, cells)
}

// line prints a path and right-aligned cells.
func (s *selfTestTable) line(path string, cells []string) {
	var b strings.Builder
	width := 0
	for _, p := range httpPaths {
		width = max(width, len(p))
	}
	fmt.Fprintf(&b, "%-*s", width, path)
	for i, c := range cells {
		fmt.Fprintf(&b, "  %*s", max(7, len(selfTestColumns[i][0])), c)
	}
	fmt.Fprintln(s.out, strings.TrimRight(b.String(), " "))
}

func (s *selfTestTable) foot(t *study.SelfTest) {
	fmt.Fprintf(s.out, `
  closed loop: %d requests open at once, the next when one is done
  open loop: the highest rate found whose lag p99 stays within 1 ms, or 1 %% of the
  service p50; what is behind it is of that rate; CPU is driver and server
  Driver and server share this machine, so each rate is a floor.
`, defaultSlots)
	if slices.ContainsFunc(t.Ways, func(w study.Way) bool { return w.Open == nil }) {
		fmt.Fprintf(s.out, "  %s: at none of the rates that were tried was all sent in time\n", lang.Nothing)
	}
	if t.Others >= muchOthers {
		fmt.Fprintf(s.out, "  Other programs kept %s of %d cores busy meanwhile: a calm machine can do more.\n", lang.Number(t.Others), t.Machine.Cores)
	}
}

// muchOthers is from how many cores on it matters what other programs do.
const muchOthers = 0.1
