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

// Reading and writing are package syscall's: it tells the race detector that
// what was written is ordered before what is read of it.

// largestWrite is what one write may have; some systems refuse 2 GiB.
const largestWrite = 1 << 30

// writeFD writes what the socket takes at once. blocked says that it takes
// nothing now.
func writeFD(fd int, p []byte) (n int, blocked bool, err error) {
	for {
		n, err = syscall.Write(fd, p[:min(len(p), largestWrite)])
		if err != syscall.EINTR {
			return max(n, 0), err == syscall.EAGAIN, err
		}
	}
}

// readFD reads what is there. blocked says that nothing is.
func readFD(fd int, p []byte) (n int, blocked bool, err error) {
	for {
		n, err = syscall.Read(fd, p)
		if err != syscall.EINTR {
			return max(n, 0), err == syscall.EAGAIN, err
		}
	}
}

// silent reports whether nothing waits to be read on a connection, neither
// bytes nor its end.
func silent(fd int) bool {
	var b [1]byte
	_, _, err := unix.Recvfrom(fd, b[:], unix.MSG_PEEK|unix.MSG_DONTWAIT)
	return err == unix.EAGAIN || err == unix.EINTR
}
