package pace

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A SyntaxError says what is wrong with a workload, and where.
type SyntaxError struct {
	File string
	Line int    // from 1; 0 is the file as a whole
	Text string // what is wrong and what was expected

	AtOnce bool // too many requests are due at one instant
}

func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Text
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Text)
}

// ReadWorkload reads CSV in one of three forms, with or without a line that
// names the fields:
//
//	second,model,count     so many requests in second k, which is [k−1 s, k s): the first one is 1
//	due,model              one request, in seconds from the start, cut to the microsecond
//	due                    the same for a file that is of no one model
//
// Lines may come in any order; equal seconds of a model add up, and a count of
// 0 tells of a second or a model without requests. Empty lines and lines that
// start with # are skipped; CRLF and a byte order mark do no harm. name stands
// in messages only. within and seed say where the requests of a second are
// placed, with Even those of all models as one; due times do not need them.
//
// A line has at most 64 KiB and 10 million requests, a workload at most 100 million, 1000
// models and 10 million seconds. What is wrong with a line is a *[SyntaxError].
func ReadWorkload(r io.Reader, name string, within Within, seed uint64) (*Workload, error) {
	return ReadWorkloadUpTo(r, name, within, seed, maxRequests)
}

// ReadWorkloadUpTo is [ReadWorkload], but no more than so many requests, of all
// models, may be due at one instant.
func ReadWorkloadUpTo(r io.Reader, name string, within Within, seed uint64, most int64) (*Workload, error) {
	hash := sha256.New()
	text := bufio.NewReaderSize(io.TeeReader(r, hash), longestLine)
	if mark, _ := text.Peek(3); bytes.Equal(mark, []byte("\ufeff")) {
		_, _ = text.Discard(3) // peeked
	}
	in := reading{into: &Workload{}, traces: map[string]*Trace{}, within: within, most: most}
	for n, more := 1, true; more; n++ {
		line, err := text.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return nil, &SyntaxError{File: name, Line: n, Text: fmt.Sprintf("longer than %d bytes: %s", longestLine, forms)}
		case err != nil && err != io.EOF:
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		more = err == nil
		if err := in.text(string(line)); err != nil {
			_, crowded := err.(crowd)
			return nil, &SyntaxError{File: name, Line: n, Text: err.Error(), AtOnce: crowded}
		}
		if len(in.into.Models) > len(in.into.Lines) {
			in.into.Lines = append(in.into.Lines, n)
		}
	}
	if len(in.into.Models) == 0 {
		return nil, &SyntaxError{File: name, Text: "nothing in it: " + forms}
	}
	in.into.close(within, seed)
	if at, n := in.into.crowded(most); n > most {
		return nil, &SyntaxError{File: name, Text: crowd{at, n, most}.Error(), AtOnce: true}
	}
	in.into.Hash = hex.EncodeToString(hash.Sum(nil))
	return in.into, nil
}

// reading is a workload of which some lines have been read.
type reading struct {
	form   form // 0 before the first line
	into   *Workload
	traces map[string]*Trace // by model
	fields []string          // of a line, to be used again

	within Within
	most   int64 // requests at one instant
	starts sums  // of AtOnce: requests at the start of each second
	at, n  int64 // the due time of the lines before, in µs, and how many in a row have it
}

// A crowd is too many requests at one instant.
type crowd struct{ at, n, most int64 }

func (c crowd) Error() string {
	return fmt.Sprintf("%d requests are due at once, at %s: at most %d can be open", c.n, time.Duration(c.at)*time.Microsecond, c.most)
}

// start refuses n more requests at the start of a second if that makes it a crowd.
func (in *reading) start(second, n int64) error {
	if in.within != AtOnce {
		return nil
	}
	if in.starts == nil {
		in.starts = make(sums, maxSeconds>>page+1)
	}
	sum := in.starts.of(int32(second))
	*sum += int32(n)
	if int64(*sum) > in.most {
		return crowd{(second - 1) * 1e6, int64(*sum), in.most}
	}
	return nil
}

// instant refuses one more request at an instant if that makes it a crowd. Where
// lines of other instants are between, this is found out at the end.
func (in *reading) instant(us int64) error {
	if us != in.at {
		in.at, in.n = us, 0
	}
	if in.n++; in.n > in.most {
		return crowd{us, in.n, in.most}
	}
	return nil
}

// text takes one line with what ends it.
func (in *reading) text(line string) error {
	in.fields = in.fields[:0]
	if !strings.Contains(line, `"`) {
		in.fields = slices.AppendSeq(in.fields, strings.SplitSeq(line, ","))
		return in.line(in.fields)
	}
	r := csv.NewReader(strings.NewReader(line))
	r.Comment, r.FieldsPerRecord, r.TrimLeadingSpace = '#', -1, true
	fields, err := r.Read()
	if bad, ok := errors.AsType[*csv.ParseError](err); ok {
		return fmt.Errorf("%w: %s", bad.Err, forms)
	}
	if err != nil {
		return nil // a comment
	}
	return in.line(fields)
}

func (in *reading) line(fields []string) error {
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	if len(fields) == 1 && fields[0] == "" || strings.HasPrefix(fields[0], "#") {
		return nil
	}
	if in.form == 0 {
		form, header, err := parseForm(fields)
		in.form, in.into.counted = form, form == counts
		if header || err != nil {
			return err
		}
	}
	switch {
	case len(fields) != int(in.form):
		return fmt.Errorf("%d fields where the lines before have %d: %s", len(fields), in.form, forms)
	case in.form == counts:
		return in.count(fields[0], fields[1], fields[2])
	case in.form == dues:
		return in.due(fields[0], fields[1])
	}
	return in.due(fields[0], "")
}

// count adds the requests of one second.
func (in *reading) count(second, model, count string) error {
	k, err := strconv.ParseInt(second, 10, 64)
	switch {
	case k == 0 && err == nil:
		return errors.New("second 0: seconds count from 1, and second 1 is the first, from 0 s to 1 s: add 1 to each")
	case err != nil || k < 1 || k > maxSeconds:
		return fmt.Errorf("second %q: want a whole number from 1 to %d", Brief(second), maxSeconds)
	}
	n, err := strconv.ParseInt(count, 10, 64)
	if err != nil || n < 0 || n > maxCount {
		return fmt.Errorf("count %q: want a whole number from 0 to %d", Brief(count), maxCount)
	}
	t, err := in.trace(model, n)
	if err != nil {
		return err
	}
	in.into.Length = max(in.into.Length, time.Duration(k)*time.Second)
	if n > 0 {
		if err := in.start(k, n); err != nil {
			return err
		}
		t.seconds = append(t.seconds, tally{second: int32(k), n: int32(n)})
	}
	return nil
}

// due adds one request.
func (in *reading) due(at, model string) error {
	s, err := strconv.ParseFloat(at, 64)
	if err != nil || !(s >= 0 && s < maxSeconds) {
		return fmt.Errorf("due %q: want seconds from the start, 0 or more and less than %d, such as 0.25", Brief(at), maxSeconds)
	}
	t, err := in.trace(model, 1)
	if err != nil {
		return err
	}
	us := int64(math.Round(s*1e9)) / 1000
	if err := in.instant(us); err != nil {
		return err
	}
	t.dues = append(t.dues, us)
	in.into.Length = max(in.into.Length, time.Duration(us/1e6+1)*time.Second)
	return nil
}

// trace returns the trace of a model that gets n more requests.
func (in *reading) trace(model string, n int64) (*Trace, error) {
	in.into.Total += n
	if in.into.Total > maxRequests {
		return nil, fmt.Errorf("more than %d requests in all", maxRequests)
	}
	t, known := in.traces[model]
	if known {
		return t, nil
	}
	if len(in.traces) == maxModels {
		return nil, fmt.Errorf("more than %d models; %s", maxModels, forms)
	}
	if err := checkModel(model); err != nil {
		return nil, err
	}
	t = in.into.add(strings.Clone(model))
	in.traces[model] = t
	return t, nil
}
