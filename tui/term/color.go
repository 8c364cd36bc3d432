package term

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"
)

// Millions is the number of colours of a terminal that shows all of them.
const Millions = 1 << 24

// choices are the words for a number of colours.
var choices = map[string]int{"none": 0, "16": 16, "256": 256, "truecolor": Millions}

// Colors returns how many colours to use on f: 0, 16, 256 or [Millions].
//
// choice is what the user asked for on the command line: auto (or nothing),
// truecolor, 256, 16, none. After it come PILEUP_COLOR, which knows the same
// words, NO_COLOR, and then the best of what TERM, terminfo, tmux and
// COLORTERM promise. An unknown word is an error that names the known ones.
func Colors(choice string, f *os.File, env []string) (int, error) {
	for _, c := range []struct{ name, word string }{
		{"--color", choice}, {"PILEUP_COLOR", lookup(env, "PILEUP_COLOR")},
	} {
		if c.word == "" || c.word == "auto" {
			continue
		}
		n, ok := choices[c.word]
		if !ok {
			return 0, fmt.Errorf("%s is %q: want auto, truecolor, 256, 16 or none", c.name, c.word)
		}
		return n, nil
	}
	if lookup(env, "NO_COLOR") != "" {
		return 0, nil
	}
	return max(profile(colorprofile.Detect(f, env)), promised(f, env)), nil
}

func profile(p colorprofile.Profile) int {
	switch p {
	case colorprofile.TrueColor:
		return Millions
	case colorprofile.ANSI256:
		return 256
	case colorprofile.ANSI:
		return 16
	}
	return 0
}

// promised is what COLORTERM says. It passes through ssh and multiplexers:
// tmux turns 24 bit colours into what its own terminal has, screen cannot.
func promised(f *os.File, env []string) int {
	name := lookup(env, "TERM")
	screen := strings.HasPrefix(name, "screen") && lookup(env, "TMUX") == ""
	words := []string{"truecolor", "24bit"}
	if name == "" || name == "dumb" || screen || !IsTerminal(f) ||
		!slices.Contains(words, strings.ToLower(lookup(env, "COLORTERM"))) {
		return 0
	}
	return Millions
}

// lookup returns the last value of a variable in a list of NAME=VALUE.
func lookup(env []string, name string) string {
	for _, kv := range slices.Backward(env) {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			return v
		}
	}
	return ""
}
