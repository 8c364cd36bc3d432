//go:build unix

package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// refusal runs a command line that must be refused before anything is sent: with
// an error and a hint, each of a readable line, and nothing else.
func refusal(t *testing.T, args []string, wantError, wantHint string) {
	t.Helper()
	var out, errs bytes.Buffer
	defer func() {
		if strings.Contains(errs.String(), "secret") {
			t.Errorf("a secret is told: %s", errs.String())
		}
	}()
	code := Main(args, strings.NewReader(""), &out, &errs)
	want := "^pileup: error: " + wantError + "\npileup: hint: " + wantHint + "\n$"
	if code != exitRefused || out.Len() > 0 || !regexp.MustCompile(want).Match(errs.Bytes()) {
		t.Errorf("%.200q: exit code %d, said\n%.2000s\nwant\n%s", args, code, errs.String(), want)
	}
	for line := range strings.Lines(errs.String()) {
		if len(line) > 800 {
			t.Errorf("%.200q: a line of %d bytes", args, len(line))
		}
	}
}

func TestInputsThatAreNoFilesAreRefused(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	flags := map[string][]string{
		"--body":  {"--body"},
		"--image": {"--image"},
		"--trace": {"--trace"},
		"auto":    {xavier, tx2, "-m", "a=5", "--balance", "weighted", "--weights"},
	}
	for flag, args := range flags {
		for name, what := range map[string]string{pipe: "a pipe", os.TempDir(): "a directory", "/dev/zero": "a device"} {
			if flag == "auto" {
				name = "auto:" + name
			}
			refusal(t, append(args[:len(args):len(args)], name), ".* is "+what+" and no file", ".*give .*")
		}
	}
}

func TestAnEmptyTraceIsRefused(t *testing.T) {
	for text, want := range map[string][2]string{
		"1,a,0\n3,b,0\n":          {"nothing is due in w.csv: all its counts are 0", "lines are second,model,count .*"},
		"second,model,count\n":    {"w.csv: nothing in it: want lines .*", "make one: .*"},
		"# a comment and no more": {"w.csv: nothing in it: want lines .*", "make one: .*"},
		"1,a,many\n":              {"w.csv:1: count \"many\": .*", "lines are second,model,count .*"},
	} {
		file := filepath.Join(t.TempDir(), "w.csv")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		refusal(t, []string{"--trace", file}, "--trace: "+want[0], want[1])
	}
}

// A bad word of any length makes a message that can be read.
func TestMessagesQuoteTheBeginning(t *testing.T) {
	long := strings.Repeat("a1;", 16_000)
	for _, flag := range []string{
		"-m=a=", "-r=", "-d=", "-n=", "-c=", "-H=", "--trace=", "--body=", "--image=", "--shape-rate=", "--shape-rate=ramp ",
		"--shape-rate=step 1 every ", "--mix=", "--mix=(1,", "--arrivals=", "--within=", "--every=", "--timeout=", "--drain=",
		"--input-data=", "--slo=", "--theme=", "--seed=", "--fps=", "--max-in-flight=", "--connections=", "--plain=", "--",
		"tfs+http://", "a", "a=tfs+http://u:p@", "tfs+http://x/",
	} {
		refusal(t, []string{flag + long}, "(?s).*", ".*")
	}
	pool := []string{xavier, tx2, "-m", "a=5"}
	for _, flags := range [][]string{{"--balance", long}, {"--balance", "weighted", "--weights", long}, {"-m", "a@" + long}, {"-m", long + "@b"}} {
		refusal(t, append(pool[:4:4], flags...), "(?s).*", ".*")
	}
	for _, args := range [][]string{{"workload", long}, {"workload", "make", long}, {"workload", "make", "--mix=" + long}, {"workload", "make", "--mix=1", "-m=" + long, "-d=1s"}, {"demo", long}, {"demo", "--listen=" + long}, {"selftest", long}, {"selftest", "-d=" + long}} {
		refusal(t, args, "(?s).*", ".*")
	}
}

func TestHeadersThatCannotBeSentAreRefused(t *testing.T) {
	for header, want := range map[string]string{
		"X(y: z":         `a header's name holds '\(': .*`,
		"Ключ: z":        `a header's name holds '.': .*`,
		"X: a\x01secret": `the value of header X holds '\\x01', a control character`,
		"X: a\x7f":       `the value of header X holds '\\x7f', a control character`,
		"secret":         `a header is not of the form Name: value`,
		"secret=1: z":    `a header's name holds '=': .*`,
		"Connection: z":  `header Connection is the driver's own`,
	} {
		refusal(t, []string{"-n=1", "-H", header}, "-H: "+want, "-H 'NAME: VALUE'")
	}
	if _, err := planOf("-H", "X-Y_z.1: a\tb: \u00e9"); err != nil {
		t.Errorf("a good one is refused: %v", err)
	}
}

func TestTimesWithoutAnEndAreRefused(t *testing.T) {
	for _, flag := range []string{"-d", "--timeout", "--drain"} {
		for _, d := range []string{"10000h1ns", "2562047h47m"} {
			refusal(t, []string{flag, d}, flag+": .* is too long", "at most "+flag+" 10000h, .*")
		}
	}
	if _, err := planOf("-d", "10000h", "--timeout", "10000h", "--drain", "10000h"); err != nil {
		t.Errorf("the longest are refused: %v", err)
	}
	refusal(t, []string{"-r", "1", "--arrivals", "burst", "--every", "10001h"}, "--every: a window of 10001h0m0s: want 1ms to 10000h", "--every 1s")
}

// More than can be open at once is refused before anything is made of it.
func TestTooMuchAtOneInstantIsRefused(t *testing.T) {
	const million = "1,000,000"
	for line, want := range map[string]string{
		"--arrivals burst -n 3000000":                              "burst: 3,000,000",
		"--arrivals burst -n 1000001 --every 1s":                   "burst: 1,000,001",
		"--arrivals offline -n 1000001":                            "offline: 1,000,001",
		"--arrivals offline -n 9223372036854775807":                "offline: 9,223,372,036,854,775,80.",
		"--arrivals burst -r 1000 --every 10000h":                  "burst: 36,000,000,000",
		"--arrivals burst --mix (600000,600000) -m a -m b":         "burst: 1,200,000",
		"--arrivals poisson-counts --within burst -m a=1e6 -m b=1": "poisson-counts: 1,000,001",
	} {
		refusal(t, strings.Fields(line), "--arrivals "+want+" requests at one instant; at most "+million+" can be open",
			"send fewer, or spread them: --arrivals uniform")
	}
	for _, line := range []string{
		"--arrivals burst -n 1000000", "--arrivals offline -n 1000000", "--arrivals burst -r 1000 --every 10000h -n 5",
		"--arrivals uniform -n 3000000 -d 10s", "-r 1e6", "-r 1e6 --arrivals poisson-counts",
	} {
		if _, err := planOf(strings.Fields(line)...); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	file := filepath.Join(t.TempDir(), "w.csv")
	if err := os.WriteFile(file, []byte("1,a,600000\n2,a,5\n1,b,400001\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	refusal(t, []string{"--trace", file, "--within", "burst"}, "--trace: w.csv:3: 1000001 requests are due at once, at 0s: at most 1000000 can be open",
		"spread them, or leave --within burst away")
	refusal(t, []string{"-c", "100001"}, "-c: a closed loop of 100,001; at most 100,000", "-c 8")
}
