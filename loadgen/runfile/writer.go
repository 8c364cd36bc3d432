package runfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/probes"
)

// A Writer encodes the lines of one run. It is used by one goroutine, which
// calls Flush once a second, so that after a crash the file reads up to the
// last second. The first error stays: from then on nothing is written, and
// Flush returns it.
type Writer struct {
	w    io.Writer
	text func(ledger.Note) string
	buf  []byte
	err  error
}

// full is how much is gathered before it is written without being flushed.
const full = 64 << 10 // bytes

// NewWriter returns a Writer to w. text says a note in English; it may be nil,
// then notes are recorded without their sentence.
func NewWriter(w io.Writer, text func(ledger.Note) string) *Writer {
	return &Writer{w: w, text: text, buf: make([]byte, 0, full+4<<10)}
}

// Header writes the first line.
func (w *Writer) Header(s *ledger.Setup) { w.line(headerOf(s)) }

// Request writes what became of a request. e is its last step.
func (w *Writer) Request(e *ledger.Event) {
	if w.err != nil {
		return
	}
	w.buf = appendRequest(w.buf, e)
	w.spill()
}

// Second writes a closed second of a lane, or of ledger.All.
func (w *Writer) Second(lane int, s *ledger.Second) { w.line(secondOf(lane, s)) }

// Cohort writes a settled cohort of a lane, or of ledger.All.
func (w *Writer) Cohort(lane int, c *ledger.Cohort) { w.line(cohortOf(lane, c)) }

// Probe writes what a machine's probe of that name read, or why it could not.
func (w *Writer) Probe(name string, p probes.Point) { w.line(probeOf(name, p)) }

// Command writes a change that took effect.
func (w *Writer) Command(c Command) { w.line(commandOf(&c)) }

// Note writes a line of the events pane.
func (w *Writer) Note(n ledger.Note) {
	text := ""
	if w.text != nil {
		text = w.text(n)
	}
	w.line(noteOf(&n, text))
}

// Gap writes how many lines of each kind were left out.
func (w *Writer) Gap(g Gap) { w.line(gapLine{"gap", stamp(g.At), g.Lost}) }

// End writes the last line: when the run ended, and why.
func (w *Writer) End(at time.Duration, why string) { w.line(endLine{"end", stamp(at), why}) }

// Flush writes what was gathered and returns the first error of all.
func (w *Writer) Flush() error {
	if w.err != nil || len(w.buf) == 0 {
		return w.err
	}
	if _, err := w.w.Write(w.buf); err != nil {
		w.err = fmt.Errorf("write the recording: %w", err)
	}
	w.buf = w.buf[:0]
	return w.err
}

func (w *Writer) line(v any) {
	if w.err != nil {
		return
	}
	b, err := encode(v)
	if err != nil {
		w.err = fmt.Errorf("encode a line of the recording: %w", err)
		return
	}
	w.buf = append(append(w.buf, b...), '\n')
	w.spill()
}

// spill writes whole lines only.
func (w *Writer) spill() {
	if len(w.buf) >= full {
		_ = w.Flush() // the error stays
	}
}

// encode is json.Marshal without escapes for HTML.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
