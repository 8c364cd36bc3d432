package host

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dev.example/pileup/probes"
	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the want sections of testdata")

// unpack writes the files of one step below root.
func unpack(t *testing.T, a *txtar.Archive, step int, root string) (want *txtar.File) {
	t.Helper()
	prefix := strconv.Itoa(step) + "/"
	for i, f := range a.Files {
		name, ok := strings.CutPrefix(f.Name, prefix)
		switch {
		case !ok:
			continue
		case name == "want":
			want = &a.Files[i]
			continue
		}
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return want
}

// show writes what a sample knows; what is not written is absent.
func show(s probes.Sample) string {
	var b strings.Builder
	put := func(label string, v probes.Value) {
		if x, ok := v.Get(); ok {
			fmt.Fprintf(&b, " %s%s", label, strconv.FormatFloat(x, 'f', -1, 64))
		}
	}
	for _, c := range s.Cores {
		fmt.Fprintf(&b, "core %d", c.ID)
		if !c.Online {
			b.WriteString(" offline")
		}
		if x, ok := c.Busy.Get(); ok {
			fmt.Fprintf(&b, " busy %.6g", x)
		}
		put("clock ", c.Freq)
		put("of ", c.FreqMax)
		b.WriteString("\n")
	}
	if s.Steal.Known() {
		b.WriteString("stolen")
		put("", s.Steal)
		b.WriteString("\n")
	}
	if s.Load1.Known() || s.Threads.Known() {
		b.WriteString("load")
		put("", s.Load1)
		put("threads ", s.Threads)
		b.WriteString("\n")
	}
	if s.MemTotal.Known() {
		b.WriteString("memory")
		if !s.MemUsed.Known() {
			b.WriteString(" -")
		}
		put("", s.MemUsed)
		put("of ", s.MemTotal)
		put("swap ", s.SwapUsed)
		b.WriteString("\n")
	}
	for _, n := range s.Net {
		b.WriteString("net " + n.Name)
		put("rx ", n.Rx)
		put("tx ", n.Tx)
		put("link ", n.Link)
		b.WriteString("\n")
	}
	b.WriteString(showOwn(s.Own))
	for _, a := range s.Absent {
		if !slices.Contains(notInFiles, a.What) {
			fmt.Fprintf(&b, "absent %s: %s\n", a.What, a.Why)
		}
	}
	return b.String()
}

// notInFiles is what this process says of itself without any file.
var notInFiles = []string{"own cores", "own live heap", "own collections", "own goroutine waits"}

// showOwn writes what files know of this process.
func showOwn(own probes.Process) string {
	text := ""
	put := func(label string, v probes.Value) {
		if x, ok := v.Get(); ok {
			text += fmt.Sprintf(" %s %.6g", label, x)
		}
	}
	put("ports", own.Ports)
	put("waiting", own.PortsWaiting)
	put("of", own.PortMax)
	put("core wait", own.CoreWait)
	if own.CoresMax.Or(1) < 1 { // no machine has less but by a quota
		put("cores at most", own.CoresMax)
	}
	put("throttled", own.Throttled)
	put("for", own.ThrottledTime)
	if text == "" {
		return ""
	}
	return "own" + text + "\n"
}

// Every machine of testdata is read once a second while its files change.
func TestMachines(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			root := t.TempDir()
			synctest.Test(t, func(t *testing.T) { readMachine(t, a, root) })
			if *update {
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func readMachine(t *testing.T, a *txtar.Archive, root string) {
	p := New(Options{Name: "board", Root: root})
	p.own = newOwn(root)
	if p.Name() != "board" {
		t.Errorf("Name = %q, want board", p.Name())
	}
	for step := 0; ; step++ {
		want := unpack(t, a, step, root)
		if want == nil {
			if step < 2 {
				t.Fatal("a fixture needs two steps")
			}
			return
		}
		s, err := p.Read(t.Context())
		if err != nil {
			t.Fatalf("step %d: %v", step, err)
		}
		if !s.At.Equal(time.Now()) { // the bubble's clock stands still in a read
			t.Errorf("step %d: At = %v, want %v", step, s.At, time.Now())
		}
		got := show(s)
		if *update {
			want.Data = []byte(got)
		} else if d := cmp.Diff(string(want.Data), got); d != "" {
			t.Errorf("step %d (-want +got):\n%s", step, d)
		}
		time.Sleep(time.Second)
	}
}

// Rates are over the time between two reads of the counters, not over a period.
func TestRatesOverTheirOwnInterval(t *testing.T) {
	root := t.TempDir()
	put := func(rx int) {
		t.Helper()
		a := &txtar.Archive{Files: []txtar.File{{Name: "0/proc/net/dev", Data: fmt.Appendf(nil, "eth0: %d 0 0 0 0 0 0 0 0 0\n", rx)}}}
		unpack(t, a, 0, root)
	}
	synctest.Test(t, func(t *testing.T) {
		p := New(Options{Root: root})
		total := 0
		for _, step := range []struct {
			after time.Duration
			bytes int
			want  float64
		}{{0, 0, -1}, {250 * time.Millisecond, 1000, 4000}, {4 * time.Second, 1000, 250}, {0, 1000, -1}, {time.Second, 10, 10}} {
			time.Sleep(step.after)
			total += step.bytes
			put(total)
			s, err := p.Read(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Net[0].Rx.Or(-1); got != step.want {
				t.Errorf("%d bytes in %v: %v bytes/s, want %v", step.bytes, step.after, got, step.want)
			}
		}
	})
}

// /proc/net is the network of the process that reads; the machine's is that of
// the first process.
func TestNetworkOfTheMachineBelowTheRoot(t *testing.T) {
	root := t.TempDir()
	unpack(t, txtar.Parse([]byte("-- 0/proc/net/dev --\neth0: 1 0 0 0 0 0 0 0 1\n-- 0/proc/1/net/dev --\neno1: 1 0 0 0 0 0 0 0 1\n")), 0, root)
	s, err := New(Options{Root: root}).Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Net) != 1 || s.Net[0].Name != "eno1" {
		t.Errorf("interfaces %v, want eno1", s.Net)
	}
}

func TestNothingThere(t *testing.T) {
	_, err := New(Options{Root: t.TempDir()}).Read(t.Context())
	if err == nil || !strings.Contains(err.Error(), "core busy: no cores in /proc/stat; network: not on this machine; load: not on this machine") {
		t.Errorf("Read of an empty root = %v, want the reasons", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(Options{}).Read(ctx); err != context.Canceled {
		t.Errorf("Read with a ctx that is done = %v, want %v", err, context.Canceled)
	}
}

// The machine the test runs on gives something plausible.
func TestThisMachine(t *testing.T) {
	p := New(Options{})
	if p.Name() != "driver" {
		t.Errorf("Name = %q, want driver", p.Name())
	}
	for i := range 3 {
		before := time.Now()
		s, err := p.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if s.At.Before(before) || s.At.After(time.Now()) {
			t.Errorf("At = %v, want it between the begin and the end of the read", s.At)
		}
		for i, c := range s.Cores {
			if i > 0 && c.ID <= s.Cores[i-1].ID {
				t.Errorf("core %d follows %d, want ascending ids", c.ID, s.Cores[i-1].ID)
			}
			if x := c.Busy.Or(0); x < 0 || x > 100 {
				t.Errorf("core %d is %v %% busy", c.ID, x)
			}
		}
		for _, v := range []probes.Value{s.Own.CPU, s.Own.RSS, s.Own.FDs, s.MemTotal, s.Threads} {
			if x, ok := v.Get(); !ok || x <= 0 {
				t.Errorf("own use %+v, memory %v, threads %v: want all known and above 0\n%v", s.Own, s.MemTotal, s.Threads, s.Absent)
			}
		}
		for _, v := range []probes.Value{s.Own.CoresMax, s.Own.Goroutines} {
			if x, ok := v.Get(); !ok || x <= 0 {
				t.Errorf("own use %+v: want all known and above 0\n%v", s.Own, s.Absent)
			}
		}
		if i > 0 && (!s.Own.Cores.Known() || !s.Own.GC.Known() || s.Own.Cores.Or(0) < 0) {
			t.Errorf("sample %d: own use %+v\n%v", i, s.Own, s.Absent)
		}
		if fds, limit := s.Own.FDs.Or(0), s.Own.FDMax.Or(1e9); fds > limit {
			t.Errorf("%v descriptors of %v", fds, limit)
		}
	}
}

func TestClocksAreCutShort(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := sample{probes.Sample{Cores: []probes.Core{{ID: 0, Online: true}, {ID: 1}, {ID: 4, Online: true}}}}
	newMachine("/").readClocks(ctx, &s)
	want := []probes.Absent{{What: "core clock", Why: slow}, {What: "core clock limit", Why: slow}}
	if d := cmp.Diff(want, s.Absent); d != "" {
		t.Error(d)
	}
}

func BenchmarkRead(b *testing.B) { benchmark(b, "/") }

// BenchmarkReadManyCores reads a machine of 128 cores with cpufreq on each.
func BenchmarkReadManyCores(b *testing.B) {
	var stat, dev bytes.Buffer
	root := b.TempDir()
	put := func(path, text string) {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	stat.WriteString("cpu 1 2 3 4 5 6 7 8 9 10\n")
	for i := range 128 {
		fmt.Fprintf(&stat, "cpu%d 123456 2345 34567 45678901 5678 0 789 0 0 0\n", i)
		dir := fmt.Sprintf("sys/devices/system/cpu/cpu%d/cpufreq/", i)
		put(dir+"scaling_cur_freq", "2400000\n")
		put(dir+"scaling_max_freq", "3600000\n")
	}
	for i := range 20 {
		fmt.Fprintf(&dev, "veth%d: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n", i)
		put(fmt.Sprintf("sys/class/net/veth%d/speed", i), "10000\n")
	}
	put("sys/devices/system/cpu/present", "0-127\n")
	put("sys/devices/system/cpu/online", "0-127\n")
	put("proc/stat", stat.String())
	put("proc/net/dev", dev.String())
	put("proc/loadavg", "0.52 0.58 0.59 2/412 6701\n")
	put("proc/meminfo", "MemTotal: 8042496 kB\nMemFree: 4042496 kB\n")
	benchmark(b, root)
}

func benchmark(b *testing.B, root string) {
	p := New(Options{Root: root})
	b.ReportAllocs()
	before, err := p.own.process.cpu(b.Context())
	for b.Loop() {
		if _, err := p.Read(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	after, err2 := p.own.process.cpu(b.Context())
	if err != nil || err2 != nil {
		b.Fatal(err, err2)
	}
	b.ReportMetric((after-before)*1e9/float64(b.N), "cpu-ns/op") // other processes do not matter to it
}
