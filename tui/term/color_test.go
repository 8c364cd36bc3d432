package term

import (
	"os"
	"strings"
	"testing"
)

func TestColors(t *testing.T) {
	_, tty := openPTY(t)
	pipe, other, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	defer other.Close()
	for _, tt := range []struct {
		name   string
		choice string
		f      *os.File
		env    string
		want   int
	}{
		{"what ssh gives", "auto", tty, "TERM=xterm-256color", 256},
		{"and COLORTERM", "", tty, "TERM=xterm-256color COLORTERM=truecolor", Millions},
		{"24bit", "", tty, "TERM=xterm COLORTERM=24bit", Millions},
		{"xterm", "", tty, "TERM=xterm", 16},
		{"kitty", "", tty, "TERM=xterm-kitty", Millions},
		{"dumb", "", tty, "TERM=dumb COLORTERM=truecolor", 0},
		{"no TERM", "", tty, "COLORTERM=truecolor", 0},
		{"tmux", "", tty, "TERM=tmux-256color", 256},
		{"screen cannot do 24 bits", "", tty, "TERM=screen-256color COLORTERM=truecolor", 256},
		{"a pipe", "", other, "TERM=xterm-256color COLORTERM=truecolor", 0},
		{"NO_COLOR with any value", "", tty, "TERM=xterm-256color NO_COLOR=yes", 0},
		{"an empty NO_COLOR", "", tty, "TERM=xterm-256color NO_COLOR=", 256},
		{"ours over NO_COLOR", "", tty, "TERM=xterm NO_COLOR=1 PILEUP_COLOR=256", 256},
		{"the flag over all", "16", tty, "TERM=xterm-256color PILEUP_COLOR=truecolor", 16},
		{"the flag on a pipe", "truecolor", other, "", Millions},
		{"none", "none", tty, "TERM=xterm-256color", 0},
		{"CI is no reason", "", tty, "TERM=xterm-256color CI=1", 256},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Colors(tt.choice, tt.f, strings.Fields(tt.env))
			if err != nil || got != tt.want {
				t.Errorf("got %d colours, %v; want %d", got, err, tt.want)
			}
		})
	}
	for _, env := range []string{"", "PILEUP_COLOR=mauve"} {
		choice := "auto"
		if env == "" {
			choice = "mauve"
		}
		if _, err := Colors(choice, tty, []string{env}); err == nil || !strings.Contains(err.Error(), `"mauve": want auto, truecolor, 256, 16 or none`) {
			t.Errorf("%q %q: %v", choice, env, err)
		}
	}
}
