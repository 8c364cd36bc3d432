package demo

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"dev.example/pileup/loadgen/guard"
)

// tiny has inputs of 2×2 floats; pair has two outputs.
func tiny() []Model {
	return []Model{
		{Name: "tiny", Input: "x", Shape: []int{2, 2}},
		{Name: "pair", Input: "x", Shape: []int{2, 2}, Outputs: []Output{
			{Name: "a", Shape: []int{2}}, {Name: "b", Shape: nil},
		}},
	}
}

func TestRoutes(t *testing.T) {
	const one, two = `[[1,2],[3,4]]`, `[[[1,2],[3,4]],[[5,6],[7,8]]]`
	for _, c := range []struct {
		method, path, body string
		code               int
		want               string
	}{
		{"GET", "/v1/models/tiny", "", 200, `"state": "AVAILABLE"`},
		{"GET", "/V1/Models/tiny/versions/1", "", 200, `"version": "1"`},
		{"GET", "/v1/models/tiny/labels/stable", "", 200, `"version": "1"`},
		{"GET", "/v1/models/tiny/labels/canary", "", 400, `"Unrecognized servable version label: canary"`},
		{"GET", "/v1/models/tiny/versions/7", "", 404, `"Could not find version 7 of model tiny"`},
		{"GET", "/v1/models/none", "", 404, `"Could not find any versions of model none"`},
		{"GET", "/v1/models/none/metadata", "", 404, `"Servable not found for request: Latest(none)"`},
		{"GET", "/v1/models/tiny/versions/7/metadata", "", 404, `"Servable not found for request: Specific(tiny, 7)"`},
		{"GET", "/v1/models", "", 400, `"Missing model name in request."`},
		{"GET", "/v1/other", "", 400, `"Malformed request: GET /v1/other"`},
		{"PUT", "/v1/models/tiny:predict", "", 400, `"Malformed request: PUT /v1/models/tiny:predict"`},
		{"GET", "/", "", 404, "<TITLE>404 Not Found</TITLE>"},
		{"GET", "/monitoring/prometheus/metrics", "", 404, "<HTML>"},
		{"POST", "/v1/models/tiny:predict", `{"instances":[` + one + `]}`, 200, `"predictions": [[`},
		{"POST", "/v1/models/tiny/versions/1:predict", `{"inputs":{"x":` + two + `}}`, 200, `"outputs": [[`},
		{"POST", "/v1/models/none:predict", `{"instances":[1]}`, 404, `"Servable not found for request: Latest(none)"`},
		{"POST", "/v1/models/tiny/versions/7:predict", `{"instances":[1]}`, 404, `Specific(tiny, 7)`},
		{"POST", "/v1/models/tiny:predict", ``, 400, `JSON Parse error: The document is empty`},
		{"POST", "/v1/models/tiny:predict", `{}`, 400, `Missing 'inputs' or 'instances' key`},
		{"POST", "/v1/models/tiny:predict", `{"inputs":1,"instances":[1]}`, 400, `only one of 'inputs' or 'instances'`},
		{"POST", "/v1/models/tiny:predict", `{"instances":[1,2,3]}`, 400, `a tensor with 3 values`},
		{"POST", "/v1/models/tiny:predict", `{"signature_name":"x","instances":[1,2,3,4]}`, 400, `signature name: \"x\" not found`},
		{"POST", "/v1/models/tiny:classify", `{"examples":[1]}`, 400, `tensorflow/serving/classify. Was: tensorflow/serving/predict`},
	} {
		t.Run(c.method+" "+c.path+" "+c.body, func(t *testing.T) {
			client, stop := start(t, New(Config{Models: tiny()}))
			defer stop()
			r := do(t, client, c.method, c.path, strings.NewReader(c.body))
			if r.code != c.code || !strings.Contains(r.text, c.want) {
				t.Errorf("got %d %s, want %d … %s", r.code, r.text, c.code, c.want)
			}
			html := strings.HasPrefix(r.text, "<HTML>")
			if (r.kind == "text/html") != html || !html && (r.kind != jsonKind || !json.Valid([]byte(r.text))) {
				t.Errorf("content type %q for %s", r.kind, r.text)
			}
		})
	}
}

type reply struct {
	code       int
	kind, text string
}

func do(t *testing.T, c *http.Client, method, path string, body io.Reader) reply {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, "http://demo"+path, body)
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{r.StatusCode, r.Header.Get("Content-Type"), string(text)}
}

// Rows come one an example, columns as one tensor a name.
func TestAnswers(t *testing.T) {
	client, stop := start(t, New(Config{Models: tiny()}))
	defer stop()
	const eight = `[[[1,2],[3,4]],[[5,6],[7,8]]]`
	var rows struct{ Predictions []map[string]any }
	r := do(t, client, "POST", "/v1/models/pair:predict", strings.NewReader(`{"instances":`+eight+`}`))
	if err := json.Unmarshal([]byte(r.text), &rows); err != nil || len(rows.Predictions) != 2 {
		t.Errorf("got %v (%v), want two rows", r, err)
	}
	var columns struct{ Outputs map[string][]any }
	r = do(t, client, "POST", "/v1/models/pair:predict", strings.NewReader(`{"inputs":`+eight+`}`))
	if err := json.Unmarshal([]byte(r.text), &columns); err != nil || len(columns.Outputs["a"]) != 2 || len(columns.Outputs["b"]) != 2 {
		t.Errorf("got %v (%v), want two columns of two", r, err)
	}
}

func TestMetadata(t *testing.T) {
	client, stop := start(t, New(Config{}))
	defer stop()
	for _, m := range Models() {
		r := do(t, client, "GET", "/v1/models/"+m.Name+"/metadata", nil)
		var meta struct {
			Metadata struct {
				SignatureDef struct {
					SignatureDef map[string]struct {
						Inputs map[string]struct {
							Dtype       string
							TensorShape struct{ Dim []struct{ Size string } } `json:"tensor_shape"`
						}
					} `json:"signature_def"`
				} `json:"signature_def"`
			}
		}
		if err := json.Unmarshal([]byte(r.text), &meta); err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		in := meta.Metadata.SignatureDef.SignatureDef["serving_default"].Inputs[m.Input]
		if in.Dtype != "DT_FLOAT" || len(in.TensorShape.Dim) != 4 || in.TensorShape.Dim[0].Size != "-1" {
			t.Errorf("%s: input %+v", m.Name, in)
		}
	}
}

func TestClassesSumToOne(t *testing.T) {
	for _, m := range Models()[:3] {
		var p []float64
		if err := json.Unmarshal(m.Outputs[0].json(nil, m.seed()), &p); err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, x := range p {
			sum += x
		}
		if len(p) != 1001 || sum < 0.99 || sum > 1.01 {
			t.Errorf("%s: %d classes sum to %v", m.Name, len(p), sum)
		}
	}
}

func TestGzip(t *testing.T) {
	client, stop := start(t, New(Config{Models: tiny()}))
	defer stop()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := io.WriteString(z, `{"instances":[[[1,2],[3,4]]]}`); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), "POST", "http://demo/v1/models/tiny:predict", &packed)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Encoding", "gzip")
	r, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if r.StatusCode != 200 {
		t.Errorf("status %s", r.Status)
	}
}

// Over real sockets: serves, and Serve returns when told although a
// connection stands in the middle of a body.
func TestSockets(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ln, err := Listen(ctx, "127.0.0.1:0")
	if err != nil {
		t.Skipf("no loopback: %v", err)
	}
	s := New(Config{Models: tiny()})
	var g guard.Group
	g.Go("server", func() {
		if err := s.Serve(ctx, ln); err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	url := "http://" + ln.Addr().String() + "/v1/models/tiny:predict"
	r, err := http.Post(url, "application/json", strings.NewReader(`{"instances":[[[1,2],[3,4]]]}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != 200 {
		t.Errorf("status %s", r.Status)
	}
	half, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer half.Close()
	const begun = "POST /v1/models/tiny:predict HTTP/1.1\r\nHost: demo\r\nContent-Length: 1000\r\n\r\n{"
	if _, err := io.WriteString(half, begun); err != nil {
		t.Fatal(err)
	}
	cancel()
	g.Wait()
	if text, err := io.ReadAll(half); err == nil && len(text) > 0 {
		t.Errorf("half a body got %s", text)
	}
}
