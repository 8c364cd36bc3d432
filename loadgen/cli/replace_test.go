//go:build unix

package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"dev.example/pileup/loadgen/run"
)

func TestAFileIsReplacedWholeOrNotAtAll(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("file", []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("file", "link"); err != nil {
		t.Fatal(err)
	}
	full := errors.New("the disk is full")
	err := replaceFile("link", func(to io.Writer) error {
		_, err := io.WriteString(to, "n")
		return errors.Join(err, full)
	})
	if text, e := os.ReadFile("file"); !errors.Is(err, full) || string(text) != "old" || e != nil {
		t.Errorf("%v: %q, %v", err, text, e)
	}
	for _, name := range []string{"link", "new", os.DevNull} {
		if err := replaceFile(name, func(to io.Writer) error { _, err := io.WriteString(to, "new"); return err }); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, mode := range map[string]os.FileMode{"file": 0o600, "new": 0, "link": os.ModeSymlink | 0o777} {
		text, err := os.ReadFile(name)
		info, e := os.Lstat(name)
		if string(text) != "new" || mode != 0 && info.Mode() != mode {
			t.Errorf("%s: %q, %v, %v %v", name, text, info.Mode(), err, e)
		}
	}
	if all, err := os.ReadDir("."); len(all) != 3 || err != nil {
		t.Errorf("left behind: %v, %v", all, err)
	}
	err = replaceFile("file", func(to io.Writer) error { return &os.PathError{Op: "write", Path: to.(*os.File).Name(), Err: full} })
	if err == nil || err.Error() != "write file: the disk is full" {
		t.Errorf("said %v", err)
	}
	var none *noFile
	if err := replaceFile(filepath.Join("nowhere", "file"), nil); !errors.As(err, &none) {
		t.Errorf("where nobody can write: %v", err)
	}
}

// A recording that is to be overwritten stays until the run begins, and a run
// that never begins takes nothing away.
func TestAnOldRecordingStaysUntilTheRunBegins(t *testing.T) {
	name := filepath.Join(t.TempDir(), "run.jsonl")
	if err := os.WriteFile(name, []byte("an old run"), 0o644); err != nil {
		t.Fatal(err)
	}
	open := func() run.File {
		t.Helper()
		f, err := (&driveFlags{record: name, force: true}).recorder()(1)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	holds := func(want string) {
		t.Helper()
		if text, err := os.ReadFile(name); string(text) != want || err != nil {
			t.Errorf("it holds %q, %v; want %q", text, err, want)
		}
	}
	f := open()
	f.Close()
	if f.Remove != nil {
		f.Remove()
	}
	holds("an old run")
	f = open()
	for _, text := range []string{"new", "er"} {
		if _, err := io.WriteString(f, text); err != nil {
			t.Error(err)
		}
	}
	f.Close()
	holds("newer")
}
