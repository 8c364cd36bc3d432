// Package payload makes the body of a request, once, before the first one is
// due: from the tensors a model says it takes, from a picture, or from a file
// that is sent as it is.
//
// Start with [Rows], or with [File] for a body that somebody else wrote; [Open]
// opens whatever file is to be read. The
// package never guesses a dimension the model leaves open and never invents a
// string: it refuses with an [Error] that says what to give instead.
package payload

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// MaxBytes is the largest body that is made or read: 1 GiB. A larger one is
// refused before memory is taken for it.
const MaxBytes = 1 << 30

// An Error is why no body can be made. Hint says what to write instead; it may
// be empty.
type Error struct {
	Err  error
	Hint string
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

func refuse(hint, format string, args ...any) error {
	return &Error{Err: fmt.Errorf(format, args...), Hint: hint}
}

// Options say what a body is made of. The zero value is random data.
type Options struct {
	Input Input
	Seed  uint64 // of the random data: the same seed gives the same body
	Image string // a picture file for the input that takes one, "" for none
	Body  string // a file sent as it is, "" to make the body
	// Signature is the name the request asks for; "" leaves it to the server.
	Signature string
}

// Input is where numbers come from that no picture gives.
type Input uint8

// The sources of numbers.
const (
	Random Input = iota // floats uniform in [0,1); integers 0 or 1, bytes of a picture 0–255
	Zero
)

// ParseInput reads the value of --input-data: "random", "zero", or "" for random.
func ParseInput(s string) (Input, error) {
	switch s {
	case "", "random":
		return Random, nil
	case "zero":
		return Zero, nil
	}
	return Random, refuse("write --input-data random, --input-data zero, or --body FILE",
		"unknown input data %q", s)
}

// A Payload is an encoded body and what it carries. It is never written again.
type Payload struct {
	Body   []byte
	Floats int64  // elements of floating-point tensors
	Ints   int64  // elements of integer tensors
	Bools  int64  // elements of boolean tensors
	Binary int64  // bytes the same tensors take as raw numbers, 0 if not known
	Given  string // file the body or the picture was read from, "" if none
}

// Content says what is in the body: "150,528 floats".
func (p *Payload) Content() string {
	var parts []string
	for _, c := range []struct {
		n    int64
		noun string
	}{{p.Floats, "float"}, {p.Ints, "int"}, {p.Bools, "bool"}} {
		switch {
		case c.n == 1:
			parts = append(parts, "1 "+c.noun)
		case c.n > 1:
			parts = append(parts, thousands(c.n)+" "+c.noun+"s")
		}
	}
	what := strings.Join(parts, " and ")
	switch {
	case what == "" && p.Given == "":
		return "no numbers"
	case what == "":
		return "body of " + p.Given
	case p.Given != "":
		return what + " of " + p.Given
	}
	return what
}

// Size says how much is sent, and how little it could be:
// "3.15 MB as JSON, 602 kB binary".
func (p *Payload) Size() string {
	size := bytesText(int64(len(p.Body)))
	if p.Binary == 0 {
		return size
	}
	return size + " as JSON, " + bytesText(p.Binary) + " binary"
}

// Line is the whole description: "150,528 floats: 3.15 MB as JSON, 602 kB binary".
func (p *Payload) Line() string { return p.Content() + ": " + p.Size() }

// bytesText writes a number of bytes with three digits, as reports do; whole ones
// without decimals.
func bytesText(n int64) string {
	x, units := float64(n), []string{"B", "kB", "MB", "GB", "TB"}
	for x >= 999.5 && len(units) > 1 {
		x, units = x/1000, units[1:]
	}
	decimals := 2
	switch {
	case x == math.Trunc(x) || x >= 99.95:
		decimals = 0
	case x >= 9.995:
		decimals = 1
	}
	return strconv.FormatFloat(x, 'f', decimals, 64) + " " + units[0]
}

func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
