package tfserving

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/payload"
)

// reply is a request that was started.
type reply struct {
	noStamps
	answer chan loadgen.Answer // capacity 1
}

func (r reply) End(a loadgen.Answer) { r.answer <- a }

func TestStart(t *testing.T) {
	answers := map[string]ledger.Failure{
		`{"predictions": [[NaN, 0.5]]}`: {},
		`{"outputs": 1}`:                {},
		`{"error": "out of memory"}`:    {Class: ledger.WrongAnswer, Code: 200, Text: "out of memory"},
		`{"predictions": [`:             {Class: ledger.BadBody, Code: 200, Text: "truncated after 17 bytes"},
		``:                              {Class: ledger.BadBody, Code: 200, Text: "empty"},
	}
	say := make(chan string, 1) // one request at a time
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			_, _ = io.WriteString(w, available3)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, <-say)
	}))
	t.Cleanup(srv.Close)
	o := Options{URL: "tfs+" + srv.URL, Payload: payload.Options{Body: bodyFile(t, `{"instances":[1]}`)}}
	sender, err := newTarget(t, o).Prepare(t.Context(), "m")
	if err != nil {
		t.Fatal(err)
	}
	s := sender.(loadgen.Starter)
	r := reply{answer: make(chan loadgen.Answer, 1)}
	if s.Start(r) != nil {
		t.Fatal("started without a connection")
	}
	for body, want := range answers {
		say <- body
		if a := s.Send(t.Context(), noStamps{}); a.Failure != want {
			t.Errorf("%q: got %+v, want %+v", body, a, want)
		}
		say <- body
		if s.Start(r) == nil {
			t.Fatal("not started")
		}
		a := <-r.answer
		if a.Failure != want || a.Up != s.BodyBytes() || a.Down != int64(len(body)) || "http://"+a.Peer != srv.URL {
			t.Errorf("%q: got %+v, want %+v", body, a, want)
		}
	}
}

// What cannot be started is no Starter, so that nobody tries.
func TestOnlyTheRawPathStarts(t *testing.T) {
	_, url := serve(t, map[string]page{"GET /v1/models/m": json200(available3)})
	o := Options{URL: url, Payload: payload.Options{Body: bodyFile(t, `{"instances":[1]}`)}}
	for _, raw := range []bool{true, false} {
		o.HTTP.NetHTTP = !raw
		s, err := newTarget(t, o).Prepare(t.Context(), "m")
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := s.(loadgen.Starter); ok != raw {
			t.Errorf("raw %t: %T", raw, s)
		}
	}
}
