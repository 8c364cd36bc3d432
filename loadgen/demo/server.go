package demo

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"

	"dev.example/pileup/loadgen/guard"
)

// Config says what the server is like. The zero Config is the board of the
// package comment.
type Config struct {
	Link    float64 // bytes of request bodies per second, all connections together; 0 means 117e6
	Workers int     // examples computed at the same time; 0 means 2
	Models  []Model // nil means Models()
	Mode    int     // id of the power mode at the start; 0, or one the board lacks, is MAXN
}

// DefaultLink is what a gigabit Ethernet leaves for the bodies of requests,
// in bytes per second: 117e6 · 8 ÷ 1e9 = 94 %, the rest is headers and gaps.
const DefaultLink = 117e6

// A Server is the inference server. Make one with New; Serve is called once,
// all else is safe for concurrent use.
type Server struct {
	models  map[string]*servable
	link    *link
	compute *stage
	traffic *traffic
	board   *Board
	buffers sync.Pool // of *[buffered]byte
}

// New makes a server and its board. It starts nothing.
func New(c Config) *Server {
	if c.Link <= 0 {
		c.Link = DefaultLink
	}
	if c.Workers <= 0 {
		c.Workers = 2
	}
	if c.Models == nil {
		c.Models = Models()
	}
	s := &Server{
		models:  map[string]*servable{},
		link:    &link{rate: c.Link},
		compute: &stage{workers: c.Workers, slow: 1},
		traffic: &traffic{},
		buffers: sync.Pool{New: func() any { return new([buffered]byte) }},
	}
	for _, m := range c.Models {
		s.models[m.Name] = newServable(m)
	}
	s.board = newBoard(s, c.Mode)
	return s
}

// Board is the simulated board the server runs on.
func (s *Server) Board() *Board { return s.board }

// Serve answers what comes in on ln until ctx is done; open connections are
// then cut. It closes ln, and returns when everything it began has ended: nil
// if it was ctx that ended it.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var ours guard.Group
	var conns sync.WaitGroup
	srv := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.handle(ctx, w, r) }),
		BaseContext: func(net.Listener) context.Context {
			return ctx
		},
		ConnState: func(_ net.Conn, state http.ConnState) {
			switch state {
			case http.StateNew:
				conns.Add(1)
			case http.StateClosed, http.StateHijacked:
				conns.Done()
			default:
			}
		},
		// Whatever net/http has to say would land on a live screen.
		ErrorLog: log.New(io.Discard, "", 0),
	}
	ours.Go("demo link", func() { s.link.run(ctx) })
	ours.Go("demo close", func() {
		<-ctx.Done()
		_ = srv.Close() // errors of connections that are being cut
	})
	err := srv.Serve(ln)
	ended := ctx.Err() != nil
	stop()
	ours.Wait()
	conns.Wait()
	if ended || errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("serve %s: %w", ln.Addr(), err)
}

// handle takes one request: its body over the link, whatever it asks for (TF
// Serving too reads a request whole before it looks at it), then the answer.
func (s *Server) handle(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	defer guard.Recover("demo request")
	s.traffic.open()
	var body scan
	defer func() { s.traffic.close(body.size) }()
	if err := s.receive(r, &body); err != nil {
		refuse(http.StatusBadRequest, "Error reading request body: %s", err).write(w)
		return
	}
	a, err := s.answer(ctx, r, &body)
	if err != nil {
		return // the client is gone, or we are going
	}
	s.traffic.sent(len(a.body))
	a.write(w)
}

// receive looks through the request's body as the link carries it.
func (s *Server) receive(r *http.Request, body *scan) error {
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	s.link.begin()
	defer s.link.end()
	src := s.upload(r)
	if r.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(src)
		if err != nil {
			return fmt.Errorf("unpack: %w", err)
		}
		src = z
	}
	buf := s.buffers.Get().(*[buffered]byte)
	defer s.buffers.Put(buf)
	for {
		n, err := src.Read(buf[:])
		_, _ = body.Write(buf[:n]) // never fails
		s.traffic.hold(n)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// upload is r's body, read as fast as the link carries it: what stands in the
// socket at once, which is no more than it buffers anyway and saves system
// calls, and then on with it portion by portion. So only bodies that have
// something to carry stand in the link's queue.
func (s *Server) upload(r *http.Request) io.Reader {
	t := newTurn()
	return readFunc(func(p []byte) (int, error) {
		n, err := r.Body.Read(p)
		for left := n; left > 0; left -= portion {
			if gone := s.link.carry(r.Context(), t, min(left, portion)); gone != nil {
				return n, gone
			}
		}
		return n, err
	})
}

type readFunc func(p []byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }
