package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"time"
)

// A tool is a load generator, or pileup in one of its shapes.
type tool struct {
	name string
	// versions are what can be installed, MODULE@VERSION, the best first; nil
	// is pileup itself.
	versions []string
	// terminal runs it on a terminal of 160×45, where q is typed after the end.
	terminal bool
	args     func(j job) []string
	// report are the arguments of a second run, which is not measured, that
	// prints what the first one found; nil if that did so itself.
	report func(j job) []string
	read   func(out []byte) (said, error)
}

// A job is what a tool has to do.
type job struct {
	load
	seconds     int
	url         string // of the sink, without a path
	predict     string // URL to post to
	body        string // file
	contentType string
	dir         string // for the tool's own files
}

// said is what a tool said itself. What it does not tell is 0.
type said struct {
	P50    float64 `json:"p50_s,omitempty"` // response as the tool defines it, in s
	P99    float64 `json:"p99_s,omitempty"`
	Due    int     `json:"due,omitempty"`
	OK     int     `json:"ok,omitempty"`
	Failed int     `json:"failed,omitempty"`
}

const (
	ours     = "pileup"
	onScreen = "pileup, screen"
	vegeta   = "vegeta"
)

// Connections in an open loop, of those that have to be told. hey takes 50 by
// itself; fortio and plow would take 4 and 1, and could not keep up.
const (
	fortioConns = 16
	heyConns    = 50
	plowConns   = 50
)

var tools = []tool{
	{name: ours, args: func(j job) []string { return pileupArgs(j, "--json") }, read: readPileup},
	{name: onScreen, args: func(j job) []string { return pileupArgs(j) }, terminal: true},
	{
		name:     vegeta,
		versions: []string{"github.com/tsenart/vegeta/v12@v12.13.0"},
		args: func(j job) []string {
			args := []string{"attack", "-targets", j.dir + "/targets", "-output", j.dir + "/results", "-duration", j.duration()}
			if j.conns > 0 {
				return append(args, "-rate", "0", "-workers", strconv.Itoa(j.conns), "-max-workers", strconv.Itoa(j.conns))
			}
			return append(args, "-rate", number(j.rate))
		},
		report: func(j job) []string { return []string{"report", "-type=json", j.dir + "/results"} },
		read:   readVegeta,
	},
	{
		name:     "fortio",
		versions: []string{"fortio.org/fortio@v1.75.3", "fortio.org/fortio@v1.66.5"},
		args: func(j job) []string {
			args := []string{
				"load", "-quiet", "-json", "-", "-r", "0.00005", "-p", "50,99", "-t", j.duration(),
				"-payload-file", j.body, "-content-type", j.contentType,
			}
			if j.conns > 0 {
				return append(args, "-qps", "0", "-c", strconv.Itoa(j.conns), j.predict)
			}
			return append(args, "-qps", number(j.rate), "-c", strconv.Itoa(fortioConns), "-uniform", j.predict)
		},
		read: readFortio,
	},
	{
		name:     "hey",
		versions: []string{"github.com/rakyll/hey@v0.1.5"},
		args: func(j job) []string {
			args := []string{"-z", j.duration(), "-m", "POST", "-T", j.contentType, "-D", j.body}
			if j.conns > 0 {
				return append(args, "-c", strconv.Itoa(j.conns), j.predict)
			}
			return append(args, "-c", strconv.Itoa(heyConns), "-q", number(j.rate/heyConns), j.predict)
		},
		read: patterns{`50%+ in ([0-9.]+) secs`, `99%+ in ([0-9.]+) secs`}.read,
	},
	{
		name:     "plow",
		versions: []string{"github.com/six-ddc/plow@v1.4.0"},
		args: func(j job) []string {
			args := []string{
				j.predict, "-d", j.duration(), "-m", "POST", "-T", j.contentType, "--body", "@" + j.body,
				"--listen=", "-i", "0", "--json",
			}
			if j.conns > 0 {
				return append(args, "-c", strconv.Itoa(j.conns))
			}
			return append(args, "-c", strconv.Itoa(plowConns), "--rate", number(j.rate))
		},
		read: patterns{`"P50": "?([0-9.]+(?:ns|us|µs|ms|s)?)`, `"P99": "?([0-9.]+(?:ns|us|µs|ms|s)?)`}.read,
	},
}

func pileupArgs(j job, more ...string) []string {
	args := append(more, "-m", "sink", "-d", j.duration(), "--body", j.body)
	if j.conns > 0 {
		args = append(args, "-c", strconv.Itoa(j.conns))
	} else {
		args = append(args, "-r", number(j.rate))
	}
	return append(args, "tfs+"+j.url)
}

// prepare writes the files that tools want beside the body.
func (j job) prepare() error {
	targets := fmt.Sprintf("POST %s\nContent-Type: %s\n@%s\n", j.predict, j.contentType, j.body)
	return os.WriteFile(j.dir+"/targets", []byte(targets), 0o644)
}

func (j job) duration() string { return strconv.Itoa(j.seconds) + "s" }

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

func readPileup(out []byte) (said, error) {
	var v struct {
		Total struct {
			Due, OK, Failed int
			Response        struct{ P50, P99 float64 }
		}
	}
	err := json.Unmarshal(out, &v)
	t := v.Total
	return said{t.Response.P50, t.Response.P99, t.Due, t.OK, t.Failed}, err
}

func readVegeta(out []byte) (said, error) {
	var v struct {
		Latencies struct {
			P50 time.Duration `json:"50th"`
			P99 time.Duration `json:"99th"`
		}
	}
	err := json.Unmarshal(out, &v)
	return said{P50: v.Latencies.P50.Seconds(), P99: v.Latencies.P99.Seconds()}, err
}

// readFortio reads the JSON object that follows what else fortio says.
func readFortio(out []byte) (s said, err error) {
	var v struct {
		DurationHistogram struct {
			Percentiles []struct{ Percentile, Value float64 }
		}
	}
	i := bytes.Index(out, []byte("{\n"))
	if i < 0 {
		return s, errors.New("no JSON")
	}
	err = json.NewDecoder(bytes.NewReader(out[i:])).Decode(&v)
	for _, p := range v.DurationHistogram.Percentiles {
		switch p.Percentile {
		case 50:
			s.P50 = p.Value
		case 99:
			s.P99 = p.Value
		}
	}
	return s, err
}

// patterns find the p50 and p99 in a text, in seconds unless a unit follows.
type patterns struct{ p50, p99 string }

func (p patterns) read(out []byte) (s said, err error) {
	s.P50, err = find(p.p50, out)
	if err == nil {
		s.P99, err = find(p.p99, out)
	}
	return s, err
}

func find(pattern string, text []byte) (seconds float64, err error) {
	m := regexp.MustCompile(pattern).FindSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("no %s", pattern)
	}
	if x, err := strconv.ParseFloat(string(m[1]), 64); err == nil {
		return x, nil
	}
	d, err := time.ParseDuration(string(m[1]))
	return d.Seconds(), err
}
