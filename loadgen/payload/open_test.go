//go:build unix

package payload

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// What may never end is refused, and not waited for.
func TestOpenTakesFilesOnly(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir) // the path of a socket is short
	if err := syscall.Mkfifo("pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("unix", "socket")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	for name, want := range map[string]string{
		"pipe": "pipe is a pipe and no file", "socket": "socket is a socket and no file",
		dir: "is a directory and no file", os.DevNull: "is a device and no file", "absent": "absent",
	} {
		_, err := Open(name, 10)
		refused(t, err, want, "give")
	}
}

func TestAFileThatGrowsIsNotReadForEver(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	w, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	f, err := Open(name, 10)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, text := range []string{"12345", "67890"} {
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		if b, err := io.ReadAll(f); string(b) != text || err != nil {
			t.Errorf("read %q, %v; want %q", b, err, text)
		}
	}
	if _, err := io.WriteString(w, "1"); err != nil {
		t.Fatal(err)
	}
	_, err = io.ReadAll(f)
	refused(t, err, "is larger than 10 bytes", "give a smaller one")
}
