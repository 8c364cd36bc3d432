package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/creack/pty"

	"bench/sink"
)

// A run is one tool under one load, once. What is not known is 0.
type run struct {
	Load      string    `json:"load"`
	Tool      string    `json:"tool"`
	Round     int       `json:"round"`
	Try       int       `json:"try"`
	At        time.Time `json:"at"`
	Args      []string  `json:"args"`
	Err       string    `json:"err,omitempty"` // why it says nothing
	Disturbed bool      `json:"disturbed"`
	Others    float64   `json:"others"` // cores that other processes used
	Stolen    float64   `json:"stolen"` // cores that the hypervisor took

	Wall     float64 `json:"wall_s"`
	CPU      float64 `json:"cpu_s"` // user and system, of the tool's whole life
	RSS      int64   `json:"rss_kb,omitempty"`
	SinkCPU  float64 `json:"sink_cpu_s"`
	Terminal int64   `json:"terminal_bytes,omitempty"` // what it drew

	Due       int       `json:"due,omitempty"` // rate × duration
	Sent      int       `json:"sent"`          // arrived at the sink
	Answered  int       `json:"answered"`
	OpenMax   int       `json:"open_max"`
	Rate      float64   `json:"rate"` // of the arrivals
	Deviation deviation `json:"deviation_us"`
	TrueP99   float64   `json:"true_p99_s,omitempty"` // response from due, by the sink's stamps
	ClockStep float64   `json:"clock_step_s"`
	Said      said      `json:"said"`
}

// per1000 is the CPU time of a thousand requests, in ms.
func (r *run) per1000() float64 { return r.CPU / float64(max(1, r.Sent)) * 1e6 }

// grace is how much longer than its load a tool may take, before it is killed.
const grace = time.Minute

// one runs a tool under a load against a fresh sink, and says what came of it.
func (b *bench) one(ctx context.Context, l load, t tool, round, try int) *run {
	r := &run{Load: l.name, Tool: t.name, Round: round, Try: try}
	if err := b.measure(ctx, r, l, t); err != nil {
		r.Err = err.Error()
	}
	return r
}

func (b *bench) measure(ctx context.Context, r *run, l load, t tool) error {
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s, err := startSink(l.service)
	if err != nil {
		return fmt.Errorf("start the sink: %w", err)
	}
	j := b.job(l, s.url, dir)
	if err := j.prepare(); err != nil {
		return errors.Join(err, s.kill())
	}
	time.Sleep(200 * time.Millisecond) // the kernel begins to stamp a moment later
	out, toolErr := b.drive(ctx, r, t, j, s.cmd.Process.Pid)
	rec, err := s.end()
	if err != nil {
		return fmt.Errorf("end the sink: %w", err)
	}
	r.take(rec, j)
	if toolErr != nil {
		return toolErr
	}
	if t.read == nil {
		return nil
	}
	if r.Said, err = t.read(out); err != nil {
		return fmt.Errorf("read what it said: %w", err)
	}
	return nil
}

func (b *bench) job(l load, url, dir string) job {
	j := job{
		load: l, seconds: b.seconds, url: url, predict: url + sink.PredictPath,
		body: b.small, contentType: "application/json", dir: dir,
	}
	if l.big {
		j.body, j.contentType = b.large, "application/octet-stream"
	}
	return j
}

// drive runs the tool, measures its process, and returns what it said.
func (b *bench) drive(ctx context.Context, r *run, t tool, j job, sinkPID int) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(j.seconds)*time.Second+grace)
	defer cancel()
	cmd := exec.CommandContext(ctx, b.binaries[t.name], t.args(j)...)
	cmd.Dir = j.dir
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "COLORTERM=truecolor", "CI=")
	r.Args, r.At = cmd.Args[1:], time.Now()

	before := look()
	var out []byte
	var err error
	if t.terminal {
		out, err = r.onTerminal(cmd, time.Duration(j.seconds)*time.Second)
	} else {
		out, err = r.piped(cmd)
	}
	if cmd.Process == nil {
		return nil, err
	}
	after := look()
	r.Wall = after.at.Sub(before.at).Seconds()
	r.Others, r.Stolen = others(before, after, os.Getpid(), sinkPID, cmd.Process.Pid)
	r.Disturbed = r.Others > mostOthers || r.Stolen > j.load.mayBeStolen()
	r.CPU = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	if err == nil && t.report != nil {
		out, err = exec.CommandContext(ctx, b.binaries[t.name], t.report(j)...).CombinedOutput()
	}
	name := fileName.Replace(fmt.Sprintf("%s.%s.%d.%d.txt", r.Load, r.Tool, r.Round, r.Try))
	err = errors.Join(err, os.WriteFile(filepath.Join(b.out, name), out, 0o644))
	if err != nil {
		return out, fmt.Errorf("%w: %s", err, ending(out))
	}
	return out, nil
}

var fileName = strings.NewReplacer("/", "-per-", ", ", "-", " ", "-")

// piped runs a command and returns what it wrote.
func (r *run) piped(cmd *exec.Cmd) ([]byte, error) {
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	stop := r.watch(cmd.Process.Pid)
	err := cmd.Wait()
	stop()
	return out.Bytes(), err
}

// onTerminal runs a command on a terminal of its own, types q two seconds after
// the load's end, and returns what it drew.
func (r *run) onTerminal(cmd *exec.Cmd, length time.Duration) ([]byte, error) {
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 45, Cols: 160})
	if err != nil {
		return nil, err
	}
	defer tty.Close()
	stop := r.watch(cmd.Process.Pid)
	quit := time.AfterFunc(length+2*time.Second, func() { _, _ = tty.WriteString("q") })
	defer quit.Stop()
	var out bytes.Buffer
	_, _ = io.Copy(&out, tty) // ends with an error when the other side is closed
	err = cmd.Wait()
	stop()
	r.Terminal = int64(out.Len())
	return out.Bytes(), err
}

// watch notes the memory of a process every second, until it is stopped: its
// high-water mark, which rusage has too, but there starts at the parent's.
func (r *run) watch(pid int) (stop func()) {
	done, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				r.RSS = max(r.RSS, highWater(pid))
			case <-done:
				return
			}
		}
	}()
	return func() { close(done); <-gone }
}

// highWater returns the most memory that a process had, in KB.
func highWater(pid int) int64 {
	status, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	for line := range strings.Lines(string(status)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "VmHWM:" {
			kb, _ := strconv.ParseInt(f[1], 10, 64)
			return kb
		}
	}
	return 0
}

// take evaluates what the sink saw.
func (r *run) take(rec sink.Record, j job) {
	slices.SortFunc(rec.Requests, func(a, b sink.Request) int { return cmp.Compare(a.Arrived, b.Arrived) })
	r.Sent, r.OpenMax = len(rec.Requests), rec.OpenMax
	r.SinkCPU, r.ClockStep = rec.CPU.Seconds(), rec.ClockStep.Seconds()
	r.Disturbed = r.Disturbed || rec.ClockStep.Abs() > 100*time.Microsecond || rec.Unstamped > 0
	for _, q := range rec.Requests {
		if q.Answered != 0 {
			r.Answered++
		}
	}
	if r.Sent < 2 {
		return
	}
	arrived := arrivals(rec.Requests)
	r.Rate = float64(r.Sent-1) / (float64(arrived[r.Sent-1]-arrived[0]) / 1e9)
	if j.rate > 0 {
		r.Due = int(j.rate) * j.seconds
		r.Deviation = deviationOf(arrived, j.rate)
		r.TrueP99 = trueP99(rec.Requests, j.rate, r.Due)
	}
}

// ending is the last two lines of what a program said, for an error.
func ending(out []byte) string {
	var lines []string
	for line := range strings.Lines(string(out)) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	text := []rune(strings.Join(lines[max(0, len(lines)-2):], "; "))
	return strings.TrimSuffix(string(text[:min(len(text), 300)]), ".")
}
