package runfile

import (
	"fmt"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"dev.example/pileup/loadgen/ledger"
)

// stamp is a time as it stands in a line: seconds with six decimals. Never is
// left out; a line is decoded into a struct whose stamps are Never beforehand.
type stamp time.Duration

const never = stamp(ledger.Never)

// IsZero makes ",omitzero" leave out what did not happen.
func (s stamp) IsZero() bool { return s == never }

func (s stamp) MarshalJSON() ([]byte, error) {
	return appendStamp(nil, time.Duration(s)), nil
}

// longest bounds a stamp: no run lasts thirty years, so more is damage.
const longest = 1e9 // seconds

func (s *stamp) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	x, err := strconv.ParseFloat(string(b), 64)
	if err != nil || math.Abs(x) > longest {
		return fmt.Errorf("%.40q is no time in seconds", b)
	}
	*s = stamp(math.Round(x*1e6)) * stamp(time.Microsecond)
	return nil
}

// lane is the number of a lane; All is left out.
type lane int

func (l lane) IsZero() bool { return l == ledger.All }

// UnmarshalJSON refuses what is the number of no lane, however many there are.
func (l *lane) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	n, err := strconv.Atoi(string(b))
	if err != nil || n < 0 {
		return fmt.Errorf("%.40q is no lane", b)
	}
	*l = lane(n)
	return nil
}

// appendStamp appends d in seconds with six decimals.
func appendStamp(b []byte, d time.Duration) []byte {
	us := d.Microseconds()
	if us < 0 {
		b, us = append(b, '-'), -us
	}
	b = strconv.AppendInt(b, us/1e6, 10)
	f := uint32(us % 1e6) // divisions by constants are multiplications
	return append(b, '.',
		byte('0'+f/100000), byte('0'+f/10000%10), byte('0'+f/1000%10),
		byte('0'+f/100%10), byte('0'+f/10%10), byte('0'+f%10))
}

const hexDigits = "0123456789abcdef"

// appendString appends s as a JSON string. What is not UTF-8 becomes U+FFFD.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < ' ':
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		case c < utf8.RuneSelf:
			b = append(b, c)
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			b = utf8.AppendRune(b, r) // an invalid byte is RuneError already
			i += n
			continue
		}
		i++
	}
	return append(b, '"')
}
