package tfserving

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dev.example/pileup/loadgen/payload"
)

// def is metadata with these signatures.
func def(signatures string) string {
	return `{"metadata":{"signature_def":{"signature_def":{` + signatures + `}}}}`
}

func TestParseMetadata(t *testing.T) {
	for _, tt := range []struct {
		name string
		body string
		want metadata
		err  string
	}{
		{name: "an image model", body: imageMeta, want: metadata{inputs: []payload.Tensor{
			{Name: "image", Type: payload.Float32, Said: "DT_FLOAT", Dims: []int64{-1, 4, 5, 3}},
		}}},
		{
			name: "two inputs in the order of their names",
			body: def(`"serving_default":{"inputs":{"b":{"dtype":"DT_INT64","tensor_shape":{"dim":[]}},"a":{"dtype":"DT_STRING","tensor_shape":{"unknown_rank":true}}}},"other":{}`),
			want: metadata{inputs: []payload.Tensor{
				{Name: "a", Type: payload.Bytes, Said: "DT_STRING", UnknownRank: true},
				{Name: "b", Type: payload.Int64, Said: "DT_INT64"},
			}},
		},
		{
			name: "the only signature, sizes as numbers",
			body: def(`"predict":{"inputs":{"x":{"dtype":"DT_QINT8","tensor_shape":{"dim":[{"size":2},{"size":-7}]}}}},"__saved_model_init_op":{}`),
			want: metadata{signature: "predict", inputs: []payload.Tensor{
				{Name: "x", Type: payload.Other, Said: "DT_QINT8", Dims: []int64{2, -1}},
			}},
		},
		{name: "several", body: def(`"b":{},"a":{}`), err: "it has the signatures a, b and no serving_default"},
		{name: "none", body: def(`"__saved_model_init_op":{}`), err: "it has no signature"},
		{name: "not JSON", body: "<html>", err: "not what TensorFlow Serving answers: "},
		{name: "bad size", body: def(`"a":{"inputs":{"x":{"tensor_shape":{"dim":[{"size":"big"}]}}}}`), err: "is no size of a dimension"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parseMetadata([]byte(tt.body))
			if err != nil {
				if tt.err == "" || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("got %v, want %q", err, tt.err)
				}
				return
			}
			if d := cmp.Diff(tt.want, got, cmp.AllowUnexported(metadata{})); d != "" || tt.err != "" {
				t.Errorf("%s\nwanted error %q", d, tt.err)
			}
		})
	}
}

func FuzzParseMetadata(f *testing.F) {
	f.Add([]byte(imageMeta))
	f.Add([]byte(def(`"a":{"inputs":{"x":{"dtype":"DT_INT8","tensor_shape":{"dim":[{"size":"-1"},{"size":"9223372036854775807"}]}}}}`)))
	f.Fuzz(func(t *testing.T, b []byte) {
		meta, err := parseMetadata(b)
		if err != nil {
			return
		}
		for _, in := range meta.inputs {
			for _, d := range in.Dims {
				if d < -1 {
					t.Errorf("dim %d", d)
				}
			}
			if n := elements(in); n > 1<<16 {
				return // too large to make in a fuzz test
			}
		}
		p, err := payload.Rows(meta.inputs, payload.Options{})
		if err == nil && (p.Body[0] != '{' || p.Body[len(p.Body)-1] != '}') {
			t.Errorf("body %s", p.Body)
		}
	})
}

func elements(t payload.Tensor) float64 {
	n := 1.0
	for _, d := range t.Dims {
		n *= float64(max(d, 1))
	}
	return n * float64(len(t.Dims)+1)
}
