package loadgen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"
)

// textLimit is the most bytes a failure's text has.
const textLimit = 512

// Printable makes text of a stranger safe to print on a terminal: every
// character that is not visible (control characters of both sets, ESC,
// directional marks, line separators, bytes that are no UTF-8) is written as
// Go escapes it, surrounding space is cut, and what is over 512 bytes is
// replaced with "…". Digits stay.
func Printable(s string) string {
	s = strings.TrimSpace(s)
	b := make([]byte, 0, min(len(s), textLimit))
	cut := 0 // length of b that still leaves room for "…"
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b = fmt.Appendf(b, `\x%02x`, s[i])
		case strconv.IsPrint(r):
			b = append(b, s[i:i+n]...)
		default:
			q := strconv.QuoteRune(r)
			b = append(b, q[1:len(q)-1]...)
		}
		if len(b) > textLimit {
			return string(b[:cut]) + "…"
		}
		if len(b) <= textLimit-len("…") {
			cut = len(b)
		}
		i += n
	}
	return string(b)
}

// IsHTML reports whether an answer is a page, by its content type or by how it
// begins.
func IsHTML(contentType string, head []byte) bool {
	if strings.HasPrefix(strings.ToLower(contentType), "text/html") {
		return true
	}
	head = bytes.TrimSpace(head[:min(len(head), 256)])
	for _, tag := range []string{"<!doctype html", "<html", "<head", "<title"} {
		if len(head) >= len(tag) && strings.EqualFold(string(head[:len(tag)]), tag) {
			return true
		}
	}
	return false
}

// Said is what an answer says of itself in one line: the message in a JSON
// body, the title of a page and the server it is from, the beginning of
// anything else, or the name of the status. It is not yet [Printable].
func Said(s Seen) string {
	head := bytes.TrimSpace(s.Head)
	switch {
	case len(head) == 0:
		if name := http.StatusText(s.Status); name != "" {
			return name
		}
		return "empty"
	case IsHTML(s.Type, head):
		text := "HTML page"
		if s.Server != "" {
			text += " from " + s.Server
		}
		if t := Title(head); t != "" {
			text += ", title '" + t + "'"
		}
		return text
	}
	return message(head)
}

// Title is the title of a page, "" if its beginning has none.
func Title(head []byte) string {
	i := strings.Index(asciiLower(head), "<title")
	if i < 0 {
		return ""
	}
	rest := head[i:]
	i = bytes.IndexByte(rest, '>')
	if i < 0 {
		return ""
	}
	rest = rest[i+1:]
	if i = bytes.IndexByte(rest, '<'); i >= 0 {
		rest = rest[:i]
	}
	return strings.Join(strings.Fields(html.UnescapeString(string(rest))), " ")
}

// asciiLower keeps every byte where it is.
func asciiLower(b []byte) string {
	lower := make([]byte, len(b))
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[i] = c
	}
	return string(lower)
}

// message is the text of the usual JSON errors: {"error": "…"},
// {"detail": "…"}, {"message": "…"}, or head itself.
func message(head []byte) string {
	var m map[string]json.RawMessage
	if json.Unmarshal(head, &m) == nil {
		for _, key := range []string{"error", "detail", "message"} {
			var text string
			if json.Unmarshal(m[key], &text) == nil && text != "" {
				return text
			}
		}
	}
	return string(head)
}
