package httpconn

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// A head is what the head of an answer says.
type head struct {
	status      int
	minor       int   // of HTTP/1.x
	length      int64 // of the body, -1 if it is not said
	chunked     bool
	last        bool // the connection ends with this answer
	alive       bool // HTTP/1.0 says keep-alive
	contentType string
	server      string
	body        io.Reader // of an answer that net/http read, else nil

	typeAt, serverAt []byte // where they stand in what was read
}

// A verdict is what comes of reading a head.
type verdict uint8

const (
	partial verdict = iota // more must come
	plain                  // read
	unusual                // or wrong: net/http decides
)

// errHeadTooLong is put as net/http puts it.
var errHeadTooLong = fmt.Errorf("net/http: server response headers exceeded %d bytes; aborted", headLimit)

// readHead reads a head. One that is not plain is left to net/http: what it
// takes is taken, what it refuses is refused, in its own words.
func (w *wire) readHead(h *head) error {
	in := &w.in
	for {
		b, _ := in.br.Peek(in.br.Buffered())
		n, v := h.parse(b)
		switch v {
		case plain:
			in.keep(h)
			_, _ = in.br.Discard(n)
			return nil
		case unusual:
			return w.readUnusual(h)
		}
		if _, err := in.br.Peek(len(b) + 1); err != nil {
			return w.readUnusual(h)
		}
	}
}

// readUnusual lets net/http read a head.
func (w *wire) readUnusual(h *head) error {
	resp, err := http.ReadResponse(w.in.br, nil)
	if err != nil {
		if w.in.left <= 0 {
			return errHeadTooLong
		}
		return err
	}
	*h = head{
		status: resp.StatusCode, length: resp.ContentLength, last: resp.Close, body: resp.Body,
		contentType: resp.Header.Get("Content-Type"), server: resp.Header.Get("Server"),
	}
	return nil
}

// keep makes strings of what is kept of a head. Mostly it is what the last
// answer said.
func (in *incoming) keep(h *head) {
	if string(h.typeAt) != in.last.contentType {
		in.last.contentType = string(h.typeAt)
	}
	if string(h.serverAt) != in.last.server {
		in.last.server = string(h.serverAt)
	}
	h.contentType, h.server = in.last.contentType, in.last.server
	h.typeAt, h.serverAt = nil, nil
}

// parse reads the head at the beginning of b and returns its length. It knows
// what servers write and nothing else.
func (h *head) parse(b []byte) (n int, v verdict) {
	*h = head{length: -1}
	line, n, v := cutLine(b)
	if v != plain {
		return 0, v
	}
	if !h.statusLine(line) {
		return 0, unusual
	}
	for {
		line, k, v := cutLine(b[n:])
		if v != plain {
			return 0, v
		}
		n += k
		if len(line) == 0 {
			return n, h.settle()
		}
		if !h.field(line) {
			return 0, unusual
		}
	}
}

// cutLine returns the first line of b without its end, and its whole length.
func cutLine(b []byte) (line []byte, n int, v verdict) {
	i := bytes.IndexByte(b, '\n')
	switch {
	case i < 0:
		return nil, 0, partial
	case i == 0 || b[i-1] != '\r':
		return nil, 0, unusual
	}
	return b[:i-1], i + 1, plain
}

// statusLine reads "HTTP/1.1 200 OK".
func (h *head) statusLine(b []byte) bool {
	const like = "HTTP/1.x 200"
	if len(b) < len(like) || string(b[:7]) != "HTTP/1." || b[8] != ' ' || len(b) > len(like) && b[len(like)] != ' ' {
		return false
	}
	if b[7] != '0' && b[7] != '1' {
		return false
	}
	h.minor = int(b[7] - '0')
	h.status = int(number(b[9:12]))
	return h.status >= 100
}

// number reads at most 18 digits, -1 for anything else.
func number(b []byte) (n int64) {
	if len(b) == 0 || len(b) > 18 {
		return -1
	}
	for _, c := range b {
		if c < '0' || c > '9' {
			return -1
		}
		n = n*10 + int64(c-'0')
	}
	return n
}

// field reads "Name: value".
func (h *head) field(b []byte) bool {
	i := bytes.IndexByte(b, ':')
	if i <= 0 {
		return false
	}
	for _, c := range b[:i] {
		if !isToken(c) {
			return false
		}
	}
	value := bytes.Trim(b[i+1:], " \t")
	for _, c := range value {
		if c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	switch name := b[:i]; {
	case is(name, "Content-Length"):
		n := number(value)
		ok := h.length < 0 && n >= 0
		h.length = n
		return ok
	case is(name, "Transfer-Encoding"):
		ok := !h.chunked && h.minor == 1 && is(value, "chunked")
		h.chunked = true
		return ok
	case is(name, "Connection"):
		h.connection(value)
	case is(name, "Content-Type"):
		if h.typeAt == nil {
			h.typeAt = value
		}
	case is(name, "Server"):
		if h.serverAt == nil {
			h.serverAt = value
		}
	case is(name, "Trailer"):
		return false
	}
	return true
}

// connection reads a list of words.
func (h *head) connection(list []byte) {
	for len(list) > 0 {
		word, rest, _ := bytes.Cut(list, []byte{','})
		word, list = bytes.Trim(word, " \t"), rest
		h.last = h.last || is(word, "close")
		h.alive = h.alive || is(word, "keep-alive")
	}
}

// settle draws the conclusions from the whole head.
func (h *head) settle() verdict {
	if h.minor == 0 && !h.alive {
		h.last = true
	}
	switch {
	case h.status < 200, h.status == http.StatusNoContent, h.status == http.StatusNotModified:
		h.length, h.chunked = 0, false
	case h.chunked:
		h.length = -1
	case h.length < 0:
		h.last = true
	}
	return plain
}

// is compares a name regardless of case.
func is(b []byte, name string) bool {
	return len(b) == len(name) && strings.EqualFold(string(b), name)
}

// isToken reports whether c may stand in the name of a header.
func isToken(c byte) bool {
	switch {
	case '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		return true
	}
	return c < 0x80 && strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0
}
