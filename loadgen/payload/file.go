package payload

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"syscall"
)

// File reads a body that is sent as it is. It refuses a file that is empty or
// larger than [MaxBytes].
func File(path string) (*Payload, error) {
	b, err := readFile(path, MaxBytes)
	if err != nil {
		return nil, refuse(hintOf(err), "read body: %w", err)
	}
	if len(b) == 0 {
		return nil, refuse("give a file with the whole request", "body %s is empty", path)
	}
	return &Payload{Body: b, Given: path}, nil
}

// Open opens a file that is to be read to its end. It refuses, with an [Error],
// one of more than limit bytes, and without waiting for it what is no regular
// file: a pipe or a device may never end.
func Open(path string, limit int64) (io.ReadCloser, error) {
	f, _, err := open(path, limit)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// open is Open, and tells the file's size.
func open(path string, limit int64) (_ *bounded, size int64, _ error) {
	if st, err := os.Stat(path); err == nil {
		if err := endless(path, st); err != nil {
			return nil, 0, err
		}
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // should it be a pipe by now
	if err != nil {
		return nil, 0, refuse("give a file that is there and that you may read", "%w", err)
	}
	st, err := f.Stat()
	if err == nil {
		err = endless(path, st)
	}
	if err == nil && st.Size() > limit {
		err = overLimit(path, limit)
	}
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, 0, err
	}
	return &bounded{f, path, limit, limit}, st.Size(), nil
}

// endless refuses what is no regular file.
func endless(path string, st os.FileInfo) error {
	hint := "give a file"
	kind := ""
	switch m := st.Mode(); {
	case m.IsRegular():
		return nil
	case m.IsDir():
		kind = "a directory"
	case m&os.ModeNamedPipe != 0:
		kind, hint = "a pipe", "write what comes out of it to a file, and give that"
	case m&os.ModeSocket != 0:
		kind = "a socket"
	default:
		kind = "a device"
	}
	return refuse(hint, "%s is %s and no file", path, kind)
}

// bounded is a file that may not grow beyond its limit while it is read.
type bounded struct {
	file        *os.File
	path        string
	left, limit int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.file.Read(p[:min(int64(len(p)), b.left+1)])
	if b.left -= int64(n); b.left < 0 {
		return 0, overLimit(b.path, b.limit)
	}
	return n, err
}

func (b *bounded) Close() error { return b.file.Close() }

func readFile(path string, limit int64) ([]byte, error) {
	f, size, err := open(path, limit)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	_, err = b.ReadFrom(f)
	return b.Bytes(), err
}

func overLimit(path string, limit int64) error {
	return refuse("give a smaller one", "%s is larger than %s bytes", path, thousands(limit))
}

// hintOf is the hint of an error, "" if it has none.
func hintOf(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Hint
	}
	return ""
}

func quote(b []byte, s string) []byte {
	q, err := json.Marshal(s)
	if err != nil { // a string always has a JSON form
		panic(err)
	}
	return append(b, q...)
}
