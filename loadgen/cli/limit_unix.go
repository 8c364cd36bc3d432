//go:build unix

package cli

import "syscall"

// spareFiles are descriptors left for everything but connections.
const spareFiles = 64

// mostInFlight bounds the default where descriptors do not. A request in flight
// takes up to 100 kB and one of 28,000 ports; long before those run out,
// finding a free one makes the driver late.
const mostInFlight = 8192

// mostLimit is how many requests may be in flight at once at all: one
// descriptor each, as far as the process may have them.
func mostLimit() int {
	var r syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r); err != nil {
		return 1 << 30
	}
	return max(1, int(min(uint64(r.Cur), 1<<30))-spareFiles)
}

// defaultLimit is how many requests may be in flight at once: one descriptor
// each, as far as the process may have them.
func defaultLimit() int {
	var r syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r); err != nil {
		return 1024
	}
	return max(16, int(min(uint64(r.Cur), mostInFlight+spareFiles))-spareFiles)
}
