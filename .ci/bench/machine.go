package main

import (
	"debug/buildinfo"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// A machine is where and when the figures were taken.
type machine struct {
	CPU    string            `json:"cpu"`
	Cores  int               `json:"cores"`
	Kernel string            `json:"kernel"`
	Go     string            `json:"go"`
	Date   string            `json:"date"`
	Rounds int               `json:"rounds"`
	Dur    string            `json:"dur"`
	Tools  map[string]string `json:"tools"` // versions
}

func (m machine) String() string {
	return fmt.Sprintf("%s, %d cores, Linux %s, %s; %s, rounds: %d, runs of %s",
		m.CPU, m.Cores, m.Kernel, m.Go, m.Date, m.Rounds, m.Dur)
}

func thisMachine() machine {
	m := machine{
		CPU: model(), Cores: runtime.NumCPU(), Go: runtime.Version(),
		Date: time.Now().Format(time.DateOnly), Tools: map[string]string{},
	}
	var u unix.Utsname
	if unix.Uname(&u) == nil {
		m.Kernel = unix.ByteSliceToString(u.Release[:])
	}
	return m
}

// model is the processor's name, or the board's where it has none.
func model() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		if key, value, _ := strings.Cut(line, ":"); strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	if board, err := os.ReadFile("/proc/device-tree/model"); err == nil {
		return strings.TrimRight(string(board), "\x00")
	}
	return runtime.GOARCH
}

// versionOf is the version of a Go program's module.
func versionOf(binary string) string {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return "unknown"
	}
	return strings.TrimPrefix(info.Main.Version, "v")
}
