//go:build unix

package cli

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// freeFiles is how many more descriptors the process may open.
func freeFiles() int {
	var r syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r); err != nil {
		return 1024
	}
	free := int(min(uint64(r.Cur), 1<<30))
	for fd := range min(free, mostInFlight) { // those that are open are the lowest
		if _, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err == nil {
			free--
		}
	}
	return free
}
