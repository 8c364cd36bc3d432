package cells

import (
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Width is how many cells s takes when it is written with [Buf.Text].
func Width(s string) int {
	n := 0
	for i := 0; i < len(s); {
		_, size, w := next(s[i:])
		n += w
		i += size
	}
	return n
}

// Cut returns the longest beginning of s that takes at most w cells, with … at
// its end if something is missing.
func Cut(s string, w int) string {
	if Width(s) <= w {
		return s
	}
	if w <= 0 {
		return ""
	}
	n := 0
	for i := 0; i < len(s); {
		_, size, rw := next(s[i:])
		if n+rw > w-1 {
			return s[:i] + "…"
		}
		n += rw
		i += size
	}
	return s
}

// CutMiddle returns s, or its beginning and its end with … between them, in at most
// w cells: of names that begin alike the end tells which is which.
func CutMiddle(s string, w int) string {
	rest := Width(s)
	if rest <= w {
		return s
	}
	i := 0
	for end := max(0, w-1) * 2 / 5; rest > end; {
		_, size, rw := next(s[i:])
		i, rest = i+size, rest-rw
	}
	return Cut(s, w-rest) + s[i:]
}

// next returns the first character of s as it is put into a cell, the bytes it
// takes and its width: 1, 2, or 0 for one that is left out. Decomposed Hangul
// (as macOS keeps file names) is put together.
func next(s string) (r rune, size, w int) {
	if c := s[0]; c < utf8.RuneSelf {
		if c < 0x20 || c == 0x7f {
			return blankOf(rune(c)), 1, widthOf(blankOf(rune(c)))
		}
		return rune(c), 1, 1
	}
	r, size = utf8.DecodeRuneInString(s)
	if r >= 0x1100 && r <= 0x1112 {
		return syllable(s, r, size)
	}
	return r, size, widthOf(r)
}

// blankOf turns the control characters that stand for white space into a
// blank and leaves the others to be left out.
func blankOf(r rune) rune {
	if r == '\t' || r == '\n' || r == '\r' {
		return ' '
	}
	return r
}

// syllable puts a Hangul syllable together from a leading consonant, a vowel
// and perhaps a final consonant.
func syllable(s string, l rune, size int) (rune, int, int) {
	v, n := utf8.DecodeRuneInString(s[size:])
	if v < 0x1161 || v > 0x1175 {
		return l, size, widthOf(l)
	}
	size += n
	r := 0xAC00 + ((l-0x1100)*21+(v-0x1161))*28
	if t, n := utf8.DecodeRuneInString(s[size:]); t > 0x11A7 && t <= 0x11C2 {
		r += t - 0x11A7
		size += n
	}
	return r, size, 2
}

// widthOf is the width of one character on the grid: 0 for what has no place
// on it. That is what takes no room (controls, combining marks, joiners,
// direction marks) and what changes its width beside others (flags, some
// scripts' vowel signs).
func widthOf(r rune) int {
	switch {
	case r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0xad:
		return 0
	case r < 0x300, r >= 0x2010 && r <= 0x2027, r >= 0x2190 && r <= 0x22ff,
		r >= 0x2500 && r <= 0x25fc, r >= 0x2800 && r <= 0x28ff:
		return 1 // Latin, dashes, arrows, signs, lines and blocks, braille
	case r >= 0xAC00 && r <= 0xD7A3, r >= 0x4E00 && r <= 0x9FFF:
		return 2 // Hangul, Han
	}
	return rareWidth(r)
}

func rareWidth(r rune) int {
	if !unicode.IsPrint(r) || unicode.In(r, unicode.M, unicode.Cf) || r > unicode.MaxRune {
		return 0
	}
	s := string(r)
	w := ansi.StringWidth(s)
	if w < 1 || w > 2 || ansi.StringWidth("a"+s+"a") != w+2 || ansi.StringWidth(s+s+s) != 3*w {
		return 0
	}
	return w
}
