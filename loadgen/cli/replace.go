package cli

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// replaceFile writes a file whole or not at all: what is written goes to another
// one beside it, which then takes its name. Until then what was there stays.
func replaceFile(name string, write func(io.Writer) error) error {
	if to, err := filepath.EvalSymlinks(name); err == nil {
		name = to // the link stays one
	}
	was, err := os.Stat(name)
	if err == nil && !was.Mode().IsRegular() {
		return writeTo(name, os.O_WRONLY, write)
	}
	beside := filepath.Join(filepath.Dir(name), fmt.Sprintf(".pileup-%016x", rand.Uint64()))
	err = writeTo(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, write)
	if err == nil && was != nil {
		err = os.Chmod(beside, was.Mode().Perm())
	}
	if err == nil {
		err = os.Rename(beside, name)
	}
	if err != nil {
		_ = os.Remove(beside) // err says more
	}
	if bad, ok := errors.AsType[*os.PathError](err); ok && bad.Path == beside {
		bad.Path = name // the one that somebody knows
	}
	return err
}

// writeTo opens a file and writes it, down to the disk where it is on one.
func writeTo(name string, flags int, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, flags, 0o644)
	if err != nil {
		return &noFile{err}
	}
	err = write(f)
	if st, e := f.Stat(); err == nil && e == nil && st.Mode().IsRegular() {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// noFile is why a file could not be opened to be written.
type noFile struct{ error }

func (n *noFile) Unwrap() error { return n.error }
