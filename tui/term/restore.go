package term

import (
	"errors"
	"os"
	"time"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"

	"dev.example/pileup/loadgen/guard"
)

// A State is how a terminal was set before the program changed it.
type State struct{ s *term.State }

// Save returns the present state of the terminal at fd.
func Save(fd uintptr) (State, error) {
	s, err := term.GetState(fd)
	return State{s}, err
}

// Raw takes the keys of the terminal at fd one by one, unechoed, as a full
// screen does. It is for a terminal whose state others have changed.
func Raw(fd uintptr) error {
	_, err := term.MakeRaw(fd)
	return err
}

// leave undoes, in this order: mouse reports, focus reports, bracketed paste,
// colours, the hidden cursor, the alternate screen.
const leave = "\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l" +
	"\x1b[0m\x1b[?25h\x1b[?1049l"

// Restore gives back a terminal that a full-screen program may have left in
// any state: it writes what ends every mode and sets the saved state. It may
// be called while others still write, for it is meant for crashes. It does not
// wait for a terminal that takes no output: what that was given and has not
// shown makes room. Calling it without a full screen shown may move the cursor.
func Restore(f *os.File, s State) error {
	fd := f.Fd()
	var err error
	if !writable(fd) {
		discard(fd)
	}
	if writable(fd) {
		err = writeWithin(200*time.Millisecond, f, leave)
	}
	if s.s != nil {
		err = errors.Join(err, term.Restore(fd, s.s))
	}
	return err
}

// writeWithin writes text, but does not wait for long: a write of somebody else
// may hang and stand before it.
func writeWithin(d time.Duration, f *os.File, text string) error {
	done := make(chan error, 1)
	var group guard.Group
	group.Go("restore", func() {
		_, err := f.WriteString(text)
		done <- err
	})
	select {
	case err := <-done:
		return err
	case <-time.After(d):
		return ErrStalled
	}
}

// writable reports whether the terminal takes output within a tenth of a
// second.
func writable(fd uintptr) bool {
	p := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}
	for range 3 {
		n, err := unix.Poll(p, 100)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		return err == nil && n == 1 && p[0].Revents&unix.POLLOUT != 0
	}
	return false
}

// IsTerminal reports whether f is a terminal.
func IsTerminal(f *os.File) bool { return term.IsTerminal(f.Fd()) }

// Size returns the columns and rows of the terminal f.
func Size(f *os.File) (w, h int, err error) { return term.GetSize(f.Fd()) }
