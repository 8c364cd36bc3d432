//go:build linux || darwin

package httpconn

import "golang.org/x/sys/unix"

// writeBoth writes two pieces as one.
func writeBoth(fd int, lead, rest []byte) (int, error) {
	return unix.Writev(fd, [][]byte{lead, rest})
}
