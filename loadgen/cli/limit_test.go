//go:build unix

package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"
)

// Too few descriptors are refused before anything is sent; with few of them as
// many requests are in flight as there are free ones for.
func TestDescriptorsAreEnoughForWhatIsInFlight(t *testing.T) {
	few := "^pileup: error: too few descriptors: this process may open [0-9]+ more, and needs 50\n" +
		"pileup: hint: raise the limit of descriptors: ulimit -n 4096\n$"
	for _, tt := range []struct {
		limit int
		held  int // descriptors that are open from the start
		args  string
		want  string // of stderr, "" if it runs
		most  int    // requests in flight
	}{
		{limit: 12, args: "--plain -r 50 -n 20", want: few},
		{limit: 50, args: "--plain -r 50 -n 20", want: few},
		{limit: 50, args: "demo --listen 127.0.0.1:0", want: few},
		{limit: 60, args: "--plain -r 50 -n 20", most: 5},
		{limit: 80, held: 20, args: "--plain -r 50 -n 20", most: 5},
		{limit: 100, args: "--plain -r 50 -n 20", most: 25},
		{limit: 100, args: "--plain --max-in-flight 60 -n 20", want: "^pileup: error: --max-in-flight 60: each takes a descriptor, and [0-9]+ are free for them\n"},
	} {
		t.Run(fmt.Sprint(tt.limit, " ", tt.held), func(t *testing.T) {
			cmd := exec.Command("sh", "-c", fmt.Sprintf(`ulimit -n %d; exec "$0" %s`, tt.limit, tt.args), os.Args[0])
			cmd.Env = append(os.Environ(), childEnv+"=main")
			for range tt.held {
				cmd.ExtraFiles = append(cmd.ExtraFiles, os.Stdin)
			}
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			_ = cmd.Run() // the code says it
			got := cmd.ProcessState.ExitCode()
			if tt.want != "" {
				if got != exitRefused || out.Len() > 0 || !regexp.MustCompile(tt.want).Match(errs.Bytes()) {
					t.Errorf("exit code %d, said %s%s", got, out.String(), errs.String())
				}
				return
			}
			said := regexp.MustCompile(`limits +([0-9]+) in flight`).FindStringSubmatch(out.String())
			if got != exitOK || said == nil {
				t.Fatalf("exit code %d, said %s%s", got, out.String(), errs.String())
			}
			if n, err := strconv.Atoi(said[1]); err != nil || n < 1 || n > tt.most {
				t.Errorf("%d in flight, want 1 to %d", n, tt.most)
			}
			if !regexp.MustCompile(`20 due, 20 ok`).Match(out.Bytes()) {
				t.Errorf("not all were ok:\n%s", out.String())
			}
		})
	}
}
