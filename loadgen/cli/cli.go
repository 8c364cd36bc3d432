// Package cli is the command line: one file a command, and the grammars of
// flags and words.
//
// Start with [Main]. It refuses early: whatever is wrong with the words or with
// what stands at the other end is said, with a hint, before the first request
// is due, and nothing has been sent then.
//
// Messages go to standard error in two lines, `pileup: error: …` and
// `pileup: hint: …`; results go to standard output.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/pace"
	"dev.example/pileup/loadgen/report"
	"dev.example/pileup/tui/term"
)

// Version is the version of this program.
const Version = "0.1.0"

// The exit codes.
const (
	exitOK      = 0
	exitError   = 1   // stopped by an error, or not one request was ok
	exitRefused = 2   // refused before the first request was due
	exitSLO     = 99  // what was asked with --slo was not kept
	exitHangup  = 129 // the terminal went away
	exitCut     = 130 // a second interrupt, or cut
	exitTerm    = 143 // SIGTERM
)

// streams are the three files of a command.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// Main runs the command line args and returns its exit code.
func Main(args []string, in io.Reader, out, err io.Writer) int {
	printed := &output{Writer: out}
	std := streams{in, printed, err}
	log.SetOutput(io.Discard) // net/http has things to say that would land on the screen
	onCrash(nil, term.State{})
	code := exitOK
	root := rootCommand(std, &code)
	root.SetArgs(args)
	if e := root.ExecuteContext(context.Background()); e != nil {
		return fail(err, e)
	}
	if e := printed.lost(); e != nil {
		lost := fail(err, outputLost(e))
		code = cmp.Or(code, lost)
	}
	return code
}

// output is where results are printed. Nothing stops for it; the first error is
// told at the end.
type output struct {
	io.Writer
	mu  sync.Mutex
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.err = cmp.Or(o.err, err)
	return n, err
}

func (o *output) lost() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

func outputLost(err error) error { return fmt.Errorf("output was lost: %w", err) }

// refused is an error of what was asked for: exit code 2.
type refused struct {
	err  error
	hint string
}

func (r *refused) Error() string { return r.err.Error() }
func (r *refused) Unwrap() error { return r.err }

// refuse makes an error with a hint; both are formatted like fmt.Errorf.
func refuse(hint, format string, a ...any) error {
	return &refused{fmt.Errorf(format, a...), hint}
}

// fail prints an error and its hint and returns the exit code it stands for.
func fail(w io.Writer, err error) int {
	code, hint := exitError, ""
	var r *refused
	var target *loadgen.Refusal
	switch {
	case errors.As(err, &r):
		code, hint = exitRefused, r.hint
	case errors.As(err, &target):
		code, hint = exitRefused, target.Hint
	}
	hint = cmp.Or(hint, lacking(err))
	fmt.Fprintf(w, "pileup: error: %s\n", short(oneLine(err.Error())))
	if hint != "" {
		fmt.Fprintf(w, "pileup: hint: %s\n", short(oneLine(hint)))
	}
	return code
}

// shortages are what a machine may run out of, and what to do about it.
var shortages = []struct {
	of   syscall.Errno
	hint string
}{
	{syscall.EMFILE, "raise the limit of descriptors: ulimit -n 4096"},
	{syscall.ENFILE, "this machine has no more descriptors: end what holds many"},
	{syscall.ENOSPC, "make room on the disk, or write elsewhere"},
	{syscall.EDQUOT, "make room on the disk, or write elsewhere"},
	{syscall.EPIPE, "what read it has ended: -o FILE keeps a run whoever reads"},
	{syscall.EADDRNOTAVAIL, "no local port is free: wait a minute for those of closed connections, or leave --no-keepalive away"},
}

// lacking is the hint for an error that is one of them, "" for others.
func lacking(err error) string {
	for _, s := range shortages {
		if errors.Is(err, s.of) {
			return s.hint
		}
	}
	return ""
}

// shortage is the hint for the text of one, "" for others: of what went wrong in
// the course of a run only the text is kept.
func shortage(text string) string {
	for _, s := range shortages {
		if strings.Contains(text, s.of.Error()) {
			return s.hint
		}
	}
	return ""
}

// badFlag says what is wrong with a flag, and of its value no more than helps.
func badFlag(err error) string {
	text := err.Error()
	if bad, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		quoted := func(s string) string { q := strconv.Quote(s); return q[1 : len(q)-1] }
		value := bad.GetValue()
		text = strings.ReplaceAll(text, quoted(value), quoted(pace.Brief(value)))
		text = strings.ReplaceAll(text, value, pace.Brief(value))
	}
	return text
}

// longestMessage bounds a message, whoever wrote what it quotes.
const longestMessage = 600 // characters

// short leaves out the middle of a long message.
func short(s string) string {
	r := []rune(s)
	if len(r) <= longestMessage {
		return s
	}
	return string(r[:longestMessage/2]) + " … " + string(r[len(r)-longestMessage/2:])
}

// oneLine keeps a message from breaking out of its line or into the terminal.
func oneLine(s string) string {
	return report.Clean(strings.NewReplacer("\n", " ", "\t", " ").Replace(strings.TrimSpace(s)))
}

func rootCommand(std streams, code *int) *cobra.Command {
	var f driveFlags
	root := &cobra.Command{
		Use:   "pileup [[NAME=]URL…] [flags]",
		Short: "Drive load at inference endpoints and see, live, why requests pile up",
		Long: `Drive load at inference endpoints and see, live, why requests pile up.

Without a URL it drives its own demo board: no server needed.

  pileup                                                the demo, live
  pileup -m mobilenet_v1 -r 50 tfs+http://xavier:8501   a TensorFlow Serving, live
  pileup --plain -m mobilenet_v1 -r 50 -d 10s URL       lines and tables instead of a screen
  pileup --json -m mobilenet_v1 -r 50 -d 10s URL        one JSON object at the end
  pileup demo --listen 127.0.0.1:8501                   only the demo's server`,
		Args:              cobra.ArbitraryArgs,
		SilenceErrors:     true,
		SilenceUsage:      true,
		Version:           Version,
		DisableAutoGenTag: true,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			*code, err = drive(cmd.Context(), std, &f, cmd.Flags(), args)
			return err
		},
	}
	root.SetVersionTemplate("pileup {{.Version}}\n")
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		hint := "pileup -h lists the flags"
		if strings.Contains(err.Error(), "missing unit in duration") {
			hint = "write a unit: 10s, 500ms, 2m"
		}
		return refuse(hint, "%s", badFlag(err))
	})
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "FlagUsages", "FlagUsagesWrapped 80"))
	f.register(root)
	root.AddCommand(demoCommand(std, code))
	root.AddCommand(workloadCommand(std, code))
	root.AddCommand(selfTestCommand(std, code))
	return root
}

// asFile returns the *os.File behind a stream, if there is one.
func asFile(v any) (*os.File, bool) {
	if o, ok := v.(*output); ok {
		v = o.Writer
	}
	f, ok := v.(*os.File)
	return f, ok && f != nil
}
