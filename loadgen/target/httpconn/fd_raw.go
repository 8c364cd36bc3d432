//go:build linux && !race && !msan && !asan

package httpconn

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// shortBytes is what is copied in some microseconds.
const shortBytes = 16 << 10

// write, read and poll do not tell Go's scheduler of a call that is over in some
// microseconds, as a short one on a socket that does not block is.
func write(fd int, p []byte) (int, error) {
	if len(p) == 0 || len(p) > shortBytes {
		return syscall.Write(fd, p)
	}
	return short(syscall.SYS_WRITE, fd, p)
}

func read(fd int, p []byte) (int, error) {
	if len(p) == 0 || len(p) > shortBytes {
		return syscall.Read(fd, p)
	}
	return short(syscall.SYS_READ, fd, p)
}

func short(call uintptr, fd int, p []byte) (int, error) {
	n, _, e := syscall.RawSyscall(call, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)))
	if e != 0 {
		return -1, e
	}
	return int(n), nil
}

// poll looks once and waits for nothing.
func poll(fd *unix.PollFd) (int, error) {
	var now unix.Timespec
	n, _, e := syscall.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(fd)), 1, uintptr(unsafe.Pointer(&now)), 0, 0, 0)
	if e != 0 {
		return -1, e
	}
	return int(n), nil
}
