package host

import (
	"errors"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// maxFile bounds what is read of one file of /proc, in bytes.
const maxFile = 1 << 20

// readSys reads a file of sysfs with one read: such a file gives all it has at
// once, up to a page. Some answer EAGAIN for ever; os.ReadFile would wait on
// them without end, here it is an error like any other.
func readSys(path string) (string, error) {
	fd, err := open(path, 0)
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
	fd, err := open(path, 0)
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

// names are the entries of a directory.
func names(dir string) ([]string, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	return f.Readdirnames(-1)
}

// O_NONBLOCK is for what is no file of a kernel: it must not hold us up.
func open(path string, flags int) (fd int, err error) {
	return again(func() (int, error) {
		return unix.Open(path, flags|unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	})
}

func read(fd int, p []byte) (n int, err error) {
	n, err = again(func() (int, error) { return unix.Read(fd, p) })
	return max(n, 0), err
}

// again makes a system call until no signal interrupts it.
func again(call func() (int, error)) (n int, err error) {
	for {
		n, err = call()
		if err != unix.EINTR {
			return n, err
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
