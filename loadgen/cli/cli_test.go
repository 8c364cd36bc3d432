package cli

import "testing"

// No message breaks out of its line, nor does it hide or turn what it quotes.
func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		" no such model: 모델 – “x”\n":   "no such model: 모델 – “x”",
		"a\nb\tc":                      "a b c",
		"a\x1b[2Jb\r\u009bc":           "a�[2Jb��c",
		"a\u202eb\u2066c\u200ed":       "a�b�c�d",
		"a\u200db\u200bc\ufeffd\ufe0f": "abcd",
		"a\u2028b":                     "a b",
	} {
		if got := oneLine(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
	for _, name := range []string{"xav\u200dier", "xav\u00adier", "xavier\ufeff"} { // each looks like another one
		if _, err := parsePlaces([]string{name + "=tfs+http://h:1"}, nil); err == nil {
			t.Errorf("a target is called %q", name)
		}
		if _, err := parseWish(name + "=5"); err == nil {
			t.Errorf("a model is called %q", name)
		}
	}
}
