package tfserving

import (
	"context"
	"net/http"
	"sync"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/payload"
	"dev.example/pileup/loadgen/target/httpconn"
)

// A Sender posts one model's predict request. It implements [loadgen.Sender].
type Sender struct {
	model   model
	payload *payload.Payload
	request *httpconn.Request
}

func (t *Target) sender(m model, p *payload.Payload) (loadgen.Sender, error) {
	r, err := t.client.Request(http.MethodPost, m.path()+":predict", "application/json", p.Body)
	if err != nil {
		return nil, &loadgen.Refusal{Err: err}
	}
	s := &Sender{model: m, payload: p, request: r}
	if r.Via() == httpconn.ViaRaw {
		return &Starter{s}, nil
	}
	return s, nil
}

// BodyBytes is the size of one request's body.
func (s *Sender) BodyBytes() int64 { return int64(len(s.payload.Body)) }

// Payload is one line on what is sent:
// "mobilenet_v1: 150,528 floats, 3.15 MB as JSON, 602 kB binary".
func (s *Sender) Payload() string {
	return loadgen.Printable(s.model.String() + ": " + s.payload.Content() + ", " + s.payload.Size())
}

// Send posts the request once.
func (s *Sender) Send(ctx context.Context, stamps loadgen.Stamps) loadgen.Answer {
	e := exchanges.Get().(*exchange)
	defer exchanges.Put(e)
	e.scan.Reset()
	res := s.request.Do(ctx, stamps, e)
	return e.answer(&res)
}

// A Starter is a Sender whose requests need no goroutine of their own. It
// implements [loadgen.Starter].
type Starter struct{ *Sender }

var _ loadgen.Starter = (*Starter)(nil)

// Start posts the request once, if a connection is idle.
func (s *Starter) Start(r loadgen.Reply) loadgen.Started {
	e := exchanges.Get().(*exchange)
	e.reply = r
	e.scan.Reset()
	started := s.request.Start(r, e)
	if started == nil {
		e.free()
	}
	return started
}

// An exchange judges one answer as it comes. It is used again, and so must not
// be touched once it is free.
type exchange struct {
	reply loadgen.Reply // of a request that was started
	scan  *httpconn.Scan
}

var exchanges = sync.Pool{New: func() any {
	return &exchange{scan: httpconn.NewScan("predictions", "outputs", "error")}
}}

// Write takes a part of the answer's body.
func (e *exchange) Write(p []byte) (int, error) { return e.scan.Write(p) }

// End takes what was seen and passes on what it means.
func (e *exchange) End(res *httpconn.Result) {
	a, r := e.answer(res), e.reply
	e.free()
	r.End(a)
}

func (e *exchange) answer(res *httpconn.Result) loadgen.Answer {
	return loadgen.Answer{Failure: judge(res.Seen, e.scan), Up: res.Up, Down: res.Down, Peer: res.Peer}
}

func (e *exchange) free() {
	e.reply = nil
	exchanges.Put(e)
}

// judge decides whether an answer is a prediction: status 200 and one JSON
// object with predictions (row format) or outputs (columnar).
func judge(seen loadgen.Seen, scan *httpconn.Scan) ledger.Failure {
	if seen.Err == nil && seen.Status < 300 {
		seen.Body = scan.Object()
	}
	f := loadgen.Classify(seen)
	switch {
	case f.Class != ledger.OK:
		return f
	case scan.Has("predictions"), scan.Has("outputs"):
		if seen.Status == http.StatusOK {
			return f
		}
		f.Text = http.StatusText(seen.Status) + " instead of OK"
	case scan.Has("error"):
		f.Text = loadgen.Printable(loadgen.Said(seen))
	default:
		f.Text = "neither predictions nor outputs in " + loadgen.Printable(string(seen.Head))
	}
	f.Class, f.Code, f.Text = ledger.WrongAnswer, seen.Status, loadgen.Printable(f.Text)
	return f
}
