package ledger

// Pattern is what is the same in texts that differ only in numbers: each
// number becomes "#". A number is
//
//   - a word of digits, or of at least four hexadecimal digits of which one is
//     none of a to f, or one that begins with 0x: 17, 8501, 3f9a, 0x7f
//   - the digits in any other word: "worker12" is "worker#", "500ms" is "#ms"
//   - numbers joined by one of ".:-", all together: 10.0.0.7:8501, 0.25, dates,
//     UUIDs. Parts after the first may be shorter, or letters: 9b1d-beef-4c.
func Pattern(text string) string {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		n := wordLen(text[i:])
		if n == 0 {
			out = append(out, text[i])
			i++
			continue
		}
		out = appendWord(out, text[i:i+n])
		i += n
	}
	return string(out)
}

// wordLen is how many of the first bytes of s are letters and digits; what is
// not ASCII is a letter.
func wordLen(s string) int {
	for i := range len(s) {
		if c := s[i]; c < 0x80 && !isDigit(c) && !isLetter(c) {
			return i
		}
	}
	return len(s)
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isJoint(c byte) bool  { return c == '.' || c == ':' || c == '-' }

// appendWord appends the pattern of a word to that of what stands before it.
func appendWord(out []byte, word string) []byte {
	n := len(out)
	joined := n > 1 && isJoint(out[n-1]) && out[n-2] == '#'
	letters, digits, hex := kindOf(word)
	switch {
	case joined && hex && (digits || len(word)%2 == 0):
		return out[:n-1] // the number before it goes on
	case hex && digits && (!letters || len(word) >= 4):
		return append(out, '#')
	}
	for i := range len(word) {
		switch {
		case !isDigit(word[i]):
			out = append(out, word[i])
		case i == 0 || !isDigit(word[i-1]):
			out = append(out, '#')
		}
	}
	return out
}

// kindOf reports whether a word has letters and whether it has digits, and
// whether all of it is hexadecimal. What begins with 0x is all digits.
func kindOf(word string) (letters, digits, hex bool) {
	prefix := len(word) > 2 && word[0] == '0' && word[1]|0x20 == 'x'
	if prefix {
		word = word[2:]
	}
	hex = true
	for i := range len(word) {
		if isDigit(word[i]) {
			digits = true
			continue
		}
		letters = true
		hex = hex && word[i]|0x20 >= 'a' && word[i]|0x20 <= 'f'
	}
	if prefix && hex {
		return false, true, true
	}
	return letters, digits, hex
}
