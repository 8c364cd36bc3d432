//go:build unix && !linux && !darwin

package httpconn

import "syscall"

// writeBoth writes the first of two pieces: the second follows.
func writeBoth(fd int, lead, _ []byte) (int, error) { return syscall.Write(fd, lead) }
