package httpconn

import (
	"bytes"
	"errors"
	"io"
	"net/http/httputil"
	"net/textproto"

	"dev.example/pileup/loadgen"
)

var (
	errTrailerEnd  = errors.New("http: unexpected EOF reading trailer")
	errTrailerLong = errors.New("http: suspiciously long trailer after chunked body")
)

// readBody reads the body that follows a head, within the limit.
func (w *wire) readBody(h *head, t Taker) error {
	limit := w.pool.answerLimit
	switch {
	case h.length > limit:
		return &loadgen.LimitError{Limit: limit}
	case h.body != nil:
		return w.in.res.copyIn(h.body, limit, t)
	case h.length >= 0:
		return w.readLength(h.length, t)
	case h.chunked:
		if err := w.in.res.copyIn(httputil.NewChunkedReader(w.in.br), limit, t); err != nil {
			return err
		}
		return w.readTrailer()
	}
	return w.in.res.copyIn(w.in.br, limit, t)
}

// readLength reads a body of n bytes, without a copy where it has come with
// the head.
func (w *wire) readLength(n int64, t Taker) error {
	br := w.in.br
	for n > 0 {
		if br.Buffered() == 0 && n > readBytes {
			return w.readLarge(n, t)
		}
		if _, err := br.Peek(1); err != nil {
			return cutShort(err)
		}
		p, _ := br.Peek(int(min(n, int64(br.Buffered()))))
		w.in.res.took(p, t)
		n -= int64(len(p))
		_, _ = br.Discard(len(p))
	}
	return nil
}

// readLarge reads n bytes with fewer system calls.
func (w *wire) readLarge(n int64, t Taker) error {
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	for n > 0 {
		k, err := w.in.br.Read((*buf)[:min(n, int64(len(*buf)))])
		w.in.res.took((*buf)[:k], t)
		if n -= int64(k); err != nil && n > 0 {
			return cutShort(err)
		}
	}
	return nil
}

// cutShort is the end of a body that should have gone on.
func cutShort(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// readTrailer reads what follows the last chunk, as net/http does: within the
// connection's buffer.
func (w *wire) readTrailer() error {
	br := w.in.br
	end, err := br.Peek(2)
	switch {
	case string(end) == "\r\n":
		_, _ = br.Discard(2)
		return nil
	case len(end) < 2:
		return errTrailerEnd
	case err != nil:
		return err
	}
	for n := 4; ; n++ {
		b, err := br.Peek(n)
		if bytes.HasSuffix(b, []byte("\r\n\r\n")) {
			break
		}
		if err != nil {
			return errTrailerLong
		}
	}
	if _, err := textproto.NewReader(br).ReadMIMEHeader(); err != nil {
		return cutShort(err)
	}
	return nil
}
