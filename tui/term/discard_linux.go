package term

import "golang.org/x/sys/unix"

// discard throws away what the terminal at fd has been given and has not sent
// on. A write that waits for room goes on: the system does not tell it of the
// room, so output is stopped and started.
func discard(fd uintptr) {
	if unix.IoctlSetInt(int(fd), unix.TCFLSH, unix.TCOFLUSH) != nil {
		return // no terminal: it keeps what it has
	}
	_ = unix.IoctlSetInt(int(fd), unix.TCXONC, unix.TCOOFF)
	_ = unix.IoctlSetInt(int(fd), unix.TCXONC, unix.TCOON) // undoes the line above
}
