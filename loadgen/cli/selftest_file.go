package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/shirou/gopsutil/v3/cpu"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/study"
)

// thisCPU is the machine we run on.
func thisCPU(ctx context.Context) study.Machine {
	m := study.Machine{Cores: runtime.NumCPU()}
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

// tellKept keeps a self-test, if a run can be held to it, and says so.
func tellKept(w io.Writer, t *study.SelfTest) {
	if why := unfit(t); why != "" {
		fmt.Fprintf(w, "pileup: not kept: %s\n", why)
		return
	}
	name, err := selfTestFile()
	if err == nil {
		err = keep(name, t)
	}
	if err != nil {
		fmt.Fprintf(w, "pileup: warning: not kept: %s\n", oneLine(err.Error()))
		return
	}
	fmt.Fprintf(w, "pileup: kept in %s\n", name)
}

// unfit says why no run can be held to a self-test; "" if one can.
func unfit(t *study.SelfTest) string {
	switch t.Fitness() {
	case study.Short:
		return fmt.Sprintf("steps of %s s are too short to hold a run to: at least %s", lang.Number(t.Step), lang.Span(study.ShortestKept))
	case study.Disturbed:
		return fmt.Sprintf("other programs kept %s of %d cores busy: repeat it when the machine is calm", lang.Number(t.Others), t.Machine.Cores)
	case study.Late:
		return "no open loop was sent in time"
	}
	return ""
}

// keep writes the file, whole or not at all.
func keep(name string, t *study.SelfTest) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return replaceFile(name, t.Write)
}

// longestSelfTest is the largest file that may be one.
const longestSelfTest = 1 << 20

// keptSelfTest is the one that was kept on this machine; nil without any.
func keptSelfTest(ctx context.Context) *study.SelfTest {
	name, err := selfTestFile()
	if err != nil {
		return nil
	}
	f, err := open(io.Discard, "self-test", name, longestSelfTest)
	if err != nil {
		return nil
	}
	defer f.Close()
	t, err := study.Read(f)
	if err != nil || t.Machine != thisCPU(ctx) {
		return nil // of another machine that shares the directory, or of another program
	}
	return t
}
