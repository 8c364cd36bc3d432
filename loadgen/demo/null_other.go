//go:build !linux

package demo

import "net"

// skip reads so many bytes and throws them away.
func skip(c net.Conn, rest int64) error { return readAway(c, rest) }
