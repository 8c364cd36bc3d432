//go:build unix

package demo

import (
	"context"
	"net"
	"syscall"
)

// Listen opens a TCP listener whose connections hold little of a body in the
// kernel. On loopback, with its 64 KiB segments, Linux would otherwise buffer
// whole 3 MB bodies on each of some hundred connections: clients would believe
// them sent and hundreds of megabytes of kernel memory would go. A receive
// buffer of 64 KiB and the segment size of Ethernet must be set on the
// listener, before the handshake of its connections announces them; smaller
// buffers starve the link (and cost 30 % more processor time at 32 KiB).
func Listen(ctx context.Context, addr string) (net.Listener, error) {
	c := net.ListenConfig{Control: func(_, _ string, raw syscall.RawConn) error {
		return raw.Control(func(fd uintptr) {
			// A kernel that knows better still serves: errors do not matter.
			_ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 64<<10)
			_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_MAXSEG, 1448)
		})
	}}
	return c.Listen(ctx, "tcp", addr)
}
