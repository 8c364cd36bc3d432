package term

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"dev.example/pileup/loadgen/guard"
)

// link is a writer on a pipe whose other end reads when told.
type link struct {
	*Writer
	r       *os.File
	g       guard.Group
	repaint chan struct{}
	lost    chan error
}

func newLink(t *testing.T) *link {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	l := &link{r: r, repaint: make(chan struct{}, 1000), lost: make(chan error, 10)}
	l.Writer = NewWriter(w, func() { l.repaint <- struct{}{} }, func(err error) { l.lost <- err })
	l.patience = time.Nanosecond
	l.g.Go("terminal", l.Run)
	t.Cleanup(func() {
		r.Close() // ends a write that nobody takes
		l.Close()
		l.g.Wait()
		w.Close()
	})
	return l
}

// read returns the next n bytes of the terminal.
func (l *link) read(t *testing.T, n int) string {
	t.Helper()
	b := make([]byte, n)
	if _, err := io.ReadFull(l.r, b); err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// stall writes until the pipe is full and a frame was dropped, and returns
// what the writer has taken.
func (l *link) stall(t *testing.T) string {
	t.Helper()
	var taken strings.Builder
	block := strings.Repeat("x", 4096)
	for i := 0; ; i++ {
		s := fmt.Sprintf("\x1b[%d;1H%s", i%50+2, block)
		io.WriteString(l, s)
		taken.WriteString(s)
		if taken.Len() > 1<<20 { // no pipe holds that much
			break
		}
	}
	io.WriteString(l, "\x1b[Hdropped")
	if n, _ := l.Stats(); n != 1 {
		t.Fatalf("%d frames dropped, want 1", n)
	}
	return taken.String()
}

func TestEverythingInOrder(t *testing.T) {
	l := newLink(t)
	var want strings.Builder
	for i := range 100 {
		s := fmt.Sprintf("\x1b[?%dh", i)
		io.WriteString(l, s)
		want.WriteString(s)
	}
	if got := l.read(t, want.Len()); got != want.String() {
		t.Errorf("got %q, want %q", got, want.String())
	}
	if !l.Drain(time.Hour) {
		t.Error("not drained")
	}
	if dropped, written := l.Stats(); dropped != 0 || written != int64(want.Len()) {
		t.Errorf("%d dropped, %d written", dropped, written)
	}
}

// TestStalledReader holds that a terminal nobody reads costs frames only: the
// writes return, control sequences stay complete and in order, and what comes
// after the drop is a full repaint.
func TestStalledReader(t *testing.T) {
	l := newLink(t)
	var want strings.Builder
	want.WriteString(l.stall(t))
	if l.Drain(0) {
		t.Error("drained, though nobody reads")
	}
	for i := range 200 {
		io.WriteString(l, "\x1b[H\rframe")
		s := fmt.Sprintf("\x1b[?%dh", i)
		io.WriteString(l, s)
		want.WriteString(s)
	}
	if got := l.read(t, want.Len()); got != want.String() {
		t.Error("the terminal got something else than the control sequences")
	}
	<-l.repaint
	io.WriteString(l, "\x1b[Hpart of a frame")
	io.WriteString(l, "\x1b[H\rfull frame")
	io.WriteString(l, "\x1b[?25l")
	if got, want := l.read(t, 19), "\x1b[H\rfull frame\x1b[?25"; got != want {
		t.Errorf("after the drop the terminal got %q, want %q", got, want)
	}
	if dropped, _ := l.Stats(); dropped != 202 {
		t.Errorf("%d frames dropped, want 202", dropped)
	}
	l.read(t, 1)
	l.Drain(time.Hour)
	io.WriteString(l, "\x1b[Hpart")
	if got, want := l.read(t, 7), "\x1b[Hpart"; got != want {
		t.Errorf("then it got %q, want %q", got, want)
	}
}

// TestRepaintIsAskedForAgain holds that a repaint that never came is not
// waited for for ever.
func TestRepaintIsAskedForAgain(t *testing.T) {
	l := newLink(t)
	want := l.stall(t)
	l.read(t, len(want))
	<-l.repaint
	for range 8 {
		io.WriteString(l, "\x1b[Hpart")
	}
	<-l.repaint
}

func TestLost(t *testing.T) {
	l := newLink(t)
	l.r.Close()
	for range 3 {
		if n, err := l.Write([]byte("\x1b[?25l")); n != 6 || err != nil {
			t.Errorf("Write returns %d, %v: want it never to fail", n, err)
		}
	}
	if err := <-l.lost; err == nil {
		t.Error("lost without an error")
	}
	io.WriteString(l, "more")
	if !l.Drain(time.Hour) {
		t.Error("a lost terminal is not drained")
	}
	l.patience = time.Hour
	if err := l.Close(); err == nil {
		t.Error("Close does not tell that the terminal is lost")
	}
	l.g.Wait()
	if len(l.lost) != 0 {
		t.Error("lost was called twice")
	}
}

func TestClose(t *testing.T) {
	t.Run("writes what is pending", func(t *testing.T) {
		l := newLink(t)
		l.patience = time.Hour
		io.WriteString(l, "\x1b[?1049l")
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		l.g.Wait()
		io.WriteString(l, "too late")
		if got := l.read(t, 8); got != "\x1b[?1049l" {
			t.Errorf("got %q", got)
		}
		if err := l.Close(); err != nil {
			t.Errorf("closed twice: %v", err)
		}
	})
	t.Run("gives up on a stalled terminal", func(t *testing.T) {
		l := newLink(t)
		l.stall(t)
		if err := l.Close(); err != ErrStalled {
			t.Errorf("got %v, want %v", err, ErrStalled)
		}
	})
	t.Run("without Run", func(t *testing.T) {
		w := NewWriter(os.Stdout, nil, nil)
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestIsNotAFile(t *testing.T) {
	w := any(NewWriter(os.Stdout, nil, nil))
	if _, ok := w.(io.StringWriter); ok {
		t.Error("WriteString would bypass the queue")
	}
	if _, ok := w.(interface {
		io.ReadWriteCloser
		Fd() uintptr
	}); !ok {
		t.Error("bubbletea would not take it for a terminal")
	}
}

func TestIsFrame(t *testing.T) {
	for _, tt := range []struct {
		s    string
		want bool
	}{{"\x1b[H\rx", true}, {"\x1b[H\n\nx", true}, {"\x1b[H", false}, {"\x1b[2J", false}, {"", false}} {
		if got := isFrame([]byte(tt.s)); got != tt.want {
			t.Errorf("isFrame(%q) = %v", tt.s, got)
		}
	}
	if string(home) != ansi.CursorHomePosition || !bytes.HasPrefix(full, home) {
		t.Error("frames begin otherwise")
	}
}
