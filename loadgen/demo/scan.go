package demo

import (
	"bytes"
	"fmt"
)

// A scan looks through a predict request as it passes, without building it:
// which keys stand at the top, how many values follow, whether it is whole.
// 3 MB of numbers hold no quotes, so it jumps from quote to quote and counts
// commas and braces between them, all with the vector instructions of package
// bytes: some 3 % of a core at 117 MB/s, where a JSON parser takes one or two
// whole ones. A misspelt number or a lost bracket therefore goes unnoticed.
type scan struct {
	size        int64
	first, last byte // first and last byte that is not white space
	braces      int  // open { minus closed }
	commas      int64

	inString, escaped bool
	text              []byte // the string at the top level that was last read
	ended             bool   // text is whole and what follows is not known yet
	key               string // the top-level key whose value is being read

	keys      int
	instances bool
	inputs    bool
	signature string
}

// maxText is the longest top-level string that is kept.
const maxText = 256

// Write takes the next bytes of the body. It never fails.
func (s *scan) Write(p []byte) (int, error) {
	n := len(p)
	s.size += int64(n)
	for len(p) > 0 {
		if s.inString {
			p = s.quoted(p)
			continue
		}
		i := bytes.IndexByte(p, '"')
		if i < 0 {
			s.plain(p)
			break
		}
		s.plain(p[:i])
		s.note('"')
		s.inString, s.text = true, s.text[:0]
		p = p[i+1:]
	}
	return n, nil
}

// quoted reads on in a string and returns what follows it.
func (s *scan) quoted(p []byte) []byte {
	if s.escaped {
		s.escaped = false
		s.keep(p[:1])
		return p[1:]
	}
	part, after, whole := bytes.Cut(p, []byte{'"'})
	if i := bytes.IndexByte(part, '\\'); i >= 0 {
		s.keep(part[:i])
		s.escaped = true
		return p[i+1:]
	}
	s.keep(part)
	if !whole {
		return nil
	}
	s.inString = false
	s.ended = s.top()
	s.note('"')
	return after
}

// top reports whether a string that begins here may be a key at the top level.
// Those in a list are never followed by a colon, so lists need not be told.
func (s *scan) top() bool { return s.braces == 1 }

func (s *scan) keep(p []byte) {
	if room := maxText - len(s.text); s.top() && room > 0 {
		s.text = append(s.text, p[:min(room, len(p))]...)
	}
}

// plain takes what stands outside strings.
func (s *scan) plain(p []byte) {
	trimmed := bytes.TrimLeft(p, " \t\r\n")
	if len(trimmed) == 0 {
		return
	}
	if s.ended {
		s.ended = false
		s.resolve(trimmed[0] == ':')
	}
	s.note(trimmed[0])
	s.last = lastByte(trimmed)
	s.commas += int64(bytes.Count(p, []byte{','}))
	s.braces += bytes.Count(p, []byte{'{'}) - bytes.Count(p, []byte{'}'})
}

func (s *scan) note(c byte) {
	if s.first == 0 {
		s.first = c
	}
	s.last = c
}

// resolve decides whether the last top-level string was a key or a value.
func (s *scan) resolve(isKey bool) {
	if !isKey {
		if s.key == "signature_name" {
			s.signature = string(s.text)
		}
		return
	}
	s.keys++
	s.key = string(s.text)
	s.instances = s.instances || s.key == "instances"
	s.inputs = s.inputs || s.key == "inputs"
}

func lastByte(p []byte) byte {
	p = bytes.TrimRight(p, " \t\r\n")
	return p[len(p)-1]
}

// fault says why the body is no JSON object; "" if it is one.
func (s *scan) fault() string {
	switch {
	case s.first == 0:
		return "JSON Parse error: The document is empty"
	case s.first == '[':
		return "JSON Value: [...] Is not object"
	case s.first != '{':
		return "JSON Parse error: Invalid value. at offset: 0"
	case s.last != '}' || s.braces != 0 || s.inString:
		return fmt.Sprintf("JSON Parse error: Missing a comma or } after an object member. at offset: %d", s.size)
	}
	return ""
}

// values is the number of values that are given as the input, provided that
// every other top-level key has a plain value. In nested lists and objects of
// k members each there are k − 1 commas to k members, and every container but
// the outermost is a member itself, so the leaves are one more than the commas.
func (s *scan) values() int64 { return s.commas + 1 - int64(s.keys-1) }
