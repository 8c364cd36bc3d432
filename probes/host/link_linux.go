package host

import (
	"errors"
	"strings"

	"dev.example/pileup/probes"
	"golang.org/x/sys/unix"
)

var (
	errNoSpeed = errors.New("no nominal speed")
	errVirtual = errors.New("virtual, without a link of its own")
)

// link is the nominal speed of an interface, in bits per second. The file
// answers EINVAL, or -1, where the driver knows none: wireless interfaces,
// most of virtual machines, and cables that are unplugged.
//
// What exists in the kernel only still tells a speed, because some program
// wanted one: 10 Gb/s for a veth, and so for the eth0 of a container and the
// bridge of its host; 10 Gb/s for a tun, 10 Mb/s before Linux 6.2. They pass
// on what the memory can carry, and nobody must be blamed for filling them.
func (m machine) link(name string, s *sample) probes.Value {
	if name == "lo" {
		return probes.Value{}
	}
	err, asked := m.hardware[name]
	if !asked {
		err = m.findHardware(name, 3)
		m.hardware[name] = err
	}
	if err != nil {
		s.lacks(name+" link", why(err))
		return probes.Value{}
	}
	text, err := m.files.read(m.sys + "/class/net/" + name + "/speed")
	if errors.Is(err, unix.EINVAL) {
		err = errNoSpeed
	}
	var bits float64
	if err == nil {
		bits, err = parseSpeed(text)
	}
	return s.known(name+" link")(bits, err)
}

// forgetLinks is for when interfaces came or went: a name may be another's now.
func (m machine) forgetLinks() { clear(m.hardware) }

// findHardware returns nil if an interface is a device or stands on one, as a
// VLAN, a bond and a bridge with such a port do. Those may stand on each other
// up to the given depth.
func (m machine) findHardware(name string, depth int) error {
	dir := m.sys + "/class/net/" + name
	var st unix.Stat_t
	if unix.Stat(dir+"/device", &st) == nil {
		return nil
	}
	entries, err := names(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		lower, ok := strings.CutPrefix(entry, "lower_")
		if ok && depth > 0 && m.findHardware(lower, depth-1) == nil {
			return nil
		}
	}
	return errVirtual
}
