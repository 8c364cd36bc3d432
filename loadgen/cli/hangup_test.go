//go:build unix

package cli

import (
	"context"
	"io"
	"testing"

	"github.com/creack/pty"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/run"
)

// A terminal that goes away while the screen begins is a hang-up, also where the
// signal that says so comes later than its errors, or never.
func TestATerminalThatGoesAsTheScreenBeginsIsAHangup(t *testing.T) {
	for _, moment := range []string{"before", "as the run begins", "at the first look"} {
		t.Run(moment, func(t *testing.T) {
			// Nobody closes tty: bubbletea leaves a goroutine behind that asks for its size.
			ours, tty, err := pty.Open()
			if err != nil {
				t.Fatal(err)
			}
			gone := func() { ours.Close() }
			r := &vanishing{Loop: childLoop(nil)}
			switch moment {
			case "before":
				gone()
			case "as the run begins":
				r.begun = gone
			case "at the first look":
				r.looked = gone
			}
			hears := listen(t.Context())
			defer hears.stop()
			s := &screenShow{std: streams{tty, tty, io.Discard}, in: tty, out: tty, theme: "dark", fps: 10, lang: lang.English}
			code, err := s.run(hears, r)
			if code != exitHangup || err != nil {
				t.Errorf("exit code %d, %v", code, err)
			}
		})
	}
}

// vanishing is a run whose terminal goes away.
type vanishing struct {
	*run.Loop
	begun, looked func()
}

func (v *vanishing) Run(ctx context.Context) error {
	call(v.begun)
	return v.Loop.Run(ctx)
}

func (v *vanishing) Snapshot() *ledger.Snapshot {
	call(v.looked)
	return v.Loop.Snapshot()
}
