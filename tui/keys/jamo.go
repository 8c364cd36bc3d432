package keys

import "strings"

// Most is up to how many runes that arrived at once are taken for typing.
// More of them are the answer of a terminal to a question asked long ago.
const Most = 8

// latin maps the jamo of a two-set Korean keyboard to what stands on the same
// keys. Only seven of them have a shifted form.
var latin = map[rune]rune{
	'ㅂ': 'q', 'ㅈ': 'w', 'ㄷ': 'e', 'ㄱ': 'r', 'ㅅ': 't', 'ㅛ': 'y', 'ㅕ': 'u',
	'ㅑ': 'i', 'ㅐ': 'o', 'ㅔ': 'p', 'ㅁ': 'a', 'ㄴ': 's', 'ㅇ': 'd', 'ㄹ': 'f',
	'ㅎ': 'g', 'ㅗ': 'h', 'ㅓ': 'j', 'ㅏ': 'k', 'ㅣ': 'l', 'ㅋ': 'z', 'ㅌ': 'x',
	'ㅊ': 'c', 'ㅍ': 'v', 'ㅠ': 'b', 'ㅜ': 'n', 'ㅡ': 'm',
	'ㅃ': 'Q', 'ㅉ': 'W', 'ㄸ': 'E', 'ㄲ': 'R', 'ㅆ': 'T', 'ㅒ': 'O', 'ㅖ': 'P',
}

// Latin returns the Latin letter on the key that types r, or r itself.
func Latin(r rune) rune {
	if l, ok := latin[r]; ok {
		return l
	}
	return r
}

// Split takes runes that arrived in one message apart, one key each: three
// quick + in one packet are three. More than [Most] are none, and so is what
// begins as the rest of an escape sequence does whose esc came alone.
func Split(runes []rune) []string {
	if len(runes) > Most || len(runes) > 1 && strings.ContainsRune("[]O", runes[0]) {
		return nil
	}
	out := make([]string, len(runes))
	for i, r := range runes {
		out[i] = string(Latin(r))
	}
	return out
}
