package loadgen

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"strings"
	"syscall"
	"time"

	"dev.example/pileup/loadgen/ledger"
)

// A Step is how far a request got.
type Step uint8

// The steps, in order.
const (
	Dialing     Step = iota // no connection yet
	Handshaking             // TLS
	Connected               // a connection was got; the request was sent or was about to be
	Answering               // the first byte of the answer came
)

// A BodyFault is what is wrong with the body of an answer whose status is
// good. The target decides; it knows what was to come.
type BodyFault uint8

// The faults. NoFault is also the body nobody looked at.
const (
	NoFault BodyFault = iota
	Empty
	Truncated
	NotJSON
)

// Seen is what was observed of one request that ended. A target fills in what
// its protocol has.
type Seen struct {
	Step   Step
	Reused bool          // the connection had carried a request before
	Waited time.Duration // from sent to the end, 0 if not known
	Making time.Duration // what making the connection took, 0 if not known
	Err    error         // what ended it; nil if the answer came to its end
	Cause  error         // context.Cause of the request's context

	Status int       // HTTP status, 0 if none came
	GRPC   int       // gRPC status, 0 for OK and for none
	Words  string    // what the gRPC status says
	Type   string    // content type of the answer
	Server string    // the answer's Server header
	Head   []byte    // the body's beginning; 1 KiB is enough
	Size   int64     // body bytes of the request
	Up     int64     // those of them that were sent
	Down   int64     // body bytes of the answer
	Body   BodyFault // of an answer with a good status
}

// A LimitError is an answer larger than this program reads.
type LimitError struct{ Limit int64 } // bytes

func (e *LimitError) Error() string {
	return fmt.Sprintf("answer larger than our limit of %d bytes", e.Limit)
}

const (
	// staleTrips is how late, in times a connection took to be made, the end of
	// an idle one is heard: it crosses the request, or the request's first
	// bytes are answered with it. That is one round trip; making a connection
	// takes one or more. A server that cuts later has worked on the request.
	staleTrips = 2
	// staleLeast is what the schedulers of both ends may add.
	staleLeast = 20 * time.Millisecond
	// staleMost is above every round trip but that of a lost packet.
	staleMost = 500 * time.Millisecond
	// staleBytes is the most that a socket buffers (Linux, by default). The
	// peer has taken some of a body of which more went up: it was there.
	staleBytes = 4 << 20
)

// stale reports whether a connection that was cut off had ended before the
// request.
func stale(s Seen) bool {
	if !s.Reused || s.Step != Connected {
		return false
	}
	var op *net.OpError
	if s.Up == 0 && errors.As(s.Err, &op) && op.Op == "write" {
		return true // it took nothing
	}
	return s.Up <= staleBytes && s.Waited <= min(max(staleLeast, staleTrips*s.Making), staleMost)
}

// Classify decides in what way a request failed; the zero Failure is an answer
// with a good status and no fault in its body. It is pure: the same Seen gives
// the same Failure. Text is safe to print on a terminal, see [Printable].
//
// An error counts before the status, except that a bad status is kept when its
// body broke off; the engine's own reasons (timeout, cut) count before both.
func Classify(s Seen) ledger.Failure {
	f := classify(s)
	f.Text = Printable(f.Text)
	return f
}

func classify(s Seen) ledger.Failure {
	switch {
	case s.Err != nil && s.Cause != nil:
		return ofCause(s.Cause)
	case s.GRPC != 0:
		return ofGRPC(s)
	case s.Status >= 300:
		return ofStatus(s)
	case s.Err != nil:
		return ofError(s)
	case s.Status != 0 && s.Status < 200:
		return ledger.Failure{Class: ledger.Protocol, Code: s.Status, Text: fmt.Sprintf("status %d instead of an answer", s.Status)}
	case s.Body != NoFault:
		return ofBody(s)
	}
	return ledger.Failure{}
}

func ofCause(cause error) ledger.Failure {
	switch {
	case errors.Is(cause, ErrTimeout), errors.Is(cause, context.DeadlineExceeded):
		return ledger.Failure{Class: ledger.Timeout, Text: cause.Error()}
	}
	return ledger.Failure{Class: ledger.CutOff, Text: cause.Error()}
}

func ofStatus(s Seen) ledger.Failure {
	f := ledger.Failure{Code: s.Status, Text: Said(s)}
	text := strings.ToLower(f.Text + string(s.Head))
	full := queueFull(text)
	switch {
	case s.Status == 413:
		f.Class = ledger.TooLarge
		f.Text = fmt.Sprintf("the server refuses a body of %d bytes: %s", s.Size, f.Text)
	case (s.Status == 429 || s.Status == 503) && full:
		f.Class = ledger.Rejected
	case s.Status == 404 && modelGone(text):
		f.Class = ledger.NotLoaded
	case s.Status < 400:
		f.Class = ledger.HTTP3xx
	case s.Status < 500:
		f.Class = ledger.HTTP4xx
	default:
		f.Class = ledger.HTTP5xx
	}
	return f
}

// queueFull knows the words with which servers turn a request away: TensorFlow
// Serving's batching and gRPC threads, Triton, BentoML, Gradio. TorchServe's
// "has no worker" is not among them: it says the same without any worker.
func queueFull(text string) bool {
	return containsAny(text, "queue is full", "task was submitted is full", "maximum queue size",
		"threadpool exhausted", "service busy")
}

// modelGone knows TensorFlow Serving's words and KServe's.
func modelGone(text string) bool {
	return containsAny(text, "servable not found") ||
		strings.Contains(text, "model with name") && strings.Contains(text, "does not exist")
}

func containsAny(text string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

// Statuses of gRPC that have a class of their own.
const (
	grpcCanceled         = 1
	grpcDeadline         = 4
	grpcExhausted        = 8
	grpcUnavailable      = 14
	grpcNotFound         = 5
	grpcLargerThanMax    = "larger than max"
	grpcServableNotFound = "servable not found"
)

func ofGRPC(s Seen) ledger.Failure {
	f := ledger.Failure{Class: ledger.GRPC, Code: s.GRPC, Text: cmp.Or(s.Words, fmt.Sprintf("gRPC status %d", s.GRPC))}
	text := strings.ToLower(s.Words)
	switch {
	case (s.GRPC == grpcCanceled || s.GRPC == grpcDeadline) && s.Cause != nil:
		return ofCause(s.Cause)
	case s.GRPC == grpcExhausted && strings.Contains(text, grpcLargerThanMax):
		f.Class = ledger.TooLarge
	case (s.GRPC == grpcExhausted || s.GRPC == grpcUnavailable) && queueFull(text):
		f.Class = ledger.Rejected
	case s.GRPC == grpcNotFound && strings.Contains(text, grpcServableNotFound):
		f.Class = ledger.NotLoaded
	}
	return f
}

func ofBody(s Seen) ledger.Failure {
	f := ledger.Failure{Class: ledger.BadBody, Code: s.Status}
	switch said := Said(s); {
	case s.Body == Empty:
		f.Text = "empty"
	case IsHTML(s.Type, s.Head):
		f.Text = said
	case s.Body == Truncated:
		f.Text = fmt.Sprintf("truncated after %d bytes", s.Down)
	default:
		f.Text = "not JSON: " + said
	}
	return f
}

func ofError(s Seen) ledger.Failure {
	f := ledger.Failure{Class: classOfError(s), Code: s.Status, Text: plain(s.Err)}
	if f.Class == ledger.BadBody {
		f.Text = fmt.Sprintf("truncated after %d bytes", s.Down)
	}
	return f
}

func classOfError(s Seen) ledger.Class {
	var limit *LimitError
	var dns *net.DNSError
	switch err := s.Err; {
	case ourLimit(err):
		return ledger.ClientLimit
	case errors.As(err, &limit):
		return ledger.TooLarge
	case errors.As(err, &dns):
		return ledger.DNS
	case ofTLS(err):
		return ledger.TLS
	case s.Step == Dialing:
		return ledger.Connect
	case s.Step == Handshaking:
		return ledger.TLS
	case violation(err):
		return ledger.Protocol
	case s.Step == Answering && s.Status != 0 && errors.Is(err, io.ErrUnexpectedEOF):
		return ledger.BadBody
	case !cutOff(err):
		return ledger.Protocol
	case stale(s):
		return ledger.StaleKeepalive
	}
	return ledger.Reset
}

// ourLimit reports whether this machine is out of descriptors, ports or
// buffers.
func ourLimit(err error) bool {
	for _, e := range []syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.EADDRNOTAVAIL, syscall.ENOBUFS} {
		if errors.Is(err, e) {
			return true
		}
	}
	// The resolver keeps no errno.
	var dns *net.DNSError
	return errors.As(err, &dns) && strings.Contains(dns.Err, syscall.EMFILE.Error())
}

// ofTLS reports whether err is crypto/tls's. Many of its errors have no type;
// they begin with its name, as no text does that quotes the server.
func ofTLS(err error) bool {
	var (
		op      *net.OpError
		record  tls.RecordHeaderError
		alert   tls.AlertError
		verify  *tls.CertificateVerificationError
		unknown x509.UnknownAuthorityError
		host    x509.HostnameError
		invalid x509.CertificateInvalidError
	)
	if errors.As(err, &record) || errors.As(err, &alert) || errors.As(err, &verify) ||
		errors.As(err, &unknown) || errors.As(err, &host) || errors.As(err, &invalid) {
		return true
	}
	if errors.As(err, &op) && (op.Op == "remote error" || op.Op == "local error") { // an alert
		return true
	}
	return strings.HasPrefix(unwrapped(err), "tls: ")
}

// unwrapped is what err says without what net/http says before it.
func unwrapped(err error) string {
	return strings.TrimPrefix(err.Error(), "net/http: HTTP/1.x transport connection broken: ")
}

// violation reports whether the peer broke the rules of HTTP. Most of
// net/http's errors about it have no type.
func violation(err error) bool {
	var proto textproto.ProtocolError
	if errors.As(err, &proto) {
		return true
	}
	return containsAny(err.Error(), "malformed", "unsupported transfer encoding", "transfer encodings",
		"Content-Length", "invalid byte in chunk length", "chunk length too large",
		"chunked encoding", "chunked line", "http chunk", "response headers exceeded", "http2:", "HTTP/2")
}

// cutOff reports whether err is the end of a connection.
func cutOff(err error) bool {
	var op *net.OpError
	if errors.As(err, &op) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, io.ErrClosedPipe) || errors.Is(err, net.ErrClosed) {
		return true
	}
	var errno syscall.Errno
	return errors.As(err, &errno) || strings.HasPrefix(unwrapped(err), "http: server closed idle connection")
}

// plain is err without the addresses of this end, which differ every time.
func plain(err error) string {
	var op *net.OpError
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns):
		return dns.Error()
	case strings.HasPrefix(unwrapped(err), "readLoopPeekFailLocked"): // how net/http puts it
		return "an answer nobody had asked for"
	case errors.Is(err, net.ErrClosed): // which half of net/http saw it first is chance
		return "the connection was closed"
	case !errors.As(err, &op) || op.Err == nil:
		return unwrapped(err)
	case op.Op == "dial" && op.Addr != nil:
		return "connect " + op.Addr.String() + ": " + bare(op.Err)
	}
	return op.Op + ": " + bare(op.Err)
}

// bare takes the name of the system call away.
func bare(err error) string {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return errno.Error()
	}
	return err.Error()
}
