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
	return &Sender{model: m, payload: p, request: r}, nil
}

// BodyBytes is the size of one request's body.
func (s *Sender) BodyBytes() int64 { return int64(len(s.payload.Body)) }

// Payload is one line on what is sent:
// "mobilenet_v1: 150,528 floats, 3.2 MB as JSON, 0.6 MB binary".
func (s *Sender) Payload() string {
	return loadgen.Printable(s.model.String() + ": " + s.payload.Content() + ", " + s.payload.Size())
}

// Send posts the request once.
func (s *Sender) Send(ctx context.Context, stamps loadgen.Stamps) loadgen.Answer {
	scan := scans.Get().(*httpconn.Scan)
	defer scans.Put(scan)
	scan.Reset()
	res := s.request.Do(ctx, stamps, scan)
	return loadgen.Answer{Failure: judge(res.Seen, scan), Up: res.Up, Down: res.Down, Peer: res.Peer}
}

var scans = sync.Pool{New: func() any { return httpconn.NewScan("predictions", "outputs", "error") }}

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
