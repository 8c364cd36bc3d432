// Package httpconn sends one HTTP/1.1 request, once, and says what was seen of
// it. It is under every target that speaks HTTP.
//
// Start with [New], make a [Request] once and call [Request.Do] or
// [Request.Start] as often as the load asks. It measures and therefore does
// nothing by itself: no proxy, no redirect, no cookie, no compression, no second
// attempt. A request that net/http would repeat because it met a dead idle
// connection fails here and is counted.
//
// There are two paths. Plain HTTP is written by ourselves: a request's bytes are
// encoded once and go, from the goroutine that sends, straight to an idle
// connection, whose standing reader takes the answer; that takes about half of
// net/http's processor time, and no garbage. TLS and whatever is unusual goes
// through net/http, which also judges every answer that is not plain. The
// accounts are the same on both; [Request.Via] says which it is. On both:
//
//   - sent is immediately before the first write on a connection that is there,
//     and what was written is not written again;
//   - first is the first byte that comes back, be it of a 1xx;
//   - a complete answer counts, even if the request was not taken whole or the
//     connection was reset after it;
//   - the end is when the answer is complete; of one that comes before the
//     request is written and leaves the connection open, net/http tells up to
//     50 ms late;
//   - what comes on an idle connection ends it. What a server says on a new
//     one before it was asked is its answer to the first request.
package httpconn

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"dev.example/pileup/loadgen"
)

const (
	// ConnectTimeout bounds a connection's making, the wait included while 256
	// others are made. The engine's own limit counts from sent.
	ConnectTimeout = 10 * time.Second
	// IdleTimeout closes connections of ours that carry nothing. It is below
	// what servers take, of which the shortest known is 5 s (uvicorn).
	IdleTimeout = 4 * time.Second
	// AnswerLimit is the largest answer that is read unless Options say
	// otherwise, in bytes.
	AnswerLimit = 64 << 20
)

var errConnectTimeout = errors.New("no connection within " + ConnectTimeout.String())

// Options of a client. The zero value dials TCP.
type Options struct {
	// Header is sent with every request. Host is taken from it too.
	Header http.Header
	// Dial makes a connection; nil is TCP with TCP_NODELAY. It must return
	// soon after ctx is done.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// TLS is the configuration for https; nil is Go's default.
	TLS *tls.Config
	// Connections bounds how many there are at once on each path, those
	// included that are being made; 0 is no bound. Requests beyond it wait for
	// one.
	Connections int
	// AnswerLimit bounds the bytes read of one answer; 0 is [AnswerLimit].
	AnswerLimit int64
	// NoKeepAlive makes a new connection for each request, and says so to the
	// server.
	NoKeepAlive bool
	// NetHTTP leaves every request to net/http.
	NetHTTP bool
}

// A Client holds the connections to one address. It is safe for concurrent use.
type Client struct {
	transport *http.Transport
	pool      *pool // of the connections that we write to ourselves
	options   Options
	base      string // scheme, host and prefix
	header    http.Header
	host      string // Host header, "" for the address
	limit     int64
}

// New returns a client. It connects to nothing.
func New(a Address, o Options) *Client {
	dial := dialer(o)
	c := &Client{
		options: o,
		base:    a.Transport + "://" + a.authority() + a.Prefix,
		header:  o.Header.Clone(),
		limit:   o.AnswerLimit,
		transport: &http.Transport{
			DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
				c, making, err := dial(ctx, network, addr)
				if err != nil {
					return nil, err
				}
				return newConn(c, making), nil
			},
			TLSClientConfig:        o.TLS.Clone(),
			TLSHandshakeTimeout:    ConnectTimeout,
			DisableCompression:     true,
			DisableKeepAlives:      o.NoKeepAlive,
			MaxIdleConnsPerHost:    math.MaxInt,
			MaxConnsPerHost:        o.Connections,
			MaxResponseHeaderBytes: headLimit,
			IdleConnTimeout:        IdleTimeout,
			TLSNextProto:           map[string]func(string, *tls.Conn) http.RoundTripper{}, // no HTTP/2
		},
	}
	if c.limit <= 0 {
		c.limit = AnswerLimit
	}
	c.pool = &pool{
		dial: func(ctx context.Context) (net.Conn, time.Duration, error) {
			return dial(ctx, "tcp", net.JoinHostPort(a.Host, strconv.Itoa(cmp.Or(a.Port, 80))))
		},
		limit: o.Connections, once: o.NoKeepAlive, answerLimit: c.limit,
	}
	if c.header == nil {
		c.header = http.Header{}
	}
	c.host = c.header.Get("Host")
	c.header.Del("Host")
	if c.header.Get("User-Agent") == "" {
		c.header.Set("User-Agent", "pileup")
	}
	if a.User != nil && c.header.Get("Authorization") == "" {
		c.header.Set("Authorization", basic(a.User))
	}
	return c
}

func basic(u *url.Userinfo) string {
	password, _ := u.Password()
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(u.Username()+":"+password))
}

// Close closes the connections. Call it when no request is open any more, and
// none will be made: it waits for those that are.
func (c *Client) Close() {
	c.transport.CloseIdleConnections()
	c.pool.close()
}

// A Request is sent as often as asked. It is never written again and safe for
// concurrent use.
type Request struct {
	client   *Client
	template *http.Request
	body     []byte
	script   *script // nil if it goes through net/http
	// repeatable lets net/http send it again on a new connection when a
	// reused one was dead. For questions, never for load.
	repeatable bool
}

// Request makes a request. path is escaped and begins with a slash. body may be
// nil for GET only.
func (c *Client) Request(method, path, contentType string, data []byte) (*Request, error) {
	if len(data) == 0 && method != http.MethodGet {
		return nil, errors.New("the request has no body")
	}
	r, err := c.compose(method, path, contentType, data)
	if err != nil {
		return nil, err
	}
	if !c.options.NetHTTP {
		r.script = r.encode(c.options.NoKeepAlive)
	}
	if r.script != nil {
		// What was asked before has connections of its own, which would count.
		c.transport.CloseIdleConnections()
	}
	return r, nil
}

// compose makes a request that goes through net/http.
func (c *Client) compose(method, path, contentType string, data []byte) (*Request, error) {
	u, err := url.Parse(c.base + path)
	if err != nil {
		return nil, fmt.Errorf("path %q: %w", Redact(path), reason(err))
	}
	h := c.header.Clone()
	if contentType != "" && h.Get("Content-Type") == "" {
		h.Set("Content-Type", contentType)
	}
	return &Request{
		client: c,
		body:   data,
		template: &http.Request{
			Method: method, URL: u, Host: c.host, Header: h,
			Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			ContentLength: int64(len(data)),
		},
	}, nil
}

// ParseHeader reads one "Name: value" of the command line.
func ParseHeader(s string) (name, value string, err error) {
	name, value, ok := strings.Cut(s, ":")
	name, value = http.CanonicalHeaderKey(strings.TrimSpace(name)), strings.TrimSpace(value)
	const hint = "write -H 'Name: value'"
	if !ok || name == "" || strings.ContainsAny(name, " \t\r\n\x00") || strings.ContainsAny(value, "\r\n\x00") {
		// The value may be a secret: it is not repeated.
		return "", "", &loadgen.Refusal{Err: errors.New("a header is not of the form Name: value"), Hint: hint}
	}
	switch name {
	case "Host":
		if !validAuthority(value) {
			return "", "", &loadgen.Refusal{Err: errors.New("header Host holds no host"), Hint: "write -H 'Host: NAME' or -H 'Host: NAME:PORT'"}
		}
	case "Content-Length", "Transfer-Encoding", "Connection", "Expect":
		return "", "", &loadgen.Refusal{Err: fmt.Errorf("header %s is the driver's own", name), Hint: hint}
	}
	return name, value, nil
}

// validAuthority takes a host, with or without a port. net/http writes an empty
// Host for some that are none.
func validAuthority(s string) bool {
	a, err := ParseAddress("http://" + s)
	return err == nil && a.User == nil && !strings.ContainsAny(s, "/@")
}
