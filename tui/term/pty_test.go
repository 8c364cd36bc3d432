package term

import (
	"bytes"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"dev.example/pileup/loadgen/guard"
)

func openPTY(t *testing.T) (master, tty *os.File) {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pty here:", err)
	}
	t.Cleanup(func() { master.Close(); tty.Close() })
	if err := pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	return master, tty
}

// screen is an emulator that tells after each write what it shows.
type screen struct {
	mu    sync.Mutex
	e     *vt.Emulator
	raw   strings.Builder
	shown chan string // the newest screen; an older one is replaced
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.raw.Write(b)
	n, err := s.e.Write(b)
	select {
	case <-s.shown:
	default:
	}
	s.shown <- ansi.Strip(s.e.Render())
	return n, err
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.raw.String()
}

// counter fills the screen with the last number it was sent.
type counter struct {
	n    int
	size chan tea.WindowSizeMsg
}

func (c counter) Init() tea.Cmd { return nil }

func (c counter) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case int:
		c.n = msg
	case tea.WindowSizeMsg:
		c.size <- msg
	}
	return c, nil
}

func (c counter) View() string {
	line := strings.Repeat(strconv.Itoa(c.n%10), 80)
	return strings.TrimSuffix(strings.Repeat(line+"\n", 24), "\n")
}

// TestProgram runs a program on a terminal that is not read until frames were
// dropped. It stays alive, and the terminal shows the newest frame after that.
func TestProgram(t *testing.T) {
	master, tty := openPTY(t)
	var g guard.Group
	var p *tea.Program
	w := NewWriter(tty, func() { p.Send(tea.WindowSizeMsg{Width: 80, Height: 24}) }, nil)
	model := counter{size: make(chan tea.WindowSizeMsg, 100)}
	p = tea.NewProgram(model, tea.WithAltScreen(), tea.WithInput(nil), tea.WithOutput(w),
		tea.WithoutSignalHandler(), tea.WithFPS(120))
	g.Go("terminal", w.Run)
	g.Go("program", func() {
		if _, err := p.Run(); err != nil {
			t.Error(err)
		}
	})
	if got := <-model.size; got.Width != 80 || got.Height != 24 {
		t.Errorf("the program was told of %v, want 80×24", got)
	}
	n := 0
	for dropped := int64(0); dropped < 5; dropped, _ = w.Stats() {
		n++
		p.Send(n) // would block for ever if the program did
	}
	s := &screen{e: vt.NewEmulator(80, 24), shown: make(chan string, 1)}
	g.Go("reader", func() { io.Copy(s, master) }) // ends in EIO
	var answers guard.Group
	answers.Go("answers", func() { io.Copy(io.Discard, s.e) })
	p.Send(7)
	want := strings.TrimSpace(strings.Repeat(strings.Repeat("7", 80)+"\n", 24))
	for got := range s.shown {
		if strings.ReplaceAll(got, "\r", "") == want {
			break
		}
	}
	p.Quit()
	p.Wait()
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	tty.Close()
	g.Wait()
	s.e.InputPipe().(io.Closer).Close() // Close races with Read
	answers.Wait()
	if raw := s.text(); strings.Count(raw, "\x1b[?1049h") != 1 || strings.Count(raw, "\x1b[?1049l") != 1 {
		t.Errorf("the alternate screen was not entered and left once")
	}
}

func TestHangUp(t *testing.T) {
	master, tty := openPTY(t)
	lost := make(chan error, 2)
	w := NewWriter(tty, nil, func(err error) { lost <- err })
	var g guard.Group
	g.Go("terminal", w.Run)
	master.Close()
	io.WriteString(w, "\x1b[?25l")
	if err := <-lost; err == nil {
		t.Error("lost without an error")
	}
	if err := w.Close(); err == nil {
		t.Error("Close does not tell that the terminal is gone")
	}
	g.Wait()
}

func TestRestore(t *testing.T) {
	master, tty := openPTY(t)
	if !IsTerminal(tty) {
		t.Error("a pty is a terminal")
	}
	if w, h, err := Size(tty); w != 80 || h != 24 || err != nil {
		t.Errorf("size is %d×%d, %v", w, h, err)
	}
	before, err := Save(tty.Fd())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := term.MakeRaw(tty.Fd()); err != nil {
		t.Fatal(err)
	}
	if raw, err := Save(tty.Fd()); err != nil || *raw.s == *before.s {
		t.Fatalf("the terminal is not raw: %v", err)
	}
	if err := Restore(tty, before); err != nil {
		t.Fatal(err)
	}
	after, err := Save(tty.Fd())
	if err != nil {
		t.Fatal(err)
	}
	if *after.s != *before.s {
		t.Errorf("the terminal is set to %+v, was %+v", *after.s, *before.s)
	}
	got := make([]byte, len(leave))
	if _, err := io.ReadFull(master, got); err != nil || string(got) != leave {
		t.Errorf("wrote %q, %v; want %q", got, err, leave)
	}
}

// TestRestoreStalled holds that a terminal that takes nothing is given back
// nevertheless and costs no wait without end.
func TestRestoreStalled(t *testing.T) {
	master, tty := openPTY(t)
	state, err := Save(tty.Fd())
	if err != nil {
		t.Fatal(err)
	}
	fd := int(tty.Fd())
	if err := unix.SetNonblock(fd, true); err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := unix.Write(fd, make([]byte, 4096)); err != nil {
			break // full
		}
	}
	if err := unix.SetNonblock(fd, false); err != nil {
		t.Fatal(err)
	}
	if err := Restore(tty, state); err != nil {
		t.Error(err)
	}
	if got := untilLeft(t, master); !strings.HasSuffix(got, leave) {
		t.Errorf("what was read on ends with %q, want %q", got[max(0, len(got)-100):], leave)
	}
}

// untilLeft reads on until the alternate screen is left.
func untilLeft(t *testing.T, master *os.File) string {
	t.Helper()
	var got []byte
	for buf := make([]byte, 4096); !bytes.Contains(got, []byte("\x1b[?1049l")); {
		n, err := master.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, buf[:n]...)
	}
	return string(got)
}

// TestReleaseStalled holds that a terminal that takes nothing is given to
// somebody else nevertheless, and taken again.
func TestReleaseStalled(t *testing.T) {
	master, tty := openPTY(t)
	w := NewWriter(tty, nil, nil)
	var g guard.Group
	g.Go("terminal", w.Run)
	io.WriteString(w, "\x1b[?1049h"+strings.Repeat("x", 1<<17))
	w.patience = 2 * time.Second
	if w.Drain(10 * time.Millisecond) {
		t.Fatal("the terminal took it all")
	}
	io.WriteString(w, "the shell's")
	if !w.Release(10 * time.Millisecond) {
		t.Error("not released")
	}
	if got := untilLeft(t, master); !strings.HasSuffix(got, leave+"the shell's") {
		t.Errorf("what was read on ends with %q", got[max(0, len(got)-100):])
	}
	io.WriteString(w, "ours")
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	got := make([]byte, 4)
	if _, err := io.ReadFull(master, got); err != nil || string(got) != "ours" {
		t.Errorf("then came %q, %v", got, err)
	}
	g.Wait()
}

// TestCloseStalled holds that what gives a terminal back reaches one that takes
// nothing though there is no room for all that follows.
func TestCloseStalled(t *testing.T) {
	master, tty := openPTY(t)
	w := NewWriter(tty, nil, nil)
	w.patience = 500 * time.Millisecond
	var g guard.Group
	g.Go("terminal", w.Run)
	io.WriteString(w, "\x1b[?1049h"+strings.Repeat("x", 1<<16))
	if w.Drain(50 * time.Millisecond) {
		t.Fatal("the terminal took it all")
	}
	io.WriteString(w, strings.Repeat("summary", 1<<13))
	if err := w.Close(); err != ErrStalled {
		t.Errorf("Close returns %v", err)
	}
	_, rest, _ := strings.Cut(untilLeft(t, master), leave)
	got := make([]byte, len("summary")<<13-len(rest))
	if _, err := io.ReadFull(master, got); err != nil || rest+string(got) != strings.Repeat("summary", 1<<13) {
		t.Errorf("the rest did not follow: %v", err)
	}
	g.Wait()
}

func TestRestoreWithoutState(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if _, err := Save(w.Fd()); err == nil {
		t.Error("a pipe has a state")
	}
	if IsTerminal(w) {
		t.Error("a pipe is a terminal")
	}
	if err := Restore(w, State{}); err != nil {
		t.Error(err)
	}
}
