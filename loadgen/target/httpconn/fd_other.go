//go:build !unix

package httpconn

import (
	"errors"
	"net"
	"syscall"
)

// Without Unix's sockets all connections are written to as any other.

func descriptor(net.Conn) syscall.RawConn { return nil }

func writeFD(int, []byte, []byte) (n int, blocked bool, err error) {
	return 0, false, errors.ErrUnsupported
}

func readFD(int, []byte) (n int, blocked bool, err error) { return 0, false, errors.ErrUnsupported }

func silent(int) bool { return true }
