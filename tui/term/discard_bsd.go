//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package term

import "golang.org/x/sys/unix"

// discard throws away what the terminal at fd has been given and has not sent
// on. A write that waits for room goes on.
func discard(fd uintptr) {
	const written = 2                                             // FWRITE: the side of the queue
	_ = unix.IoctlSetPointerInt(int(fd), unix.TIOCFLUSH, written) // what is no terminal keeps what it has
}
