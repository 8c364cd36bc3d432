package httpconn

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"time"

	"dev.example/pileup/loadgen"
)

const (
	// SilentAfter is how long [Client.Get] waits for an answer on a
	// connection that was made.
	SilentAfter = 3 * time.Second
	// StuckAfter is how long the rest of an answer may take once it has begun.
	StuckAfter = 10 * time.Second
	// pageLimit is the largest page that is read, in bytes: metadata of a
	// model with many inputs takes some 100 kB.
	pageLimit = 16 << 20
)

// ErrSilent ends a Get whose connection was accepted but never answered.
var ErrSilent = errors.New("it accepts connections but never answers")

// ErrStuck ends a Get whose answer began but did not end.
var ErrStuck = errors.New("it began to answer but did not finish")

// A Page is the answer to a Get.
type Page struct {
	Result
	Body []byte
}

// Get asks for a page before the load, through net/http. It is not part of a
// measurement, and asks once more when it met a connection that the server had
// closed. When
// nothing came within [SilentAfter] of the connection, Err is [ErrSilent]; when
// the rest did not come within [StuckAfter], it is [ErrStuck].
func (c *Client) Get(ctx context.Context, path string) (Page, error) {
	r, err := c.compose(http.MethodGet, path, "", nil)
	if err != nil {
		return Page{}, err
	}
	r.repeatable = true
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s := &silence{cancel: cancel}
	var b bounded
	res := r.Do(ctx, s, &b)
	s.stop()
	if b.over {
		res.Err = &loadgen.LimitError{Limit: pageLimit}
	}
	return Page{res, b.Bytes()}, nil
}

// silence cancels a request that is not answered. Its methods are called under
// one lock and not after the request's end.
type silence struct {
	cancel context.CancelCauseFunc
	timer  *time.Timer
}

func (s *silence) Sent() {
	if s.timer == nil {
		s.timer = time.AfterFunc(SilentAfter, func() { s.cancel(ErrSilent) })
	}
}

func (s *silence) First() {
	s.stop()
	s.timer = time.AfterFunc(StuckAfter, func() { s.cancel(ErrStuck) })
}

func (s *silence) stop() {
	if s.timer != nil {
		s.timer.Stop()
	}
}

type bounded struct {
	bytes.Buffer
	over bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > pageLimit {
		b.over = true
		return len(p), nil
	}
	return b.Buffer.Write(p)
}
