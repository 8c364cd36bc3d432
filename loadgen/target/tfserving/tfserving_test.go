package tfserving

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/payload"
)

const (
	available3 = `{"model_version_status":[{"version":"3","state":"AVAILABLE","status":{"error_code":"OK","error_message":""}}]}`
	imageMeta  = `{"model_spec":{"name":"m","signature_name":"","version":"3"},"metadata":{"signature_def":{"signature_def":{
		"serving_default":{"inputs":{"image":{"dtype":"DT_FLOAT","tensor_shape":{"dim":[{"size":"-1","name":""},{"size":"4","name":""},{"size":"5","name":""},{"size":"3","name":""}],"unknown_rank":false},"name":"serving_default_image:0"}},
		"outputs":{},"method_name":"tensorflow/serving/predict"},
		"__saved_model_init_op":{"inputs":{},"outputs":{},"method_name":""}}}}}`
)

// A page is one scripted answer.
type page struct {
	status      int
	contentType string
	body        string
}

// fake serves pages by "METHOD path" and keeps what was asked.
type fake struct {
	pages map[string]page
	asked chan string // holds 100; more block the server
	body  chan string
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b, _ := io.ReadAll(r.Body)
	key := r.Method + " " + r.URL.EscapedPath()
	f.asked <- key
	if r.Method == http.MethodPost {
		f.body <- string(b)
	}
	p, ok := f.pages[key]
	if !ok {
		p = page{http.StatusNotFound, "text/html", "<HTML><HEAD><TITLE>404 Not Found</TITLE></HEAD></HTML>"}
	}
	w.Header().Set("Content-Type", p.contentType)
	w.WriteHeader(p.status)
	_, _ = io.WriteString(w, p.body)
}

func serve(t *testing.T, pages map[string]page) (*fake, string) {
	t.Helper()
	f := &fake{pages: pages, asked: make(chan string, 100), body: make(chan string, 100)}
	srv := httptest.NewServer(f)
	t.Cleanup(srv.Close)
	return f, "tfs+" + srv.URL
}

func newTarget(t *testing.T, o Options) *Target {
	t.Helper()
	target, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = target.Close() })
	return target
}

func bodyFile(t *testing.T, content string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "body.json")
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// noStamps takes no time.
type noStamps struct{}

func (noStamps) Sent()  {}
func (noStamps) First() {}

func json200(body string) page { return page{200, "application/json", body} }

func TestPredict(t *testing.T) {
	f, url := serve(t, map[string]page{
		"GET /v1/models/m":          json200(available3),
		"GET /v1/models/m/metadata": json200(imageMeta),
		"POST /v1/models/m:predict": json200(`{"predictions": [[NaN, 0.5, -Infinity]]}` + "\n"),
	})
	s, err := newTarget(t, Options{URL: url, Payload: payload.Options{Seed: 7}}).Prepare(t.Context(), "m")
	if err != nil {
		t.Fatal(err)
	}
	a := s.Send(t.Context(), noStamps{})
	if a.Failure != (ledger.Failure{}) || a.Down != 41 || "tfs+http://"+a.Peer != url {
		t.Errorf("got %+v", a)
	}
	body := <-f.body
	if int64(len(body)) != s.BodyBytes() || !strings.HasPrefix(body, `{"instances": [[[[0.`) {
		t.Errorf("body of %d bytes, said %d: %.40s", len(body), s.BodyBytes(), body)
	}
	if got, want := s.Payload(), "m: 60 floats, 1.29 kB as JSON, 240 B binary"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestGivenBodyNeedsNoMetadata(t *testing.T) {
	f, url := serve(t, map[string]page{
		"GET /v1/models/m":          json200(`{"name":"m","ready":true}`),
		"POST /v1/models/m:predict": json200(`{"predictions":[1]}`),
	})
	o := Options{URL: url, Payload: payload.Options{Body: bodyFile(t, `{"instances":[1]}`)}}
	s, err := newTarget(t, o).Prepare(t.Context(), "m")
	if err != nil {
		t.Fatal(err)
	}
	if a := s.Send(t.Context(), noStamps{}); a.Failure.Class != ledger.OK {
		t.Errorf("got %+v", a)
	}
	if got := <-f.body; got != `{"instances":[1]}` {
		t.Errorf("sent %q", got)
	}
	close(f.asked)
	var asked []string
	for a := range f.asked {
		asked = append(asked, a)
	}
	if got := strings.Join(asked, ", "); got != "GET /v1/models/m, POST /v1/models/m:predict" {
		t.Errorf("asked %s", got)
	}
}

func TestModelPath(t *testing.T) {
	for _, tt := range []struct{ model, want string }{
		{"m", "/v1/models/m"},
		{"m:3", "/v1/models/m/versions/3"},
		{"m:stable", "/v1/models/m/labels/stable"},
		{"a:b:12", "/v1/models/a:b/versions/12"},
		{"a b/c?", "/v1/models/a%20b%2Fc%3F"},
		{"", ""},
		{":3", ""},
		{"m:", ""},
		{"..", ""},
	} {
		m, err := parseModel(tt.model)
		if err != nil {
			var r *loadgen.Refusal
			if tt.want != "" || !errors.As(err, &r) || r.Hint == "" {
				t.Errorf("%q: %v", tt.model, err)
			}
			continue
		}
		if got := m.path(); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.model, got, tt.want)
		}
	}
}

func TestURL(t *testing.T) {
	for _, tt := range []struct{ url, addr, err string }{
		{"tfs+http://host", "host:8501", ""},
		{"tfs+http://host:80/pre/fix/", "host:80", ""},
		{"TFS+HTTP://[::1]", "[::1]:8501", ""},
		{"tfs+https://host", "", `unknown scheme "tfs+https"`},
		{"http://host", "", `unknown scheme "http"`},
		{"tfs+http://", "", `"tfs+http://" names no host`},
		{"tfs+http://host:0", "", `"tfs+http://host:0" has no valid port: 1 to 65535`},
	} {
		target, err := New(Options{URL: tt.url})
		if err != nil {
			var r *loadgen.Refusal
			if err.Error() != tt.err || !errors.As(err, &r) || r.Hint != "write tfs+http://HOST:8501" {
				t.Errorf("%s: got %q", tt.url, err)
			}
			continue
		}
		if got := target.Addr(); got != tt.addr || tt.err != "" {
			t.Errorf("%s: got %q, want %q%s", tt.url, got, tt.addr, tt.err)
		}
	}
}

func TestEveryErrorIsARefusal(t *testing.T) {
	if err := refusal(nil); err != nil {
		t.Errorf("got %v", err)
	}
	for _, cause := range []error{io.ErrUnexpectedEOF, &payload.Error{Err: io.ErrUnexpectedEOF, Hint: "h"}} {
		var r *loadgen.Refusal
		if err := refusal(cause); !errors.As(err, &r) || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("got %v", err)
		}
	}
}

func TestPrepareEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		cancel(loadgen.ErrCut)
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}
	o := Options{URL: "tfs+http://host"}
	o.HTTP.Dial = dial
	if _, err := newTarget(t, o).Prepare(ctx, "m"); !errors.Is(err, loadgen.ErrCut) {
		t.Errorf("got %v", err)
	}
}
