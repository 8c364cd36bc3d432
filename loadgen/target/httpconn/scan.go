package httpconn

import (
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

	first, last byte // outermost first and last byte that is no space
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
	for _, c := range p {
		switch {
		case s.inString:
			s.str(c)
		case c == ' ' || c == '\n' || c == '\r' || c == '\t':
		default:
			s.token(c)
		}
	}
	return len(p), nil
}

// token takes a byte outside of strings that is no space.
func (s *Scan) token(c byte) {
	if s.first == 0 {
		s.first = c
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
	case s.first == 0:
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
