package host

import (
	"path"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParseGroup(t *testing.T) {
	tests := []struct {
		name, text string
		group      string
		v1, ok     bool
	}{
		{"v2", "0::/a/b\n", "/a/b", false, true},
		{"v1", "4:memory:/m\n3:cpu,cpuacct:/a\n", "/a", true, true},
		{"v1 goes before v2", "0::/v2\n5:cpuset,cpu:/v1\n", "/v1", true, true},
		{"cpuset is not cpu", "5:cpuset:/x\n0::/v2", "/v2", false, true},
		{"a colon in the name", "0::/a:b", "/a:b", false, true},
		{"no group of ours", "4:memory:/m\n", "", false, false},
		{"empty", "", "", false, false},
		{"no path", "0::\n", "", false, false},
		{"relative", "0::a\n", "", false, false},
		{"no colons", "groups", "", false, false},
	}
	for _, tt := range tests {
		group, v1, err := parseGroup(tt.text)
		if group != tt.group || v1 != tt.v1 || (err == nil) != tt.ok {
			t.Errorf("%s: %q, v1 %v, %v, want %q, v1 %v, ok %v", tt.name, group, v1, err, tt.group, tt.v1, tt.ok)
		}
	}
}

func TestParseLevels(t *testing.T) {
	const v2 = " rw shared:4 - cgroup2 cgroup rw,nsdelegate\n"
	tests := []struct {
		name, mounts, group string
		v1                  bool
		want                []string // nil if it is not mounted
	}{
		{"host", "30 1 0:2 / /sys/fs/cgroup" + v2, "/a/b", false, []string{"/sys/fs/cgroup/a/b", "/sys/fs/cgroup/a", "/sys/fs/cgroup"}},
		{"namespace", "30 1 0:2 / /sys/fs/cgroup" + v2, "/", false, []string{"/sys/fs/cgroup"}},
		{"bound", "30 1 0:2 /docker/7 /sys/fs/cgroup" + v2, "/docker/7/x", false, []string{"/sys/fs/cgroup/x", "/sys/fs/cgroup"}},
		{"bound, the same", "30 1 0:2 /docker/7 /sys/fs/cgroup" + v2, "/docker/7", false, []string{"/sys/fs/cgroup"}},
		{"only begins alike", "30 1 0:2 /docker/7 /sys/fs/cgroup" + v2, "/docker/77", false, nil},
		{"elsewhere", "30 1 0:2 /other /mnt" + v2, "/docker/7", false, nil},
		{"the second mount", "30 1 0:2 /other /mnt" + v2 + "31 1 0:2 / /c" + v2, "/a", false, []string{"/c/a", "/c"}},
		{"outside of the namespace", "30 1 0:2 / /sys/fs/cgroup" + v2, "/../init", false, nil},
		{"escaped", `30 1 0:2 /a\040b /c\011d\134` + v2, "/a b/e", false, []string{"/c\td\\/e", "/c\td\\"}},
		{"v1", "30 1 0:2 / /m rw - cgroup cgroup rw,memory\n31 1 0:2 / /c rw - cgroup cgroup rw,cpu,cpuacct", "/a", true, []string{"/c/a", "/c"}},
		{"v1 is not v2", "30 1 0:2 / /c" + v2, "/a", true, nil},
		{"v2 is not v1", "31 1 0:2 / /c rw - cgroup cgroup rw,cpu", "/a", false, nil},
		{"no options", "30 1 0:2 / /c rw - cgroup2 cgroup", "/a", false, nil},
		{"short", "30 1 0:2 /\n - \n\n", "/a", false, nil},
	}
	for _, tt := range tests {
		got, err := parseLevels(tt.mounts, tt.group, tt.v1)
		if d := cmp.Diff(tt.want, got); d != "" || (err == nil) != (tt.want != nil) {
			t.Errorf("%s: %v (-want +got):\n%s", tt.name, err, d)
		}
	}
}

func TestParseThrottle(t *testing.T) {
	at := time.Unix(7, 0)
	want := throttle{periods: counter{at, 120}, struck: 30, lost: counter{at, 2.5}}
	for _, text := range []string{
		"usage_usec 5\nnr_periods 120\nnr_throttled 30\nthrottled_usec 2500000\nnr_bursts 0",
		"nr_periods 120\nnr_throttled 30\nthrottled_time 2500000000\n",
	} {
		if got, err := parseThrottle(text, at); err != nil || got != want {
			t.Errorf("parseThrottle(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "usage_usec 5", "nr_periods 1\nnr_throttled 1", "nr_periods x\nnr_throttled 1\nthrottled_usec 1", "nr_periods -1\nnr_throttled 1\nthrottled_usec 1"} {
		if got, err := parseThrottle(text, at); err == nil {
			t.Errorf("parseThrottle(%q) = %v, want an error", text, got)
		}
	}
}

func TestThrottleSince(t *testing.T) {
	at := time.Unix(7, 0)
	read := func(after time.Duration, periods, struck, lost float64) throttle {
		return throttle{counter{at.Add(after), periods}, struck, counter{at.Add(after), lost}}
	}
	last := read(0, 100, 10, 3)
	tests := []struct {
		name          string
		now, last     throttle
		percent, lost float64
		why           string
	}{
		{"half of the periods", read(2*time.Second, 120, 20, 4), last, 50, 0.5, ""},
		{"more than the clock", read(time.Second, 110, 20, 7), last, 100, 4, ""},
		{"had no work", read(time.Second, 100, 10, 3), last, 0, 0, ""},
		{"struck more than there are periods", read(time.Second, 101, 20, 3), last, 100, 0, ""},
		{"first", last, throttle{}, 0, 0, second},
		{"periods backwards", read(time.Second, 99, 10, 3), last, 0, 0, "counters ran backwards"},
		{"struck backwards", read(time.Second, 110, 9, 3), last, 0, 0, "counters ran backwards"},
		{"lost backwards", read(time.Second, 110, 10, 2), last, 0, 0, "counters ran backwards"},
	}
	for _, tt := range tests {
		percent, lost, why := tt.now.since(tt.last)
		if percent != tt.percent || lost != tt.lost || why != tt.why {
			t.Errorf("%s: %v %%, %v s/s, %q, want %v, %v, %q", tt.name, percent, lost, why, tt.percent, tt.lost, tt.why)
		}
	}
}

func FuzzParseLevels(f *testing.F) {
	f.Add("30 1 0:2 /a /sys/fs/cgroup rw - cgroup2 cgroup rw", "0::/a/b")
	f.Add(`31 1 0:2 / /c\040d rw - cgroup cgroup rw,cpu,cpuacct`, "3:cpu,cpuacct:/x/../y")
	f.Fuzz(func(t *testing.T, mounts, text string) {
		group, v1, err := parseGroup(text)
		if err != nil {
			return
		}
		dirs, err := parseLevels(mounts, group, v1)
		if (err == nil) != (len(dirs) > 0) {
			t.Fatalf("%d levels, %v", len(dirs), err)
		}
		for i, dir := range dirs {
			if !path.IsAbs(dir) || i > 0 && !strings.HasPrefix(dirs[i-1], dir) {
				t.Fatalf("level %q is not around the one before: %q", dir, dirs)
			}
		}
	})
}

func FuzzParseThrottle(f *testing.F) {
	seeds(f, "/cpu.stat")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parseThrottle(text, time.Time{})
		for _, x := range []float64{got.periods.n, got.struck, got.lost.n} {
			if err == nil && !(x >= 0) {
				t.Fatalf("%q: %v", text, got)
			}
		}
	})
}
