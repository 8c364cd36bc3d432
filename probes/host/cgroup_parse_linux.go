package host

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// parseGroup reads /proc/self/cgroup, see cgroups(7), and returns the group
// that has our processor time, and whether it is of v1, which goes first.
//
//	0::/a/b                  v2
//	3:cpu,cpuacct:/a/b       v1
func parseGroup(text string) (group string, v1 bool, err error) {
	for line := range strings.Lines(text) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(parts) < 3 || !strings.HasPrefix(parts[2], "/") {
			return "", false, fmt.Errorf("%.40q is no line of /proc/self/cgroup", line)
		}
		switch {
		case slices.Contains(strings.Split(parts[1], ","), "cpu"):
			return parts[2], true, nil
		case parts[0] == "0":
			group = parts[2]
		}
	}
	if group == "" {
		return "", false, errors.New("not in a cgroup")
	}
	return group, false, nil
}

// parseLevels finds the directories that may limit a group, its own first, in
// /proc/self/mountinfo, see proc_pid_mountinfo(5).
//
//	32 31 0:29 /a /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu
//	           │  └── mount point         │             └── controllers
//	           └───── what is mounted     └── cgroup2 for v2
//
// gives /sys/fs/cgroup/cpu/b and /sys/fs/cgroup/cpu for the group /a/b.
func parseLevels(mounts, group string, v1 bool) (dirs []string, err error) {
	for line := range strings.Lines(mounts) {
		top, rest, ok := parseMount(line, group, v1)
		if !ok {
			continue
		}
		for rest = path.Clean("/" + rest); rest != "/"; rest = path.Dir(rest) {
			dirs = append(dirs, path.Join(top, rest))
		}
		return append(dirs, path.Clean(top)), nil
	}
	return nil, errors.New("the cgroup is not mounted")
}

// parseMount returns where the group's tree is mounted and which part of the
// group's path lies below, if this line of mountinfo is such a mount.
func parseMount(line, group string, v1 bool) (top, rest string, ok bool) {
	mount, kind, ok := strings.Cut(line, " - ")
	fields, kinds := strings.Fields(mount), strings.Fields(kind)
	if !ok || len(fields) < 5 || len(kinds) < 3 {
		return "", "", false
	}
	switch {
	case v1 && (kinds[0] != "cgroup" || !slices.Contains(strings.Split(kinds[2], ","), "cpu")):
		return "", "", false
	case !v1 && kinds[0] != "cgroup2":
		return "", "", false
	}
	root, top := unescape(fields[3]), unescape(fields[4])
	rest, ok = strings.CutPrefix(group, strings.TrimSuffix(root, "/"))
	if !ok || rest != "" && rest[0] != '/' || !strings.HasPrefix(top, "/") {
		return "", "", false
	}
	// A group outside of our namespace is shown as /../x and is not below.
	if slices.Contains(strings.Split(rest, "/"), "..") {
		return "", "", false
	}
	return top, rest, true
}

// unescape undoes mountinfo's octal escapes of space, tab, newline and
// backslash.
func unescape(s string) string {
	return strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(s)
}

// parseQuota reads cpu.max, "150000 100000" or "max 100000", and returns
// cores. Both numbers are microseconds.
func parseQuota(text string) (float64, error) {
	quota, period, _ := strings.Cut(text, " ")
	if quota == "max" {
		return 0, errNoQuota
	}
	q, err := strconv.ParseUint(quota, 10, 62)
	p, err2 := strconv.ParseUint(period, 10, 62)
	if err != nil || err2 != nil || q == 0 || p == 0 {
		return 0, fmt.Errorf("%.40q is no quota", text)
	}
	return float64(q) / float64(p), nil
}

// parseQuotaV1 reads cpu.cfs_quota_us and cpu.cfs_period_us, one after the
// other. A quota of -1 is none.
func parseQuotaV1(text string) (float64, error) {
	if strings.HasPrefix(text, "-1 ") {
		return 0, errNoQuota
	}
	return parseQuota(text)
}

// parseThrottle reads cpu.stat as it was at some time. v2 counts what was lost
// in microseconds, v1 in nanoseconds:
//
//	nr_periods 120
//	nr_throttled 30
//	throttled_usec 2512345        throttled_time 2512345678
//
// Every core on which the group was locked out adds to the time, so that it
// may pass faster than the clock.
func parseThrottle(text string, at time.Time) (throttle, error) {
	found := map[string]float64{}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if n, err := strconv.ParseUint(value, 10, 64); err == nil {
			found[name] = float64(n)
		}
	}
	periods, ok := found["nr_periods"]
	struck, ok2 := found["nr_throttled"]
	lost, ok3 := found["throttled_usec"]
	lost /= 1e6
	if ns, v1 := found["throttled_time"]; !ok3 && v1 {
		lost, ok3 = ns/1e9, true
	}
	if !ok || !ok2 || !ok3 {
		return throttle{}, errors.New("no throttling in cpu.stat")
	}
	return throttle{periods: counter{at, periods}, struck: struck, lost: counter{at, lost}}, nil
}
