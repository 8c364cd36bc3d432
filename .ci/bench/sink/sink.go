// Package sink is the server that the load goes to, and the judge of when each
// request came. It answers like a TensorFlow Serving with one model named sink,
// in constant time, or as a single worker that is easily overloaded.
//
// A request's arrival is the kernel's stamp of its first segment
// (SO_TIMESTAMPNS). On loopback the sender takes it, in its own system call, so
// that the sink being busy or late does not enter. It refuses to listen anywhere
// but on 127.0.0.1, counts only what is posted, and ends with its input.
package sink

import (
	"context"
	"encoding/gob"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// Status is the answer to the question whether the model is there.
	Status = `{"model_version_status":[{"version":"1","state":"AVAILABLE","status":{"error_code":"OK","error_message":""}}]}`
	// Answer is the answer to every other request.
	Answer = `{"predictions":[[0.5]]}`
	// ModelPath is where the model's state is asked for.
	ModelPath = "/v1/models/sink"
	// PredictPath is where requests are posted to.
	PredictPath = ModelPath + ":predict"
)

// Main serves until in ends. It writes its address as a line to out, and in the
// end the gob of a [Record].
func Main(args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("sink", flag.ContinueOnError)
	service := flags.Duration("service", 0, "one worker serves all, and takes so long; 0: at once")
	if err := flags.Parse(args); err != nil {
		return err
	}
	l, err := listen()
	if err != nil {
		return err
	}
	s := &server{service: *service, worker: make(chan struct{}, 1)}
	s.rec.rec.Requests = make([]Request, 0, 1<<20)
	begin := time.Now()
	httpd := &http.Server{Handler: s, ConnContext: withConn}
	served := make(chan error, 1)
	go func() { served <- httpd.Serve(l) }()
	fmt.Fprintln(out, l.Addr())
	_, err = io.Copy(io.Discard, in)

	rec := s.rec.record()
	rec.CPU = cpu()
	now := time.Now()
	rec.ClockStep = now.Round(0).Sub(begin.Round(0)) - now.Sub(begin)
	err = errors.Join(err, httpd.Close())
	if e := <-served; !errors.Is(e, http.ErrServerClosed) {
		err = errors.Join(err, e)
	}
	return errors.Join(err, gob.NewEncoder(out).Encode(rec))
}

func cpu() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

type connKey struct{}

func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

type server struct {
	service time.Duration
	worker  chan struct{} // holds the request that is served; others queue in order
	rec     recorder
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := r.Context().Value(connKey{}).(*stampedConn)
	// Before the answer is flushed, which is after this returns: the next
	// request of the connection begins with no stamp.
	defer c.first.Store(0)
	switch {
	case r.Method == http.MethodPost:
		s.predict(w, r, c.first.Load())
	case r.Method == http.MethodGet && r.URL.Path == ModelPath:
		write(w, Status)
	default:
		http.NotFound(w, r)
	}
}

func (s *server) predict(w http.ResponseWriter, r *http.Request, stamp int64) {
	i := s.rec.arrive(stamp)
	answered := read(r.Body) && s.serve(r.Context()) && write(w, Answer)
	s.rec.leave(i, answered)
}

// serve waits for the worker and spends its time, and returns false if the
// client went away before that.
func (s *server) serve(ctx context.Context) bool {
	if s.service == 0 {
		return true
	}
	select {
	case s.worker <- struct{}{}:
		defer func() { <-s.worker }()
	case <-ctx.Done():
		return false
	}
	time.Sleep(s.service)
	return true
}

var buffers = sync.Pool{New: func() any { return new([64 << 10]byte) }}

// read reads all of a body and returns whether it was whole.
func read(body io.Reader) bool {
	b := buffers.Get().(*[64 << 10]byte)
	defer buffers.Put(b)
	_, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, body, b[:])
	return err == nil
}

func write(w http.ResponseWriter, body string) bool {
	h := w.Header()
	h["Content-Type"] = []string{"application/json"}
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	_, err := io.WriteString(w, body)
	return err == nil
}
