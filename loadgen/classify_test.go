package loadgen

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"dev.example/pileup/loadgen/ledger"
)

func dialError(err error) error {
	return &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(10, 0, 0, 7), Port: 8501}, Err: err}
}

func readError(errno syscall.Errno) error {
	return &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", errno)}
}

func TestClassifyErrors(t *testing.T) {
	idle := errors.New("http: server closed idle connection")
	broken := func(err error) error {
		return fmt.Errorf("net/http: HTTP/1.x transport connection broken: %w", err)
	}
	for _, tt := range []struct {
		name  string
		seen  Seen
		class ledger.Class
		text  string
	}{
		{"refused", Seen{Err: dialError(os.NewSyscallError("connect", syscall.ECONNREFUSED))}, ledger.Connect, "connect 10.0.0.7:8501: connection refused"},
		{"unreachable", Seen{Err: dialError(os.NewSyscallError("connect", syscall.EHOSTUNREACH))}, ledger.Connect, "connect 10.0.0.7:8501: no route to host"},
		{"no ports", Seen{Err: dialError(os.NewSyscallError("connect", syscall.EADDRNOTAVAIL))}, ledger.ClientLimit, "connect 10.0.0.7:8501: cannot assign requested address"},
		{"no descriptors", Seen{Err: dialError(os.NewSyscallError("socket", syscall.EMFILE))}, ledger.ClientLimit, "connect 10.0.0.7:8501: too many open files"},
		{"no descriptors for the resolver", Seen{Err: dialError(&net.DNSError{Err: "dial udp 1.1.1.1:53: socket: too many open files", Name: "a"})}, ledger.ClientLimit, "lookup a: dial udp 1.1.1.1:53: socket: too many open files"},
		{"no name", Seen{Err: dialError(&net.DNSError{Err: "no such host", Name: "a"})}, ledger.DNS, "lookup a: no such host"},
		{"TLS alert", Seen{Step: Connected, Err: tls.AlertError(40)}, ledger.TLS, "tls: handshake failure"},
		{"TLS authority", Seen{Step: Handshaking, Err: x509.UnknownAuthorityError{}}, ledger.TLS, "x509: certificate signed by unknown authority"},
		{"TLS cut", Seen{Step: Handshaking, Err: io.EOF}, ledger.TLS, "EOF"},
		{"TLS alert from the server", Seen{Step: Connected, Err: &net.OpError{Op: "remote error", Err: errors.New("tls: certificate required")}}, ledger.TLS, "remote error: tls: certificate required"},
		{"TLS, later", Seen{Step: Connected, Err: broken(errors.New("tls: too many ignored records"))}, ledger.TLS, "tls: too many ignored records"},
		{"no descriptors, later", Seen{Step: Connected, Err: readError(syscall.ENOBUFS)}, ledger.ClientLimit, "read: no buffer space available"},
		{"a server's words on descriptors", Seen{Step: Answering, Err: broken(textproto.ProtocolError(`malformed MIME header: missing colon: "fatal too many open files"`))}, ledger.Protocol, `malformed MIME header: missing colon: "fatal too many open files"`},
		{"a server's words on TLS", Seen{Step: Answering, Err: broken(errors.New(`malformed HTTP response "tls: no"`))}, ledger.Protocol, `malformed HTTP response "tls: no"`},
		{"a server's words on an idle connection", Seen{Step: Answering, Err: broken(errors.New(`malformed HTTP response "readLoopPeekFailLocked"`))}, ledger.Protocol, `malformed HTTP response "readLoopPeekFailLocked"`},
		{"EOF on a fresh connection", Seen{Step: Connected, Err: io.EOF}, ledger.Reset, "EOF"},
		{"EOF on a reused one", Seen{Step: Connected, Reused: true, Err: io.EOF}, ledger.StaleKeepalive, "EOF"},
		{"RST on a reused one", Seen{Step: Connected, Reused: true, Err: readError(syscall.ECONNRESET)}, ledger.StaleKeepalive, "read: connection reset by peer"},
		{"pipe on a reused one", Seen{Step: Connected, Reused: true, Err: broken(&net.OpError{Op: "write", Err: syscall.EPIPE})}, ledger.StaleKeepalive, "write: broken pipe"},
		{"closed while idle", Seen{Step: Connected, Reused: true, Err: idle}, ledger.StaleKeepalive, idle.Error()},
		{"RST after a long wait", Seen{Step: Connected, Reused: true, Waited: 30 * time.Second, Err: readError(syscall.ECONNRESET)}, ledger.Reset, "read: connection reset by peer"},
		{"RST after a short wait", Seen{Step: Connected, Reused: true, Waited: 900 * time.Millisecond, Up: 3_000_000, Making: time.Millisecond, Err: readError(syscall.ECONNRESET)}, ledger.Reset, "read: connection reset by peer"},
		{"RST near by", Seen{Step: Connected, Reused: true, Waited: 20 * time.Millisecond, Up: 3_000_000, Making: time.Millisecond, Err: readError(syscall.ECONNRESET)}, ledger.StaleKeepalive, "read: connection reset by peer"},
		{"RST near by, later", Seen{Step: Connected, Reused: true, Waited: 21 * time.Millisecond, Making: time.Millisecond, Err: readError(syscall.ECONNRESET)}, ledger.Reset, "read: connection reset by peer"},
		{"RST far away", Seen{Step: Connected, Reused: true, Waited: 200 * time.Millisecond, Making: 100 * time.Millisecond, Err: io.EOF}, ledger.StaleKeepalive, "EOF"},
		{"RST far away, later", Seen{Step: Connected, Reused: true, Waited: 201 * time.Millisecond, Making: 100 * time.Millisecond, Err: io.EOF}, ledger.Reset, "EOF"},
		{"RST of a connection made slowly", Seen{Step: Connected, Reused: true, Waited: 900 * time.Millisecond, Making: 3 * time.Second, Err: io.EOF}, ledger.Reset, "EOF"},
		{"RST after more than a socket holds", Seen{Step: Connected, Reused: true, Up: 5_000_000, Err: io.EOF}, ledger.Reset, "EOF"},
		{"nothing was taken, heard late", Seen{Step: Connected, Reused: true, Waited: 100 * time.Millisecond, Err: broken(&net.OpError{Op: "write", Err: syscall.EPIPE})}, ledger.StaleKeepalive, "write: broken pipe"},
		{"RST after the first byte", Seen{Step: Answering, Reused: true, Err: readError(syscall.ECONNRESET)}, ledger.Reset, "read: connection reset by peer"},
		{"RST in the body", Seen{Step: Answering, Status: 200, Err: readError(syscall.ECONNRESET)}, ledger.Reset, "read: connection reset by peer"},
		{"body ends early", Seen{Step: Answering, Status: 200, Down: 812, Err: io.ErrUnexpectedEOF}, ledger.BadBody, "truncated after 812 bytes"},
		{"head ends early", Seen{Step: Answering, Err: broken(io.ErrUnexpectedEOF)}, ledger.Reset, "unexpected EOF"},
		{"not HTTP", Seen{Step: Answering, Err: broken(errors.New(`malformed HTTP response "SSH-2.0"`))}, ledger.Protocol, `malformed HTTP response "SSH-2.0"`},
		{"bad header", Seen{Step: Answering, Err: textproto.ProtocolError("short response")}, ledger.Protocol, "short response"},
		{"a stray answer", Seen{Step: Connected, Reused: true, Err: errors.New("readLoopPeekFailLocked: %!w(<nil>)")}, ledger.Protocol, "an answer nobody had asked for"},
		{"our limit", Seen{Step: Answering, Status: 200, Err: &LimitError{64 << 20}}, ledger.TooLarge, "answer larger than our limit of 67108864 bytes"},
		{"timeout", Seen{Step: Connected, Err: ErrTimeout, Cause: ErrTimeout}, ledger.Timeout, ErrTimeout.Error()},
		{"cut", Seen{Step: Answering, Status: 200, Err: io.ErrUnexpectedEOF, Cause: ErrCut}, ledger.CutOff, ErrCut.Error()},
		{"cut before it was sent", Seen{Err: context.Canceled, Cause: fmt.Errorf("drain: %w", ErrCut)}, ledger.CutOff, "drain: " + ErrCut.Error()},
		{"deadline", Seen{Step: Connected, Err: context.DeadlineExceeded, Cause: context.DeadlineExceeded}, ledger.Timeout, "context deadline exceeded"},
		{"answered in spite of the cause", Seen{Step: Answering, Status: 200, Cause: ErrCut}, ledger.OK, ""},
		{"nobody knows", Seen{Step: Connected, Err: errors.New("odd\x1b[31m")}, ledger.Protocol, `odd\x1b[31m`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := ledger.Failure{Class: tt.class, Code: tt.seen.Status, Text: tt.text}
			if tt.class == ledger.OK || tt.seen.Cause != nil {
				want.Code = 0
			}
			if got := Classify(tt.seen); got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

func TestClassifyAnswers(t *testing.T) {
	for _, tt := range []struct {
		name string
		seen Seen
		want ledger.Failure
	}{
		{"ok", Seen{Status: 200}, ledger.Failure{}},
		{"switching", Seen{Status: 101}, ledger.Failure{Class: ledger.Protocol, Code: 101, Text: "status 101 instead of an answer"}},
		{"redirect", Seen{Status: 307}, ledger.Failure{Class: ledger.HTTP3xx, Code: 307, Text: "Temporary Redirect"}},
		{"bad request", Seen{Status: 400, Head: []byte(`{"error":"input size does not match signature: 3 != 4"}`)}, ledger.Failure{Class: ledger.HTTP4xx, Code: 400, Text: "input size does not match signature: 3 != 4"}},
		{"validation", Seen{Status: 422, Head: []byte(`{"detail":[{"loc":1}]}`)}, ledger.Failure{Class: ledger.HTTP4xx, Code: 422, Text: `{"detail":[{"loc":1}]}`}},
		{"model gone", Seen{Status: 404, Head: []byte(`{"error":"Servable not found for request: Latest(m)"}`)}, ledger.Failure{Class: ledger.NotLoaded, Code: 404, Text: "Servable not found for request: Latest(m)"}},
		{"KServe's model gone", Seen{Status: 404, Head: []byte(`{"error":"Model with name m does not exist."}`)}, ledger.Failure{Class: ledger.NotLoaded, Code: 404, Text: "Model with name m does not exist."}},
		{"no such path", Seen{Status: 404, Head: []byte(`{"detail":"Not Found"}`)}, ledger.Failure{Class: ledger.HTTP4xx, Code: 404, Text: "Not Found"}},
		{"too large", Seen{Status: 413, Size: 3160000}, ledger.Failure{Class: ledger.TooLarge, Code: 413, Text: "the server refuses a body of 3160000 bytes: Request Entity Too Large"}},
		{"batching queue full", Seen{Status: 503, Head: []byte(`{"error":"The batch scheduling queue to which this task was submitted is full"}`)}, ledger.Failure{Class: ledger.Rejected, Code: 503, Text: "The batch scheduling queue to which this task was submitted is full"}},
		{"Triton's queue full", Seen{Status: 503, Head: []byte(`{"error":"Exceeds maximum queue size"}`)}, ledger.Failure{Class: ledger.Rejected, Code: 503, Text: "Exceeds maximum queue size"}},
		{"BentoML's queue full", Seen{Status: 503, Head: []byte("Service Busy")}, ledger.Failure{Class: ledger.Rejected, Code: 503, Text: "Service Busy"}},
		{"rate limit", Seen{Status: 429}, ledger.Failure{Class: ledger.HTTP4xx, Code: 429, Text: "Too Many Requests"}},
		{"no worker", Seen{Status: 503, Head: []byte(`{"code":503,"message":"Model \"m\" has no worker to serve inference request."}`)}, ledger.Failure{Class: ledger.HTTP5xx, Code: 503, Text: `Model "m" has no worker to serve inference request.`}},
		{"proxy", Seen{Status: 502, Type: "text/html; charset=utf-8", Server: "nginx/1.18", Head: []byte("<html>\r\n<head><title>502 Bad\r\n Gateway</title>")}, ledger.Failure{Class: ledger.HTTP5xx, Code: 502, Text: "HTML page from nginx/1.18, title '502 Bad Gateway'"}},
		{"500 with a broken body", Seen{Status: 500, Err: io.ErrUnexpectedEOF, Head: []byte("out of mem")}, ledger.Failure{Class: ledger.HTTP5xx, Code: 500, Text: "out of mem"}},
		{"empty", Seen{Status: 200, Body: Empty}, ledger.Failure{Class: ledger.BadBody, Code: 200, Text: "empty"}},
		{"truncated", Seen{Status: 200, Body: Truncated, Down: 3}, ledger.Failure{Class: ledger.BadBody, Code: 200, Text: "truncated after 3 bytes"}},
		{"a page", Seen{Status: 200, Body: NotJSON, Head: []byte("\n<HTML><HEAD><TITLE>Caf\u00e9 &amp; Co</TITLE>")}, ledger.Failure{Class: ledger.BadBody, Code: 200, Text: "HTML page, title 'Caf\u00e9 & Co'"}},
		{"text", Seen{Status: 200, Body: NotJSON, Head: []byte("hello")}, ledger.Failure{Class: ledger.BadBody, Code: 200, Text: "not JSON: hello"}},
		{"gRPC", Seen{GRPC: 13, Words: "boom"}, ledger.Failure{Class: ledger.GRPC, Code: 13, Text: "boom"}},
		{"gRPC without words", Seen{GRPC: 13}, ledger.Failure{Class: ledger.GRPC, Code: 13, Text: "gRPC status 13"}},
		{"gRPC too large", Seen{GRPC: 8, Words: "grpc: received message larger than max (5 vs. 4)"}, ledger.Failure{Class: ledger.TooLarge, Code: 8, Text: "grpc: received message larger than max (5 vs. 4)"}},
		{"gRPC threads", Seen{GRPC: 8, Words: "Server Threadpool Exhausted"}, ledger.Failure{Class: ledger.Rejected, Code: 8, Text: "Server Threadpool Exhausted"}},
		{"gRPC model gone", Seen{GRPC: 5, Words: "Servable not found for request: Latest(m)"}, ledger.Failure{Class: ledger.NotLoaded, Code: 5, Text: "Servable not found for request: Latest(m)"}},
		{"gRPC timeout", Seen{GRPC: 4, Cause: ErrTimeout}, ledger.Failure{Class: ledger.Timeout, Text: ErrTimeout.Error()}},
		{"gRPC server's timeout", Seen{GRPC: 4, Words: "late"}, ledger.Failure{Class: ledger.GRPC, Code: 4, Text: "late"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.seen.Step = Answering
			if got := Classify(tt.seen); got != tt.want {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestPrintable(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"  plain 123  ", "plain 123"},
		{"a\nb\tc", `a\nb\tc`},
		{"\x1b[2J\a\x7f", `\x1b[2J\a\x7f`},
		{"c1 \u009b31m \u0085", `c1 \u009b31m`},
		{"bidi \u202e\u2066 mark \u200f", `bidi \u202e\u2066 mark \u200f`},
		{"line\u2028end", `line\u2028end`},
		{"bytes \xff\x9b", `bytes \xff\x9b`},
		{"한글 ü", "한글 ü"},
		{strings.Repeat("x", 512), strings.Repeat("x", 512)},
		{strings.Repeat("x", 513), strings.Repeat("x", 509) + "…"},
		{strings.Repeat("ü", 300), strings.Repeat("ü", 254) + "…"},
	} {
		if got := Printable(tt.in); got != tt.want {
			t.Errorf("%q:\ngot  %q\nwant %q", tt.in, got, tt.want)
		}
	}
}

func FuzzClassify(f *testing.F) {
	f.Add("EOF", "{\"error\":\"\x1b\"}", "text/html", 200, 0, uint8(2), uint8(0), true)
	f.Add("", "<title>", "", 503, 14, uint8(3), uint8(2), false)
	f.Fuzz(func(t *testing.T, err, head, contentType string, status, code int, step, fault uint8, cut bool) {
		s := Seen{
			Step: Step(step % 4), Reused: cut, Status: status, GRPC: code, Words: err, Type: contentType,
			Server: contentType, Head: []byte(head), Body: BodyFault(fault % 4),
		}
		if err != "" {
			s.Err = errors.New(err)
		}
		if cut {
			s.Cause = ErrCut
		}
		got := Classify(s)
		if len(got.Text) > 512 || !utf8.ValidString(got.Text) {
			t.Errorf("text of %d bytes: %q", len(got.Text), got.Text)
		}
		if strings.ContainsFunc(got.Text, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e }) {
			t.Errorf("text %q", got.Text)
		}
		if got.Class == ledger.OK && (err != "" || got != ledger.Failure{}) {
			t.Errorf("got %+v of %+v", got, s)
		}
		if _, ok := ledger.ParseClass(got.Class.String()); !ok {
			t.Errorf("class %d", got.Class)
		}
	})
}
