//go:build !unix

package demo

import (
	"context"
	"net"
)

// Listen opens a TCP listener with the system's own buffers.
func Listen(ctx context.Context, addr string) (net.Listener, error) {
	var c net.ListenConfig
	return c.Listen(ctx, "tcp", addr)
}
