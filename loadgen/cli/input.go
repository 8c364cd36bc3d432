package cli

import (
	"errors"
	"fmt"
	"io"
	"time"

	"dev.example/pileup/loadgen/payload"
)

// open opens the file of a flag, of at most limit bytes. It says to tell that
// reading takes long, if it does.
func open(tell io.Writer, flag, name string, limit int64) (io.ReadCloser, error) {
	f, err := payload.Open(name, limit)
	if bad, ok := errors.AsType[*payload.Error](err); ok {
		return nil, refuse(bad.Hint, "%s: %w", flag, bad.Err)
	}
	if err != nil {
		return nil, err
	}
	return &slowly{ReadCloser: f, name: name, tell: tell, since: time.Now()}, nil
}

// long is after what time it is said what takes so long.
const long = 2 * time.Second

// slowly is a file that is read by somebody who may take long.
type slowly struct {
	io.ReadCloser
	name  string
	tell  io.Writer // nil: it has been told
	since time.Time
}

func (s *slowly) Read(p []byte) (int, error) {
	if s.tell != nil && time.Since(s.since) >= long {
		fmt.Fprintf(s.tell, "pileup: reading %s; interrupt to give it up\n", oneLine(s.name))
		s.tell = nil
	}
	return s.ReadCloser.Read(p)
}
