package host

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"dev.example/pileup/probes"
	"golang.org/x/sys/unix"
)

// readPorts says how many ephemeral ports may be taken in our network
// namespace. Walking /proc/net/tcp would tell which, but takes the time of all
// connections; the kernel's own totals cost one small file a family:
//
//	taken ≤ open over IPv4 + open over IPv6 + waiting over either
//
// The right side also counts what listens, what others connected to us, the
// connections of other processes and the other end of a connection inside the
// machine. It is tight for a driver that is alone in sending from its machine.
func (p *process) readPorts(s *sample) {
	const ports = "own ports"
	text, err := p.files.read(p.proc + "/net/sockstat")
	if err != nil {
		s.lacks(ports, why(err))
		return
	}
	text6, err := p.files.read(p.proc + "/net/sockstat6")
	if err != nil && !errors.Is(err, unix.ENOENT) { // ENOENT: a kernel without IPv6
		s.lacks(ports, why(err))
		return
	}
	used, err := parseSockets(text, text6)
	if err != nil {
		s.lacks(ports, why(err))
		return
	}
	s.Own.Ports, s.Own.PortsWaiting = probes.Of(used.open+used.waiting), probes.Of(used.waiting)
	text, err = p.files.read(p.proc + "/sys/net/ipv4/ip_local_port_range")
	if err != nil {
		s.lacks("own port range", why(err))
		return
	}
	s.Own.PortMax = s.known("own port range")(parsePortRange(text))
}

// sockets are the TCP sockets of a network namespace.
type sockets struct{ open, waiting float64 }

// parseSockets reads /proc/net/sockstat and sockstat6. The latter may be
// empty.
//
//	TCP: inuse 27 orphan 0 tw 6 alloc 29 mem 3      TCP6: inuse 4
//	           │               └── closed here: TIME_WAIT and FIN_WAIT2, IPv6 too
//	           └────────────────── connected, closed by the other side only, listening
//
// alloc and mem are of the whole machine, not of our network namespace.
func parseSockets(text, text6 string) (n sockets, err error) {
	open, err := parseSockstat(text, "TCP:", "inuse")
	if err != nil {
		return n, err
	}
	waiting, err := parseSockstat(text, "TCP:", "tw")
	if err != nil {
		return n, err
	}
	open6 := 0.0
	if text6 != "" {
		if open6, err = parseSockstat(text6, "TCP6:", "inuse"); err != nil {
			return n, err
		}
	}
	return sockets{open: open + open6, waiting: waiting}, nil
}

// parseSockstat reads the number after a word in the line of one protocol.
func parseSockstat(text, protocol, word string) (float64, error) {
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] != protocol {
			continue
		}
		for i := 1; i+1 < len(fields); i += 2 {
			if fields[i] != word {
				continue
			}
			n, err := strconv.ParseUint(fields[i+1], 10, 32)
			if err != nil {
				return 0, fmt.Errorf("%.40q is no number of sockets", fields[i+1])
			}
			return float64(n), nil
		}
	}
	return 0, fmt.Errorf("no %s %s in sockstat", protocol, word)
}

// parsePortRange reads the first and the last ephemeral port and returns how
// many there are.
func parsePortRange(text string) (float64, error) {
	fields := strings.Fields(text)
	if len(fields) == 2 {
		first, err := strconv.ParseUint(fields[0], 10, 16)
		last, err2 := strconv.ParseUint(fields[1], 10, 16)
		if err == nil && err2 == nil && first > 0 && first <= last {
			return float64(last - first + 1), nil
		}
	}
	return 0, fmt.Errorf("%.40q is no range of ports", text)
}
