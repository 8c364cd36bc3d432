//go:build unix && (!linux || race || msan || asan)

package httpconn

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// With package syscall the race detector, and its kind, knows that what was
// written is ordered before what is read of it.

func write(fd int, p []byte) (int, error) { return syscall.Write(fd, p) }
func read(fd int, p []byte) (int, error)  { return syscall.Read(fd, p) }

// poll looks once and waits for nothing.
func poll(fd *unix.PollFd) (int, error) { return unix.Poll([]unix.PollFd{*fd}, 0) }
