//go:build unix

package httpconn

import (
	"bytes"
	"io"
	"net"
	"syscall"
	"testing"

	"dev.example/pileup/loadgen/guard"
)

// pair is two ends of a TCP connection.
func pair(t *testing.T) (ours, theirs *net.TCPConn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close(); _ = s.Close() })
	return c.(*net.TCPConn), s.(*net.TCPConn)
}

// with calls f with the socket of a connection.
func with(t *testing.T, c net.Conn, f func(fd int)) {
	t.Helper()
	if err := descriptor(c).Control(func(fd uintptr) { f(int(fd)) }); err != nil {
		t.Fatal(err)
	}
}

// readAll reads n bytes as they come.
func readAll(t *testing.T, c net.Conn, n int) []byte {
	t.Helper()
	var all []byte
	p := make([]byte, n)
	err := descriptor(c).Read(func(fd uintptr) bool {
		for len(all) < n {
			k, blocked, err := readFD(int(fd), p)
			if blocked {
				return false
			}
			if err != nil || k == 0 {
				t.Errorf("%d bytes, %v", k, err)
				return true
			}
			all = append(all, p[:k]...)
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Short calls are made in another way than long ones, and mean the same.
func TestCallsOnASocket(t *testing.T) {
	const short = 16 << 10
	for _, size := range []int{1, short, short + 1, 2 * short} {
		for _, lead := range []int{0, 1, size} {
			ours, theirs := pair(t)
			p := bytes.Repeat([]byte("abcdefg"), size)[:size]
			with(t, ours, func(fd int) {
				if n, blocked, err := writeFD(fd, p[:lead], p[lead:]); n != size || blocked || err != nil {
					t.Errorf("%d of %d bytes: wrote %d, %t, %v", lead, size, n, blocked, err)
				}
			})
			if got := readAll(t, theirs, size); !bytes.Equal(got, p) {
				t.Errorf("%d of %d bytes: read %d others", lead, size, len(got))
			}
		}
	}
}

func TestCallsThatFail(t *testing.T) {
	const short = 16 << 10
	for _, size := range []int{1, short + 1} {
		ours, theirs := pair(t)
		p := make([]byte, size)
		with(t, ours, func(fd int) {
			if n, blocked, err := readFD(fd, p); n != 0 || !blocked || err != syscall.EAGAIN {
				t.Errorf("nothing is there: %d, %t, %v", n, blocked, err)
			}
			if !silent(fd) {
				t.Error("a connection that said nothing is not silent")
			}
			much := make([]byte, 1<<20)
			var full bool
			for err := error(nil); !full; {
				if _, full, err = writeFD(fd, nil, much); err != nil && !full {
					t.Fatal(err)
				}
			}
			if n, blocked, err := writeFD(fd, nil, p); n != 0 || !blocked || err != syscall.EAGAIN {
				t.Errorf("it is full: %d, %t, %v", n, blocked, err)
			}
		})
		reset(theirs)
		// The end is there when waiting for it is over.
		if err := descriptor(ours).Read(func(fd uintptr) bool { return !silent(int(fd)) }); err != nil {
			t.Fatal(err)
		}
		with(t, ours, func(fd int) {
			if n, blocked, err := readFD(fd, p); n != 0 || blocked || err != syscall.ECONNRESET {
				t.Errorf("after a reset: read %d, %t, %v", n, blocked, err)
			}
			if n, blocked, err := writeFD(fd, nil, p); n != 0 || blocked || err != syscall.EPIPE {
				t.Errorf("after a reset: wrote %d, %t, %v", n, blocked, err)
			}
		})
	}
	ours, theirs := pair(t)
	_ = theirs.Close()
	if err := descriptor(ours).Read(func(fd uintptr) bool { return !silent(int(fd)) }); err != nil {
		t.Fatal(err)
	}
	with(t, ours, func(fd int) {
		if n, blocked, err := readFD(fd, make([]byte, 1)); n != 0 || blocked || err != nil {
			t.Errorf("at the end: %d, %t, %v", n, blocked, err)
		}
	})
}

// However fast the peer reads, each turn of writing ends after one write: the
// lock and the socket are free again.
func TestOneWriteIsBounded(t *testing.T) {
	ours, theirs := pair(t)
	var g guard.Group
	g.Go("read", func() { _, _ = io.Copy(io.Discard, theirs) })
	defer g.Wait()
	defer ours.Close()
	w := newWire(&pool{}, ours, 0)
	w.out.rest = make([]byte, 64<<20)
	for _, turn := range []struct {
		name  string
		write func(fd uintptr) bool
	}{{"now", w.out.now}, {"later", w.out.later}, {"later", w.out.later}} {
		before := w.out.taken
		if err := w.fd.Write(turn.write); err != nil {
			t.Fatal(err)
		}
		if n := w.out.taken - before; n == 0 || n > largestWrite {
			t.Errorf("%s: it wrote %d bytes, at most %d", turn.name, n, largestWrite)
		}
	}
}
