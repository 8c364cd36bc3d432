//go:build unix && (!linux || race)

package httpconn

import "syscall"

// With package syscall the race detector knows that what was written is ordered
// before what is read of it.

func write(fd int, p []byte) (int, error) { return syscall.Write(fd, p) }
func read(fd int, p []byte) (int, error)  { return syscall.Read(fd, p) }
