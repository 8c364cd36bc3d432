package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A file that always says "try again" is an error at once.
func TestReadDoesNotWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), "temp")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Close(fd) }()
	for _, read := range []func(string) (string, error){readSys, readProc} {
		if text, err := read(path); !errors.Is(err, unix.EAGAIN) {
			t.Errorf("read = %q, %v, want %v", text, err, unix.EAGAIN)
		}
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	long := strings.Repeat("0123456789abcde\n", 5000)
	tests := []struct {
		name, path string
		read       func(string) (string, error)
		want       string
		err        error
	}{
		{"a value", put("value", "345600\n"), readSys, "345600", nil},
		{"ends in NUL", put("nul", "Jetson-AGX\x00"), readSys, "Jetson-AGX", nil},
		{"empty", put("empty", ""), readSys, "", nil},
		{"missing", filepath.Join(dir, "missing"), readSys, "", unix.ENOENT},
		{"a directory", dir, readSys, "", unix.EISDIR},
		{"through a file", filepath.Join(dir, "value", "x"), readProc, "", unix.ENOTDIR},
		{"several reads", put("long", long), readProc, long, nil},
		{"without end", "/dev/zero", readProc, "", unix.EFBIG},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.read(tt.path)
			if got != tt.want || !errors.Is(err, tt.err) {
				t.Errorf("read = %.40q, %v, want %.40q, %v", got, err, tt.want, tt.err)
			}
		})
	}
}

func TestWhy(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want string
	}{
		{unix.ENOENT, "not on this machine"},
		{fmt.Errorf("read it: %w", unix.ENOTDIR), "not on this machine"},
		{unix.EACCES, "needs root"},
		{unix.EPERM, "needs root"},
		{unix.EAGAIN, "resource temporarily unavailable"},
	} {
		if got := why(tt.err); got != tt.want {
			t.Errorf("why(%v) = %q, want %q", tt.err, got, tt.want)
		}
	}
}

// Counting the directory and asking for its size agree.
func TestCountFDs(t *testing.T) {
	dir := t.TempDir()
	for i := range 5 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := countFDs(dir); n != 4 || err != nil {
		t.Errorf("countFDs of 5 entries = %v, %v, want 4: the reader's own is left out", n, err)
	}
	if _, err := countFDs(filepath.Join(dir, "missing")); err == nil {
		t.Error("countFDs of nothing gave a number")
	}
}
