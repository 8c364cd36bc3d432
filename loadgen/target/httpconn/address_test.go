package httpconn

import (
	"errors"
	"strings"
	"testing"

	"dev.example/pileup/loadgen"
)

func TestParseAddress(t *testing.T) {
	for _, tt := range []struct{ url, want, err string }{
		{"tfs+http://10.0.0.7:8501", "tfs+http://10.0.0.7:8501", ""},
		{"TFS+HTTP://Board/a/b/", "tfs+http://Board/a/b", ""},
		{"http://[fe80::1]:80/", "http://[fe80::1]:80", ""},
		{"grpc://[::1]", "grpc://[::1]", ""},
		{"kserve+http://me:secret@board:8080/x", "kserve+http://board:8080/x", ""},
		{"grpc://[fe80::1%25eth0]:1", "grpc://[fe80::1%25eth0]:1", ""},
		{"tfs+http://0::1", "", `"tfs+http://0::1" has no valid host; IPv6 stands in brackets`},
		{"http://a b", "", `"http://a b" is no URL: it cannot be read as scheme://host:port/path`},
		{"http://a%20b:1", "", `"http://a%20b:1" is no URL: it cannot be read as scheme://host:port/path`},
		{"http://a;b", "", `"http://a;b" has no valid host; IPv6 stands in brackets`},
		{"board:8501", "", `"board:8501" is no URL`},
		{"", "", `"" is no URL`},
		{"://x", "", `"://x" is no URL`},
		{"tfs+http:///path", "", `"tfs+http:///path" names no host`},
		{"tfs+http://:8501", "", `"tfs+http://:8501" names no host`},
		{"tfs+http://board:99999", "", `"tfs+http://board:99999" has no valid port: 1 to 65535`},
		{"tfs+http://board:", "", `"tfs+http://board:" has no valid port: 1 to 65535`},
		{"tfs+http://board:x1", "", `"tfs+http://board:x1" is no URL: its port is no number`},
		{"tfs+http://me:secret@board:x1", "", `"tfs+http://board:x1" is no URL: its port is no number`},
		{"tfs+http://me:se/cret@board:1", "", `"tfs+http://board:1" is no URL: its port is no number`},
		{"tfs+http://board?token=secret", "", `"tfs+http://board" has more behind its path than a target takes`},
		{"tfs+http://board#secret", "", `"tfs+http://board" has more behind its path than a target takes`},
		{"tfs+http://board/%zz", "", `"tfs+http://board/%zz" is no URL: it cannot be read as scheme://host:port/path`},
		{"tfs+http://bo\x1bard", "", `"tfs+http://bo\\x1bard" is no URL: it cannot be read as scheme://host:port/path`},
	} {
		a, err := ParseAddress(tt.url)
		if err != nil {
			var r *loadgen.Refusal
			if err.Error() != tt.err || !errors.As(err, &r) || r.Hint != ExampleHint {
				t.Errorf("%s:\ngot  %s\nwant %s", tt.url, err, tt.err)
			}
			continue
		}
		if got := a.String(); got != tt.want || tt.err != "" {
			t.Errorf("%s: got %q, want %q%s", tt.url, got, tt.want, tt.err)
		}
	}
}

func FuzzParseAddress(f *testing.F) {
	for _, s := range []string{"tfs+http://u:p@h:1/x", "a://b@c@d", "http://[::1]:1?x", "x", "tfs+http://h:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		a, err := ParseAddress(raw)
		if err != nil {
			return
		}
		b, err := ParseAddress(a.String())
		if err != nil {
			t.Fatalf("%q became %q: %v", raw, a.String(), err)
		}
		if a.User = nil; a != b {
			t.Errorf("%+v became %+v", a, b)
		}
	})
}

// No secret of a URL or a header is in any error.
func FuzzRedact(f *testing.F) {
	f.Add("tfs+http://", "me", "h:99999/x")
	f.Add("", "a/b", "h")
	f.Add("x+y://", "a@b", "h?q")
	f.Fuzz(func(t *testing.T, scheme, user, rest string) {
		const secret = "hunter2"
		raw := scheme + user + ":" + secret + "@" + strings.ReplaceAll(rest, "@", "")
		if got := Redact(raw); strings.Contains(got, secret) {
			t.Errorf("%q became %q", raw, got)
		}
		if _, err := ParseAddress(raw); err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("%q: %v", raw, err)
		}
	})
}

func TestParseHeader(t *testing.T) {
	for _, tt := range []struct{ in, name, value string }{
		{"authorization: Bearer a:b", "Authorization", "Bearer a:b"},
		{"X-Empty:", "X-Empty", ""},
		{"no colon secret", "", ""},
		{": secret", "", ""},
		{"a b: secret", "", ""},
		{"X: secret\r\nY: 1", "", ""},
		{"content-length: 3", "", ""},
		{"host: board", "Host", "board"},
		{"Host: board:8501", "Host", "board:8501"},
		{"Host: [::1]:8501", "Host", "[::1]:8501"},
		{"Host: a b", "", ""},
		{"Host: a/b", "", ""},
		{"Host: secret@a", "", ""},
		{"Host: a:b", "", ""},
		{"Host:", "", ""},
	} {
		name, value, err := ParseHeader(tt.in)
		if name != tt.name || value != tt.value || (err == nil) != (tt.name != "") {
			t.Errorf("%q: got %q, %q, %v", tt.in, name, value, err)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", tt.in, err)
		}
	}
}
