package ledger

import "fmt"

// A Class says in what way a request failed. The set is closed.
type Class uint8

// The failure classes. OK is the zero value.
const (
	OK             Class = iota
	Connect              // no connection: refused, unreachable, no answer to SYN
	DNS                  // the name has no address
	TLS                  // the handshake failed
	Timeout              // no answer within the limit, counted from sent
	Reset                // the connection was cut before the answer was complete
	StaleKeepalive       // an idle connection was closed by the server as we wrote
	HTTP3xx              // a redirect, which is never followed
	HTTP4xx
	HTTP5xx
	Rejected    // the server's queue is full
	Protocol    // not HTTP, or a violation of it
	TooLarge    // a body over somebody's limit
	BadBody     // empty, truncated, not JSON, a page from a proxy
	WrongAnswer // well-formed, but not what was asked for
	GRPC        // a gRPC status; its number is the code
	ClientLimit // this machine ran out of ports or descriptors
	NotLoaded   // a model seen before is gone
	CutOff      // the driver gave up on it: the drain was cut, or the run ended
	classes
)

var classNames = [classes]string{
	"ok", "connect", "dns", "tls", "timeout", "reset", "stale-keepalive",
	"http-3xx", "http-4xx", "http-5xx", "rejected", "protocol", "too-large",
	"bad-body", "wrong-answer", "grpc", "client-limit", "not-loaded", "cut",
}

func (c Class) String() string {
	if c < classes {
		return classNames[c]
	}
	return fmt.Sprintf("class-%d", uint8(c))
}

// ParseClass returns the class of that name.
func ParseClass(s string) (Class, bool) {
	for i, n := range classNames {
		if n == s {
			return Class(i), true
		}
	}
	return OK, false
}

// Censored reports whether the failure bounds the response from below:
// the answer would have come later than the request was given up.
func (c Class) Censored() bool { return c == Timeout || c == CutOff }

// A Failure is why a request failed. The zero Failure is success.
type Failure struct {
	Class Class
	Code  int    // HTTP or gRPC status; 0 if there was none
	Text  string // what was said, control characters escaped, at most 512 bytes
}

// Name is the class as shown, with the number where it names one: "http-503".
func (f Failure) Name() string {
	switch f.Class {
	case HTTP3xx, HTTP4xx, HTTP5xx:
		if f.Code != 0 {
			return fmt.Sprintf("http-%d", f.Code)
		}
	case GRPC:
		return fmt.Sprintf("grpc-%d", f.Code)
	}
	return f.Class.String()
}
