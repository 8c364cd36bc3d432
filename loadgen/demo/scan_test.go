package demo

import (
	"encoding/json"
	"strings"
	"testing"
)

func look(body string, pieces int) *scan {
	var s scan
	for len(body) > 0 {
		n := max(1, min(len(body), len(body)/max(1, pieces)))
		_, _ = s.Write([]byte(body[:n]))
		body = body[n:]
	}
	return &s
}

func TestScan(t *testing.T) {
	for _, c := range []struct {
		name, body        string
		fault             string // beginning
		instances, inputs bool
		signature         string
		values            int64
	}{
		{name: "row", body: `{"instances": [[1, 2.5e3], [NaN, -4]]}`, instances: true, values: 4},
		{name: "column", body: "\n{ \"inputs\" :[1,\t2 ] }\r\n", inputs: true, values: 2},
		{name: "named row", body: `{"instances":[{"x":[1,2]},{"x":[3,4]}]}`, instances: true, values: 4},
		{name: "signature first", body: `{"signature_name": "abc", "instances": [1,2,3]}`, instances: true, signature: "abc", values: 3},
		{name: "signature last", body: `{"inputs": {"x": [1,2,3]}, "signature_name": "abc"}`, inputs: true, signature: "abc", values: 3},
		{name: "both", body: `{"instances": [1], "inputs": 2}`, instances: true, inputs: true, values: 1},
		{name: "key below the top", body: `{"data": {"inputs": [1]}}`, values: 1},
		{name: "key as a value", body: `{"signature_name": "inputs", "x": 1}`, signature: "inputs", values: 1},
		{name: "quotes and braces in strings", body: `{"a\"}{": "],\\", "inputs": ["x,y\\", "{"]}`, inputs: true, values: 2},
		{name: "empty", fault: "JSON Parse error: The document is empty"},
		{name: "list", body: `[1,2]`, fault: "JSON Value: "},
		{name: "word", body: `hello`, fault: "JSON Parse error: Invalid value"},
		{name: "cut in a list", body: `{"instances": [[1, 2`, fault: "JSON Parse error: Missing"},
		{name: "cut in a string", body: `{"instances`, fault: "JSON Parse error: Missing"},
		{name: "cut before the end", body: `{"instances": [1]`, fault: "JSON Parse error: Missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, pieces := range []int{1, 2, 3, 1000} {
				s := look(c.body, pieces)
				if got := s.fault(); !strings.HasPrefix(got, c.fault) || (c.fault == "") != (got == "") {
					t.Fatalf("in %d pieces: fault %q, want %q", pieces, got, c.fault)
				}
				if c.fault != "" {
					continue
				}
				if s.instances != c.instances || s.inputs != c.inputs || s.signature != c.signature {
					t.Errorf("in %d pieces: instances %t, inputs %t, signature %q", pieces, s.instances, s.inputs, s.signature)
				}
				if got := s.values(); got != c.values {
					t.Errorf("in %d pieces: %d values, want %d", pieces, got, c.values)
				}
				if s.size != int64(len(c.body)) {
					t.Errorf("in %d pieces: size %d, want %d", pieces, s.size, len(c.body))
				}
			}
		})
	}
}

// What a parser takes for an object, a scan does too, with the same keys,
// however it is cut.
func FuzzScan(f *testing.F) {
	f.Add(`{"instances": [[1, 2]], "signature_name": "x"}`, 1)
	f.Add(`{"inputs": {"a": "\"}{,[\\"}}`, 3)
	f.Fuzz(func(t *testing.T, body string, pieces int) {
		s := look(body, pieces)
		var keys map[string]json.RawMessage
		if json.Unmarshal([]byte(body), &keys) != nil || keys == nil {
			return
		}
		if strings.Contains(body, `\u`) {
			return // escaped letters in keys are not undone
		}
		if got := s.fault(); got != "" {
			t.Errorf("fault %q in an object", got)
		}
		if _, want := keys["instances"]; s.instances != want {
			t.Errorf("instances %t, want %t", s.instances, want)
		}
		if _, want := keys["inputs"]; s.inputs != want {
			t.Errorf("inputs %t, want %t", s.inputs, want)
		}
	})
}

func BenchmarkScan(b *testing.B) {
	body := floats(224 * 224 * 3)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		var s scan
		for i := 0; i < len(body); i += portion {
			_, _ = s.Write(body[i:min(i+portion, len(body))])
		}
	}
}
