package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/shirou/gopsutil/v3/cpu"

	"dev.example/pileup/loadgen/lang"
)

// A selfTest is what a machine was found to be able to drive. It is printed and
// kept as JSON. Every rate is a floor: the server runs on the same machine.
type selfTest struct {
	V       int       `json:"v"` // rises when older programs would read it wrongly
	Tool    string    `json:"tool"`
	At      time.Time `json:"measured"`
	Machine machine   `json:"machine"`
	Step    float64   `json:"step_s"`
	Others  float64   `json:"others_cores"` // that other programs kept busy meanwhile
	Note    string    `json:"note"`
	Ways    []way     `json:"ways"`
}

// A machine is what a self-test holds for.
type machine struct {
	CPU   string `json:"cpu,omitempty"`
	Cores int    `json:"cores"`
}

// A way is one path of sending with bodies of one size.
type way struct {
	Protocol string     `json:"protocol"`
	Path     string     `json:"path"`
	Body     int64      `json:"body_bytes"`
	Closed   closedLoop `json:"closed"`
	Open     *openLoop  `json:"open,omitempty"` // nil if no rate that was tried could be kept
}

// A closedLoop is the most that is done with so many requests open at once.
type closedLoop struct {
	Slots     int     `json:"slots"`
	Requests  int64   `json:"requests"`
	PerSecond float64 `json:"per_s"`
	CPU       float64 `json:"cpu_s_per_1000"` // of driver and server
}

// An openLoop is the highest rate that was sent in time.
type openLoop struct {
	Requests  int64   `json:"requests"`
	PerSecond float64 `json:"per_s"`
	Lag50     float64 `json:"lag_p50_s"`
	Lag99     float64 `json:"lag_p99_s"`
	Service   float64 `json:"service_p50_s"`
	CPU       float64 `json:"cpu_s_per_1000"` // of driver and server
}

const selfTestVersion = 1

const floorNote = "driver and server share this machine, so each rate is a floor"

func newSelfTest(ctx context.Context, length time.Duration) *selfTest {
	return &selfTest{
		V: selfTestVersion, Tool: "pileup " + Version, At: time.Now().UTC().Truncate(time.Second),
		Machine: thisCPU(ctx), Step: length.Seconds(), Note: floorNote,
	}
}

// thisCPU is the machine we run on.
func thisCPU(ctx context.Context) machine {
	m := machine{Cores: runtime.NumCPU()}
	if info, err := cpu.InfoWithContext(ctx); err == nil && len(info) > 0 {
		m.CPU = oneLine(info[0].ModelName)
	}
	return m
}

// selfTestFile is where the last self-test is kept.
func selfTestFile() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "pileup", "selftest.json"), nil
}

// tellKept keeps the self-test, if a run can be held to it, and says so.
func (t *selfTest) tellKept(w io.Writer) {
	if why := t.unfit(); why != "" {
		fmt.Fprintf(w, "pileup: not kept: %s\n", why)
		return
	}
	name, err := selfTestFile()
	if err == nil {
		err = t.keep(name)
	}
	if err != nil {
		fmt.Fprintf(w, "pileup: warning: not kept: %s\n", oneLine(err.Error()))
		return
	}
	fmt.Fprintf(w, "pileup: kept in %s\n", name)
}

// unfit says why no run can be held to the self-test; "" if one can.
func (t *selfTest) unfit() string {
	switch {
	case t.Step < shortestKept.Seconds():
		return fmt.Sprintf("steps of %s s are too short to hold a run to: at least %s", lang.Number(t.Step), lang.Span(shortestKept))
	case t.Others > float64(t.Machine.Cores)*mostOthers:
		return fmt.Sprintf("other programs kept %s of %d cores busy: repeat it when the machine is calm", lang.Number(t.Others), t.Machine.Cores)
	case !slices.ContainsFunc(t.Ways, func(w way) bool { return w.Open != nil }):
		return "no open loop was sent in time"
	}
	return ""
}

const (
	// shortestKept is the shortest step whose result later runs are held to.
	shortestKept = time.Second
	// mostOthers is the largest share of the cores that other programs may
	// take for the result to be this machine's and not that of the hour.
	mostOthers = 0.25
)

// keep writes the file, whole or not at all.
func (t *selfTest) keep(name string) error {
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return replaceFile(name, func(to io.Writer) error {
		_, err := to.Write(append(text, '\n'))
		return err
	})
}

// longestSelfTest is the largest file that may be one.
const longestSelfTest = 1 << 20

// keptSelfTest is the one that was kept on this machine; nil without any.
func keptSelfTest(ctx context.Context) *selfTest {
	name, err := selfTestFile()
	if err != nil {
		return nil
	}
	f, err := open(io.Discard, "self-test", name, longestSelfTest)
	if err != nil {
		return nil
	}
	defer f.Close()
	t := &selfTest{}
	if json.NewDecoder(f).Decode(t) != nil || t.V != selfTestVersion || t.Machine != thisCPU(ctx) {
		return nil // of another machine that shares the directory, or of another program
	}
	return t
}
