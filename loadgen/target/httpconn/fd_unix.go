//go:build unix

package httpconn

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// descriptor gives access to the socket under a TCP connection, nil if c is
// something else. What is done through it holds the descriptor open, so that
// nothing can be written to one that was closed and given away.
func descriptor(c net.Conn) syscall.RawConn {
	t, ok := c.(*net.TCPConn)
	if !ok {
		return nil
	}
	raw, err := t.SyscallConn()
	if err != nil {
		return nil
	}
	return raw
}

// largestWrite is what one write may have behind its lead, in bytes: the system
// takes it in half a millisecond, and pictures of up to 330×330×3 floats whole.
const largestWrite = 5 << 18

// writeFD writes what the socket takes at once of lead and what follows it.
// blocked says that it takes nothing now.
func writeFD(fd int, lead, rest []byte) (n int, blocked bool, err error) {
	rest = rest[:min(len(rest), largestWrite)]
	for {
		switch {
		case len(rest) == 0:
			n, err = write(fd, lead)
		case len(lead) == 0:
			n, err = write(fd, rest)
		default:
			n, err = writeBoth(fd, lead, rest)
		}
		if err != syscall.EINTR {
			return max(n, 0), err == syscall.EAGAIN, err
		}
	}
}

// readFD reads what is there. blocked says that nothing is.
func readFD(fd int, p []byte) (n int, blocked bool, err error) {
	for {
		n, err = read(fd, p)
		if err != syscall.EINTR {
			return max(n, 0), err == syscall.EAGAIN, err
		}
	}
}

// silent reports whether nothing waits to be read on a connection, neither
// bytes nor its end.
func silent(fd int) bool {
	n, err := poll(&unix.PollFd{Fd: int32(fd), Events: unix.POLLIN})
	return n == 0 && err == nil || err == unix.EINTR
}
