package host

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// inDir returns a writer of files in a new directory.
func inDir(t *testing.T) (put func(name, text string) string) {
	dir := t.TempDir()
	return func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
}

func TestKeptReads(t *testing.T) {
	put := inDir(t)
	var k kept
	long := strings.Repeat("0123456789", 1000)
	for _, text := range []string{"one", long, "", "two\n", strings.Repeat(long, 200)} {
		got, err := k.read(put("a", text))
		if len(text) > maxFile {
			if err != unix.EFBIG {
				t.Errorf("%d bytes: %v, want %v", len(text), err, unix.EFBIG)
			}
			continue
		}
		if want := strings.TrimSpace(text); err != nil || got != want {
			t.Errorf("read %d bytes, %v, want %d", len(got), err, len(want))
		}
	}
	if len(k.files) != 1 {
		t.Errorf("%d files are open, want 1", len(k.files))
	}
}

// What is no longer read is closed, and what is gone is an error.
func TestKeptSweep(t *testing.T) {
	put := inDir(t)
	a, b := put("a", "1"), put("b", "2")
	var k kept
	read := func(paths ...string) {
		t.Helper()
		for _, path := range paths {
			if _, err := k.read(path); err != nil {
				t.Fatal(err)
			}
		}
		k.sweep()
	}
	read(a, b)
	fd := k.files[b].fd
	read(a)
	if len(k.files) != 1 || k.files[a] == nil {
		t.Errorf("%d files are open, want 1", len(k.files))
	}
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err != unix.EBADF {
		t.Errorf("what is not read: %v, want %v", err, unix.EBADF)
	}
	if _, err := k.read(b + "c"); err != unix.ENOENT {
		t.Errorf("what does not exist: %v, want %v", err, unix.ENOENT)
	}
}

// onThread calls f on a thread that ends afterwards, as the first never does.
func onThread(f func(tid int)) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // for good: the thread ends with the goroutine
		if unix.Gettid() == unix.Getpid() {
			onThread(f)
			runtime.UnlockOSThread()
			return
		}
		f(unix.Gettid())
	}()
	<-done
}

// A file whose thread has ended is looked for anew, and there is none.
func TestKeptFileOfAnEndedThread(t *testing.T) {
	var k kept
	var path string
	var err error
	onThread(func(tid int) {
		path = filepath.Join("/proc/self/task", strconv.Itoa(tid), "schedstat")
		_, err = k.read(path)
	})
	if err != nil {
		t.Skipf("this kernel says nothing of threads: %v", err)
	}
	for deadline := time.Now().Add(10 * time.Second); err == nil && time.Now().Before(deadline); {
		_, err = k.read(path)
	}
	if err != unix.ENOENT || len(k.files) != 0 {
		t.Errorf("read = %v with %d files open, want %v and 0", err, len(k.files), unix.ENOENT)
	}
}

func TestKeptNames(t *testing.T) {
	put := inDir(t)
	var k kept
	var want []string
	for i := range 300 {
		name := "a-long-name-to-need-more-than-one-call-" + strconv.Itoa(i)
		want = append(want, name)
		put(name, "")
	}
	dir := filepath.Dir(put("b", ""))
	want = append(want, "b")
	slices.Sort(want)
	for range 2 {
		got, err := k.names(dir)
		if slices.Sort(got); err != nil || !slices.Equal(got, want) {
			t.Errorf("%d names, %v, want %d", len(got), err, len(want))
		}
	}
	if _, err := k.names(filepath.Join(dir, "b")); err != unix.ENOTDIR {
		t.Errorf("names of a file: %v, want %v", err, unix.ENOTDIR)
	}
}

// A probe that is dropped leaves no descriptor behind.
func TestDroppedFilesAreClosed(t *testing.T) {
	path := inDir(t)("a", "1")
	fd := func() int {
		var k kept
		if _, err := k.read(path); err != nil {
			t.Fatal(err)
		}
		return k.files[path].fd
	}()
	for range 100 {
		runtime.GC()
		if _, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err == unix.EBADF {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Error("the descriptor is still open")
}

// Many files are all read, and few stay open.
func TestManyFilesAreNotKept(t *testing.T) {
	dir := t.TempDir()
	var k kept
	for range 2 {
		for i := range 3 * mostKept {
			path := filepath.Join(dir, strconv.Itoa(i))
			if err := os.WriteFile(path, []byte(strconv.Itoa(i)), 0o644); err != nil {
				t.Fatal(err)
			}
			if text, err := k.read(path); text != strconv.Itoa(i) || err != nil {
				t.Fatalf("file %d holds %q, %v", i, text, err)
			}
		}
		if len(k.files) > mostKept {
			t.Fatalf("%d files are open", len(k.files))
		}
		k.sweep()
	}
}
