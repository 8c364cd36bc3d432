//go:build unix

package httpconn

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"dev.example/pileup/loadgen/guard"
)

// nullEnv makes the test binary a server of its own, so that its work is in
// nobody's figure.
const nullEnv = "PILEUP_NULL_SERVER"

func TestMain(m *testing.M) {
	if size, err := strconv.Atoi(os.Getenv(nullEnv)); err == nil {
		serveNull(size)
	}
	os.Exit(m.Run())
}

// serveNull says where it listens, and serves until nobody is there any more.
func serveNull(size int) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		os.Exit(1)
	}
	fmt.Printf("http://%s\n", l.Addr())
	var g guard.Group
	g.Go("end", func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	})
	for {
		c, err := l.Accept()
		if err != nil {
			os.Exit(1)
		}
		g.Go("serve", func() { null(size)(c) })
	}
}

// BenchmarkCost compares what a request costs this process, user and system,
// in every way, in turns of 50: what else the machine does meets them all.
func BenchmarkCost(b *testing.B) {
	const turn = 50
	for _, size := range []int{2000, 602_112} {
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			a := nullProcess(b, size)
			ours := post(b, client(b, a, Options{}), strings.Repeat("x", size))
			theirs := post(b, client(b, a, Options{NetHTTP: true}), strings.Repeat("x", size))
			g := &begun{res: make(chan Result, 1)}
			do := func(r *Request) Result { return r.Do(b.Context(), &count{}, nil) }
			ways := []func() Result{
				func() Result { return do(theirs) },
				func() Result { return do(ours) },
				func() Result {
					if ours.begin(g) == nil {
						b.Fatal("nothing was started")
					}
					return <-g.res
				},
			}
			spent := make([]time.Duration, len(ways))
			for b.Loop() {
				for i, send := range ways {
					before := cpu(b)
					for range turn {
						if res := send(); res.Err != nil {
							b.Fatal(res.Err)
						}
					}
					spent[i] += cpu(b) - before
				}
			}
			for i, name := range []string{"nethttp", "raw", "started"} {
				b.ReportMetric(float64(spent[i].Nanoseconds())/float64(turn*b.N)/1000, name+"-µs/req")
				b.ReportMetric(spent[i].Seconds()/spent[0].Seconds(), name+"/nethttp")
			}
		})
	}
}

// cpu is what this process has used.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func nullProcess(b *testing.B, size int) Address {
	b.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), nullEnv+"="+strconv.Itoa(size))
	out, err := c.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	in, err := c.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = in.Close(); _ = c.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	a, err := ParseAddress(strings.TrimSpace(line))
	if err != nil {
		b.Fatal(err)
	}
	return a
}
