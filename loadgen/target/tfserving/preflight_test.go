package tfserving

import (
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/guard"
	"dev.example/pileup/loadgen/payload"
)

func TestPreflightAnswers(t *testing.T) {
	const foreign = "this port speaks HTTP, but not TensorFlow Serving's REST: it answered "
	for _, tt := range []struct {
		name  string
		pages map[string]page
		err   string // without the address in front
		hint  string // a part of it
	}{
		{"no such model", map[string]page{
			"GET /v1/models/m": {404, "application/json", `{"error":"Servable not found for request: Latest(m)"}`},
		}, `model "m" is not served at ADDR, which answered 404: Servable not found for request: Latest(m)`, "-m NAME"},
		{"no such model, but a list", map[string]page{
			"GET /v1/models/m": {404, "application/json", `{"error":"Model with name m does not exist."}`},
			"GET /v1/models":   json200(`{"models":["a","b"]}`),
		}, `model "m" is not served at ADDR, which answered 404: Model with name m does not exist.`, "this server has a, b"},
		{"loading", map[string]page{
			"GET /v1/models/m": json200(`{"model_version_status":[{"version":"1","state":"END"},{"version":2,"state":"LOADING","status":{"error_code":"X","error_message":"wait"}}]}`),
		}, `model "m" is not available: version 1 is END, version 2 is LOADING (wait)`, "loaded"},
		{"not ready", map[string]page{
			"GET /v1/models/m": json200(`{"name":"m","ready":"False"}`),
		}, `model "m" is not ready: {"name":"m","ready":"False"}`, "loaded"},
		{"not ready, as KServe says it", map[string]page{
			"GET /v1/models/m": {503, "application/json", `{"error":"Model with name m is not ready."}`},
		}, `model "m" is not ready: Model with name m is not ready.`, "loaded"},
		{"a route that FastAPI does not know", map[string]page{
			"GET /v1/models/m": {404, "application/json", `{"detail":"Not Found"}`},
		}, "ADDR: " + foreign + "404 with Not Found", "8501"},
		{"no metadata route", map[string]page{
			"GET /v1/models/m": json200(`{"name":"m","ready":true}`),
		}, `ADDR speaks KServe's v1 protocol, which does not say what model "m" takes`, "--body FILE"},
		{"metadata refused", map[string]page{
			"GET /v1/models/m":          json200(available3),
			"GET /v1/models/m/metadata": {500, "application/json", `{"error":"broken"}`},
		}, `ADDR does not say what model "m" takes: it answered 500: broken`, "--body FILE"},
		{"an HTML 404", nil, "ADDR: " + foreign + "404 with an HTML page titled '404 Not Found'", "8501"},
		{"a page without title", map[string]page{
			"GET /v1/models/m": {200, "text/html", "<p>hello"},
		}, "ADDR: " + foreign + "200 with an HTML page", "8501"},
		{"a proxy", map[string]page{
			"GET /v1/models/m": {502, "text/html", "<html><head><title>502 Bad Gateway</title>"},
		}, "ADDR: " + foreign + "502 with an HTML page titled '502 Bad Gateway'", "behind"},
		{"an empty answer", map[string]page{
			"GET /v1/models/m": {200, "application/json", " "},
		}, "ADDR: " + foreign + "200 with an empty body", "8501"},
		{"JSON of somebody else", map[string]page{
			"GET /v1/models/m": json200(`["a",1]`),
		}, "ADDR: " + foreign + `200 with an answer that is not its own: ["a",1]`, "8501"},
		{"an object of somebody else", map[string]page{
			"GET /v1/models/m": json200(`{"ok":"\u001b[2J"}`),
		}, "ADDR: " + foreign + `200 with an answer that is not its own: {"ok":"\u001b[2J"}`, "8501"},
		{"a secret is asked for", map[string]page{
			"GET /v1/models/m": {401, "application/json", `{"detail":"who are you?"}`},
		}, "ADDR: " + foreign + "401 with who are you?", "-H"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, url := serve(t, tt.pages)
			target := newTarget(t, Options{URL: url})
			_, err := target.Prepare(t.Context(), "m")
			refused(t, err, strings.ReplaceAll(tt.err, "ADDR", target.Addr()), tt.hint)
			if len(f.body) > 0 {
				t.Error("load was sent")
			}
		})
	}
}

func refused(t *testing.T, err error, text, hint string) {
	t.Helper()
	var r *loadgen.Refusal
	if !errors.As(err, &r) {
		t.Fatalf("got %v, want a refusal", err)
	}
	if got := r.Error(); got != text {
		t.Errorf("got  %s\nwant %s", got, text)
	}
	if !strings.Contains(r.Hint, hint) || r.Hint == "" {
		t.Errorf("hint %q lacks %q", r.Hint, hint)
	}
}

// listen accepts connections with f until the test ends.
func listen(t *testing.T, f func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var g guard.Group
	t.Cleanup(func() { _ = l.Close(); g.Wait() })
	g.Go("accept", func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			f(c)
		}
	})
	return l.Addr().String()
}

func TestPreflightNoAnswer(t *testing.T) {
	t.Run("server down", func(t *testing.T) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		addr := l.Addr().String()
		_ = l.Close()
		_, err = newTarget(t, Options{URL: "tfs+http://" + addr}).Prepare(t.Context(), "m")
		refused(t, err, "nothing listens at "+addr, "start the server")
	})
	t.Run("closed", func(t *testing.T) {
		addr := listen(t, func(c net.Conn) {
			b := make([]byte, 4096)
			_, _ = c.Read(b)
			_ = c.Close()
		})
		_, err := newTarget(t, Options{URL: "tfs+http://" + addr}).Prepare(t.Context(), "m")
		refused(t, err, addr+": it closed the connection without an answer: EOF", "REST port")
	})
	t.Run("garbage", func(t *testing.T) {
		addr := listen(t, func(c net.Conn) {
			b := make([]byte, 4096)
			_, _ = c.Read(b)
			_, _ = c.Write([]byte("SSH-2.0-OpenSSH_9.2\x1b[2J\r\n\r\n"))
			_ = c.Close()
		})
		_, err := newTarget(t, Options{URL: "tfs+http://" + addr}).Prepare(t.Context(), "m")
		refused(t, err, addr+`: this port does not speak HTTP: malformed HTTP response "SSH-2.0-OpenSSH_9.2\x1b[2J"`, "REST port")
	})
	t.Run("gRPC", func(t *testing.T) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		srv := grpc.NewServer()
		var g guard.Group
		g.Go("serve", func() { _ = srv.Serve(l) })
		t.Cleanup(func() { srv.Stop(); g.Wait() })
		_, err = newTarget(t, Options{URL: "tfs+http://" + l.Addr().String()}).Prepare(t.Context(), "m")
		refused(t, err, l.Addr().String()+": this port speaks gRPC/HTTP2, not REST", "REST port")
	})
	t.Run("unknown name", func(t *testing.T) {
		o := Options{URL: "tfs+http://nowhere.invalid"}
		o.HTTP.Dial = func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "nowhere.invalid", IsNotFound: true}}
		}
		_, err := newTarget(t, o).Prepare(t.Context(), "m")
		refused(t, err, "nowhere.invalid has no address: lookup nowhere.invalid: no such host", "name")
	})
}

// What this machine has no more of can be told from the error.
func TestPreflightWithoutMeans(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want syscall.Errno
	}{
		{os.NewSyscallError("connect", syscall.EADDRNOTAVAIL), syscall.EADDRNOTAVAIL},
		{os.NewSyscallError("socket", syscall.EMFILE), syscall.EMFILE},
		{&net.DNSError{Err: "dial udp: socket: too many open files", Name: "host"}, syscall.EMFILE},
	} {
		o := Options{URL: "tfs+http://host"}
		o.HTTP.Dial = func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Err: tt.err}
		}
		_, err := newTarget(t, o).Prepare(t.Context(), "m")
		var r *loadgen.Refusal
		if want := "host:8501: this machine cannot connect: " + tt.want.Error(); !errors.As(err, &r) || !errors.Is(err, tt.want) || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestPreflightNeverAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := Options{URL: "tfs+http://host"}
		var server net.Conn
		o.HTTP.Dial = func(context.Context, string, string) (net.Conn, error) {
			client, s := net.Pipe()
			server = s
			return client, nil
		}
		start := time.Now()
		target, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		_, err = target.Prepare(t.Context(), "m")
		refused(t, err, "host:8501: it accepts connections but never answers", "stuck")
		if d := time.Since(start); d != 3*time.Second {
			t.Errorf("after %s", d)
		}
		_ = server.Close()
		_ = target.Close()
	})
}

func TestPrepareRefusesFilesFirst(t *testing.T) {
	f, url := serve(t, nil)
	_, err := newTarget(t, Options{URL: url, Payload: payload.Options{Body: "/no/such/file"}}).Prepare(t.Context(), "m")
	var r *loadgen.Refusal
	if !errors.As(err, &r) || !strings.Contains(r.Error(), "/no/such/file") {
		t.Errorf("got %v", err)
	}
	if len(f.asked) > 0 {
		t.Error("the server was asked")
	}
}

func TestModels(t *testing.T) {
	_, url := serve(t, map[string]page{"GET /v1/models": json200(`{"models":["a","b"]}`)})
	names, err := newTarget(t, Options{URL: url}).Models(t.Context())
	if err != nil || strings.Join(names, " ") != "a b" {
		t.Errorf("got %v, %v", names, err)
	}
	_, url = serve(t, map[string]page{"GET /v1/models": {400, "application/json", `{"error":"Missing model name in request."}`}})
	target := newTarget(t, Options{URL: url})
	_, err = target.Models(t.Context())
	refused(t, err, target.Addr()+" does not list its models", "-m NAME")
}
