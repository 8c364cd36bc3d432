package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
)

// An answer is what goes back.
type answer struct {
	code int
	kind string // content type
	body []byte
}

const jsonKind = "application/json"

func good(body []byte) answer { return answer{http.StatusOK, jsonKind, body} }

// refuse is an answer as the handlers of TF Serving give it.
func refuse(code int, format string, args ...any) answer {
	text, _ := json.Marshal(fmt.Sprintf(format, args...)) // a string cannot fail
	return answer{code, jsonKind, fmt.Appendf(nil, "{ \"error\": %s }", text)}
}

// lost is the answer of the HTTP library under TF Serving, which knows no JSON.
func lost() answer {
	return answer{http.StatusNotFound, "text/html", []byte("<HTML><HEAD>\n" +
		"<TITLE>404 Not Found</TITLE>\n</HEAD><BODY>\n<H1>Not Found</H1>\n</BODY></HTML>\n")}
}

func (a answer) write(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", a.kind)
	h.Set("Content-Length", strconv.Itoa(len(a.body)))
	w.WriteHeader(a.code)
	_, _ = w.Write(a.body) // the client may be gone, which is its own affair
}

// A servable is a model with everything the server says about it, written
// down once.
type servable struct {
	Model
	status, metadata []byte
	results          [][]byte // one example's JSON, by output
}

func newServable(m Model) *servable {
	if len(m.Outputs) == 0 {
		m.Outputs = []Output{{Name: "predictions", Shape: []int{1001}}}
	}
	s := &servable{Model: m}
	for i := range m.Outputs {
		s.results = append(s.results, m.Outputs[i].json(nil, m.seed()))
	}
	s.status = indented(map[string]any{"model_version_status": []any{map[string]any{
		"version": version, "state": "AVAILABLE",
		"status": map[string]string{"error_code": "OK", "error_message": ""},
	}}})
	s.metadata = indented(map[string]any{
		"model_spec": map[string]string{"name": m.Name, "signature_name": "", "version": version},
		"metadata":   map[string]any{"signature_def": map[string]any{"signature_def": m.signatures()}},
	})
	return s
}

func indented(v any) []byte {
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		panic(fmt.Sprintf("demo: encode fixed JSON: %v", err)) // only maps and strings go in
	}
	return append(b, '\n')
}

func (m *Model) signatures() map[string]any {
	outputs := map[string]any{}
	for i, o := range m.Outputs {
		outputs[o.Name] = tensor(fmt.Sprintf("StatefulPartitionedCall:%d", i), o.Shape)
	}
	return map[string]any{
		"serving_default": map[string]any{
			"inputs":      map[string]any{m.Input: tensor("serving_default_"+m.Input+":0", m.Shape)},
			"outputs":     outputs,
			"method_name": "tensorflow/serving/predict",
		},
		"__saved_model_init_op": map[string]any{
			"inputs": map[string]any{}, "method_name": "",
			"outputs": map[string]any{"__saved_model_init_op": map[string]any{
				"dtype": "DT_INVALID", "name": "NoOp",
				"tensor_shape": map[string]any{"dim": []any{}, "unknown_rank": true},
			}},
		},
	}
}

// tensor describes floats of the shape with a batch of any size before it.
// TF Serving writes sizes as strings.
func tensor(name string, shape []int) map[string]any {
	dims := []any{map[string]string{"size": "-1", "name": ""}}
	for _, d := range shape {
		dims = append(dims, map[string]string{"size": strconv.Itoa(d), "name": ""})
	}
	return map[string]any{
		"dtype": "DT_FLOAT", "name": name,
		"tensor_shape": map[string]any{"dim": dims, "unknown_rank": false},
	}
}

// rows answers "instances": one item an example, an object of named values
// if there is more than one output.
func (s *servable) rows(batch int) []byte {
	var item []byte
	if len(s.results) == 1 {
		item = s.results[0]
	} else {
		item = s.object(func(r []byte) []byte { return r })
	}
	b := []byte("{\n    \"predictions\": ")
	b = append(b, repeat(item, batch)...)
	return append(b, "\n}"...)
}

// columns answers "inputs": whole tensors, by name if there are several.
func (s *servable) columns(batch int) []byte {
	b := []byte("{\n    \"outputs\": ")
	if len(s.results) == 1 {
		b = append(b, repeat(s.results[0], batch)...)
	} else {
		b = append(b, s.object(func(r []byte) []byte { return repeat(r, batch) })...)
	}
	return append(b, "\n}"...)
}

func (s *servable) object(value func([]byte) []byte) []byte {
	var b bytes.Buffer
	b.WriteString("{\n")
	for i, r := range s.results {
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, "        %q: ", s.Outputs[i].Name)
		b.Write(value(r))
	}
	b.WriteString("\n    }")
	return b.Bytes()
}

func repeat(item []byte, n int) []byte {
	b := append([]byte{'['}, item...)
	for range n - 1 {
		b = append(append(b, ", "...), item...)
	}
	return append(b, ']')
}
