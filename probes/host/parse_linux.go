package host

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// parseCores reads a list of core ids, "0,3-5", as sysfs writes it: ascending
// ids from 0 to maxCore, each once. An empty text is an empty list.
func parseCores(text string) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	var ids []int
	for part := range strings.SplitSeq(text, ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		a, err := strconv.ParseUint(from, 10, 16)
		b, err2 := strconv.ParseUint(to, 10, 16)
		if err != nil || err2 != nil || a > b || b > maxCore || len(ids) > maxCore {
			return nil, fmt.Errorf("%.40q is no list of cores", text)
		}
		for id := int(a); id <= int(b); id++ {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// parseLoad reads the average over one minute of /proc/loadavg:
//
//	0.52 0.58 0.59 2/412 6701
//	load           │ └── threads on the machine
//	               └──── of which can run
func parseLoad(text string) (float64, error) {
	word, _, _ := strings.Cut(text, " ")
	return decimal(word, "load")
}

// parseThreads reads the second half of the fourth field of /proc/loadavg.
func parseThreads(text string) (float64, error) {
	fields := strings.Fields(text)
	if len(fields) < 4 {
		return 0, fmt.Errorf("no fourth field in /proc/loadavg")
	}
	_, total, _ := strings.Cut(fields[3], "/")
	n, err := strconv.ParseUint(total, 10, 32)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("%.40q is no number of threads", fields[3])
	}
	return float64(n), nil
}

// parseKHz reads a clock of cpufreq and returns it in Hz. Some files say
// "<unknown>".
func parseKHz(text string) (float64, error) {
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("%.40q is no clock", text)
	}
	return float64(n) * 1e3, nil
}

// parseSpeed reads a link's Mbit/s and returns bits per second. Not known is
// written -1, by old kernels as the unsigned number of the same bits.
func parseSpeed(text string) (float64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%.40q is no speed", text)
	case n <= 0 || n > 1<<31-2:
		return 0, errNoSpeed
	}
	return float64(n) * 1e6, nil
}

// parseTraffic reads /proc/net/dev: two lines of heading, then a line for each
// interface with bytes received in the first and sent in the ninth column.
//
//	eth0: 1296 12 0 0 0 0 0 0 8432 31 0 0 0 0 0 0
//
// A line that makes no sense is an error beside the other interfaces.
func parseTraffic(text string) (nics []nic, err error) {
	for line := range strings.Lines(text) {
		colon := strings.LastIndexByte(line, ':')
		if colon < 0 {
			continue
		}
		n := nic{name: strings.TrimSpace(line[:colon])}
		fields := strings.Fields(line[colon+1:])
		if !isNic(n.name) || len(fields) < 9 {
			err = fmt.Errorf("%.40q is no line of /proc/net/dev", strings.TrimSpace(line))
			continue
		}
		rx, err1 := strconv.ParseUint(fields[0], 10, 64)
		tx, err2 := strconv.ParseUint(fields[8], 10, 64)
		if err1 != nil || err2 != nil {
			err = fmt.Errorf("%.40q is no line of /proc/net/dev", strings.TrimSpace(line))
			continue
		}
		n.rx, n.tx = rx, tx
		nics = append(nics, n)
	}
	return nics, err
}

// isNic reports whether the kernel would give an interface that name. It is
// used in a path.
func isNic(name string) bool {
	return name != "" && name != "." && name != ".." && len(name) < 64 && !strings.ContainsAny(name, "/\x00 \t")
}

// decimal reads a number of 0 or more.
func decimal(text, what string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= 0) || x-x != 0 {
		return 0, fmt.Errorf("%.40q is no %s", text, what)
	}
	return x, nil
}
