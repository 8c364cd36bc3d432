package report

import (
	"strings"
	"unicode"
)

// Clean makes text that may hold a stranger's words fit for a terminal and a
// column: control characters, and those that turn the direction of what follows,
// are shown as �; those that take no room or join their neighbours are left out.
// Line feeds stay.
func Clean(text string) string {
	if strings.IndexFunc(text, unclean) < 0 {
		return text
	}
	return strings.Map(func(r rune) rune {
		switch {
		case !unclean(r):
			return r
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return unicode.ReplacementChar
		case unicode.In(r, unicode.Zl, unicode.Zp):
			return ' '
		}
		return -1
	}, text)
}

func unclean(r rune) bool {
	return r != '\n' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector))
}

// cleanLine is Clean for what has to stay on one line.
func cleanLine(text string) string { return strings.ReplaceAll(Clean(text), "\n", " ") }
