package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// An output that is read slowly gets everything, however long that takes; once a
// signal has come it is waited for only while it takes something.
func TestAnOutletWaitsForItsReaderButNotForEverAfterASignal(t *testing.T) {
	text := strings.Repeat("0123456789abcdef", 1024) // four pieces
	for name, tt := range map[string]struct {
		every  time.Duration // somebody reads a piece
		signal time.Duration
		want   time.Duration // when the wait ends
		err    error
	}{
		"read slowly, no signal":       {every: time.Hour, signal: time.Hour * 24, want: 4 * time.Hour},
		"read slowly, a signal":        {every: 900 * time.Millisecond, signal: time.Millisecond, want: 3600 * time.Millisecond},
		"not read, a signal":           {every: 24 * time.Hour, signal: time.Hour, want: time.Hour + time.Second, err: errNotTaken},
		"read, then not, and a signal": {every: time.Minute, signal: 150 * time.Second, want: 151 * time.Second, err: errNotTaken},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, w := io.Pipe()
				var got bytes.Buffer
				go func() {
					buf := make([]byte, 4096)
					for {
						time.Sleep(tt.every)
						n, err := r.Read(buf)
						got.Write(buf[:n])
						if err != nil {
							return
						}
					}
				}()
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(tt.signal, cancel)
				o, began := newOutlet(w), time.Now()
				if n, err := io.WriteString(o, text); n != len(text) || err != nil || time.Since(began) != 0 {
					t.Errorf("writing took %d bytes, %v and %v", n, err, time.Since(began))
				}
				if err := o.finish(ctx); !errors.Is(err, tt.err) {
					t.Errorf("finish returns %v, want %v", err, tt.err)
				}
				if took := time.Since(began); took != tt.want {
					t.Errorf("finish took %v, want %v", took, tt.want)
				}
				synctest.Wait()
				if tt.err == nil && got.String() != text {
					t.Errorf("read %d bytes, want %d", got.Len(), len(text))
				}
				r.Close()
				time.Sleep(tt.every)
			})
		})
	}
}

func TestAnOutletTellsOfErrors(t *testing.T) {
	r, w := io.Pipe()
	r.CloseWithError(io.ErrNoProgress)
	o := newOutlet(w)
	io.WriteString(o, "lost")
	for range 2 {
		if err := o.finish(t.Context()); !errors.Is(err, io.ErrNoProgress) {
			t.Errorf("finish returns %v", err)
		}
		io.WriteString(o, "more")
	}
}

// A signal that comes when the run is over and its report waits for a reader is no
// success.
func TestASignalThatCutsTheReportIsItsCode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		e := &ear{}
		e.ctx, e.cancel = context.WithCancelCause(t.Context())
		time.AfterFunc(time.Hour, func() { e.cancel(killed{syscall.SIGINT}) })
		std := streams{out: w, err: io.Discard}
		code, err := through(&std, e, func(finish func() error) (int, error) {
			io.WriteString(std.out, "the report")
			return exitOK, finish()
		})
		if code != exitCut || err != nil {
			t.Errorf("exit code %d, %v", code, err)
		}
		r.Close()
	})
}
