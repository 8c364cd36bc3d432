package httpconn

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"dev.example/pileup/loadgen"
)

// An Address is where a target is and what it speaks, taken from
//
//	PROTOCOL+TRANSPORT://[USER[:PASSWORD]@]HOST[:PORT][/PREFIX]
//
// or from a plain TRANSPORT://… whose protocol is to be found out.
type Address struct {
	Protocol  string // "tfs", "kserve", …; "" for a plain URL
	Transport string // "http", "https", "grpc"
	Host      string // name or address, IPv6 without brackets
	Port      int    // 0 if none was written
	Prefix    string // path before the protocol's own, without a slash at its end
	User      *url.Userinfo
}

// ExampleHint is the hint for a word that is no target's URL.
const ExampleHint = "write tfs+http://HOST:8501"

// ParseAddress reads a target's URL. Its errors are [loadgen.Refusal] and never
// hold what stood before an @ or behind a question mark. It does not decide
// which schemes are served: targets do.
func ParseAddress(raw string) (Address, error) {
	bad := func(format string, args ...any) (Address, error) {
		return Address{}, &loadgen.Refusal{Err: fmt.Errorf(format, args...), Hint: ExampleHint}
	}
	scheme, rest, ok := strings.Cut(raw, "://")
	if !ok || scheme == "" {
		return bad("%q is no URL", Redact(raw))
	}
	u, err := url.Parse(raw)
	if err != nil {
		return bad("%q is no URL: %w", Redact(raw), reason(err))
	}
	if u.Hostname() == "" {
		return bad("%q names no host", Redact(raw))
	}
	if !validHost(u) {
		return bad("%q has no valid host; IPv6 stands in brackets", Redact(raw))
	}
	if u.RawQuery != "" || u.Fragment != "" || strings.HasSuffix(rest, "?") {
		return bad("%q has more behind its path than a target takes", Redact(raw))
	}
	a := Address{Host: u.Hostname(), Prefix: strings.TrimRight(u.EscapedPath(), "/"), User: u.User}
	a.Protocol, a.Transport, ok = strings.Cut(strings.ToLower(scheme), "+")
	if !ok {
		a.Protocol, a.Transport = "", a.Protocol
	}
	if p := u.Port(); p != "" {
		a.Port, err = strconv.Atoi(p)
	}
	if err != nil || a.Port > 65535 || a.Port < 0 || a.Port == 0 && hasPort(u.Host) {
		return bad("%q has no valid port: 1 to 65535", Redact(raw))
	}
	return a, nil
}

// validHost takes names and addresses, IPv6 in brackets.
func validHost(u *url.URL) bool {
	name := u.Hostname()
	if strings.HasPrefix(u.Host, "[") {
		ip, err := netip.ParseAddr(name)
		return err == nil && ip.Is6()
	}
	return !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(".-_", r)
	})
}

// hasPort reports whether a colon for a port was written, even an empty one.
func hasPort(host string) bool {
	return strings.LastIndexByte(host, ':') > strings.LastIndexByte(host, ']')
}

// reason is a url.Error without the URL.
func reason(err error) error {
	if u, ok := err.(*url.Error); ok {
		if s := u.Err.Error(); strings.Contains(s, "invalid port") {
			return fmt.Errorf("its port is no number")
		}
		return fmt.Errorf("it cannot be read as scheme://host:port/path")
	}
	return err
}

// Scheme is protocol and transport as they were written: "tfs+http".
func (a Address) Scheme() string {
	if a.Protocol == "" {
		return a.Transport
	}
	return a.Protocol + "+" + a.Transport
}

// HostPort is the address to dial, IPv6 in brackets: "10.0.0.7:8501".
func (a Address) HostPort() string { return net.JoinHostPort(a.Host, strconv.Itoa(a.Port)) }

// authority is host and port as they stand in a URL.
func (a Address) authority() string {
	if a.Port != 0 {
		return strings.ReplaceAll(a.HostPort(), "%", "%25") // a zone
	}
	if strings.Contains(a.Host, ":") {
		return "[" + strings.ReplaceAll(a.Host, "%", "%25") + "]"
	}
	return a.Host
}

// String is the URL without user and password.
func (a Address) String() string {
	return a.Scheme() + "://" + a.authority() + a.Prefix
}

// Redact takes user, password and query out of something that was meant as a
// URL, well-formed or not: all before the last @ but the scheme, and all behind
// a question mark or #.
func Redact(raw string) string {
	raw, _, _ = strings.Cut(raw, "?")
	raw, _, _ = strings.Cut(raw, "#")
	at := strings.LastIndexByte(raw, '@')
	if at < 0 {
		return loadgen.Printable(raw)
	}
	scheme := ""
	if i := strings.Index(raw, "://"); i >= 0 && i < at && !strings.ContainsAny(raw[:i], ":@") {
		scheme = raw[:i] + "://"
	}
	return loadgen.Printable(scheme + raw[at+1:])
}
