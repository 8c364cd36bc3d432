package tfserving

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"syscall"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/target/httpconn"
)

// A dialect is whose status answer a server gives.
type dialect uint8

const (
	serving dialect = iota // model_version_status
	kserve                 // ready
)

// status asks whether the server has the model and can answer for it.
func (t *Target) status(ctx context.Context, m model) (dialect, error) {
	page, err := t.get(ctx, m.path())
	if err != nil {
		return 0, err
	}
	switch {
	case page.Status == http.StatusNotFound && isObject(page.Body) && (m.version != "" || !noRoute(page.Body)): // KServe knows no versions
		return 0, t.noSuchModel(ctx, m, page)
	case page.Status == http.StatusServiceUnavailable && isObject(page.Body): // KServe, of a model that loads
		return 0, notReady(m, page)
	}
	var body statusBody
	if page.Status != http.StatusOK || json.Unmarshal(page.Body, &body) != nil {
		return 0, t.foreign(page)
	}
	switch {
	case len(body.Versions) > 0:
		return serving, available(m, body.Versions)
	case body.Ready == nil:
		return 0, t.foreign(page)
	case !bool(*body.Ready):
		return 0, notReady(m, page)
	}
	return kserve, nil
}

func notReady(m model, page httpconn.Page) error {
	return &loadgen.Refusal{
		Err:  fmt.Errorf("model %q is not ready: %s", m, said(page)),
		Hint: "try again when it is loaded",
	}
}

// statusBody is the answer of either dialect.
type statusBody struct {
	Versions []versionStatus `json:"model_version_status"`
	Ready    *truth          `json:"ready"`
}

type versionStatus struct {
	Version json.RawMessage `json:"version"` // a string, in some servers a number
	State   string          `json:"state"`
	Status  struct {
		Message string `json:"error_message"`
	} `json:"status"`
}

// truth is a bool that older servers write as "True".
type truth bool

func (t *truth) UnmarshalJSON(b []byte) error {
	switch s := strings.ToLower(strings.Trim(string(b), `"`)); s {
	case "true", "false":
		*t = s == "true"
		return nil
	}
	return fmt.Errorf("%s is neither true nor false", b)
}

// available refuses a model none of whose versions can answer.
func available(m model, versions []versionStatus) error {
	states := make([]string, 0, len(versions))
	for _, v := range versions {
		if v.State == "AVAILABLE" {
			return nil
		}
		s := fmt.Sprintf("version %s is %s", strings.Trim(string(v.Version), `"`), v.State)
		if v.Status.Message != "" {
			s += " (" + v.Status.Message + ")"
		}
		states = append(states, s)
	}
	return &loadgen.Refusal{
		Err:  fmt.Errorf("model %q is not available: %s", m, loadgen.Printable(strings.Join(states, ", "))),
		Hint: "try again when it is loaded",
	}
}

// noSuchModel quotes the server, and names what it has where it tells.
func (t *Target) noSuchModel(ctx context.Context, m model, page httpconn.Page) error {
	hint := "write -m NAME with a model this server has"
	if names, err := t.Models(ctx); err == nil && len(names) > 0 {
		hint = "this server has " + loadgen.Printable(strings.Join(names, ", "))
	}
	return &loadgen.Refusal{
		Err:     fmt.Errorf("model %q is not served at %s, which answered 404: %s", m, t.Addr(), said(page)),
		Hint:    hint,
		NoModel: true,
	}
}

// Models asks for the server's models, which KServe's v1 protocol lists and
// TensorFlow Serving's does not.
func (t *Target) Models(ctx context.Context) ([]string, error) {
	page, err := t.get(ctx, "/v1/models")
	if err != nil {
		return nil, err
	}
	var body struct {
		Models []string `json:"models"`
	}
	if page.Status != http.StatusOK || json.Unmarshal(page.Body, &body) != nil || body.Models == nil {
		return nil, &loadgen.Refusal{
			Err:  fmt.Errorf("%s does not list its models", t.Addr()),
			Hint: "write -m NAME",
		}
	}
	return body.Models, nil
}

// get asks for a page and turns what is not an answer into a refusal.
func (t *Target) get(ctx context.Context, path string) (httpconn.Page, error) {
	page, err := t.client.Get(ctx, path)
	if err != nil {
		return page, &loadgen.Refusal{Err: err}
	}
	if page.Err == nil {
		return page, nil
	}
	if ctx.Err() != nil {
		return page, context.Cause(ctx)
	}
	return page, t.unanswered(page)
}

// unanswered says what a port that gave no answer is.
func (t *Target) unanswered(page httpconn.Page) error {
	const port = "give the REST port, " + "8501 unless the server was told another"
	if errors.Is(page.Err, httpconn.ErrStuck) {
		return &loadgen.Refusal{
			Err:  fmt.Errorf("%s: %w", t.Addr(), httpconn.ErrStuck),
			Hint: "look whether the server is overloaded",
		}
	}
	if errors.Is(page.Err, httpconn.ErrSilent) {
		return &loadgen.Refusal{
			Err:  fmt.Errorf("%s: %w", t.Addr(), httpconn.ErrSilent),
			Hint: "look whether the server is stuck, or " + port,
		}
	}
	page.Cause = nil
	f := loadgen.Classify(page.Seen)
	refuse := func(hint, format string, args ...any) error {
		return &loadgen.Refusal{Err: fmt.Errorf(format, args...), Hint: hint}
	}
	switch {
	case f.Class == ledger.ClientLimit:
		return &loadgen.Refusal{Err: fmt.Errorf("%s: this machine cannot connect: %w", t.Addr(), lacking(page.Err))}
	case f.Class == ledger.Connect && errors.Is(page.Err, syscall.ECONNREFUSED):
		return refuse("start the server, or look at host and port", "nothing listens at %s", t.Addr())
	case f.Class == ledger.Connect:
		return refuse("look at host and port, and whether a firewall is between", "%s cannot be reached: %s", t.Addr(), f.Text)
	case f.Class == ledger.DNS:
		return refuse("look at the host's name", "%s has no address: %s", t.address.Host, f.Text)
	case f.Class == ledger.Protocol && speaksHTTP2(page.Err):
		return refuse(port, "%s: this port speaks gRPC/HTTP2, not REST", t.Addr())
	case f.Class == ledger.Protocol:
		return refuse(port, "%s: this port does not speak HTTP: %s", t.Addr(), f.Text)
	case f.Class == ledger.Reset || f.Class == ledger.StaleKeepalive:
		return refuse(port, "%s: it closed the connection without an answer: %s", t.Addr(), f.Text)
	}
	return refuse("", "%s: %s", t.Addr(), f.Text)
}

// lacking is what this machine has no more of. The command line knows what to
// do about each.
func lacking(err error) error {
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return errno
	}
	return syscall.EMFILE // the resolver says it in words only
}

// speaksHTTP2 knows the beginning of an HTTP/2 connection, a SETTINGS frame of
// some size below 256, in what net/http says about it.
func speaksHTTP2(err error) bool {
	_, quoted, ok := strings.Cut(err.Error(), `malformed HTTP response "\x00\x00`)
	if !ok {
		return strings.Contains(err.Error(), "HTTP/2")
	}
	// One byte of length, in whatever way it is quoted, then type 4.
	i := strings.Index(quoted, `\x04\x00\x00\x00\x00\x00`)
	return i >= 0 && i <= len(`\x00`)
}

// foreign says what an answer is that is not of this protocol.
func (t *Target) foreign(page httpconn.Page) error {
	what := "an answer that is not its own: " + said(page)
	hint := "look at host, port and prefix: TensorFlow Serving's REST port is 8501"
	switch title := loadgen.Title(page.Head); {
	case loadgen.IsHTML(page.Type, page.Head) && title != "":
		what = "an HTML page titled '" + loadgen.Printable(title) + "'"
	case loadgen.IsHTML(page.Type, page.Head):
		what = "an HTML page"
	case len(bytes.TrimSpace(page.Body)) == 0:
		what = "an empty body"
	case isObject(page.Body) && page.Status != http.StatusOK:
		what = said(page)
	}
	switch page.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		hint = "give what it asks for with -H 'Authorization: …'"
	case http.StatusServiceUnavailable, http.StatusBadGateway, http.StatusGatewayTimeout:
		hint = "look whether the server behind this address is up"
	}
	return &loadgen.Refusal{
		Err: fmt.Errorf("%s: this port speaks HTTP, but not TensorFlow Serving's REST: it answered %d with %s",
			t.Addr(), page.Status, what),
		Hint: hint,
	}
}

func said(page httpconn.Page) string { return loadgen.Printable(loadgen.Said(page.Seen)) }

// noRoute reports whether a 404 is what FastAPI, and so KServe, answers to a
// path it does not know, whatever the model.
func noRoute(b []byte) bool {
	var body struct {
		Detail string `json:"detail"`
	}
	return json.Unmarshal(b, &body) == nil && body.Detail == "Not Found"
}

// isObject reports whether the body is one JSON object.
func isObject(b []byte) bool {
	b = bytes.TrimSpace(b)
	return len(b) > 0 && b[0] == '{' && json.Valid(b)
}
