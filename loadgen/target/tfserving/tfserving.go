// Package tfserving drives TensorFlow Serving's REST interface, and what else
// speaks its predict call: KServe's v1 protocol for one.
//
// Start with [New]. [Target.Prepare] asks the server about the model, says what
// is wrong in the server's own words, and encodes the request once; the
// [Sender] it returns posts these bytes and judges the answer by its outline,
// without parsing it: servers print NaN and Infinity bare, and answers are
// large.
package tfserving

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/payload"
	"dev.example/pileup/loadgen/target/httpconn"
)

// DefaultPort is the REST port of TensorFlow Serving's container image.
const DefaultPort = 8501

// Options of a target.
type Options struct {
	URL     string          // tfs+http://HOST[:PORT][/PREFIX]
	Payload payload.Options // what is sent
	HTTP    httpconn.Options
}

// A Target is one server. It implements [loadgen.Target].
type Target struct {
	address httpconn.Address
	payload payload.Options
	client  *httpconn.Client
}

var _ loadgen.Target = (*Target)(nil)

// New returns a target. It connects to nothing; its errors are
// [loadgen.Refusal] and about the URL.
func New(o Options) (*Target, error) {
	a, err := httpconn.ParseAddress(o.URL)
	if err != nil {
		return nil, err
	}
	if s := a.Scheme(); s != "tfs+http" {
		return nil, &loadgen.Refusal{Err: fmt.Errorf("unknown scheme %q", s), Hint: httpconn.ExampleHint}
	}
	if a.Port == 0 {
		a.Port = DefaultPort
	}
	return &Target{address: a, payload: o.Payload, client: httpconn.New(a, o.HTTP)}, nil
}

// Addr is the server's address: "10.0.0.7:8501".
func (t *Target) Addr() string { return t.address.HostPort() }

// Close closes idle connections and waits for those that carry a request, which
// has no bound of its own. Call it when no request is open any more, and none
// will be made.
func (t *Target) Close() error {
	t.client.Close()
	return nil
}

// Prepare makes sure that the server has the model, NAME or NAME:VERSION (a
// number or a label), and encodes its request. Every error but that of ctx is a
// [loadgen.Refusal].
func (t *Target) Prepare(ctx context.Context, model string) (loadgen.Sender, error) {
	m, err := parseModel(model)
	if err != nil {
		return nil, err
	}
	p, err := t.given()
	if err != nil {
		return nil, err
	}
	kind, err := t.status(ctx, m)
	if err != nil {
		return nil, err
	}
	if p == nil {
		if p, err = t.made(ctx, m, kind); err != nil {
			return nil, err
		}
	}
	return t.sender(m, p)
}

// given is the body of --body, nil if it is to be made.
func (t *Target) given() (*payload.Payload, error) {
	if t.payload.Body == "" {
		return nil, nil
	}
	p, err := payload.File(t.payload.Body)
	return p, refusal(err)
}

// made encodes a body from what the server says about the model.
func (t *Target) made(ctx context.Context, m model, kind dialect) (*payload.Payload, error) {
	if kind == kserve {
		return nil, &loadgen.Refusal{
			Err:  fmt.Errorf("%s speaks KServe's v1 protocol, which does not say what model %q takes", t.Addr(), m.name),
			Hint: "give the whole request with --body FILE",
		}
	}
	meta, err := t.metadata(ctx, m)
	if err != nil {
		return nil, err
	}
	o := t.payload
	o.Signature = meta.signature
	p, err := payload.Rows(meta.inputs, o)
	return p, refusal(err)
}

// refusal gives a payload's error the form that all of a target's have.
func refusal(err error) error {
	if err == nil {
		return nil
	}
	if p, ok := errors.AsType[*payload.Error](err); ok {
		return &loadgen.Refusal{Err: p.Err, Hint: p.Hint}
	}
	return &loadgen.Refusal{Err: err}
}

// A model is what -m names.
type model struct {
	name, version string // version may be empty, a number, or a label
}

func parseModel(s string) (model, error) {
	m := model{name: s}
	if i := strings.LastIndexByte(s, ':'); i >= 0 {
		m = model{s[:i], s[i+1:]}
		if m.version == "" {
			return m, noName(s)
		}
	}
	if m.name == "" || m.name == "." || m.name == ".." {
		return m, noName(s)
	}
	return m, nil
}

func noName(s string) error {
	return &loadgen.Refusal{Err: fmt.Errorf("%q is no model's name", s), Hint: "write -m NAME or -m NAME:VERSION"}
}

func (m model) String() string {
	if m.version == "" {
		return m.name
	}
	return m.name + ":" + m.version
}

// path is the model's place on the server, escaped.
func (m model) path() string {
	p := "/v1/models/" + url.PathEscape(m.name)
	switch {
	case m.version == "":
		return p
	case strings.Trim(m.version, "0123456789") == "":
		return p + "/versions/" + m.version
	}
	return p + "/labels/" + url.PathEscape(m.version)
}
