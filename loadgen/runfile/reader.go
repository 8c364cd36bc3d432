package runfile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"

	"dev.example/pileup/loadgen/ledger"
)

// ErrNotRunFile is the error of a file whose first line is not that of a
// recording.
var ErrNotRunFile = errors.New("not a recording of pileup")

// longestLine bounds a line, so that reading something else ends.
const longestLine = 16 << 20 // bytes

// A Reader reads the records of one run. Lines of unknown kinds and unknown
// keys are skipped.
type Reader struct {
	in        *bufio.Reader
	setup     *ledger.Setup // once the first line was read
	line      int           // number of the line last read, from 1
	long      []byte        // a line longer than the buffer of in
	ended     bool          // the line of the end was read
	truncated int
}

// NewReader returns a Reader of what r holds.
func NewReader(r io.Reader) *Reader { return &Reader{in: bufio.NewReaderSize(r, 64<<10)} }

// Line is the number of the line last read, from 1.
func (r *Reader) Line() int { return r.line }

// Truncated is the number of the last line if it breaks off, as it does when
// the writer was killed; 0 if it does not. It is known when All has ended.
func (r *Reader) Truncated() int { return r.truncated }

// All yields the records in the order of the file, a [Header] first. An error
// names its line and is the last thing that is yielded. A last line that
// breaks off is no error; see [Reader.Truncated].
func (r *Reader) All() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for {
			rec, err := r.next()
			switch {
			case err == io.EOF:
				return
			case err != nil:
				yield(nil, err)
				return
			case rec != nil && !yield(rec, nil):
				return
			}
		}
	}
}

// next returns the next record, or neither record nor error for a line that
// says nothing to this reader.
func (r *Reader) next() (Record, error) {
	data, whole, err := r.readLine()
	if err != nil && (err != io.EOF || r.setup != nil) {
		return nil, err
	}
	if r.setup == nil {
		return r.first(data)
	}
	rec, err := r.record(bytes.TrimSpace(data))
	switch {
	case err == nil:
		return rec, nil
	case !whole:
		r.truncated = r.line
		return nil, io.EOF
	}
	return nil, fmt.Errorf("line %d: %w", r.line, err)
}

func (r *Reader) first(data []byte) (Record, error) {
	setup, err := header(data)
	if errors.Is(err, ErrNotRunFile) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	r.setup = setup
	return Header{setup}, nil
}

// readLine returns the next line and whether it ended with a newline. The
// bytes are good until the next call.
func (r *Reader) readLine() (data []byte, whole bool, err error) {
	r.long = r.long[:0]
	for {
		part, err := r.in.ReadSlice('\n')
		if err == nil && len(r.long) == 0 {
			r.line++
			return part, true, nil
		}
		r.long = append(r.long, part...)
		switch {
		case err == bufio.ErrBufferFull && len(r.long) <= longestLine:
			continue
		case err == bufio.ErrBufferFull && r.setup == nil:
			return nil, false, ErrNotRunFile
		case err == bufio.ErrBufferFull:
			return nil, false, fmt.Errorf("line %d: longer than %d MiB", r.line+1, longestLine>>20)
		case err == io.EOF && len(r.long) == 0:
			return nil, false, io.EOF
		case err != nil && err != io.EOF:
			return nil, false, fmt.Errorf("line %d: %w", r.line+1, err)
		}
		r.line++
		return r.long, err == nil, nil
	}
}

// record decodes a line after the first.
func (r *Reader) record(data []byte) (Record, error) {
	if len(data) == 0 {
		return nil, nil
	}
	kind, err := kindOf(data)
	if err != nil {
		return nil, err
	}
	if r.ended && known[kind] {
		return nil, fmt.Errorf("a %s behind the end", kind)
	}
	switch kind {
	case "req":
		return r.request(data)
	case "sec":
		return r.second(data)
	case "coh":
		return r.cohort(data)
	case "probe":
		return r.probe(data)
	case "cmd":
		return r.command(data)
	case "ev":
		return r.note(data)
	case "gap":
		return r.gap(data)
	case "end":
		rec, err := r.end(data)
		r.ended = err == nil
		return rec, err
	case "run":
		return nil, errors.New("a second run in one file")
	}
	return nil, nil
}

// kindOf returns the kind of a line. Our own lines begin with it; for those
// of others the whole line is looked through.
func kindOf(data []byte) (string, error) {
	if rest, ok := bytes.CutPrefix(data, []byte(`{"t":"`)); ok {
		if kind, _, ok := bytes.Cut(rest, []byte(`"`)); ok && known[string(kind)] {
			return string(kind), nil
		}
	}
	var l struct {
		T string `json:"t"`
	}
	err := decode(data, &l)
	return l.T, err
}

var known = map[string]bool{
	"req": true, "sec": true, "coh": true, "probe": true, "cmd": true, "ev": true, "gap": true, "end": true,
}

// decode decodes one line, whose only value is an object.
func decode(data []byte, v any) error {
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("damaged: %w", err)
	}
	return nil
}

// knownOrAll refuses a lane that the first line does not have.
func (r *Reader) knownOrAll(l lane) error {
	if l == ledger.All {
		return nil
	}
	return r.knownLane(int(l))
}

// knownLane refuses it too, and that a line is of no lane or of all.
func (r *Reader) knownLane(l int) error {
	if l < 0 || l >= len(r.setup.Lanes) {
		return fmt.Errorf("lane %d of %d", l, len(r.setup.Lanes))
	}
	return nil
}

// known refuses a request of a lane or to a target that the first line does
// not have.
func (r *Reader) known(l, target int) error {
	if err := r.knownLane(l); err != nil {
		return err
	}
	if target < 0 || target >= len(r.setup.Targets) {
		return fmt.Errorf("target %d of %d", target, len(r.setup.Targets))
	}
	return nil
}
