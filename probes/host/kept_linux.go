package host

import (
	"runtime"
	"strings"

	"golang.org/x/sys/unix"
)

// kept are files that are read at every sample through descriptors that stay
// open: opening one of /proc takes several times what reading it does, and a
// driver that has no descriptor left is still read. It needs its descriptors for
// connections, so files beyond mostKept, as those of a machine's many threads, are
// opened each time.
type kept struct {
	files map[string]*keptFile
	turn  int // of reading
	buf   []byte
}

// mostKept is how many files stay open; with what else is open that is fewer than
// a driver keeps free.
const mostKept = 24

type keptFile struct {
	fd   int
	turn int             // when it was last read
	lost runtime.Cleanup // closes it when its probe is dropped
}

// read returns all of a file. One whose thread has ended or whose directory
// was removed is opened again: the name may be another's now.
func (k *kept) read(path string) (string, error) {
	f := k.files[path]
	if f != nil {
		text, err := k.fill(f)
		if err != unix.ESRCH && err != unix.ENODEV {
			return text, err
		}
		k.close(path)
	}
	f, err := k.open(path, 0)
	if err != nil {
		return "", err
	}
	if len(k.files) > mostKept {
		defer k.close(path)
	}
	return k.fill(f)
}

// fill reads a file from its beginning to its end, without the space around.
func (k *kept) fill(f *keptFile) (string, error) {
	f.turn = k.turn
	for n := 0; ; {
		if n == len(k.buf) {
			if n >= maxFile {
				return "", unix.EFBIG
			}
			k.buf = append(k.buf, make([]byte, max(4096, n))...)
		}
		got, err := again(func() (int, error) { return unix.Pread(f.fd, k.buf[n:], int64(n)) })
		if err != nil {
			return "", err
		}
		if got == 0 {
			return strings.Trim(string(k.buf[:n]), "\x00 \t\n"), nil
		}
		n += got
	}
}

// names are the entries of a directory, in no order.
func (k *kept) names(path string) ([]string, error) {
	f := k.files[path]
	if f == nil {
		var err error
		if f, err = k.open(path, unix.O_DIRECTORY); err != nil {
			return nil, err
		}
	}
	f.turn = k.turn
	if _, err := unix.Seek(f.fd, 0, 0); err != nil {
		return nil, err
	}
	if k.buf == nil {
		k.buf = make([]byte, 4096)
	}
	var names []string
	for {
		n, err := again(func() (int, error) { return unix.ReadDirent(f.fd, k.buf) })
		if err != nil {
			return nil, err
		}
		if n == 0 {
			return names, nil
		}
		_, _, names = unix.ParseDirent(k.buf[:n], -1, names)
	}
}

func (k *kept) open(path string, flags int) (*keptFile, error) {
	fd, err := open(path, flags)
	if err != nil {
		return nil, err
	}
	f := &keptFile{fd: fd, turn: k.turn}
	f.lost = runtime.AddCleanup(f, func(fd int) { _ = unix.Close(fd) }, fd)
	if k.files == nil {
		k.files = make(map[string]*keptFile)
	}
	k.files[path] = f
	return f, nil
}

func (k *kept) close(path string) {
	f := k.files[path]
	delete(k.files, path)
	f.lost.Stop()
	_ = unix.Close(f.fd) // nothing was written
}

// sweep closes what was not read since the last sweep.
func (k *kept) sweep() {
	for path, f := range k.files {
		if f.turn != k.turn {
			k.close(path)
		}
	}
	k.turn++
}
