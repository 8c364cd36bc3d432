package tfserving

import (
	"errors"
	"io"
	"strings"
	"testing"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/target/httpconn"
)

func judged(seen loadgen.Seen, body string) ledger.Failure {
	scan := httpconn.NewScan("predictions", "outputs", "error")
	_, _ = io.WriteString(scan, body)
	seen.Head, seen.Down = []byte(body[:min(len(body), 1024)]), int64(len(body))
	return judge(seen, scan)
}

func TestJudge(t *testing.T) {
	ok := loadgen.Seen{Step: loadgen.Answering, Status: 200, Type: "application/json"}
	for _, tt := range []struct {
		name string
		body string
		want ledger.Failure
	}{
		{"rows", `{"predictions": [[0.1, 0.2]]}`, ledger.Failure{}},
		{"columns", `{"outputs": {"a": [1]}}`, ledger.Failure{}},
		{"bare tokens", "{\"predictions\": [NaN, -Infinity]\n}\r\n ", ledger.Failure{}},
		{"key late", `{"model_name": "a", "x": {"error": 1}, "predictions": []}`, ledger.Failure{}},
		{"key not outermost", `{"x": {"predictions": 1}}`, ledger.Failure{Class: ledger.WrongAnswer, Code: 200, Text: `neither predictions nor outputs in {"x": {"predictions": 1}}`}},
		{"key is a value", `{"x": "predictions"}`, ledger.Failure{Class: ledger.WrongAnswer, Code: 200, Text: `neither predictions nor outputs in {"x": "predictions"}`}},
		{"only an error", `{"error": "out of memory"}`, ledger.Failure{Class: ledger.WrongAnswer, Code: 200, Text: "out of memory"}},
		{"both", `{"error": null, "predictions": [1]}`, ledger.Failure{}},
		{"empty", ``, ledger.Failure{Class: ledger.BadBody, Code: 200, Text: "empty"}},
		{"blank", " \n", ledger.Failure{Class: ledger.BadBody, Code: 200, Text: "empty"}},
		{"truncated", `{"predictions": [[0.1, 0.`, ledger.Failure{Class: ledger.BadBody, Code: 200, Text: "truncated after 25 bytes"}},
		{"truncated in a string", `{"predictions": ["a}`, ledger.Failure{Class: ledger.BadBody, Code: 200, Text: "truncated after 20 bytes"}},
		{"brace in a string", `{"predictions": ["}\"]"]}`, ledger.Failure{}},
		{"list", `[1]`, ledger.Failure{Class: ledger.BadBody, Code: 200, Text: "not JSON: [1]"}},
		{"page", "<!DOCTYPE html><title>Sign\nin</title>", ledger.Failure{Class: ledger.BadBody, Code: 200, Text: "HTML page, title 'Sign in'"}},
		{"two documents", `{"predictions": []} {}`, ledger.Failure{Class: ledger.BadBody, Code: 200, Text: `not JSON: {"predictions": []} {}`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := judged(ok, tt.body); got != tt.want {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestJudgeStatus(t *testing.T) {
	for _, tt := range []struct {
		status int
		class  ledger.Class
	}{
		{200, ledger.OK}, {201, ledger.WrongAnswer}, {302, ledger.HTTP3xx}, {400, ledger.HTTP4xx}, {500, ledger.HTTP5xx},
	} {
		got := judged(loadgen.Seen{Step: loadgen.Answering, Status: tt.status}, `{"predictions": []}`)
		if got.Class != tt.class || (got.Class != ledger.OK && got.Code != tt.status) {
			t.Errorf("%d: got %+v", tt.status, got)
		}
	}
	broken := loadgen.Seen{Step: loadgen.Answering, Status: 200, Err: errors.New("x"), Cause: loadgen.ErrTimeout}
	if got := judged(broken, `{"predictions": []}`); got.Class != ledger.Timeout {
		t.Errorf("got %+v", got)
	}
}

// A good answer leaves nothing to collect.
func TestJudgeAllocatesNothing(t *testing.T) {
	e := exchanges.Get().(*exchange)
	res := httpconn.Result{Seen: loadgen.Seen{Step: loadgen.Answering, Status: 200, Type: "application/json"}}
	answer := []byte(`{"predictions": [[0.1, 0.2], ["a"]]}`)
	if n := testing.AllocsPerRun(100, func() {
		e.scan.Reset()
		_, _ = e.Write(answer)
		if a := e.answer(&res); a.Failure.Class != ledger.OK {
			t.Errorf("got %+v", a)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzJudge(f *testing.F) {
	for _, s := range []string{``, `{}`, `{"predictions":[NaN]}`, `{"predictions":["\"}`, `]]]]{"outputs":1}`, "<html>"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, body string, cut int) {
		whole := judged(loadgen.Seen{Status: 200}, body)
		if len(whole.Text) > 512 {
			t.Errorf("text of %d bytes", len(whole.Text))
		}
		if trimmed := strings.TrimSpace(body); whole.Class == ledger.OK && (trimmed[0] != '{' || trimmed[len(trimmed)-1] != '}') {
			t.Errorf("%q is good", body)
		}
		// However the answer comes in pieces, it means the same.
		scan := httpconn.NewScan("predictions", "outputs", "error")
		at := 0
		if len(body) > 0 {
			at = (cut%len(body) + len(body)) % len(body)
		}
		_, _ = io.WriteString(scan, body[:at])
		_, _ = io.WriteString(scan, body[at:])
		seen := loadgen.Seen{Status: 200, Down: int64(len(body)), Head: []byte(body[:min(len(body), 1024)])}
		if got := judge(seen, scan); got != whole {
			t.Errorf("got %+v, whole %+v", got, whole)
		}
	})
}
