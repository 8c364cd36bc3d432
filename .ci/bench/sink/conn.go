package sink

import (
	"io"
	"net"
	"sync/atomic"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A stampedConn keeps the kernel's stamp of a request's first segment. It is
// read by one goroutine at a time, as net/http does.
type stampedConn struct {
	*net.TCPConn
	raw     syscall.RawConn
	msg     unix.Msghdr
	iov     unix.Iovec
	control [64]byte
	first   atomic.Int64 // ns since the epoch of the first segment since 0 was stored
}

// Read is the connection's Read by recvmsg, which also brings the stamp.
func (c *stampedConn) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	var n uintptr
	var errno syscall.Errno
	c.iov.Base = &p[0]
	c.iov.SetLen(len(p))
	err := c.raw.Read(func(fd uintptr) bool {
		for {
			c.msg = unix.Msghdr{Iov: &c.iov, Iovlen: 1, Control: &c.control[0]}
			c.msg.SetControllen(len(c.control))
			n, _, errno = syscall.RawSyscall(unix.SYS_RECVMSG, fd, uintptr(unsafe.Pointer(&c.msg)), 0)
			if errno != unix.EINTR {
				return errno != unix.EAGAIN
			}
		}
	})
	c.iov.Base = nil
	switch {
	case err != nil:
		return 0, err
	case errno != 0:
		return 0, errno
	case n == 0:
		return 0, io.EOF
	}
	if ns := c.stamp(); ns != 0 {
		c.first.CompareAndSwap(0, ns)
	}
	return int(n), nil
}

// stamp returns the stamp that came with the last message, 0 without one.
func (c *stampedConn) stamp() int64 {
	if int(c.msg.Controllen) < unix.CmsgLen(int(unsafe.Sizeof(unix.Timespec{}))) {
		return 0
	}
	h := (*unix.Cmsghdr)(unsafe.Pointer(&c.control[0]))
	if h.Level != unix.SOL_SOCKET || h.Type != unix.SCM_TIMESTAMPNS {
		return 0
	}
	return (*unix.Timespec)(unsafe.Pointer(&c.control[unix.CmsgLen(0)])).Nano()
}

// stampedListener accepts connections that are stamped from their first
// segment: accepted sockets inherit the option.
type stampedListener struct{ *net.TCPListener }

func (l stampedListener) Accept() (net.Conn, error) {
	c, err := l.AcceptTCP()
	if err != nil {
		return nil, err
	}
	raw, err := c.SyscallConn()
	if err != nil {
		c.Close()
		return nil, err
	}
	return &stampedConn{TCPConn: c, raw: raw}, nil
}

// listen listens on a free port of 127.0.0.1.
func listen() (net.Listener, error) {
	l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, err
	}
	raw, err := l.SyscallConn()
	if err != nil {
		return nil, err
	}
	var opt error
	err = raw.Control(func(fd uintptr) {
		opt = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1)
	})
	if err == nil {
		err = opt
	}
	return stampedListener{l}, err
}
