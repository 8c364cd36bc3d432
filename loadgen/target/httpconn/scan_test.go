package httpconn

import (
	"bytes"
	"fmt"
	"testing"
)

// predictions is an answer of n numbers, as TensorFlow Serving writes it.
func predictions(n int) []byte {
	var b bytes.Buffer
	b.WriteString("{\n    \"predictions\": [[")
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		_, _ = fmt.Fprintf(&b, "%.9g", 1/float64(i+3))
	}
	b.WriteString("]\n    ]\n}")
	return b.Bytes()
}

// Byte by byte or many at once, a document is the same.
func FuzzScan(f *testing.F) {
	f.Add(predictions(9))
	f.Add([]byte(`{"a": ["x\"]\\", {"outputs": "\u0041{"}], "error": [1e5, [NaN, -Infinity]], "outputs" : 1} x`))
	f.Fuzz(func(t *testing.T, p []byte) {
		one, all := NewScan("predictions", "outputs", "error"), NewScan("predictions", "outputs", "error")
		for i := range p {
			_, _ = one.Write(p[i : i+1])
		}
		_, _ = all.Write(p)
		for _, key := range one.keys {
			if one.Has(key) != all.Has(key) {
				t.Errorf("%q: one by one %t, at once %t", key, one.Has(key), all.Has(key))
			}
		}
		if one.Object() != all.Object() || one.depth != all.depth {
			t.Errorf("one by one %v at depth %d, at once %v at %d", one.Object(), one.depth, all.Object(), all.depth)
		}
	})
}

func BenchmarkScan(b *testing.B) {
	answer := predictions(1001)
	s := NewScan("predictions", "outputs", "error")
	b.SetBytes(int64(len(answer)))
	b.ReportAllocs()
	for b.Loop() {
		s.Reset()
		_, _ = s.Write(answer)
		if s.Object() != 0 || !s.Has("predictions") {
			b.Fatal("not what it is")
		}
	}
}
