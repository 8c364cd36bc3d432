package cli

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestAFileThatTakesLongIsNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said bytes.Buffer
		f := &slowly{ReadCloser: io.NopCloser(strings.NewReader("1234567")), name: "big.jsonl", tell: &said, since: time.Now()}
		for i, want := range []string{"", "", "pileup: reading big.jsonl; interrupt to give it up\n", ""} {
			said.Reset()
			if _, err := f.Read(make([]byte, 1)); err != nil || said.String() != want {
				t.Errorf("after %d s: said %q, %v; want %q", i, said.String(), err, want)
			}
			time.Sleep(time.Second)
		}
	})
}
