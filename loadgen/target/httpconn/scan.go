package httpconn

import (
	"encoding/binary"
	"slices"

	"dev.example/pileup/loadgen"
)

// A Scan looks at one JSON document as it passes: whether it begins and ends,
// and which of the asked keys its outermost object has. It does not check what
// lies between, so bare NaN and Infinity, which servers of this field print,
// pass. It takes constant memory. Make it with [NewScan]; it is not safe for
// concurrent use.
type Scan struct {
	keys  []string
	found []bool

	begun       bool // something came that is no space
	first, last byte // of that
	depth       int
	inString    bool
	escaped     bool
	awaitKey    bool // at depth 1 of an object, the next string is a key
	inKey       bool
	ended       bool // the outermost value was closed
	after       bool // something stood behind it
	key         []byte
}

// longestKey bounds how much of a key is kept.
const longestKey = 64

// NewScan returns a scan that looks for these keys.
func NewScan(keys ...string) *Scan {
	return &Scan{keys: keys, found: make([]bool, len(keys)), key: make([]byte, 0, longestKey)}
}

// Reset makes the scan ready for the next document.
func (s *Scan) Reset() {
	clear(s.found)
	*s = Scan{keys: s.keys, found: s.found, key: s.key[:0]}
}

// Write takes the next bytes of the document. It never fails.
func (s *Scan) Write(p []byte) (int, error) {
	for i := 0; i < len(p); i++ {
		switch {
		case s.inString && !s.inKey && !s.escaped:
			i += text(p[i:])
		case s.depth > 1 && !s.inString:
			i += inner(p[i:])
		}
		if i == len(p) {
			break
		}
		switch c := p[i]; {
		case s.inString:
			s.str(c)
		case c == ' ' || c == '\n' || c == '\r' || c == '\t':
		default:
			s.token(c)
		}
	}
	return len(p), nil
}

// text is how many bytes at the beginning of p leave a string as it is.
func text(p []byte) int {
	for i, c := range p {
		if c == '"' || c == '\\' {
			return i
		}
	}
	return len(p)
}

// inner is how many bytes at the beginning of p change nothing inside of the
// outermost value, where only quotes and brackets count. What stands there is
// numbers mostly, and of that there is much: it looks at eight bytes at once.
// All brackets have the bit 0x40, no digit has it.
func inner(p []byte) int {
	const each, high = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; len(p)-i >= 8; i += 8 {
		w := binary.LittleEndian.Uint64(p[i:])
		quote := w ^ '"'*each // has a byte of zero where there is a quote
		if w&(0x40*each)|(quote-each)&^quote&high == 0 {
			continue
		}
		if k := structure(p[i : i+8]); k < 8 {
			return i + k
		}
	}
	return i + structure(p[i:])
}

// structure is where the first quote or bracket stands.
func structure(p []byte) int {
	for i, c := range p {
		switch c {
		case '"', '[', ']', '{', '}':
			return i
		}
	}
	return len(p)
}

// token takes a byte outside of strings that is no space.
func (s *Scan) token(c byte) {
	if !s.begun {
		s.begun, s.first = true, c
	}
	s.last = c
	if s.ended {
		s.after = true
		return
	}
	switch c {
	case '{', '[':
		s.depth++
		s.awaitKey = s.depth == 1 && c == '{'
	case '}', ']':
		s.depth--
		s.awaitKey = false
		s.ended = s.depth <= 0
	case ',':
		s.awaitKey = s.depth == 1 && s.first == '{'
	case '"':
		s.inString = true
		s.inKey, s.awaitKey = s.awaitKey, false
	default:
		s.awaitKey = false
	}
}

// str takes a byte inside a string.
func (s *Scan) str(c byte) {
	switch {
	case s.escaped:
		s.escaped = false
	case c == '\\':
		s.escaped = true
	case c == '"':
		s.inString = false
		s.last = c
		if s.inKey {
			s.book()
		}
		return
	}
	if s.inKey && len(s.key) < longestKey {
		s.key = append(s.key, c)
	}
}

func (s *Scan) book() {
	if i := slices.Index(s.keys, string(s.key)); i >= 0 {
		s.found[i] = true
	}
	s.key, s.inKey = s.key[:0], false
}

// Has reports whether the outermost object has the key. The key must be one of
// those the scan was made for.
func (s *Scan) Has(key string) bool {
	i := slices.Index(s.keys, key)
	return i >= 0 && s.found[i]
}

// Object says what is wrong with the document if it should have been one JSON
// object, complete and alone.
func (s *Scan) Object() loadgen.BodyFault {
	switch {
	case !s.begun:
		return loadgen.Empty
	case s.first != '{' || s.after:
		return loadgen.NotJSON
	case !s.ended:
		return loadgen.Truncated
	case s.last != '}':
		return loadgen.NotJSON
	}
	return loadgen.NoFault
}
