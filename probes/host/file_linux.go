package host

import (
	"errors"
	"strings"

	"golang.org/x/sys/unix"
)

// maxFile bounds what is read of one file of /proc, in bytes.
const maxFile = 1 << 20

// readSys reads a file of sysfs with one read: such a file gives all it has at
// once, up to a page. Some answer EAGAIN for ever; os.ReadFile would wait on
// them without end, here it is an error like any other.
func readSys(path string) (string, error) {
	fd, err := open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = unix.Close(fd) }() // nothing was written
	var buf [4096]byte
	n, err := read(fd, buf[:])
	if err != nil {
		return "", err
	}
	return strings.Trim(string(buf[:n]), "\x00 \t\n"), nil
}

// readProc reads a file of procfs to its end, which may take several reads.
func readProc(path string) (string, error) {
	fd, err := open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = unix.Close(fd) }()
	buf := make([]byte, 4096)
	for n := 0; ; {
		if n == len(buf) {
			if n >= maxFile {
				return "", unix.EFBIG
			}
			buf = append(buf, make([]byte, len(buf))...)
		}
		got, err := read(fd, buf[n:])
		if err != nil {
			return "", err
		}
		if got == 0 {
			return string(buf[:n]), nil
		}
		n += got
	}
}

// O_NONBLOCK is for what is no file of a kernel: it must not hold us up.
func open(path string) (fd int, err error) {
	for {
		fd, err = unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
		if err != unix.EINTR {
			return fd, err
		}
	}
}

func read(fd int, p []byte) (n int, err error) {
	for {
		n, err = unix.Read(fd, p)
		if err != unix.EINTR {
			return max(n, 0), err
		}
	}
}

// why says in a few words what a failed read means.
func why(err error) string {
	switch {
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENOTDIR):
		return "not on this machine"
	case errors.Is(err, unix.EACCES), errors.Is(err, unix.EPERM):
		return "needs root"
	}
	return err.Error()
}
