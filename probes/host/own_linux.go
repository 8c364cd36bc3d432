package host

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// process is this process on Linux: the files that speak of it.
type process struct {
	root, proc string
	files      kept
	limits     cgroups
	waits      waits
}

func newProcess(root string) process {
	return process{root: root, proc: filepath.Join(root, "proc")}
}

// cpu is the processor time of all our threads, in seconds. getrusage knows
// microseconds where /proc/self/stat counts in hundredths.
func (process) cpu(context.Context) (seconds float64, err error) {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0, err
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9, nil
}

// read says what else this process uses.
func (p *process) read(_ context.Context, s *sample) {
	s.Own.RSS = s.known("own memory")(p.rss())
	s.Own.FDs = s.known("own descriptors")(ownFDs())
	s.Own.FDMax = s.known("own descriptor limit")(ownFDMax())
	p.readPorts(s)
	p.readLimits(s)
	p.readWaits(s)
	p.files.sweep()
}

func (p *process) rss() (bytes float64, err error) {
	text, err := p.files.read(p.proc + "/self/statm")
	if err != nil {
		return 0, err
	}
	return parseResident(text, os.Getpagesize())
}

// parseResident reads the second field of /proc/self/statm, pages of the given
// size, and returns bytes.
func parseResident(text string, page int) (float64, error) {
	fields := strings.Fields(text)
	if len(fields) < 2 {
		return 0, fmt.Errorf("no second field in /proc/self/statm")
	}
	n, err := strconv.ParseUint(fields[1], 10, 48)
	if err != nil {
		return 0, fmt.Errorf("%.40q is no number of pages", fields[1])
	}
	return float64(n) * float64(page), nil
}

// ownFDs counts our open descriptors. Since Linux 6.2 the size of the
// directory is their number; before it was 0 and the entries must be counted,
// the one that reads them left out.
func ownFDs() (float64, error) {
	const dir = "/proc/self/fd"
	var st unix.Stat_t
	if err := unix.Stat(dir, &st); err == nil && st.Size > 0 {
		return float64(st.Size), nil
	}
	return countFDs(dir)
}

func countFDs(dir string) (float64, error) {
	all, err := names(dir)
	return float64(len(all) - 1), err
}

func ownFDMax() (float64, error) {
	var l unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &l); err != nil {
		return 0, err
	}
	if l.Cur == unix.RLIM_INFINITY {
		return 0, fmt.Errorf("not limited")
	}
	return float64(l.Cur), nil
}
